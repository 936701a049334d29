//! Filters whose keys come and go, ours and the baselines, under one set of operations on keys as bytes.

use super::latency::Keys;
use super::{BITS_PER_KEY, GUARD, paper};
use crate::baseline::{Member, Stacked, Weighted};
use crate::subject::Subject;
use anyhow::{Result, bail};
use bloomwise::cells::PackedArray;
use bloomwise::{AnyFilter, Counting, Digest, Filter, Hashing};

/// A filter whose keys come and go.
pub(super) enum Changing {
    Weighted(Weighted<PackedArray>),
    Stacked(Stacked<Counting>),
    Ours(AnyFilter),
}

fn digest(key: &[u8]) -> Digest {
    Hashing::default().digest(key)
}

impl Changing {
    /// An empty one of this name that knows of the negatives.
    pub fn new(name: &str, keys: &Keys) -> Result<Self> {
        let count = keys.members.len() as u64;
        let budget = (BITS_PER_KEY * count as f64) as u64;
        let subject = match name {
            "weighted counting" => {
                return Ok(Changing::Weighted(Weighted::growing(
                    count,
                    &keys.negatives,
                    budget,
                    5e-5,
                )?));
            }
            "stacked counting, paper" => {
                let filter = Stacked::as_published(count, &keys.costliest, budget)?;
                return Ok(Changing::Stacked(filter));
            }
            "counting" => Subject::kind("counting"),
            "seesaw" => Subject::kind("seesaw").set("guard", GUARD),
            "seesaw, paper" => paper(BITS_PER_KEY),
            _ => bail!("no filter is called {name}"),
        };
        let Some(spec) = subject.spec(budget)? else {
            bail!("{name} has no kind");
        };
        // Negatives alone: the filter is sized for the keys to come, and guards them from the start.
        Ok(Changing::Ours(spec.capacity(count).build(&keys.negatives)?))
    }

    /// Adds a key.
    pub fn insert(&mut self, key: &[u8]) -> Result<()> {
        match self {
            Changing::Weighted(filter) => filter.insert(digest(key)),
            Changing::Stacked(filter) => filter.insert(digest(key)),
            Changing::Ours(filter) => filter.insert(key)?,
        }
        Ok(())
    }

    /// Removes a key; `false` if the filter knows that it is not there.
    pub fn remove(&mut self, key: &[u8]) -> Result<bool> {
        Ok(match self {
            Changing::Weighted(filter) => filter.remove(digest(key)),
            Changing::Stacked(filter) => filter.remove(digest(key)),
            Changing::Ours(filter) => filter.remove(key)?,
        })
    }

    /// Whether the key may be in the set.
    pub fn has(&self, key: &[u8]) -> bool {
        match self {
            Changing::Weighted(filter) => filter.has(digest(key)),
            Changing::Stacked(filter) => filter.has(digest(key)),
            Changing::Ours(filter) => filter.contains(key),
        }
    }
}
