//! Sequences of insertions, removals and guards, compared with an exact multiset. The filters have few groups of counters, so that
//! keys collide, counts stick and keys share modulator cells.

use bloomwise::format::Check;
use bloomwise::info::Value;
use bloomwise::keys::Digest;
use bloomwise::{Filter, Hashing, Insert, KeySets, Persist, Remove, Seesaw, Size};
use bloomwise_model::naive::seesaw::SeesawModel;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// One change by a caller.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Inserts a key.
    Insert(u8),
    /// Removes a key if it is a member.
    Remove(u8),
    /// Guards a key if the filter is adaptive.
    Guard(u8),
    /// Tries to remove a key if the filter answers "no" for it.
    RemoveRejected(u8),
    /// Inserts a key a number of times, which makes counts stick.
    Flood(u8, u8),
    /// Removes a key until it is no longer a member.
    Drain(u8),
    /// Writes the filter down and continues with one that answers from those bytes.
    Borrow,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // A few keys come often, so that counts stick. Many keys are guarded, so that many counters are marked.
    let key = || prop_oneof![1 => 0u8..4, 2 => 0u8..60];
    let step = prop_oneof![
        9 => key().prop_map(Step::Insert),
        7 => key().prop_map(Step::Remove),
        2 => (0u8..90).prop_map(Step::Guard),
        2 => (0u8..255).prop_map(Step::RemoveRejected),
        1 => (key(), 1u8..20).prop_map(|(key, times)| Step::Flood(key, times)),
        1 => key().prop_map(Step::Drain),
        1 => Just(Step::Borrow),
    ];
    prop::collection::vec(step, 0..120)
}

/// The options of a filter, and the keys that it guards from the start.
#[derive(Clone, Debug)]
struct Config {
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

impl Config {
    /// A run with an empty filter and its model.
    fn start(&self) -> Run {
        let hashing = Hashing::Xxh3 { seed: self.seed };
        let mut builder = Seesaw::builder(Size::Bits(self.bits))
            .capacity(10)
            .functions(self.functions)
            .alpha(self.alpha)
            .count_bits(self.count_bits)
            .index_bits(self.index_bits)
            .guard(100.0)
            .segments(self.segments);
        if self.adaptive {
            builder = builder.adaptive();
        }
        let mut sets = KeySets::builder(hashing);
        sets.negatives(self.guarded.iter().map(|&key| (bytes(key), 1.0)));
        let filter = builder
            .build(&sets.build().expect("sound costs"))
            .expect("sound");
        let mut model = SeesawModel::of(&filter).expect("a seesaw filter");
        for &key in &self.guarded {
            model.guard(hashing.digest(bytes(key)));
        }
        Run {
            filter,
            model,
            held: BTreeMap::new(),
            adaptive: self.adaptive,
        }
    }
}

/// The bytes of a key.
fn bytes(key: u8) -> [u8; 2] {
    [key, 7]
}

/// A filter, its model, and how often each key is in the set.
struct Run {
    filter: Seesaw,
    model: SeesawModel,
    held: BTreeMap<u8, u32>,
    adaptive: bool,
}

impl Run {
    fn digest(&self, key: u8) -> Digest {
        self.filter.hashing().digest(bytes(key))
    }

    /// The members.
    fn members(&self) -> impl Iterator<Item = u8> {
        let held = self.held.iter().filter(|(_, count)| **count > 0);
        held.map(|(&key, _)| key)
    }

    fn insert(&mut self, key: u8) {
        let new = !self.filter.contains(bytes(key));
        assert_eq!(self.filter.insert(bytes(key)), new);
        self.model.insert(self.digest(key));
        *self.held.entry(key).or_default() += 1;
    }

    /// Removes a key up to `times` times, as long as it is a member.
    fn remove(&mut self, key: u8, times: u32) -> Result<(), TestCaseError> {
        let digest = self.digest(key);
        let held = self.held.entry(key).or_default();
        for _ in 0..times.min(*held) {
            prop_assert!(self.filter.remove(bytes(key)), "{key} is a member");
            self.model.remove(digest);
            *held -= 1;
        }
        Ok(())
    }

    /// Makes one change, and checks that the filter answers "yes" for all members.
    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        match step {
            Step::Insert(key) => self.insert(key),
            Step::Flood(key, times) => (0..times).for_each(|_| self.insert(key)),
            Step::Remove(key) => self.remove(key, 1)?,
            Step::Drain(key) => self.remove(key, u32::MAX)?,
            Step::Borrow => {
                let borrowed = Seesaw::from_owner(self.filter.to_short_bytes(), Check::Whole);
                let borrowed = borrowed.expect("sound");
                prop_assert_eq!(&borrowed, &self.filter);
                self.filter = borrowed;
            }
            Step::Guard(key) => {
                prop_assert_eq!(self.filter.guard(bytes(key)).is_ok(), self.adaptive);
                if self.adaptive {
                    self.model.guard(self.digest(key));
                }
            }
            Step::RemoveRejected(key) => {
                if !self.filter.contains(bytes(key)) {
                    let before = self.filter.clone();
                    prop_assert!(!self.filter.remove(bytes(key)));
                    prop_assert_eq!(&self.filter, &before, "a refused removal changes nothing");
                }
            }
        }
        for key in self.members() {
            let found = self.filter.contains(bytes(key));
            prop_assert!(found, "{key} is a false negative after {step:?}");
        }
        Ok(())
    }
}

fn config() -> impl Strategy<Value = Config> {
    // Many filters are so small that all keys collide. In many, each segment has space for a modulator.
    let bits = prop_oneof![320u64..1600, 1600u64..4000];
    let shape = (bits, 1u32..7, prop_oneof![1 => Just(0.0), 2 => 0.1..0.5f64]);
    let cells = (1u32..4, 1u32..4, 1u64..4, any::<bool>(), any::<u64>());
    let guarded = prop::collection::vec(0u8..90, 0..40);
    (shape, cells, guarded).prop_map(|((bits, functions, alpha), cells, guarded)| {
        let (count_bits, index_bits, segments, adaptive, seed) = cells;
        Config {
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
    fn there_are_no_false_negatives_and_all_answers_are_those_of_the_model(
        config in config(),
        steps in steps(),
    ) {
        let mut run = config.start();
        for step in steps {
            run.step(step)?;
        }
        let Run { filter, model, held, .. } = &run;
        for key in 0..=255 {
            prop_assert_eq!(filter.contains(bytes(key)), model.contains(run.digest(key)));
        }
        let count: u64 = held.values().map(|&count| u64::from(count)).sum();
        prop_assert_eq!(filter.len(), count);
        prop_assert_eq!(filter.stuck(), model.stuck());
        prop_assert_eq!(&Seesaw::from_bytes(&filter.to_bytes()).expect("sound"), filter);
    }
}

/// The number of sequences that reach each state.
#[derive(Debug, Default)]
struct Coverage {
    /// A counter is stuck.
    stuck: u32,
    /// A key was removed from a stuck counter.
    removed_from_stuck: u32,
    /// A counter has a mark and a count.
    marked_used: u32,
    /// A mark is pending.
    pending: u32,
    /// A pending mark was set.
    settled: u32,
    /// A member counts in a stand-in.
    moved: u32,
    /// Different members count in one modulator cell.
    shared: u32,
    /// A modulator cell is stuck.
    stuck_cells: u32,
}

#[test]
fn sequences_reach_all_states() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut coverage = Coverage::default();
    for _ in 0..300 {
        let config = config().new_tree(&mut runner).expect("a config").current();
        let steps = steps().new_tree(&mut runner).expect("steps").current();
        let mut run = config.start();
        let (mut removed_from_stuck, mut settled, mut moved, mut shared) =
            (false, false, false, false);
        for step in steps {
            let (keys, pending, stuck) =
                (run.filter.len(), run.filter.pending(), run.filter.stuck());
            let is_stuck = |run: &Run, key| run.model.has_stuck_counter(run.digest(key));
            removed_from_stuck |= match step {
                Step::Remove(key) | Step::Drain(key) => {
                    run.members().any(|held| held == key) && stuck > 0 && is_stuck(&run, key)
                }
                _ => false,
            };
            run.step(step).expect("no false negative");
            // Only a removal lowers the number of keys. Only a mark that is set lowers the number of pending ones.
            settled |= run.filter.len() < keys && run.filter.pending() < pending;
            let mut cells = BTreeSet::new();
            for digest in run.members().map(|key| run.digest(key)) {
                moved |= run.model.has_stand_in(digest);
                shared |= run
                    .model
                    .counted_cell(digest)
                    .is_some_and(|cell| !cells.insert(cell));
            }
        }
        let filter = &run.filter;
        let info = filter.info();
        let stuck_cells = info.parameter("stuck_cells").and_then(Value::as_u64);
        for (number, reached) in [
            (&mut coverage.stuck, filter.stuck() > 0),
            (&mut coverage.removed_from_stuck, removed_from_stuck),
            (&mut coverage.marked_used, filter.state().marked_fill > 0.0),
            (&mut coverage.pending, filter.pending() > 0),
            (&mut coverage.settled, settled),
            (&mut coverage.moved, moved),
            (&mut coverage.shared, shared),
            (&mut coverage.stuck_cells, stuck_cells > Some(0)),
        ] {
            *number += u32::from(reached);
        }
    }
    let Coverage {
        stuck,
        removed_from_stuck,
        marked_used,
        pending,
        ..
    } = coverage;
    assert!(
        stuck > 100 && removed_from_stuck > 50 && marked_used > 100 && pending > 30,
        "{coverage:?}"
    );
    let Coverage {
        settled,
        moved,
        shared,
        stuck_cells,
        ..
    } = coverage;
    assert!(
        settled > 15 && moved > 100 && shared > 20 && stuck_cells > 30,
        "{coverage:?}"
    );
}

#[test]
fn key_inserted_twenty_times_and_removed_sixteen_times_is_a_member() {
    for alpha in [0.0, 0.4] {
        let builder = Seesaw::builder(Size::Bits(960))
            .capacity(10)
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
        assert!(filter.contains("ant") && filter.stuck() > 0);
        assert_eq!(filter.len(), 4);
    }
}

#[test]
fn pending_marks_are_set_when_the_keys_are_removed() {
    let builder = Seesaw::builder(Size::Bits(6400)).capacity(50).functions(4);
    let mut filter = builder.adaptive().create().expect("sound");
    filter.extend(0..50);
    for guarded in 1000..1020 {
        filter.guard(guarded).expect("adaptive");
    }
    let (marked, pending) = (filter.marked(), filter.pending());
    assert!(pending > 0, "some of the counters are in use");
    for key in 0..50 {
        assert!(filter.remove(key));
    }
    assert_eq!((filter.marked(), filter.pending()), (marked + pending, 0));
    filter.extend(0..50);
    assert!((0..50).all(|key| filter.contains(key)));
    assert_eq!(filter.fill(), filter.info().fill);
}
