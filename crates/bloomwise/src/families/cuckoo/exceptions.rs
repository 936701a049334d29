//! Mistakes that the filter is told about, so that it does not make them again.

use super::filter::{Cuckoo, accepts};
use super::keeper::as_cost;
use super::recent::Stamp;
use super::table::{Entry, Table, most_entries};
use super::waiting::Waiting;
use crate::cells::words::padded_words_mut;
use crate::error::Result;
use crate::filter::contract::{Filter, Lookup};
use crate::keys::cost::{check_cost, check_costs};
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;

impl Cuckoo {
    /// Guards a key that is *not* in the set: the filter denies it from now on. Returns `false` if there is no room for it among costlier
    /// ones. A key that is guarded again costs more by as much.
    ///
    /// Guarding a key that is in the set makes a false negative, until it is inserted again. If keys may be inserted between
    /// a look-up and this call, use [`Cuckoo::guard_since`].
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn guard(&mut self, key: impl Key, cost: f64) -> Result<bool> {
        check_cost(0, cost)?;
        Ok(self.except(self.profile.hashing.digest(key), cost))
    }

    /// Guards keys that are not in the set by their digests, each with its cost.
    ///
    /// # Errors
    ///
    /// The filter hashes differently, there are not as many costs as digests, or a cost is negative, infinite or not a number. Nothing
    /// is guarded then.
    pub fn guard_digests(&mut self, digests: &Digests<'_>, costs: &[f64]) -> Result<()> {
        let pairs = digests.with_costs(self.profile.hashing, costs)?;
        check_costs(costs.iter().copied())?;
        for (digest, cost) in pairs {
            self.except(digest, cost);
        }
        Ok(())
    }

    /// A stamp of this moment.
    pub fn stamp(&self) -> Stamp {
        self.recent.stamp()
    }

    /// Whether a key may have been inserted since a moment: it was, or that was too long ago to know, or the stamp is of another filter.
    pub fn may_have_been_inserted(&self, key: impl Key, since: Stamp) -> bool {
        let digest = self.profile.hashing.digest(key);
        self.recent.may_have_been_inserted(digest, since)
    }

    /// Whether the key may be in the set, and a stamp of this moment for [`Cuckoo::guard_since`].
    pub fn contains_stamped(&self, key: impl Key) -> (bool, Stamp) {
        let stamp = self.recent.stamp();
        (self.contains(key), stamp)
    }

    /// The bytes of what files do not contain: the latest insertions, which stamps need, up to 16 KiB; some of the keys that found no room in the
    /// buckets, up to 32 KiB; and mistakes that wait for room, from the first report on that finds none, 8 bytes for each exception that there is room
    /// for.
    pub fn bytes_in_memory_only(&self) -> u64 {
        self.recent.bytes() + self.keeper.bytes() + self.waiting.bytes()
    }

    /// The bytes that the next report allocates so that mistakes can wait for room: 0 unless the exact table is full and no mistake has waited so far.
    /// A program with little memory can [guard](Cuckoo::guard) the key instead.
    pub fn bytes_for_waiting(&self) -> u64 {
        let room = most_entries(self.shape.entries);
        match self.keeper.entries < room || self.waiting.bytes() > 0 {
            true => 0,
            false => Waiting::bytes_for(room),
        }
    }

    /// Guards a key, unless it may have been inserted since that moment. Returns whether the filter denies it now.
    ///
    /// ```
    /// use bloomwise::{Cuckoo, Filter, Size};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let mut stored = Cuckoo::builder(Size::Rate(0.01)).capacity(1000).create()?;
    /// let (_, stamp) = stored.contains_stamped("ant");
    /// // The store has no ant. Before that is reported, someone else stores one.
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
        if self.recent.may_have_been_inserted(digest, stamp) {
            return Ok(false);
        }
        Ok(self.except(digest, cost))
    }

    /// Reports a false positive: a key that the filter accepts and that is *not* in the set.
    ///
    /// As [`Cuckoo::guard`], but made for reports that come one by one, each with what this one mistake has cost. A key that finds no room waits,
    /// and what it has cost adds up; it gets in when others have cost less. A key that the filter denies anyway takes no room.
    ///
    /// If keys may be inserted between the look-up and the report, take a [`Cuckoo::stamp`] with the look-up, and report the key unless it
    /// [may have been inserted](Cuckoo::may_have_been_inserted) since.
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn report_mistake(&mut self, key: impl Key, cost: f64) -> Result<Reported> {
        check_cost(0, cost)?;
        Ok(self.learn(self.profile.hashing.digest(key), cost))
    }

    /// Makes an exception of the key of a mistake that was reported, or lets it wait.
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
        if !known && self.keeper.entries >= room {
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

    /// Makes an exception of the key of a digest that this filter's hashing made. Returns whether the filter denies it now.
    pub(super) fn except(&mut self, digest: Digest, cost: f64) -> bool {
        self.except_for(digest, cost);
        !self.query(digest)
    }

    /// Makes an exception of the key of a digest that this filter's hashing made. Returns the one that made room, and its cost.
    fn except_for(&mut self, digest: Digest, cost: f64) -> Option<(Digest, f32)> {
        let rate = self.rate();
        let (words, shape) = (padded_words_mut(&mut self.words), &self.shape);
        let accepts = |digest| accepts(words, shape, shape.place(digest));
        let table = Table::new(words, shape);
        self.keeper.except(
            &table,
            digest,
            cost,
            rate,
            most_entries(shape.entries),
            &accepts,
        )
    }
}

/// What became of a report. See [`Cuckoo::report_mistake`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reported {
    /// Whether the filter denies the key now.
    pub denied: bool,
    /// The cost with which the filter has guarded the key, or tried to: that of all its reports, as far as they are known. A copy of the filter that
    /// [guards](Cuckoo::guard) the key with this cost stays equal. `None` if the filter is unchanged.
    pub guarded: Option<f64>,
}
