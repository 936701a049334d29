//! Keys by number, and how many strangers a filter takes for members.

use crate::workload::Key;
use anyhow::{Result, ensure};
use bloomwise::{Digest, Filter, Hashing};
use rayon::prelude::*;

/// The bytes of a key.
pub fn bytes(n: u64) -> [u8; 8] {
    u64::number(n).to_le_bytes()
}

/// The digests of these keys.
pub fn digests(hashing: Hashing, numbers: std::ops::Range<u64>) -> Vec<Digest> {
    numbers.map(|n| hashing.digest(&bytes(n))).collect()
}

/// Strangers that were taken for members, of all that were asked for.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// Taken for members.
    pub hits: u64,
    /// Asked for.
    pub asked: u64,
}

impl Count {
    /// Asks for strangers, in groups of a thousand, which this function answers with its number of hits.
    pub fn of(
        hashing: Hashing,
        keys: u64,
        strangers: u64,
        hits: impl Fn(&[Digest]) -> usize + Sync,
    ) -> Self {
        let groups = strangers.div_ceil(1000);
        let of_group = |group: u64| {
            let start = keys + 1000 * group;
            hits(&digests(hashing, start..start + 1000)) as u64
        };
        Count {
            hits: (0..groups).into_par_iter().map(of_group).sum(),
            asked: 1000 * groups,
        }
    }

    /// The same for a filter of the library, once all its members are found.
    pub fn of_filter(filter: &impl Filter, keys: u64, strangers: u64) -> Result<Self> {
        members(filter, keys)?;
        Ok(Self::of(filter.hashing(), keys, strangers, |digests| {
            let mut answers = Vec::with_capacity(digests.len());
            filter.contains_digests(digests, &mut answers);
            answers.iter().filter(|&&yes| yes).count()
        }))
    }

    /// The share of hits.
    pub fn rate(self) -> f64 {
        self.hits as f64 / self.asked as f64
    }

    /// What chance makes of a count of so many, as a share of it: one standard deviation.
    pub fn deviation(self) -> f64 {
        1.0 / (self.hits.max(1) as f64).sqrt()
    }
}

/// The keys of the set as digests, which all must be found.
pub fn members(filter: &impl Filter, keys: u64) -> Result<Vec<Digest>> {
    let digests = digests(filter.hashing(), 0..keys);
    let mut all = digests.iter();
    ensure!(
        all.all(|&digest| filter.contains_digest(digest)),
        "a member is denied"
    );
    Ok(digests)
}
