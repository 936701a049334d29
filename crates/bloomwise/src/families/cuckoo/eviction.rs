//! Decides which entries the exact table keeps.
//!
//! # Which exceptions stay
//!
//! A false positive costs what its key costs. A key that the buckets deny needs no exception yet. But the buckets may accept it later, as keys
//! come and go, and if it is costly, that one mistake outweighs many others. So spare room holds such keys in reserve, up to five sixths of the
//! room; a table that is less full answers faster. The score of a key is its cost if the buckets accept it, else its cost times a tenth of the
//! false positive rate. When the table is full, the lowest score is dropped. If the buckets accept its key, it is a mistake again, and
//! `given_up` counts it.
//!
//! Scores change with the buckets, so no queue stays sorted. Instead, the table looks at 64 exceptions, starting at a place that follows from
//! the key that needs room, and drops the lowest of them. A table of at most 64 exceptions drops the lowest of all. A larger one drops one of the
//! lowest few percent, in the same short time. If the table is full of extras, exceptions are rare, and the search ends after 1024 places. A search
//! keeps no state, so filters with equal bytes stay equal under equal changes, even on two servers.
//!
//! # Extras
//!
//! Keys of the set that found no room in the buckets are never dropped. They take the room of exceptions. When a key is removed, an extra that
//! has one of its buckets moves there.

use super::table::{Entry, GAP, Table};
use crate::cells::words::WordMut;
use crate::keys::hash::Digest;

/// The factor for a key in reserve, applied on top of the rate: how likely the buckets are to accept the key later.
const RESERVE: f64 = 0.1;

/// How many extras are tried when a key is removed.
const TRIED: usize = 16;

/// How many exceptions are compared to find the one to drop.
const SAMPLE: usize = 64;

/// How many places are searched for them.
const LOOKED: usize = 1024;

/// How many extras are remembered, to avoid searching the table at each removal.
const REMEMBERED: usize = 1024;

/// What is in the exact table.
#[derive(Clone, Debug, Default)]
pub(super) struct Eviction {
    /// The number of entries.
    pub entries: u64,
    /// The number of extras among them.
    pub extras: u64,
    /// How many mistakes were dropped, or found no room.
    pub given_up: u64,
    /// The smallest digests of extras, sorted, at most [`REMEMBERED`] of them; none if the filter was just loaded.
    smallest: Vec<Digest>,
}

/// Compares only what a file stores.
impl PartialEq for Eviction {
    fn eq(&self, other: &Self) -> bool {
        (self.entries, self.extras, self.given_up) == (other.entries, other.extras, other.given_up)
    }
}

impl Eviction {
    /// The numbers that a file stores.
    pub fn new(entries: u64, extras: u64, given_up: u64) -> Self {
        Eviction {
            entries,
            extras,
            given_up,
            ..Eviction::default()
        }
    }

    /// Removes the exception of a key that has been inserted, if it has one.
    pub fn forget_exception(&mut self, table: &Table<'_, impl WordMut>, digest: Digest) {
        if let Some(Entry::Exception(_)) = table.get(digest) {
            table.remove(digest);
            self.entries = self.entries.saturating_sub(1);
        }
    }

    /// The heap memory in bytes.
    pub fn bytes(&self) -> u64 {
        (self.smallest.capacity() * size_of::<Digest>()) as u64
    }

    /// Stores one more insertion of a key that has no room in the buckets. If the table is full, an exception is dropped. Returns `false`,
    /// and changes nothing, if all entries are extras.
    pub fn keep_extra(
        &mut self,
        table: &Table<'_, impl WordMut>,
        digest: Digest,
        most: u64,
        accepts: &dyn Fn(Digest) -> bool,
    ) -> bool {
        match table.get(digest) {
            Some(Entry::Extra(Entry::MAX_EXTRAS)) => return false,
            Some(Entry::Extra(count)) => return table.set(digest, Entry::Extra(count + 1)),
            Some(Entry::Exception(_)) => {
                // The extra replaces the exception of the same key.
                table.set(digest, Entry::Extra(1));
                self.count_extra(digest);
                return true;
            }
            // No entry can have the digest of a gap.
            None if digest == GAP => return false,
            None => {}
        }
        let (full, blocked) = (self.entries >= most, table.is_blocked_for(digest));
        let given_up = match (full, blocked) {
            (false, false) => None,
            _ if self.entries == self.extras => return false,
            // Only dropping an exception with a larger digest leaves a gap for it.
            (_, true) => Some(table.exception_after(digest)),
            (true, false) => {
                let near = lowest(table, digest, 0.0, accepts).map(|(lowest, ..)| lowest);
                // The only exception is far away. It is dropped next, so this search happens rarely.
                let any = || table.exceptions_from(digest, usize::MAX).next();
                Some(near.or_else(|| any().map(|(any, _)| any)))
            }
        };
        match given_up {
            None => {}
            Some(None) => return false,
            Some(Some(exception)) => self.give_up(table, exception, accepts),
        }
        if !table.set(digest, Entry::Extra(1)) {
            return false;
        }
        self.entries += 1;
        self.count_extra(digest);
        true
    }

    /// Counts a key that has become an extra, and remembers it if it is one of the smallest.
    fn count_extra(&mut self, digest: Digest) {
        let all = self.smallest.len() as u64 == self.extras;
        self.extras += 1;
        if all || self.smallest.last() > Some(&digest) {
            let place = self.smallest.partition_point(|&found| found < digest);
            self.smallest.insert(place, digest);
            self.smallest.truncate(REMEMBERED);
        }
    }

    /// Removes one insertion of a key from the extras, if there is one.
    pub fn take_extra(&mut self, table: &Table<'_, impl WordMut>, digest: Digest) -> bool {
        if self.extras == 0 {
            return false;
        }
        let Some(Entry::Extra(count)) = table.get(digest) else {
            return false;
        };
        if count > 1 {
            return table.set(digest, Entry::Extra(count - 1));
        }
        table.remove(digest);
        self.entries = self.entries.saturating_sub(1);
        self.extras = self.extras.saturating_sub(1);
        if let Ok(place) = self.smallest.binary_search(&digest) {
            self.smallest.remove(place);
        }
        true
    }

    /// Moves an extra back into the buckets, if `moves` finds room for it.
    pub fn move_back(&mut self, table: &Table<'_, impl WordMut>, moves: impl Fn(Digest) -> bool) {
        if self.extras == 0 {
            return;
        }
        if (self.smallest.len() as u64) < self.extras.min(TRIED as u64) {
            let extra = |(digest, entry)| matches!(entry, Entry::Extra(_)).then_some(digest);
            self.smallest = table.iter().filter_map(extra).take(REMEMBERED).collect();
        }
        let mut tried = self.smallest.iter().take(TRIED).copied();
        if let Some(moved) = tried.find(|&digest| moves(digest)) {
            self.take_extra(table, moved);
        }
    }

    /// Adds an exception for a key, or adds to its cost. If the table is full, the lowest score is dropped and returned with its cost.
    pub fn except(
        &mut self,
        table: &Table<'_, impl WordMut>,
        digest: Digest,
        cost: f64,
        rate: f64,
        most: u64,
        accepts: &dyn Fn(Digest) -> bool,
    ) -> Option<(Digest, f32)> {
        let cost = match table.get(digest) {
            // An extra proves that the key is in the set.
            Some(Entry::Extra(_)) => return None,
            Some(Entry::Exception(before)) => {
                let sum = as_cost(f64::from(before) + cost);
                table.set(digest, Entry::Exception(sum));
                return None;
            }
            None => as_cost(cost),
        };
        let wrong = accepts(digest);
        let score = score(cost, wrong, rate);
        let most = if wrong { most } else { reserve_room(most) };
        let mut given_up = None;
        if self.entries >= most {
            let exceptions = self.entries > self.extras;
            match exceptions
                .then(|| lowest(table, digest, rate, accepts))
                .flatten()
            {
                Some((lowest, cost, least)) if least < score => {
                    self.give_up(table, lowest, accepts);
                    given_up = Some((lowest, cost));
                }
                _ => {
                    self.given_up = self.given_up.saturating_add(u64::from(wrong));
                    return None;
                }
            }
        }
        // The entries after it may leave no gap, though the table is not full.
        if table.set(digest, Entry::Exception(cost)) {
            self.entries += 1;
        } else {
            self.given_up = self.given_up.saturating_add(u64::from(wrong));
        }
        given_up
    }

    /// Removes an exception to make room.
    fn give_up(
        &mut self,
        table: &Table<'_, impl WordMut>,
        digest: Digest,
        accepts: &dyn Fn(Digest) -> bool,
    ) {
        table.remove(digest);
        self.entries = self.entries.saturating_sub(1);
        self.given_up = self.given_up.saturating_add(u64::from(accepts(digest)));
    }
}

/// An exception with a low score, its cost and its score: the lowest among those that follow the place that `from` chooses. `None` if
/// there are no exceptions near that place.
fn lowest(
    table: &Table<'_, impl WordMut>,
    from: Digest,
    rate: f64,
    accepts: &dyn Fn(Digest) -> bool,
) -> Option<(Digest, f32, f64)> {
    let sample = table.exceptions_from(from, LOOKED).take(SAMPLE);
    let scores = sample.map(|(digest, cost)| (digest, cost, score(cost, accepts(digest), rate)));
    scores.min_by(|one, other| one.2.total_cmp(&other.2))
}

/// The most entries when adding a key in reserve. A table that is less full answers faster and leaves room for future mistakes.
pub(super) fn reserve_room(most: u64) -> u64 {
    most - most / 6
}

/// Breaks ties between equal scores. It differs from the order of the table, or the keys that stay would crowd at one end of the table.
pub(super) fn tie(digest: Digest) -> (u64, u64) {
    (digest.low, digest.high)
}

/// A cost as the table stores it.
pub(super) fn as_cost(cost: f64) -> f32 {
    (cost as f32).min(f32::MAX)
}

/// The value of keeping an exception.
pub(super) fn score(cost: f32, wrong: bool, rate: f64) -> f64 {
    let cost = f64::from(cost);
    if wrong { cost } else { cost * RESERVE * rate }
}

#[cfg(test)]
mod tests {
    use super::super::shape::Shape;
    use super::super::table::most_entries;
    use super::*;
    use crate::cells::words::Word;
    use std::cell::Cell;

    /// A word that counts how often words are read.
    #[derive(Default)]
    struct Counted(Cell<u64>);

    thread_local! {
        static READS: Cell<u64> = const { Cell::new(0) };
    }

    impl Word for Counted {
        fn get(&self) -> u64 {
            READS.set(READS.get() + 1);
            self.0.get()
        }
    }

    impl WordMut for Counted {
        fn set(&self, word: u64) {
            self.0.set(word);
        }
    }

    fn digest(key: u64) -> Digest {
        crate::keys::hash::Hashing::default().digest(key)
    }

    /// A full table whose first few entries are exceptions.
    fn full(words: &[Counted], shape: &Shape, exceptions: u64) -> Eviction {
        let (table, most) = (Table::new(words, shape), most_entries(shape.entries));
        let mut eviction = Eviction::default();
        for key in 0..most {
            match key < exceptions {
                true => _ = eviction.except(&table, digest(key), 1.0, 0.01, most, &|_| true),
                false => assert!(eviction.keep_extra(&table, digest(key), most, &|_| true)),
            }
        }
        assert_eq!(
            (eviction.entries, eviction.extras),
            (most, most - exceptions)
        );
        eviction
    }

    #[test]
    fn table_full_of_extras_is_not_searched() {
        let shape = Shape::new(8, 1, 1, 20_000);
        let words: Vec<Counted> = (0..shape.words()).map(|_| Counted::default()).collect();
        let (table, most) = (Table::new(&words, &shape), most_entries(20_000));
        let mut eviction = full(&words, &shape, 0);
        READS.set(0);
        assert!(!eviction.keep_extra(&table, digest(1 << 40), most, &|_| true));
        assert_eq!(
            eviction.except(&table, digest(1 << 41), 1.0, 0.01, most, &|_| true),
            None
        );
        assert!(READS.get() < 1000, "{} reads", READS.get());
    }

    #[test]
    fn search_for_few_exceptions_is_short_and_finds_room_for_extras() {
        let shape = Shape::new(8, 1, 1, 20_000);
        let words: Vec<Counted> = (0..shape.words()).map(|_| Counted::default()).collect();
        let (table, most) = (Table::new(&words, &shape), most_entries(20_000));
        let mut eviction = full(&words, &shape, 3);
        READS.set(0);
        eviction.except(&table, digest(1 << 40), 1.0, 0.01, most, &|_| true);
        assert!(
            READS.get() < 4 * LOOKED as u64 + 1000,
            "{} reads",
            READS.get()
        );
        for key in 0..4 {
            let kept = eviction.keep_extra(&table, digest((1 << 42) + key), most, &|_| true);
            assert_eq!(kept, key < 3, "as many as there are exceptions");
        }
        assert_eq!((eviction.entries, eviction.extras), (most, most));
    }

    #[test]
    fn extra_takes_the_room_of_any_exception_of_a_short_table() {
        let shape = Shape::new(8, 1, 1, 6);
        let most = most_entries(6);
        let mut keys: Vec<u64> = (0..7).collect();
        keys.sort_by_key(|&key| digest(key));
        for exception in 0..6 {
            let words: Vec<Counted> = (0..shape.words()).map(|_| Counted::default()).collect();
            let table = Table::new(&words, &shape);
            let mut eviction = Eviction::default();
            for (place, &key) in keys[..6].iter().enumerate() {
                match place == exception {
                    true => _ = eviction.except(&table, digest(key), 1.0, 0.01, most, &|_| true),
                    false => assert!(eviction.keep_extra(&table, digest(key), most, &|_| true)),
                }
            }
            // Its digest is larger than all others.
            assert!(eviction.keep_extra(&table, digest(keys[6]), most, &|_| true));
            assert_eq!((eviction.entries, eviction.extras), (6, 6));
            assert!(!eviction.keep_extra(&table, digest(7), most, &|_| true));
            assert_eq!(table.check().ok(), Some((6, 6)));
        }
    }

    #[test]
    fn smallest_extras_are_remembered_in_little_memory() {
        let shape = Shape::new(8, 1, 1, 20_000);
        let words: Vec<Counted> = (0..shape.words()).map(|_| Counted::default()).collect();
        let table = Table::new(&words, &shape);
        let mut eviction = full(&words, &shape, 0);
        assert!(eviction.bytes() <= 2 * (REMEMBERED * size_of::<Digest>()) as u64);
        let mut loaded = Eviction::new(eviction.entries, eviction.extras, eviction.given_up);
        for key in (0..most_entries(20_000)).step_by(3) {
            eviction.move_back(&table, |_| false);
            loaded.move_back(&table, |_| false);
            assert_eq!(eviction.smallest[..TRIED], loaded.smallest[..TRIED]);
            let entry = table.get(digest(key)).expect("an extra");
            assert!(eviction.take_extra(&table, digest(key)));
            table.set(digest(key), entry);
            assert!(loaded.take_extra(&table, digest(key)));
        }
    }
}
