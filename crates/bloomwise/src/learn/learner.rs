//! Records events. `decay` lets costs decay, `naming` decides which keys keep their bytes, and `list` makes the list.

use super::counter_table::CounterTable;
use super::distinct::Distinct;
use super::names::Names;
use crate::error::{Error, Result};
use crate::keys::cost::Costly;
use crate::keys::hash::{Digest, Hashing};
use crate::keys::key::Key;
use std::fmt;

/// How many events are hashed and prefetched before they are counted.
const BATCH: usize = 64;

/// An event of the stream.
const EVENT: Costly = Costly {
    what: "event",
    most: Learner::MAX_COST,
};

/// Finds the costliest keys of a stream in bounded memory. The [module's page](super) has an example and the guarantees.
///
/// ```
/// use bloomwise::Hashing;
/// use bloomwise::learn::Learner;
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut learner = Learner::new(Hashing::default(), 1 << 20)?;
/// learner.record("ant");
/// learner.record_cost("bee", 7.5)?;
/// assert_eq!((learner.events(), learner.total()), (2, 8.5));
/// assert_eq!(learner.bounds("bee"), (7.5, 7.5));
/// assert_eq!(learner.top(1)[0].key, b"bee");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Learner {
    /// How keys are hashed. Only learners of the same hashing can be merged.
    pub(super) hashing: Hashing,
    /// The cost of each key that has a counter.
    pub(super) counters: CounterTable,
    /// The bytes of the costliest keys.
    pub(super) names: Names,
    /// A sketch of the distinct keys of all events.
    pub(super) distinct: Distinct,
    /// Numbers about the whole stream, in the unit of the counters.
    pub(super) sums: Sums,
    /// The value of a unit of the counters: the product of all decay factors since the counters were last converted.
    pub(super) decay: f64,
    /// The latest time passed to [`Learner::advance`].
    pub(super) clock: Option<f64>,
    /// The time in which a cost halves; `None` if costs do not decay.
    pub(super) half_life: Option<f64>,
}

/// One line: numbers about the stream instead of counters and names.
impl fmt::Debug for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learner")
            .field("events", &self.events())
            .field("total", &self.total())
            .field("counters", &self.counters())
            .field("error_bound", &self.error_bound())
            .field("memory", &self.memory())
            .finish()
    }
}

/// Numbers about the whole stream.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    /// The number of events.
    pub events: u64,
    /// The total cost of the events.
    pub total: f64,
    /// The most that a counter has lost: the sum of all amounts that purges subtracted.
    pub offset: f64,
    /// The bar: no key without a name has a counter above it.
    pub bar: f64,
}

impl Learner {
    /// The longest key in bytes that gets a name.
    pub const MAX_KEY: usize = 1 << 14;

    /// The least memory of a learner, in bytes.
    pub const MIN_MEMORY: usize = 1 << 20;

    /// The largest cost of an event.
    pub const MAX_COST: f64 = 1e100;

    /// The largest total cost of merged learners. A learner below it can be saved and read again: further events can never push the total above what
    /// the file format allows.
    pub const MAX_TOTAL: f64 = 1e199;

    /// A learner that takes `memory` bytes of memory, all of it now.
    ///
    /// # Errors
    ///
    /// `memory` is below [`Learner::MIN_MEMORY`], or is not available.
    pub fn new(hashing: Hashing, memory: usize) -> Result<Self> {
        if memory < Self::MIN_MEMORY {
            let expected = format!("at least {} bytes", Self::MIN_MEMORY);
            return Err(Error::parameter(
                "the memory of a learner",
                memory,
                expected,
            ));
        }
        let slots = (memory / 8 * 5 - Distinct::REGISTERS) / CounterTable::SLOT;
        Self::with_room(hashing, slots.min(u32::MAX as usize), memory / 4)
    }

    /// A learner with this many slots for counters and this many bytes for names.
    fn with_room(hashing: Hashing, slots: usize, names: usize) -> Result<Self> {
        Ok(Learner {
            hashing,
            counters: CounterTable::new(slots)?,
            names: Names::new(names)?,
            distinct: Distinct::new(),
            sums: Sums::default(),
            decay: 1.0,
            clock: None,
            half_life: None,
        })
    }

    /// Records an event of cost 1: this key was looked up and was absent.
    #[inline]
    pub fn record(&mut self, key: impl Key) {
        self.record_valid(key, 1.0);
    }

    /// Records an event and its cost: milliseconds, bytes read, or whatever you want to save.
    ///
    /// # Errors
    ///
    /// The cost is below 0, above [`Learner::MAX_COST`], or not a number. Then the event is not recorded.
    #[inline]
    pub fn record_cost(&mut self, key: impl Key, cost: f64) -> Result<()> {
        EVENT.check(0, cost)?;
        self.record_valid(key, cost);
        Ok(())
    }

    /// Records events, each a key and a cost. This is faster than one at a time, because memory is prefetched.
    ///
    /// # Errors
    ///
    /// A cost is below 0, above [`Learner::MAX_COST`], or not a number. The error names its index, and no event is recorded.
    pub fn record_batch<K: Key>(&mut self, events: &[(K, f64)]) -> Result<()> {
        for (index, &(_, cost)) in events.iter().enumerate() {
            EVENT.check(index, cost)?;
        }
        let mut digests = [Digest::from(0); BATCH];
        for events in events.chunks(BATCH) {
            for ((key, _), digest) in events.iter().zip(&mut digests) {
                *digest = self.hashing.digest(key);
                self.counters.fetch(tag(*digest));
            }
            for ((key, cost), &digest) in events.iter().zip(&digests) {
                key.with_bytes(|name| self.count(digest, name, *cost));
            }
        }
        Ok(())
    }

    /// Adds the events of another learner. The error bounds of both add up. If both know their time and this one has a half-life, the costs of the
    /// earlier one decay first.
    ///
    /// # Errors
    ///
    /// The other learner has another hashing, or the events of both cost more than [`Learner::MAX_TOTAL`]. Then no events are added.
    pub fn merge(&mut self, other: &Learner) -> Result<()> {
        self.hashing.expect(other.hashing)?;
        self.check_merged(other.total())?;
        let factor = self.meet(other.clock)?;
        self.distinct.merge(&other.distinct);
        self.sums.add(other.sums_now().times(factor));
        // Names without a counter take room that other names need.
        self.compact();
        for (tag, cost, name) in other.entries() {
            self.add_saved(tag, name, cost * factor);
        }
        Ok(())
    }

    /// A lower and an upper bound on the cost of a key's events.
    pub fn bounds(&self, key: impl Key) -> (f64, f64) {
        let found = self.counters.find(tag(self.hashing.digest(key)));
        let kept = found.map_or(0.0, |slot| self.counters.cost(slot));
        let most = (kept + self.sums.offset).min(self.sums.total);
        (kept * self.decay, most * self.decay)
    }

    /// The hashing that makes the digests.
    pub fn hashing(&self) -> Hashing {
        self.hashing
    }

    /// The memory of the learner in bytes. [`Learner::top`] takes more while it runs.
    pub fn memory(&self) -> usize {
        self.counters.memory() + self.names.room() + Distinct::REGISTERS
    }

    /// The number of events.
    pub fn events(&self) -> u64 {
        self.sums.events
    }

    /// The estimated number of distinct keys of the events; the standard error is 1.6 %.
    pub fn distinct(&self) -> f64 {
        self.distinct.estimate()
    }

    /// The number of keys that have a counter. Before the first purge, that is all keys.
    pub fn counters(&self) -> usize {
        self.counters.len()
    }

    /// The cost of all events.
    pub fn total(&self) -> f64 {
        self.sums.total * self.decay
    }

    /// The most by which the reported cost of a key may be too low; 0 if all keys fit into memory.
    pub fn error_bound(&self) -> f64 {
        self.sums.offset * self.decay
    }

    /// Every key whose events cost more than this is in the list, unless the key is longer than [`Learner::MAX_KEY`].
    pub fn certain_above(&self) -> f64 {
        (self.sums.offset + self.sums.bar) * self.decay
    }

    /// Returns an error if the total would be too large with events that cost `more` together.
    pub(super) fn check_merged(&self, more: f64) -> Result<()> {
        let total = self.total() + more;
        if total <= Self::MAX_TOTAL {
            return Ok(());
        }
        let expected = format!(
            "at most {:e}; leave out the learner that costs most",
            Self::MAX_TOTAL
        );
        let got = format!("{total:e}");
        Err(Error::parameter(
            "the cost of the events of merged learners",
            got,
            expected,
        ))
    }

    /// The sums, with costs in today's value instead of the unit of the counters.
    pub(super) fn sums_now(&self) -> Sums {
        self.sums.times(self.decay)
    }

    /// Tag, cost and name of each key that has a counter, unless its cost has decayed to nothing. Another learner can add them in this order
    /// without long searches.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u64, f64, Option<&[u8]>)> {
        let entries = self.counters.scattered().map(|slot| {
            let place = self.counters.place(slot);
            let cost = self.counters.cost(slot) * self.decay;
            let name = place.map(|place| self.names.get(place));
            (self.counters.tag_at(slot), cost, name)
        });
        entries.filter(|&(_, cost, _)| cost > 0.0)
    }

    #[inline]
    fn record_valid(&mut self, key: impl Key, cost: f64) {
        let digest = self.hashing.digest(&key);
        key.with_bytes(|name| self.count(digest, name, cost));
    }

    /// Counts one event.
    #[inline]
    fn count(&mut self, digest: Digest, name: &[u8], cost: f64) {
        let cost = cost / self.decay;
        self.sums.events = self.sums.events.saturating_add(1);
        self.sums.total += cost;
        self.distinct.insert(digest);
        if name.len() <= Self::MAX_KEY {
            self.add(tag(digest), name, cost);
        }
    }

    /// Adds to the counter of a key. The key gets a name if the sum exceeds the bar.
    #[inline]
    fn add(&mut self, tag: u64, name: &[u8], cost: f64) {
        // A cost of zero needs no counter.
        if cost <= 0.0 {
            return;
        }
        let (slot, sum) = self.add_cost(tag, cost);
        if sum > self.sums.bar && self.counters.place(slot).is_none() {
            self.give_name(slot, name);
        }
    }

    /// Adds to the counter of a tag, and returns its slot and the sum.
    #[inline]
    pub(super) fn add_cost(&mut self, tag: u64, cost: f64) -> (usize, f64) {
        let slot = match self.counters.find(tag) {
            Ok(slot) => slot,
            Err(free) => self.take_slot(tag, free),
        };
        (slot, self.counters.add(slot, cost))
    }

    /// A slot for a tag: `free` if the table has room, else a slot that a purge frees.
    fn take_slot(&mut self, tag: u64, free: usize) -> usize {
        let mut slot = free;
        while self.counters.is_full() {
            self.purge();
            if let Err(free) = self.counters.find(tag) {
                slot = free;
            }
        }
        self.counters.take(slot, tag);
        slot
    }

    /// Subtracts from all counters an amount that about a quarter of them do not exceed.
    #[cold]
    fn purge(&mut self) {
        let amount = self.counters.lower_quarter(self.counters.slots());
        let amount = amount.unwrap_or(0.0);
        self.counters.subtract(amount);
        self.sums.offset += amount;
        self.sums.bar = (self.sums.bar - amount).max(0.0);
    }
}

impl Sums {
    /// The sums in another unit: all costs are multiplied by `factor`.
    pub fn times(self, factor: f64) -> Self {
        Sums {
            events: self.events,
            total: self.total * factor,
            offset: self.offset * factor,
            bar: self.bar * factor,
        }
    }

    /// Adds the sums of another stream. The bar rises later if necessary, when the counters are added.
    pub fn add(&mut self, other: Sums) {
        self.events = self.events.saturating_add(other.events);
        self.total += other.total;
        self.offset += other.offset;
    }
}

/// The tag of a digest.
#[inline]
fn tag(digest: Digest) -> u64 {
    CounterTable::tag(digest.high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// With so little room, nearly every event purges counters, moves names or drops them.
    fn tiny() -> Learner {
        Learner::with_room(Hashing::default(), 10, 90).expect("memory")
    }

    fn name(key: u8) -> Vec<u8> {
        vec![key; usize::from(key % 8)]
    }

    /// What a stream does.
    #[derive(Clone, Debug)]
    enum Step {
        /// Records an event of this key and cost.
        Event(u8, f64),
        /// Decays by this factor.
        Decay(f64),
        /// Merges a learner of these events.
        Merge(Vec<(u8, f64)>),
        /// Saves the learner and reads it back.
        Reread,
    }

    fn step() -> impl Strategy<Value = Step> {
        let event = || (0..40u8, prop_oneof![Just(1.0), Just(0.0), 0.1..30.0]);
        prop_oneof![
            20 => event().prop_map(|(key, cost)| Step::Event(key, cost)),
            1 => prop_oneof![Just(1e-15), 0.1..1.0].prop_map(Step::Decay),
            1 => prop::collection::vec(event(), 0..30).prop_map(Step::Merge),
            1 => Just(Step::Reread),
        ]
    }

    /// Checks all guarantees of a learner against the exact costs.
    fn check(learner: &Learner, exact: &HashMap<Vec<u8>, f64>) {
        let total: f64 = exact.values().sum();
        // Allows for rounding of sums and of their differences.
        let slack = 1e-9 * total + 1e-300;
        assert!((learner.total() - total).abs() <= slack);
        let list = learner.top(usize::MAX);
        for (key, &cost) in exact {
            let (least, most) = learner.bounds(key);
            assert!(
                least <= cost + slack && cost <= most + slack,
                "{key:?} cost {cost}, not {least} to {most}"
            );
            let listed = list.iter().find(|learned| learned.key == key);
            if let Some(learned) = listed {
                assert_eq!(learned.cost, least);
            }
            assert!(
                listed.is_some() || cost <= learner.certain_above() + slack,
                "{key:?} cost {cost}"
            );
        }
        assert!(list.is_sorted_by(|one, other| one.cost >= other.cost));
        assert_eq!(learner.top(3), list[..list.len().min(3)]);
    }

    /// A learner that has purged counters and dropped names. Its keys are the numbers that start at `first`.
    fn full(memory: usize, first: u64) -> Learner {
        let mut learner = Learner::new(Hashing::default(), memory).expect("memory");
        for key in first..first + memory as u64 / 16 {
            let cost = 1.0 + (key % 64) as f64;
            let name = format!("a name that takes room {key}");
            learner.record_cost(name, cost).expect("a sound cost");
        }
        assert!(learner.error_bound() > 0.0, "nothing was purged");
        assert!(learner.sums.bar > 0.0, "no name was dropped");
        learner
    }

    #[test]
    fn searches_stay_short_while_a_full_learner_is_merged() {
        let saved = full(4 << 20, 0);
        let empty = Learner::new(Hashing::default(), 1 << 20).expect("memory");
        for mut learner in [full(4 << 20, 1 << 40), empty] {
            let (mut probes, mut counters) = (0, 0);
            for (tag, cost, name) in saved.entries() {
                learner.add_saved(tag, name, cost);
                probes += learner.counters.probes(tag);
                counters += 1;
            }
            // At most four fifths of the slots are used, so a new key reads 13 slots on average and a known one 3.
            let mean = probes as f64 / f64::from(counters);
            assert!(mean < 16.0, "{mean} slots are read per counter");
        }
    }

    #[test]
    fn saving_and_merging_drop_no_name_as_long_as_there_is_room() {
        let learner = full(1 << 20, 0);
        let names = |learner: &Learner| -> Vec<(Vec<u8>, f64)> {
            let list = learner.top(usize::MAX);
            list.iter()
                .map(|learned| (learned.key.to_vec(), learned.cost))
                .collect()
        };
        let read = Learner::from_bytes(&learner.to_bytes(), 1 << 20).expect("as written");
        assert!(names(&read) == names(&learner), "a name is lost");
        assert!(read.certain_above() <= learner.certain_above());

        // Each of ten learners has its own key of cost 40, and a counter of 30 for a key without a name.
        let mut merged = Learner::new(Hashing::default(), 1 << 20).expect("memory");
        for key in 0..10u64 {
            let mut learner = Learner::new(Hashing::default(), 1 << 20).expect("memory");
            learner.record_cost(key, 40.0).expect("a sound cost");
            learner.add_saved(7, None, 30.0);
            merged.merge(&learner).expect("one hashing");
        }
        assert_eq!(merged.top(usize::MAX).len(), 10);
        assert_eq!(merged.certain_above(), 300.0);
    }

    proptest! {
        #[test]
        fn costs_lie_within_their_bounds_and_costly_keys_are_listed(steps in prop::collection::vec(step(), 0..300)) {
            let (mut learner, mut exact) = (tiny(), HashMap::new());
            let mut distinct = std::collections::HashSet::new();
            for step in steps {
                match step {
                    Step::Event(key, cost) => {
                        learner.record_cost(name(key), cost).expect("a sound cost");
                        *exact.entry(name(key)).or_default() += cost;
                        distinct.insert(name(key));
                    }
                    Step::Decay(factor) => {
                        learner.decay(factor).expect("a sound factor");
                        exact.values_mut().for_each(|cost| *cost *= factor);
                    }
                    Step::Merge(events) => {
                        let mut other = tiny();
                        let events: Vec<_> = events.into_iter().map(|(key, cost)| (name(key), cost)).collect();
                        other.record_batch(&events).expect("sound costs");
                        learner.merge(&other).expect("one hashing");
                        for (key, cost) in events {
                            *exact.entry(key.clone()).or_default() += cost;
                            distinct.insert(key);
                        }
                    }
                    Step::Reread => {
                        let read = Learner::from_bytes(&learner.to_bytes(), Learner::MIN_MEMORY).expect("it was just written");
                        let mut small = tiny();
                        small.merge(&read).expect("one hashing");
                        check(&read, &exact);
                        learner = small;
                    }
                }
                check(&learner, &exact);
            }
            prop_assert!((learner.distinct() - distinct.len() as f64).abs() < 2.0);
        }
    }

    #[test]
    fn everything_is_exact_as_long_as_it_fits() {
        let mut learner = Learner::new(Hashing::default(), Learner::MIN_MEMORY).expect("memory");
        for key in 0..5000u64 {
            for _ in 0..key % 7 {
                learner.record(key);
            }
        }
        assert_eq!((learner.error_bound(), learner.certain_above()), (0.0, 0.0));
        assert_eq!(learner.counters(), 5000 - 5000usize.div_ceil(7));
        assert_eq!(learner.bounds(13), (6.0, 6.0));
        assert_eq!(learner.bounds(7), (0.0, 0.0));
        assert_eq!(learner.top(10_000).len(), learner.counters());
    }

    #[test]
    fn one_by_one_and_in_batches_is_the_same() {
        let events: Vec<(u64, f64)> = (0..100_000)
            .map(|n| (n * n % 80_021, (n % 5) as f64))
            .collect();
        let new = || Learner::new(Hashing::default(), Learner::MIN_MEMORY).expect("memory");
        let (mut single, mut batch) = (new(), new());
        for &(key, cost) in &events {
            single.record_cost(key, cost).expect("a sound cost");
        }
        batch.record_batch(&events).expect("sound costs");
        assert!(single.error_bound() > 0.0, "nothing was purged");
        assert_eq!(single.to_bytes(), batch.to_bytes());
    }

    #[test]
    fn wrong_numbers_are_errors_that_change_nothing() {
        let mut learner = tiny();
        for time in [f64::NAN, f64::INFINITY] {
            assert!(learner.advance(time).is_err());
            assert!(tiny().with_half_life(time).is_err());
        }
        assert!(tiny().with_half_life(0.0).is_err());
        for cost in [-1.0, f64::NAN, f64::INFINITY, 1e101] {
            assert!(learner.record_cost("ant", cost).is_err());
            let error = learner.record_batch(&[("ant", 1.0), ("bee", cost)]);
            let error = error.expect_err("a wrong cost");
            assert!(matches!(error, Error::Cost { index: 1, .. }), "{error}");
            let text = error.to_string();
            assert!(text.contains("event 1 is"), "{text}");
            assert!(text.ends_with("give a cost from 0 to 1e100"), "{text}");
        }
        for factor in [0.0, -1.0, 1.1, f64::NAN] {
            assert!(learner.decay(factor).is_err());
        }
        assert_eq!(learner.events(), 0);
        assert!(Learner::new(Hashing::default(), 1000).is_err());
        assert!(Learner::new(Hashing::default(), usize::MAX).is_err());
        let other = Learner::with_room(Hashing::Xxh3 { seed: 1 }, 10, 90).expect("memory");
        assert!(learner.merge(&other).is_err());
    }

    #[test]
    fn key_that_is_too_long_counts_in_the_total_only() {
        let mut learner = Learner::new(Hashing::default(), Learner::MIN_MEMORY).expect("memory");
        learner.record(vec![0; Learner::MAX_KEY]);
        learner.record(vec![0; Learner::MAX_KEY + 1]);
        assert_eq!((learner.events(), learner.total()), (2, 2.0));
        assert_eq!(learner.top(5).len(), 1);
    }
}
