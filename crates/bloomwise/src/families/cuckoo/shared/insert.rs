//! Insertions and removals.

use super::SharedCuckoo;
use crate::error::{Error, Result};
use crate::families::cuckoo::filter::choices;
use crate::families::cuckoo::insert_log::InsertLog;
use crate::families::cuckoo::table::{Entry, most_entries};
use crate::filter::contract::{Filter, Lookup, digest_groups};
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use std::sync::atomic::Ordering;

impl SharedCuckoo {
    /// Adds a key and returns whether it is new, as [`crate::Cuckoo::insert`] does.
    ///
    /// # Errors
    ///
    /// The filter is full. It is unchanged.
    pub fn insert(&self, key: impl Key) -> Result<bool> {
        let digest = self.profile.hashing.digest(key);
        let new = !self.query(digest);
        self.add_one(digest)?;
        Ok(new)
    }

    /// Adds keys.
    ///
    /// # Errors
    ///
    /// The filter is full. Keys before the first that did not fit were added.
    pub fn extend<K: Key>(&self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        let mut result = Ok(());
        digest_groups(self.profile.hashing, keys, |digests| {
            if result.is_ok() {
                result = self.add(digests);
            }
        });
        result
    }

    /// Adds keys by their digests.
    ///
    /// # Errors
    ///
    /// The filter is full, or the digests have another hashing.
    pub fn insert_digests(&self, digests: &Digests<'_>) -> Result<()> {
        self.add(digests.made_by(self.profile.hashing)?)
    }

    /// Removes a key that is in the set, as [`Remove::remove`](crate::Remove::remove) does.
    pub fn remove(&self, key: impl Key) -> bool {
        self.take(self.profile.hashing.digest(key))
    }

    /// Removes keys by their digests and returns how many were removed.
    ///
    /// # Errors
    ///
    /// The digests have another hashing.
    pub fn remove_digests(&self, digests: &Digests<'_>) -> Result<u64> {
        let digests = digests.made_by(self.profile.hashing)?;
        Ok(digests
            .iter()
            .map(|&digest| u64::from(self.take(digest)))
            .sum())
    }

    /// Adds keys. This filter's hashing must have made the digests.
    fn add(&self, digests: &[Digest]) -> Result<()> {
        digests.iter().try_for_each(|&digest| self.add_one(digest))
    }

    fn add_one(&self, digest: Digest) -> Result<()> {
        let place = self.shape.place(digest);
        let segment = self.segment(place);
        let added = segment.write(|insert_log, keys| {
            insert_log.remember(digest);
            let added = self.buckets(place).add(place, choices(digest));
            *keys += i64::from(added);
            added
        });
        if !added {
            let most = most_entries(self.shape.entries);
            let kept = self.change_table(|eviction| {
                eviction.keep_extra(&self.exact(), digest, most, &|other| self.accepts(other))
            });
            if !kept {
                return Err(Error::Full { keys: self.len() });
            }
            segment.write(|_, keys| *keys += 1);
        } else if self.entries.load(Ordering::Acquire) > 0
            && let Some(Entry::Exception(_)) = self.entry(digest)
        {
            self.change_table(|eviction| eviction.forget_exception(&self.exact(), digest));
        }
        Ok(())
    }

    fn take(&self, digest: Digest) -> bool {
        if !self.query(digest) {
            return false;
        }
        let place = self.shape.place(digest);
        let segment = self.segment(place);
        let has_extras = || self.extras.load(Ordering::Acquire) > 0;
        if has_extras() && self.change_table(|eviction| eviction.take_extra(&self.exact(), digest))
        {
            segment.write(|_, keys| *keys -= 1);
            return true;
        }
        let removed = segment.write(|_, keys| {
            let removed = self.buckets(place).remove(place);
            *keys -= i64::from(removed);
            removed
        });
        if removed && has_extras() {
            self.change_table(|eviction| {
                eviction.move_back(&self.exact(), |extra| {
                    let other = self.shape.place(extra);
                    let buckets = self.buckets(other);
                    let moves = |_: &mut InsertLog, _: &mut i64| buckets.add(other, choices(extra));
                    other.meets(place) && self.segment(other).write(moves)
                });
            });
        }
        removed
    }
}
