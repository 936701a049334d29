//! Filters with insertion and removal, ours and the baselines, under one set of operations on keys as bytes.

use super::latency::Keys;
use super::{GUARD, paper};
use crate::baseline::{DigestFilter, Stacked, Weighted};
use crate::subject::Subject;
use crate::workload::as_digests;
use anyhow::{Result, bail};
use bloomwise::keys::Digest;
use bloomwise::unstable::PackedArray;
use bloomwise::{AnyFilter, Counting, Family, Filter, Hashing};

/// A filter with insertion and removal.
pub(super) enum DynamicFilter {
    Weighted(Weighted<PackedArray>),
    Stacked(Stacked<Counting>),
    Ours(AnyFilter),
}

fn digest(key: &[u8]) -> Digest {
    Hashing::default().digest(key)
}

impl DynamicFilter {
    /// An empty filter called `name` that knows the negatives.
    pub fn new(name: &str, bits_per_key: f64, keys: &Keys) -> Result<Self> {
        let (count, budget) = (keys.members.len() as u64, keys.bits);
        let subject = match name {
            "weighted counting" => {
                return Ok(DynamicFilter::Weighted(Weighted::growing(
                    count,
                    &keys.negatives,
                    budget,
                    5e-5,
                )?));
            }
            "stacked counting, paper" => {
                let filter = Stacked::as_published(count, &keys.costliest, budget)?;
                return Ok(DynamicFilter::Stacked(filter));
            }
            "counting" => Subject::kind(Family::Counting),
            "seesaw" => Subject::kind(Family::Seesaw).set("guard", GUARD),
            "seesaw, paper's parameters" => paper(bits_per_key),
            _ => bail!("unknown filter '{name}'"),
        };
        // Only negatives: the filter is sized for the keys to come, and guards the negatives from the start.
        let spec = subject.spec(budget)?.capacity(count);
        Ok(DynamicFilter::Ours(spec.build(&keys.negatives)?))
    }

    /// Inserts a key.
    pub fn insert(&mut self, key: &[u8]) -> Result<()> {
        match self {
            DynamicFilter::Weighted(filter) => filter.insert(digest(key)),
            DynamicFilter::Stacked(filter) => filter.insert(digest(key))?,
            // Not `insert`, which also queries the key.
            DynamicFilter::Ours(filter) => filter.insert_digests(&as_digests(&[digest(key)]))?,
        }
        Ok(())
    }

    /// Removes a key; returns `false` if the filter knows that the key is absent.
    pub fn remove(&mut self, key: &[u8]) -> Result<bool> {
        Ok(match self {
            DynamicFilter::Weighted(filter) => filter.remove(digest(key)),
            DynamicFilter::Stacked(filter) => filter.remove(digest(key))?,
            DynamicFilter::Ours(filter) => filter.remove(key)?,
        })
    }

    /// Returns whether `key` may be in the set.
    pub fn may_contain(&self, key: &[u8]) -> bool {
        match self {
            DynamicFilter::Weighted(filter) => filter.may_contain(digest(key)),
            DynamicFilter::Stacked(filter) => filter.may_contain(digest(key)),
            DynamicFilter::Ours(filter) => filter.contains(key),
        }
    }
}
