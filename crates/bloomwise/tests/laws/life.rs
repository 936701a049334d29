//! A filter that lives through a random sequence of legal operations, beside a model that is right at a glance.

use crate::naive::Model;
use bloomwise::{AnyFilter, Error, Family, Filter, Hashing, Operation, Size, Spec};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Something a caller may do to a filter.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Insert(u8),
    /// Only if the key is there and the family can.
    Remove(u8),
    /// Only if the family can; the key may be in the set, except that a cuckoo filter would deny it.
    Guard(u8),
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0u8..40).prop_map(Step::Insert),
        2 => (0u8..40).prop_map(Step::Remove),
        1 => (0u8..60).prop_map(Step::Guard),
    ];
    prop::collection::vec(step, 0..120)
}

/// The families that grow; `known.rs` and `guarded.rs` have what holds for the others.
pub fn family() -> impl Strategy<Value = Family> {
    let grows = |family: &Family| family.can(Operation::Insert);
    prop::sample::select(Family::ALL.into_iter().filter(grows).collect::<Vec<_>>())
}

fn hashing() -> impl Strategy<Value = Hashing> {
    prop_oneof![
        any::<u64>().prop_map(|seed| Hashing::Xxh3 { seed }),
        any::<u128>().prop_map(|key| Hashing::SipHash { key }),
    ]
}

/// A spec of any family, with sizes from almost nothing to a few cache lines.
pub fn spec() -> impl Strategy<Value = Spec> {
    let settings = (
        1u32..=32,
        prop::sample::select(vec![256u64, 512]),
        prop::sample::select(vec!["single", "sequential", "mht"]),
    );
    let options = (family(), 1u64..3000, hashing(), settings);
    options.prop_map(|(family, bits, hashing, (k, block, scheme))| {
        // A filter that grows has several layers soon.
        let capacity = if family == Family::Growing { 5 } else { 30 };
        let spec = Spec::new(family).size(Size::Bits(bits)).capacity(capacity);
        let spec = spec.hashing(hashing);
        if family == Family::Cuckoo {
            // Room for the capacity with the longest of these fingerprints, and for a few exceptions.
            let (most, least) = if bits > 2000 { (26, 1800) } else { (10, 1250) };
            let spec = spec.size(Size::Bits(least + bits % 1500));
            let fingerprint = u64::from(7 + k % most);
            return spec.set("fingerprint", fingerprint).expect("short");
        }
        let spec = spec.set("k", u64::from(k)).expect("all others have k");
        match family {
            Family::Growing => spec.set("expansion", u64::from(k % 3 + 1)).expect("small"),
            Family::Blocked => spec.set("block", block).expect("a block size"),
            Family::Balanced => spec
                .set("block", block)
                .and_then(|spec| spec.set("scheme", scheme))
                .expect("a block size and a scheme"),
            // With and without a modulator, whose counts stick soon.
            Family::Seesaw | Family::SeesawAdaptive if k % 2 == 0 => {
                let spec = spec
                    .set("alpha", 0.4)
                    .and_then(|spec| spec.set("count-bits", 2));
                let spec = spec.and_then(|spec| spec.set("index-bits", 1));
                spec.expect("sound settings")
            }
            // Room for five keys in the list, where there is room for that and for slots.
            Family::PersonalizedRejecting if bits > 1000 => {
                let threshold = u64::from(k.div_ceil(2));
                let spec = spec.set("threshold", threshold).expect("below k");
                spec.set("list", 5).expect("a length")
            }
            _ => spec,
        }
    })
}

pub fn key(name: u8) -> [u8; 4] {
    [name, 1, 2, 3]
}

/// A filter, the naive model that has lived through the same, and how often each key is in the set.
#[derive(Clone)]
pub struct Life {
    pub filter: AnyFilter,
    pub model: Model,
    pub held: BTreeMap<u8, u32>,
}

impl Life {
    pub fn new(spec: &Spec) -> Self {
        let filter = spec.create().expect("a sound spec");
        Life {
            model: Model::of(&filter),
            filter,
            held: BTreeMap::new(),
        }
    }

    pub fn after(spec: &Spec, steps: &[Step]) -> Self {
        let mut life = Life::new(spec);
        steps.iter().for_each(|&step| life.take(step));
        life
    }

    /// Takes a step if it is legal.
    pub fn take(&mut self, step: Step) {
        match step {
            Step::Insert(name) => {
                let before = self.filter.clone();
                let fits = self.model.insert(self.filter.hashing().digest(key(name)));
                if let Err(error) = self.filter.insert(key(name)) {
                    assert!(matches!(error, Error::Full { .. }), "{error}");
                    assert_eq!(self.filter, before, "nothing changes");
                    assert!(!fits, "there is room for {name}");
                    return;
                }
                assert!(fits, "there is no room for {name}");
                *self.held.entry(name).or_default() += 1;
            }
            Step::Guard(name)
                if self.filter.family() == Family::Cuckoo
                    && self.held.get(&name).is_some_and(|&count| count > 0) => {}
            Step::Guard(name) => match self.filter.guard(key(name)) {
                Ok(()) => self.model.guard(self.filter.hashing().digest(key(name))),
                Err(error) => assert!(matches!(error, Error::Unsupported { .. }), "{error}"),
            },
            Step::Remove(name) => {
                let Some(count) = self.held.get_mut(&name).filter(|count| **count > 0) else {
                    return;
                };
                match self.filter.remove(key(name)) {
                    Ok(done) => {
                        assert!(done, "a key that is there can be removed");
                        self.model.remove(self.filter.hashing().digest(key(name)));
                        *count -= 1;
                    }
                    Err(error) => assert!(matches!(error, Error::Unsupported { .. }), "{error}"),
                }
            }
        }
    }
}
