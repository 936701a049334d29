//! Sequences of insertions, removals and guards against an exact multiset, in a few groups of counters, so that keys collide,
//! counts stick and modulator cells are shared.

use super::naive::seesaw::SeesawModel;
use bloomwise::{AnyFilter, Digest, Filter, Hashing, KeySets, Persist, Seesaw, Size, Value};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Something a caller may do.
#[derive(Clone, Copy, Debug)]
enum Step {
    Insert(u8),
    /// Only if the key is in the set.
    Remove(u8),
    /// Only if the filter is adaptive.
    Guard(u8),
    /// Removes a key that is not in the set, if the filter denies it.
    RemoveDenied(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Few keys often, so that counts stick; many keys that are guarded, so that marks are everywhere.
    let key = || prop_oneof![1 => 0u8..4, 2 => 0u8..60];
    let step = prop_oneof![
        5 => key().prop_map(Step::Insert),
        4 => key().prop_map(Step::Remove),
        1 => (0u8..90).prop_map(Step::Guard),
        1 => (0u8..255).prop_map(Step::RemoveDenied),
    ];
    prop::collection::vec(step, 0..120)
}

#[derive(Clone, Debug)]
struct Wish {
    bits: u64,
    functions: u32,
    alpha: f64,
    count_bits: u32,
    index_bits: u32,
    segments: u64,
    adaptive: bool,
    seed: u64,
    guarded: Vec<u8>,
}

impl Wish {
    /// The filter, its model, and the digest of a key.
    fn make(&self) -> (Seesaw, SeesawModel, impl Fn(u8) -> Digest + use<>) {
        let hashing = Hashing::Xxh3 { seed: self.seed };
        let digest = move |key: u8| hashing.digest(&[key, 7]);
        let mut builder = Seesaw::builder(10, Size::Bits(self.bits))
            .hashing(hashing)
            .functions(self.functions)
            .alpha(self.alpha)
            .count_bits(self.count_bits)
            .index_bits(self.index_bits)
            .guard(100.0)
            .segments(self.segments);
        if self.adaptive {
            builder = builder.adaptive();
        }
        let guarded = self.guarded.iter().map(|&key| bloomwise::Costed {
            digest: digest(key),
            cost: 1.0,
        });
        let sets = KeySets::new(Vec::new(), guarded.collect()).expect("sound costs");
        let filter = builder.build(&sets).expect("sound");
        let model = SeesawModel::of(&AnyFilter::Seesaw(filter.clone()));
        let mut model = model.expect("a seesaw filter");
        self.guarded
            .iter()
            .for_each(|&key| model.guard(digest(key)));
        (filter, model, digest)
    }
}

fn wish() -> impl Strategy<Value = Wish> {
    let shape = (320u64..1600, 1u32..7, prop_oneof![Just(0.0), 0.1..0.5f64]);
    let cells = (1u32..4, 1u32..4, 1u64..4, any::<bool>(), any::<u64>());
    let guarded = prop::collection::vec(0u8..90, 0..40);
    (shape, cells, guarded).prop_map(|((bits, functions, alpha), cells, guarded)| {
        let (count_bits, index_bits, segments, adaptive, seed) = cells;
        Wish {
            bits,
            functions,
            alpha,
            count_bits,
            index_bits,
            segments,
            adaptive,
            seed,
            guarded,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_key_of_the_set_is_denied_and_every_answer_is_that_of_the_model(
        wish in wish(),
        steps in steps(),
    ) {
        let (mut filter, mut model, digest) = wish.make();
        let mut held: BTreeMap<u8, u32> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Insert(key) => {
                    filter.insert_digest(digest(key));
                    model.insert(digest(key));
                    *held.entry(key).or_default() += 1;
                }
                Step::Remove(key) => {
                    let Some(count) = held.get_mut(&key).filter(|count| **count > 0) else {
                        continue;
                    };
                    prop_assert!(filter.remove_digest(digest(key)), "{key} is there");
                    model.remove(digest(key));
                    *count -= 1;
                }
                Step::Guard(key) if wish.adaptive => {
                    filter.guard_digest(digest(key)).expect("adaptive");
                    model.guard(digest(key));
                }
                Step::Guard(key) => prop_assert!(filter.guard_digest(digest(key)).is_err()),
                Step::RemoveDenied(key) if !filter.contains_digest(digest(key)) => {
                    let before = filter.clone();
                    prop_assert!(!filter.remove_digest(digest(key)));
                    prop_assert_eq!(&filter, &before, "a refusal changes nothing");
                }
                Step::RemoveDenied(_) => {}
            }
            for (&key, _) in held.iter().filter(|(_, count)| **count > 0) {
                prop_assert!(filter.contains_digest(digest(key)), "{key} is denied after {step:?}");
            }
        }
        for key in 0..=255 {
            prop_assert_eq!(filter.contains_digest(digest(key)), model.contains(digest(key)));
        }
        let count: u64 = held.values().map(|&count| u64::from(count)).sum();
        prop_assert_eq!(filter.len(), count);
        prop_assert_eq!(&Seesaw::from_bytes(&filter.to_bytes()).expect("sound"), &filter);
    }
}

#[test]
fn sequences_meet_what_they_are_meant_to() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut stuck, mut mixed, mut pending, mut shared) = (0, 0, 0, 0);
    for _ in 0..300 {
        let wish = wish().new_tree(&mut runner).expect("a wish").current();
        let steps = steps().new_tree(&mut runner).expect("steps").current();
        let (mut filter, _, digest) = wish.make();
        for step in steps {
            match step {
                Step::Insert(key) => filter.insert_digest(digest(key)),
                Step::Guard(key) if wish.adaptive => {
                    filter.guard_digest(digest(key)).expect("adaptive");
                }
                _ => {}
            }
        }
        stuck += u32::from(filter.stuck() > 0);
        mixed += u32::from(filter.state().marked_fill > 0.0);
        pending += u32::from(filter.pending() > 0);
        // A cell whose count is stuck at 3 or more has been entered as often.
        let full =
            |&(name, ref value): &(&str, Value)| name == "stuck_cells" && *value != Value::Whole(0);
        shared += u32::from(wish.count_bits > 1 && filter.info().parameters.iter().any(full));
    }
    assert!(
        stuck > 10 && mixed > 100 && pending > 50 && shared > 5,
        "{stuck} {mixed} {pending} {shared}"
    );
}

#[test]
fn a_key_added_twenty_times_and_removed_sixteen_times_is_still_there() {
    for alpha in [0.0, 0.4] {
        let builder = Seesaw::builder(10, Size::Bits(960))
            .functions(3)
            .alpha(alpha)
            .count_bits(2);
        let mut filter = builder
            .build(&super::equal_negatives(5..25))
            .expect("sound");
        for _ in 0..20 {
            filter.insert("ant");
        }
        for _ in 0..16 {
            assert!(filter.remove("ant"));
        }
        assert!(filter.contains(b"ant") && filter.stuck() > 0);
        assert_eq!(filter.len(), 4);
    }
}

#[test]
fn marks_follow_when_the_keys_have_left() {
    let builder = Seesaw::builder(50, Size::Bits(6400))
        .functions(4)
        .adaptive();
    let mut filter = builder.build(&KeySets::default()).expect("sound");
    let keys: Vec<[u8; 8]> = (0..50u64).map(u64::to_le_bytes).collect();
    filter.extend(&keys);
    for guarded in 1000..1020u64 {
        filter.guard(guarded.to_le_bytes()).expect("adaptive");
    }
    let (marked, pending) = (filter.marked(), filter.pending());
    assert!(pending > 0, "some of the counters are in use");
    for key in &keys {
        assert!(filter.remove(key));
    }
    assert_eq!((filter.marked(), filter.pending()), (marked + pending, 0));
    filter.extend(&keys);
    assert!(keys.iter().all(|key| filter.contains(key)));
    assert_eq!(filter.fill(), filter.info().fill);
}
