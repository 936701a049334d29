//! Keys by number, and counts of false positives.

use crate::prelude::*;
use bloomwise::unstable::Lookup;

/// The digests of the keys with these numbers.
pub fn digests(hashing: Hashing, numbers: std::ops::Range<u64>) -> Vec<Digest> {
    numbers.map(|n| hashing.digest(u64::number(n))).collect()
}

/// The number of false positives among the queried non-members.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// False positives.
    pub hits: u64,
    /// Queried non-members.
    pub queries: u64,
}

impl Count {
    /// Queries `non_members` non-members in groups of a thousand. `hits` counts the false positives of a group.
    pub fn of(
        hashing: Hashing,
        keys: u64,
        non_members: u64,
        hits: impl Fn(&[Digest]) -> usize + Sync,
    ) -> Self {
        let groups = non_members.div_ceil(1000);
        let of_group = |group: u64| {
            let start = keys + 1000 * group;
            hits(&digests(hashing, start..start + 1000)) as u64
        };
        Count {
            hits: (0..groups).into_par_iter().map(of_group).sum(),
            queries: 1000 * groups,
        }
    }

    /// Counts the false positives of a filter of the library. A false negative is an error.
    pub fn of_filter(filter: &(impl Filter + Lookup), keys: u64, non_members: u64) -> Result<Self> {
        check_members(filter, keys)?;
        Ok(Self::of(filter.hashing(), keys, non_members, |digests| {
            let mut answers = vec![false; digests.len()];
            filter.query_batch(digests, &mut answers);
            answers.iter().filter(|&&yes| yes).count()
        }))
    }

    /// The false positive rate.
    pub fn rate(self) -> f64 {
        self.hits as f64 / self.queries as f64
    }

    /// The standard deviation of the count, as a share of it.
    pub fn deviation(self) -> f64 {
        1.0 / (self.hits.max(1) as f64).sqrt()
    }
}

/// An error unless the filter finds the keys with the numbers below `keys`.
pub fn check_members(filter: &(impl Filter + Lookup), keys: u64) -> Result<()> {
    ensure!(
        (0..keys).all(|n| filter.contains(u64::number(n))),
        "the filter does not find a key of its set"
    );
    Ok(())
}
