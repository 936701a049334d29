//! The keys that filters are measured on. They are in memory, so that times do not include the disk.
//!
//! Each key counts once, however many lines name it, as in a build. Costs of equal keys are added. How often each negative is named is
//! kept beside it: in a file of look-ups, that is how often it was looked up. A negative that is also a positive says nothing about a
//! filter. Such negatives are left out and counted.

use super::lines::Lines;
use crate::keys::{FirstKeys, KeyList, memory};
use crate::{Error, Result};
use bloomwise::Hashing;
use bloomwise::keys::{CostSum, Digest};
use std::collections::HashSet;
use std::io;

/// The error if memory runs out.
const TOO_MANY: &str = "the keys do not fit into memory; measure on fewer keys";

/// Positives, known negatives and unseen negatives.
#[derive(Default)]
pub struct Samples {
    /// The keys of the set.
    pub positives: KeyList,
    /// Keys outside the set that builds may use, if there are any.
    pub known: Option<Negatives>,
    /// Keys outside the set that no build sees, if there are any.
    pub unseen: Option<Negatives>,
    /// The known negatives that builds get, if they are not those that filters are measured on.
    pub learned: Option<Negatives>,
    /// The number of empty keys that were skipped in all files.
    pub skipped: u64,
    /// The first keys of each file, in the order of the fields.
    pub first: Vec<FirstKeys>,
}

/// Keys outside the set, and the cost of a false positive on each.
#[derive(Default)]
pub struct Negatives {
    /// The keys, each once.
    pub keys: KeyList,
    /// The costs, in the same order.
    pub costs: Vec<f64>,
    /// How often each key is looked up, in the same order: the number of lines that name it.
    pub lookups: Vec<u64>,
    /// The number of keys that were left out because they are positives.
    pub overlap: u64,
}

/// Collects the positives of [`Samples`], each key once.
#[derive(Default)]
pub struct Positives {
    /// The keys.
    keys: KeyList,
    /// Their digests. The choice of hashing does not matter: digests only show which keys are equal.
    digests: HashSet<Digest>,
}

impl Positives {
    /// Adds a key. Returns an error if there is not enough memory.
    pub fn push(&mut self, key: &[u8]) -> Result<()> {
        let digest = Hashing::default().digest(key);
        let new =
            (memory::try_insert(&mut self.digests, digest)).map_err(Error::memory(TOO_MANY))?;
        if new {
            self.keys.push(key).map_err(Error::memory(TOO_MANY))?;
        }
        Ok(())
    }

    /// Collects negatives, without those that are positives.
    pub fn negatives(&self) -> NegativesOf<'_> {
        NegativesOf {
            set: self,
            lines: Lines::default(),
            left_out: HashSet::new(),
        }
    }

    /// The samples of these positives, without negatives so far.
    pub fn into_samples(self) -> Samples {
        Samples {
            positives: self.keys,
            ..Samples::default()
        }
    }
}

/// Collects keys outside the set, each once, with the sum of its costs.
pub struct NegativesOf<'a> {
    /// The set.
    set: &'a Positives,
    /// What was collected.
    lines: Lines,
    /// The keys that were left out because they are positives.
    left_out: HashSet<Digest>,
}

impl NegativesOf<'_> {
    /// Adds a key and its cost. Returns an error if there is not enough memory.
    pub fn push(&mut self, key: &[u8], cost: f64) -> Result<()> {
        let digest = Hashing::default().digest(key);
        if self.set.digests.contains(&digest) {
            let inserted = memory::try_insert(&mut self.left_out, digest);
            return inserted.map(|_| ()).map_err(Error::memory(TOO_MANY));
        }
        (self.lines.push(digest, key, cost)).map_err(Error::memory(TOO_MANY))
    }

    /// The negatives.
    pub fn finish(self) -> Result<Negatives> {
        let mut negatives = self.lines.merge().map_err(Error::memory(TOO_MANY))?;
        negatives.overlap = self.left_out.len() as u64;
        Ok(negatives)
    }
}

impl Samples {
    /// The known negatives that builds get.
    pub fn for_builds(&self) -> Option<&Negatives> {
        self.learned.as_ref().or(self.known.as_ref())
    }

    /// The number of negatives that were left out because they are positives.
    pub fn overlap(&self) -> u64 {
        let negatives = [&self.known, &self.unseen];
        negatives.into_iter().flatten().map(|n| n.overlap).sum()
    }
}

impl Negatives {
    /// Appends a key that is not in the list, with its cost and how often it is looked up. Returns an error if there is not
    /// enough memory.
    pub fn push(&mut self, key: &[u8], cost: f64, lookups: u64) -> io::Result<()> {
        self.keys.push(key)?;
        memory::try_push(&mut self.costs, cost)?;
        memory::try_push(&mut self.lookups, lookups)
    }

    /// The keys with their costs and look-ups.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], f64, u64)> {
        let numbers = self.costs.iter().zip(&self.lookups);
        (self.keys.iter().zip(numbers)).map(|(key, (&cost, &lookups))| (key, cost, lookups))
    }

    /// The sum of all costs.
    pub fn total_cost(&self) -> CostSum {
        sum(self.costs.clone())
    }
}

/// The sum of `costs`. It sorts them first, because a floating-point sum depends on the order, and the result must not depend
/// on the order of the lines of a file.
pub fn sum(mut costs: Vec<f64>) -> CostSum {
    costs.sort_unstable_by(f64::total_cmp);
    costs.into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_does_not_depend_on_the_order() {
        let costs: Vec<f64> = (1..1000).map(|rank| 1e6 / f64::from(rank)).collect();
        let backwards: Vec<f64> = costs.iter().rev().copied().collect();
        let naive = |costs: &[f64]| costs.iter().sum::<f64>();
        assert_ne!(naive(&costs), naive(&backwards), "the order matters");
        assert_eq!(sum(costs), sum(backwards));
        assert!(sum(Vec::new()).total().is_sign_positive());
    }
}
