//! Insertions, removals, guards and unions, for filters that have them.

use super::AnyFilter;
use crate::error::{Result, expect_equal};
use crate::filter::change::Change;
use crate::filter::contract::{Filter, digest_groups};
use crate::filter::family::Operation;
use crate::keys::cost::{check_cost, check_costs};
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use std::any::Any;

impl AnyFilter {
    /// Adds a key and returns whether it is new: whether the filter denied it before.
    ///
    /// # Errors
    ///
    /// The family has a fixed set, or there is no room for the key ([`Error::Full`](crate::Error::Full)).
    pub fn insert(&mut self, key: impl Key) -> Result<bool> {
        self.check_operation(Operation::Insert)?;
        let digest = self.hashing().digest(key);
        each!(self, filter => filter.insert_digest(digest))
    }

    /// Adds keys. This is faster than adding them one by one.
    ///
    /// # Errors
    ///
    /// The family has a fixed set, or there is no room for a key ([`Error::Full`](crate::Error::Full)). The keys before it have been added.
    pub fn extend<K: Key>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        self.check_operation(Operation::Insert)?;
        let mut result = Ok(());
        digest_groups(self.hashing(), keys, |digests| {
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
    /// The family has a fixed set, there is no room for a key ([`Error::Full`](crate::Error::Full)), or the digests have another hashing.
    pub fn insert_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.check_operation(Operation::Insert)?;
        self.add(digests.made_by(self.hashing())?)
    }

    /// Removes a key that is in the set. If the filter denies the key, it returns `false` and changes nothing.
    ///
    /// # Errors
    ///
    /// The family cannot remove keys.
    pub fn remove(&mut self, key: impl Key) -> Result<bool> {
        self.check_operation(Operation::Remove)?;
        let digest = self.hashing().digest(key);
        each!(self, filter => filter.remove_digest(digest))
    }

    /// Removes keys by their digests and returns how many were removed.
    ///
    /// # Errors
    ///
    /// The family cannot remove keys, or the digests have another hashing.
    pub fn remove_digests(&mut self, digests: &Digests<'_>) -> Result<u64> {
        self.check_operation(Operation::Remove)?;
        let mut digests = digests.made_by(self.hashing())?.iter();
        each!(self, filter => digests.try_fold(0, |removed, &digest| {
            Ok(removed + u64::from(filter.remove_digest(digest)?))
        }))
    }

    /// Prevents a false positive on a key outside of the set, which would cost `cost`. A `cuckoo` filter denies the key after this call, so the key
    /// must not be in the set. When it has no room, it drops the cheapest guarded keys. `seesaw-adaptive` treats all guarded keys alike.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys after it is built, or the cost is negative, infinite or not a number.
    pub fn guard(&mut self, key: impl Key, cost: f64) -> Result<()> {
        self.check_operation(Operation::Guard)?;
        check_cost(0, cost)?;
        let digest = self.hashing().digest(key);
        each!(self, filter => filter.guard_digest(digest, cost))
    }

    /// Guards keys by their digests, each with its cost, as [`AnyFilter::guard`] does.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys after it is built, the digests have another hashing, the numbers of costs and digests differ, or a cost is
    /// negative, infinite or not a number. Then no key is guarded.
    pub fn guard_digests(&mut self, digests: &Digests<'_>, costs: &[f64]) -> Result<()> {
        self.check_operation(Operation::Guard)?;
        let mut pairs = digests.with_costs(self.hashing(), costs)?;
        check_costs(costs.iter().copied())?;
        each!(self, filter => {
            pairs.try_for_each(|(digest, cost)| filter.guard_digest(digest, cost))
        })
    }

    /// Adds all keys of `other`.
    ///
    /// # Errors
    ///
    /// The family has no union, or the filters differ in kind, size, settings or hashing.
    pub fn union_with(&mut self, other: &AnyFilter) -> Result<()> {
        self.check_operation(Operation::Union)?;
        expect_equal("kind", self.family().name(), other.family().name())?;
        each!(self, filter => match other.of_type(filter) {
            Some(other) => filter.unite(other),
            None => other.check_operation(Operation::Union),
        })
    }

    /// The filter inside, if it has the type of `like`.
    fn of_type<F: 'static>(&self, _like: &F) -> Option<&F> {
        each!(self, filter => (filter as &dyn Any).downcast_ref())
    }

    /// Adds keys. This filter's hashing must have made the digests.
    pub(super) fn add(&mut self, digests: &[Digest]) -> Result<()> {
        each!(self, filter => filter.insert_all(digests))
    }
}

/// Each shard is an [`AnyFilter`].
impl Change for AnyFilter {
    fn check_operation(&self, operation: Operation) -> Result<()> {
        self.check_operation(operation)
    }

    fn insert_digest(&mut self, digest: Digest) -> Result<bool> {
        each!(self, filter => filter.insert_digest(digest))
    }

    fn insert_all(&mut self, digests: &[Digest]) -> Result<()> {
        self.add(digests)
    }

    fn remove_digest(&mut self, digest: Digest) -> Result<bool> {
        each!(self, filter => filter.remove_digest(digest))
    }

    fn guard_digest(&mut self, digest: Digest, cost: f64) -> Result<()> {
        each!(self, filter => filter.guard_digest(digest, cost))
    }

    fn keys_until_growth(&self) -> u64 {
        each!(self, filter => filter.keys_until_growth())
    }

    fn growth_for(&self, digest: Digest) -> Result<u64> {
        each!(self, filter => filter.growth_for(digest))
    }

    fn bytes_beside_cells(&self) -> u64 {
        self.bytes_beside_cells()
    }
}
