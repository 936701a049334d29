//! Changes of shards: each key changes the shard it belongs to.

use super::Sharded;
use crate::compose::any::AnyFilter;
use crate::error::Result;
use crate::filter::change::Change;
use crate::filter::contract::Filter;
use crate::filter::family::Operation;
use crate::keys::hash::Digest;

impl Change for Sharded {
    fn check_operation(&self, operation: Operation) -> Result<()> {
        match operation {
            Operation::Union => Err(operation.of_shards()),
            _ => self.family().check(operation),
        }
    }

    fn insert_digest(&mut self, digest: Digest) -> Result<bool> {
        self.change(digest, |shard| shard.insert_digest(digest))
    }

    fn insert_all(&mut self, digests: &[Digest]) -> Result<()> {
        let mut digests = digests.iter();
        digests.try_for_each(|&digest| self.change(digest, |shard| shard.insert_all(&[digest])))
    }

    fn remove_digest(&mut self, digest: Digest) -> Result<bool> {
        self.change(digest, |shard| shard.remove_digest(digest))
    }

    fn guard_digest(&mut self, digest: Digest, cost: f64) -> Result<()> {
        self.change(digest, |shard| shard.guard_digest(digest, cost))
    }

    // In the worst case, all keys belong to one shard.
    fn keys_until_growth(&self) -> u64 {
        let shards = self.filters().map(Change::keys_until_growth);
        shards.min().unwrap_or(u64::MAX)
    }

    fn growth_for(&self, digest: Digest) -> Result<u64> {
        // Insertion refuses keys of shards that are not here.
        let shard = self.shard_of(digest);
        shard.map_or(Ok(0), |shard| shard.growth_for(digest))
    }

    fn bytes_beside_cells(&self) -> u64 {
        let shards = self.filters();
        shards
            .map(|shard| size_of::<AnyFilter>() as u64 + shard.bytes_beside_cells())
            .sum()
    }
}
