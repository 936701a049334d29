//! Insertions, removals, guards and unions, for filters that have them.

use super::AnyFilter;
use crate::error::{Result, expect_equal};
use crate::filter::contract::{Filter, digest_groups};
use crate::filter::family::Operation;
use crate::keys::cost::check_cost;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;

impl AnyFilter {
    /// Adds a key and returns whether it is new: whether the filter denied it before.
    ///
    /// # Errors
    ///
    /// The family has a fixed set, or there is no room for the key ([`Error::Full`](crate::Error::Full)).
    pub fn insert(&mut self, key: impl Key) -> Result<bool> {
        Ok(match self {
            AnyFilter::Bloom(filter) => filter.insert(key),
            AnyFilter::Blocked(filter) => filter.insert(key),
            AnyFilter::Counting(filter) => filter.insert(key),
            AnyFilter::Habf(filter) => filter.insert(key),
            AnyFilter::Seesaw(filter) => filter.insert(key),
            AnyFilter::Balanced(filter) => filter.insert(key),
            AnyFilter::Growing(filter) => filter.insert(key),
            AnyFilter::Cuckoo(filter) => return filter.insert(key),
            AnyFilter::PersonalizedRejecting(filter) => filter.insert(key),
            AnyFilter::Sharded(shards) => {
                let digest = shards.hashing().digest(&key);
                return shards.change(digest, |filter| filter.insert(key));
            }
            AnyFilter::Guarded(_) | AnyFilter::Patched(_) => {
                return Err(self.unsupported(Operation::Insert));
            }
        })
    }

    /// Adds keys, faster than one by one.
    ///
    /// # Errors
    ///
    /// The family has a fixed set, or there is no room for a key ([`Error::Full`](crate::Error::Full)); those before it were added.
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
    /// The family has a fixed set, there is no room for a key ([`Error::Full`](crate::Error::Full)), or the filter hashes differently.
    pub fn insert_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.check_operation(Operation::Insert)?;
        self.add(digests.made_by(self.hashing())?)
    }

    /// Removes a key that is in the set. Returns `false`, and changes nothing, if the filter can tell that it is not.
    ///
    /// # Errors
    ///
    /// The family cannot remove.
    pub fn remove(&mut self, key: impl Key) -> Result<bool> {
        match self {
            AnyFilter::Counting(filter) => Ok(filter.remove(key)),
            AnyFilter::Seesaw(filter) => Ok(filter.remove(key)),
            AnyFilter::Cuckoo(filter) => Ok(filter.remove(key)),
            AnyFilter::Sharded(shards) => {
                let digest = shards.hashing().digest(&key);
                shards.change(digest, |filter| filter.remove(key))
            }
            _ => Err(self.unsupported(Operation::Remove)),
        }
    }

    /// Removes keys by their digests and returns how many were removed.
    ///
    /// # Errors
    ///
    /// The family cannot remove, or the filter hashes differently.
    pub fn remove_digests(&mut self, digests: &Digests<'_>) -> Result<u64> {
        match self {
            AnyFilter::Counting(filter) => filter.remove_digests(digests),
            AnyFilter::Seesaw(filter) => filter.remove_digests(digests),
            AnyFilter::Cuckoo(filter) => filter.remove_digests(digests),
            AnyFilter::Sharded(shards) => {
                let mut removed = 0;
                for &digest in digests.made_by(shards.hashing())? {
                    let one = Digests::from_raw(digests.hashing(), vec![digest]);
                    removed += shards.change(digest, |filter| filter.remove_digests(&one))?;
                }
                Ok(removed)
            }
            _ => Err(self.unsupported(Operation::Remove)),
        }
    }

    /// Protects a key that is not in the set from being a false positive. A `cuckoo` filter denies the key from now on, so it must not be in
    /// the set; a false positive on it costs 1.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys once it is built.
    pub fn guard(&mut self, key: impl Key) -> Result<()> {
        self.guard_with_cost(key, 1.0)
    }

    /// Protects a key as [`AnyFilter::guard`] does, and says what a false positive on it costs. `cuckoo` gives up the cheapest keys when it
    /// has no room for more; `seesaw-adaptive` ignores the cost.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys once it is built, or the cost is negative, infinite or not a number.
    pub fn guard_with_cost(&mut self, key: impl Key, cost: f64) -> Result<()> {
        self.check_operation(Operation::Guard)?;
        check_cost(cost)?;
        match self {
            AnyFilter::Seesaw(filter) => filter.guard(key),
            AnyFilter::Cuckoo(filter) => filter.guard(key, cost).map(|_| ()),
            AnyFilter::Sharded(shards) => {
                let digest = shards.hashing().digest(&key);
                shards.change(digest, |filter| filter.guard_with_cost(key, cost))
            }
            _ => Err(self.unsupported(Operation::Guard)),
        }
    }

    /// Protects keys by their digests, each with cost 1.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys once it is built, or the filter hashes differently.
    pub fn guard_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.guard_digests_with_costs(digests, &vec![1.0; digests.len()])
    }

    /// Protects keys by their digests, each with its cost, as [`AnyFilter::guard_with_cost`] does.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys once it is built, the filter hashes differently, the costs are not one for each digest, or a cost is
    /// negative, infinite or not a number. Nothing is guarded then.
    pub fn guard_digests_with_costs(&mut self, digests: &Digests<'_>, costs: &[f64]) -> Result<()> {
        self.check_operation(Operation::Guard)?;
        let pairs = digests.with_costs(self.hashing(), costs)?;
        costs.iter().try_for_each(|&cost| check_cost(cost))?;
        match self {
            AnyFilter::Seesaw(filter) => filter.guard_digests(digests),
            AnyFilter::Cuckoo(filter) => filter.guard_digests(digests, costs),
            AnyFilter::Sharded(shards) => {
                for (digest, cost) in pairs {
                    let one = Digests::from_raw(digests.hashing(), vec![digest]);
                    shards.change(digest, |filter| {
                        filter.guard_digests_with_costs(&one, &[cost])
                    })?;
                }
                Ok(())
            }
            _ => Err(self.unsupported(Operation::Guard)),
        }
    }

    /// Adds all keys of `other`.
    ///
    /// # Errors
    ///
    /// The family has no union, or the filters were not built alike.
    pub fn union(&mut self, other: &AnyFilter) -> Result<()> {
        self.check_operation(Operation::Union)?;
        expect_equal("kind", self.family().name(), other.family().name())?;
        match (&mut *self, other) {
            (AnyFilter::Bloom(filter), AnyFilter::Bloom(other)) => filter.union(other),
            (AnyFilter::Blocked(filter), AnyFilter::Blocked(other)) => filter.union(other),
            (AnyFilter::Counting(filter), AnyFilter::Counting(other)) => filter.union(other),
            _ => Err(self.unsupported(Operation::Union)),
        }
    }

    /// Adds the keys of digests that this filter's hashing made.
    pub(super) fn add(&mut self, digests: &[Digest]) -> Result<()> {
        match self {
            AnyFilter::Bloom(filter) => filter.add(digests),
            AnyFilter::Blocked(filter) => filter.add(digests),
            AnyFilter::Counting(filter) => filter.add(digests),
            AnyFilter::Habf(filter) => filter.add(digests),
            AnyFilter::Seesaw(filter) => filter.add(digests),
            AnyFilter::Balanced(filter) => filter.add(digests),
            AnyFilter::Growing(filter) => filter.add(digests),
            AnyFilter::Cuckoo(filter) => return filter.add(digests),
            AnyFilter::PersonalizedRejecting(filter) => filter.add(digests),
            AnyFilter::Sharded(shards) => {
                let mut digests = digests.iter();
                return digests
                    .try_for_each(|&digest| shards.change(digest, |filter| filter.add(&[digest])));
            }
            AnyFilter::Guarded(_) | AnyFilter::Patched(_) => {
                return Err(self.unsupported(Operation::Insert));
            }
        }
        Ok(())
    }
}
