//! Guards: exceptions for keys that are not in the set.

use super::SharedCuckoo;
use crate::error::Result;
use crate::families::cuckoo::eviction::Eviction;
use crate::families::cuckoo::insert_log::Stamp;
use crate::families::cuckoo::table::most_entries;
use crate::filter::contract::{Filter, Lookup};
use crate::keys::cost::check_cost;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use std::sync::atomic::Ordering;

impl SharedCuckoo {
    /// Guards a key that is *not* in the set, as [`crate::Cuckoo::guard`] does. If other threads insert keys, use [`SharedCuckoo::guard_since`].
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn guard(&self, key: impl Key, cost: f64) -> Result<bool> {
        check_cost(0, cost)?;
        let digest = self.profile.hashing.digest(key);
        self.change_table(|eviction| self.except(eviction, digest, cost));
        Ok(!self.query(digest))
    }

    /// Whether the key may be in the set, and a stamp of the current moment for [`SharedCuckoo::guard_since`]. The call takes the lock of the
    /// key's segment briefly.
    pub fn contains_stamped(&self, key: impl Key) -> (bool, Stamp) {
        let digest = self.profile.hashing.digest(key);
        let stamp = self.segment(self.shape.place(digest)).lock().stamp();
        (self.query(digest), stamp)
    }

    /// Guards a key, unless it may have been inserted after `stamp`, as [`crate::Cuckoo::guard_since`] does. Returns whether the filter denies the key
    /// now. The stamp must come from a query for the same key.
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn guard_since(&self, key: impl Key, cost: f64, stamp: Stamp) -> Result<bool> {
        check_cost(0, cost)?;
        let digest = self.profile.hashing.digest(key);
        let segment = self.segment(self.shape.place(digest));
        let guarded = self.change_table(|eviction| {
            // An insertion that remembers its key later will look for an exception: see the page of `super`.
            self.entries.fetch_add(1, Ordering::Release);
            if segment.lock().may_have_been_inserted(digest, stamp) {
                return false;
            }
            self.except(eviction, digest, cost);
            true
        });
        Ok(guarded && !self.query(digest))
    }

    /// Adds an exception for a key. The caller holds the lock of the table.
    fn except(&self, eviction: &mut Eviction, digest: Digest, cost: f64) {
        let (rate, most) = (self.rate(), most_entries(self.shape.entries));
        let accepts = |other| self.accepts(other);
        eviction.except(&self.exact(), digest, cost, rate, most, &accepts);
    }
}
