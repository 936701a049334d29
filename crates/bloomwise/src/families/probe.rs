//! The positions of a key's cells.
//!
//! Functions that compute the `k` positions of a key from its digest. Positions may repeat.
//!
//! - [`spread`]: anywhere in an array, by functions `0..k` of the digest. Each position may cost a cache miss.
//! - [`walk`]: anywhere; each position gives the number of the function for the next one.
//! - [`block_of`]: the block of a key.
//!
//! The table of [`super`] says where each family finds the positions of a key.
//!
//! ```
//! use bloomwise::Hashing;
//! use bloomwise::unstable::probe;
//!
//! let digest = Hashing::default().digest("user4718");
//! assert_eq!(probe::spread(digest, 0..7, 1000).count(), 7);
//! assert!(probe::walk(digest, 12, 1000).all(|position| position < 1000));
//! ```

use crate::filter::family::Family;
use crate::keys::hash::{Digest, reduce};
use std::ops::Range;

/// The positions that these functions give a key in an array of `cells` cells.
#[inline]
pub fn spread(
    digest: Digest,
    functions: Range<u32>,
    cells: u64,
) -> impl Iterator<Item = usize> + Clone + use<> {
    functions.map(move |i| reduce(digest.function(u64::from(i)), cells) as usize)
}

/// The slots on the walk of a key through an array of `cells` cells. Each slot determines the function for the next one. The number of the
/// step is part of the function's number, so a walk that returns to a slot continues elsewhere.
#[inline]
pub fn walk(
    digest: Digest,
    functions: u32,
    cells: u64,
) -> impl Iterator<Item = usize> + Clone + use<> {
    let mut number = 0;
    (0..u64::from(functions)).map(move |step| {
        // The first slot is the first position in a Bloom filter of this size.
        let hash = match step {
            0 => digest.low,
            _ => digest.function(number),
        };
        let slot = reduce(hash, cells);
        number = (step.wrapping_mul(cells))
            .wrapping_add(slot)
            .wrapping_add(1);
        slot as usize
    })
}

/// How the positions of a key in an array are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// In pairs on one cache line.
    #[default]
    Pairs,
    /// By [`walk`].
    Walk,
}

impl Placement {
    /// The placement in filters of a family that supports both.
    pub(crate) fn of(family: Family) -> Self {
        match family {
            Family::Personalized | Family::PersonalizedCounting => Placement::Walk,
            _ => Placement::Pairs,
        }
    }
}

/// The block of a key among `blocks` blocks.
///
/// ```
/// use bloomwise::Hashing;
/// use bloomwise::unstable::probe;
///
/// assert!(probe::block_of(Hashing::default().digest("ant"), 100) < 100);
/// ```
#[inline]
pub fn block_of(digest: Digest, blocks: u64) -> u64 {
    reduce(digest.low, blocks)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::keys::hash::Hashing;

    /// Counts how often each of `cells` positions comes up and checks each against the binomial, five deviations.
    pub(crate) fn check_even(cells: usize, positions: impl Iterator<Item = usize>) {
        let mut counts = vec![0u32; cells];
        let mut total = 0.0;
        for position in positions {
            counts[position] += 1;
            total += 1.0;
        }
        let mean = total / cells as f64;
        for (cell, &count) in counts.iter().enumerate() {
            let deviations = (f64::from(count) - mean) / mean.sqrt();
            assert!(deviations.abs() < 5.0, "cell {cell}: {count}, mean {mean}");
        }
    }

    fn digests() -> impl Iterator<Item = Digest> {
        (0..100_000u64).map(|key| Hashing::default().digest(key))
    }

    #[test]
    fn positions_are_even() {
        check_even(1000, digests().flat_map(|d| spread(d, 0..7, 1000)));
        check_even(1000, digests().flat_map(|d| walk(d, 7, 1000)));
        check_even(1000, digests().map(|d| block_of(d, 1000) as usize));
    }

    #[test]
    fn steps_of_a_walk_are_independent_of_the_steps_before() {
        for (i, j) in [(0, 1), (0, 2), (3, 4), (1, 6)] {
            let joint = |d: Digest| {
                let slots: Vec<_> = walk(d, 7, 32).collect();
                slots[i] * 32 + slots[j]
            };
            check_even(1024, digests().map(joint));
        }
    }
}
