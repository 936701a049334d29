//! Sequences of insertions, removals and guards against an exact multiset, in a few groups of counters, so that keys collide,
//! counts stick and modulator cells are shared.

use super::naive::seesaw::SeesawModel;
use bloomwise::{AnyFilter, Digest, Filter, Hashing, KeySets, Persist, Seesaw, Size, Value};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Inserts a key so many times, which makes counts stick.
    Flood(u8, u8),
    /// Removes a key as often as it is in the set.
    Drain(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Few keys often, so that counts stick; many keys that are guarded, so that marks are everywhere.
    let key = || prop_oneof![1 => 0u8..4, 2 => 0u8..60];
    let step = prop_oneof![
        9 => key().prop_map(Step::Insert),
        7 => key().prop_map(Step::Remove),
        2 => (0u8..90).prop_map(Step::Guard),
        2 => (0u8..255).prop_map(Step::RemoveDenied),
        1 => (key(), 1u8..20).prop_map(|(key, times)| Step::Flood(key, times)),
        1 => key().prop_map(Step::Drain),
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
    /// The filter without keys, and its model.
    fn make(&self) -> Run {
        let hashing = Hashing::Xxh3 { seed: self.seed };
        let digest = |key| digest(hashing, key);
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
        Run {
            filter,
            model,
            held: BTreeMap::new(),
            adaptive: self.adaptive,
        }
    }
}

fn digest(hashing: Hashing, key: u8) -> Digest {
    hashing.digest(&[key, 7])
}

/// A filter and its model on their way, and how often each key is in the set.
struct Run {
    filter: Seesaw,
    model: SeesawModel,
    held: BTreeMap<u8, u32>,
    adaptive: bool,
}

impl Run {
    fn digest(&self, key: u8) -> Digest {
        digest(self.filter.hashing(), key)
    }

    /// Keys of the set.
    fn keys(&self) -> impl Iterator<Item = u8> {
        let held = self.held.iter().filter(|(_, count)| **count > 0);
        held.map(|(&key, _)| key)
    }

    fn insert(&mut self, key: u8) {
        let digest = self.digest(key);
        self.filter.insert_digest(digest);
        self.model.insert(digest);
        *self.held.entry(key).or_default() += 1;
    }

    /// Removes a key up to so many times, if it is in the set.
    fn remove(&mut self, key: u8, times: u32) -> Result<(), TestCaseError> {
        let digest = self.digest(key);
        let held = self.held.entry(key).or_default();
        for _ in 0..times.min(*held) {
            prop_assert!(self.filter.remove_digest(digest), "{key} is there");
            self.model.remove(digest);
            *held -= 1;
        }
        Ok(())
    }

    /// Does one step, after which all keys of the set must be there.
    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        match step {
            Step::Insert(key) => self.insert(key),
            Step::Flood(key, times) => (0..times).for_each(|_| self.insert(key)),
            Step::Remove(key) => self.remove(key, 1)?,
            Step::Drain(key) => self.remove(key, u32::MAX)?,
            Step::Guard(key) => {
                let digest = self.digest(key);
                prop_assert_eq!(self.filter.guard_digest(digest).is_ok(), self.adaptive);
                if self.adaptive {
                    self.model.guard(digest);
                }
            }
            Step::RemoveDenied(key) => {
                let digest = self.digest(key);
                if !self.filter.contains_digest(digest) {
                    let before = self.filter.clone();
                    prop_assert!(!self.filter.remove_digest(digest));
                    prop_assert_eq!(&self.filter, &before, "a refusal changes nothing");
                }
            }
        }
        for key in self.keys() {
            let there = self.filter.contains_digest(self.digest(key));
            prop_assert!(there, "{key} is denied after {step:?}");
        }
        Ok(())
    }
}

fn wish() -> impl Strategy<Value = Wish> {
    // Many so small that all keys meet, and many in which each segment has room for a modulator.
    let bits = prop_oneof![320u64..1600, 1600u64..4000];
    let shape = (bits, 1u32..7, prop_oneof![1 => Just(0.0), 2 => 0.1..0.5f64]);
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
        let mut run = wish.make();
        for step in steps {
            run.step(step)?;
        }
        let Run { filter, model, held, .. } = &run;
        for key in 0..=255 {
            let digest = run.digest(key);
            prop_assert_eq!(filter.contains_digest(digest), model.contains(digest));
        }
        let count: u64 = held.values().map(|&count| u64::from(count)).sum();
        prop_assert_eq!(filter.len(), count);
        prop_assert_eq!(filter.stuck(), model.stuck());
        prop_assert_eq!(&Seesaw::from_bytes(&filter.to_bytes()).expect("sound"), filter);
    }
}

/// What sequences meet, each as the number of sequences that met it.
#[derive(Debug, Default)]
struct Met {
    /// Counters that stick.
    stuck: u32,
    /// A key removed from a counter that sticks.
    left_stuck: u32,
    /// Counters with both a count and a mark.
    mixed: u32,
    /// Marks that wait.
    pending: u32,
    /// Marks that waited and came.
    settled: u32,
    /// Keys of the set that count elsewhere than at home.
    moved: u32,
    /// Modulator cells in which different keys of the set count.
    shared: u32,
    /// Modulator cells that stick.
    stuck_cells: u32,
}

#[test]
fn sequences_meet_what_they_are_meant_to() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut met = Met::default();
    for _ in 0..300 {
        let wish = wish().new_tree(&mut runner).expect("a wish").current();
        let steps = steps().new_tree(&mut runner).expect("steps").current();
        let mut run = wish.make();
        let (mut left_stuck, mut settled, mut moved, mut shared) = (false, false, false, false);
        for step in steps {
            let (keys, pending, stuck) =
                (run.filter.len(), run.filter.pending(), run.filter.stuck());
            let sticks = |run: &Run, key| run.model.sticks(run.digest(key));
            left_stuck |= match step {
                Step::Remove(key) | Step::Drain(key) => {
                    run.keys().any(|held| held == key) && stuck > 0 && sticks(&run, key)
                }
                _ => false,
            };
            run.step(step).expect("no key is denied");
            // Only a removal makes fewer keys, and only a mark that comes makes fewer wait.
            settled |= run.filter.len() < keys && run.filter.pending() < pending;
            let mut cells = BTreeSet::new();
            for digest in run.keys().map(|key| run.digest(key)) {
                moved |= run.model.moved(digest);
                shared |= run
                    .model
                    .entered(digest)
                    .is_some_and(|cell| !cells.insert(cell));
            }
        }
        let filter = &run.filter;
        let stuck_cells =
            |&(name, ref value): &(&str, Value)| name == "stuck_cells" && *value != Value::Whole(0);
        for (number, met_it) in [
            (&mut met.stuck, filter.stuck() > 0),
            (&mut met.left_stuck, left_stuck),
            (&mut met.mixed, filter.state().marked_fill > 0.0),
            (&mut met.pending, filter.pending() > 0),
            (&mut met.settled, settled),
            (&mut met.moved, moved),
            (&mut met.shared, shared),
            (
                &mut met.stuck_cells,
                filter.info().parameters.iter().any(stuck_cells),
            ),
        ] {
            *number += u32::from(met_it);
        }
    }
    let Met {
        stuck,
        left_stuck,
        mixed,
        pending,
        ..
    } = met;
    assert!(
        stuck > 100 && left_stuck > 50 && mixed > 100 && pending > 30,
        "{met:?}"
    );
    let Met {
        settled,
        moved,
        shared,
        stuck_cells,
        ..
    } = met;
    assert!(
        settled > 15 && moved > 100 && shared > 20 && stuck_cells > 30,
        "{met:?}"
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
