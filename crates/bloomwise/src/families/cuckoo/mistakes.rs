//! The methods that tell the filter about mistakes, so that it does not repeat them.

use super::eviction::as_cost;
use super::filter::{Cuckoo, accepts};
use super::insert_log::Stamp;
use super::table::{Entry, Table, most_entries};
use super::waiting::WaitingMistakes;
use crate::cells::words::padded_words_mut;
use crate::error::Result;
use crate::filter::contract::{Filter, Lookup};
use crate::keys::cost::{check_cost, check_costs};
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;

impl Cuckoo {
    /// Guards a key that is *not* in the set: the filter denies the key after this call. Returns `false` if the exact table is full of costlier
    /// keys. Guarding a key again adds to its cost.
    ///
    /// Guarding a key that is in the set makes a false negative, until the key is inserted again. If keys may be inserted between a query and
    /// this call, use [`Cuckoo::guard_since`].
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn guard(&mut self, key: impl Key, cost: f64) -> Result<bool> {
        check_cost(0, cost)?;
        Ok(self.except(self.profile.hashing.digest(key), cost))
    }

    /// Guards keys that are not in the set, given by their digests, each with its cost.
    ///
    /// # Errors
    ///
    /// The digests have another hashing, there are not as many costs as digests, or a cost is negative, infinite or not a number. Then no key is
    /// guarded.
    pub fn guard_digests(&mut self, digests: &Digests<'_>, costs: &[f64]) -> Result<()> {
        let pairs = digests.with_costs(self.profile.hashing, costs)?;
        check_costs(costs.iter().copied())?;
        for (digest, cost) in pairs {
            self.except(digest, cost);
        }
        Ok(())
    }

    /// A stamp of the current moment.
    pub fn stamp(&self) -> Stamp {
        self.insert_log.stamp()
    }

    /// Whether a key may have been inserted after `since`: it was, or that is too long ago to tell, or the stamp is of another filter.
    pub fn may_have_been_inserted(&self, key: impl Key, since: Stamp) -> bool {
        let digest = self.profile.hashing.digest(key);
        self.insert_log.may_have_been_inserted(digest, since)
    }

    /// Whether the key may be in the set, and a stamp of the current moment for [`Cuckoo::guard_since`].
    pub fn contains_stamped(&self, key: impl Key) -> (bool, Stamp) {
        let stamp = self.insert_log.stamp();
        (self.contains(key), stamp)
    }

    /// The bytes of memory that are not saved to files: the latest insertions, which stamps need, up to 16 KiB; some of the keys that found no
    /// room in the buckets, up to 32 KiB; and, once a report has found no room, 8 bytes for each exception that the table can hold.
    pub fn bytes_in_memory_only(&self) -> u64 {
        self.insert_log.bytes() + self.eviction.bytes() + self.waiting.bytes()
    }

    /// The bytes that the next report would allocate to let mistakes wait for room. It is 0 unless the exact table is full and no mistake has
    /// waited so far. A program with little memory can [guard](Cuckoo::guard) the key instead.
    pub fn bytes_for_waiting(&self) -> u64 {
        let room = most_entries(self.shape.entries);
        match self.eviction.entries < room || self.waiting.bytes() > 0 {
            true => 0,
            false => WaitingMistakes::bytes_for(room),
        }
    }

    /// Guards a key, unless it may have been inserted after `stamp`. Returns whether the filter denies the key now.
    ///
    /// ```
    /// use bloomwise::{Cuckoo, Filter, Size};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let mut stored = Cuckoo::builder(Size::Rate(0.01)).capacity(1000).create()?;
    /// let (_, stamp) = stored.contains_stamped("ant");
    /// // The store has no ant. Before that is reported, another client stores one.
    /// stored.insert("ant")?;
    /// assert!(!stored.guard_since("ant", 1.0, stamp)?, "refused");
    /// assert!(stored.contains("ant"));
    /// assert!(stored.guard_since("bee", 1.0, stamp)?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn guard_since(&mut self, key: impl Key, cost: f64, stamp: Stamp) -> Result<bool> {
        check_cost(0, cost)?;
        let digest = self.profile.hashing.digest(key);
        if self.insert_log.may_have_been_inserted(digest, stamp) {
            return Ok(false);
        }
        Ok(self.except(digest, cost))
    }

    /// Reports a false positive: a key that the filter accepts and that is *not* in the set.
    ///
    /// Use it for reports that come one at a time, each with what this one mistake cost; [`Cuckoo::guard`] forgets a key that finds no room.
    /// A key that is reported and finds no room waits. Its costs add up, and it gets in once they exceed the costs of the cheapest exception. A key that
    /// the filter denies anyway takes no room.
    ///
    /// If keys may be inserted between the query and the report, take a [`Cuckoo::stamp`] with the query, and report the key unless it
    /// [may have been inserted](Cuckoo::may_have_been_inserted) since.
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn report_mistake(&mut self, key: impl Key, cost: f64) -> Result<Reported> {
        check_cost(0, cost)?;
        Ok(self.learn(self.profile.hashing.digest(key), cost))
    }

    /// Adds an exception for a reported key, or lets it wait.
    fn learn(&mut self, digest: Digest, cost: f64) -> Reported {
        let words = padded_words_mut(&mut self.words);
        let table = Table::new(words, &self.shape);
        let entry = table.get(digest);
        if let Some(Entry::Extra(_)) = entry {
            // A key of the set that found no room in the buckets. It stays in the set.
            return Reported {
                denied: false,
                guarded: None,
            };
        }
        let known = entry.is_some();
        if !known && !accepts(words, &self.shape, self.shape.place(digest)) {
            return Reported {
                denied: true,
                guarded: None,
            };
        }
        let room = most_entries(self.shape.entries);
        let mut all = cost;
        if !known && self.eviction.entries >= room {
            all = f64::from(self.waiting.add(digest, as_cost(cost), room)).max(cost);
        }
        let made_room = self.except_for(digest, all);
        let denied = !self.query(digest);
        if let Some((other, cost)) = made_room {
            self.waiting.put(other, cost, room);
            if denied {
                self.waiting.remove(digest, room);
            }
        }
        Reported {
            denied,
            guarded: Some(all),
        }
    }

    /// Adds an exception for a key, whose digest this filter's hashing made. Returns whether the filter denies the key now.
    pub(super) fn except(&mut self, digest: Digest, cost: f64) -> bool {
        self.except_for(digest, cost);
        !self.query(digest)
    }

    /// Adds an exception for a key, whose digest this filter's hashing made. Returns the exception that was dropped for it, with its cost.
    fn except_for(&mut self, digest: Digest, cost: f64) -> Option<(Digest, f32)> {
        let rate = self.rate();
        let (words, shape) = (padded_words_mut(&mut self.words), &self.shape);
        let accepts = |digest| accepts(words, shape, shape.place(digest));
        let table = Table::new(words, shape);
        self.eviction.except(
            &table,
            digest,
            cost,
            rate,
            most_entries(shape.entries),
            &accepts,
        )
    }
}

/// The result of [`Cuckoo::report_mistake`].
///
/// ```
/// use bloomwise::{Cuckoo, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut stored = Cuckoo::builder(Size::Rate(0.01)).capacity(1000).create()?;
/// stored.extend(0..1000)?;
/// let wrong = (1000..10_000).find(|key| stored.contains(key)).unwrap();
/// let reported = stored.report_mistake(wrong, 3.0)?;
/// assert!(reported.denied && !stored.contains(wrong));
/// assert_eq!(reported.guarded, Some(3.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reported {
    /// Whether the filter denies the key now.
    pub denied: bool,
    /// The cost with which the filter guarded the key, or tried to: the sum of its reports that the filter remembers. A copy of the filter that
    /// [guards](Cuckoo::guard) the key with this cost stays equal. `None` if the filter is unchanged.
    pub guarded: Option<f64>,
}
