//! The Xor filter of Graf and Lemire, built by the crate `xorf`, with fingerprints of any width up to 16 bits.
//!
//! `xorf` has fingerprints of 8, 16 and 32 bits. Its 16-bit filter is solved column by column, so its lowest `f`
//! columns are a filter with `f`-bit fingerprints. This module keeps only those, packed. As in the HABF paper, `f` is
//! the largest width that fits the budget: `floor(bits / slots)`, with 1.23 slots per key and 32 more.
//!
//! Fingerprints are never wider than 16 bits. The largest filter of the HABF paper, 32.5 MB for 12.5 M keys, has room
//! for 17. But the rate that the paper publishes for it, 1.59e-5, is that of 16 bits (1.53e-5), not of 17 (7.6e-6).

use crate::prelude::*;
use bloomwise::unstable::PackedArray;
use xorf::Xor16;

/// An Xor filter.
pub struct Xor {
    /// The lowest bits of all fingerprints.
    slots: PackedArray,
    /// Bits per slot.
    width: u32,
    block: usize,
    seed: u64,
}

impl Xor {
    /// The filter of the positives in at most `budget` bits.
    pub fn build(sets: &KeySets, budget: u64) -> Result<Self> {
        let hashes = sets.positives().iter().map(|&digest| xor_hash(digest));
        let hashes: Vec<u64> = hashes.collect();
        Self::of_hashes(&hashes, budget)
    }

    /// The filter of keys in at most `budget` bits. `hashes` come from [`xor_hash`] and are all different.
    pub fn of_hashes(hashes: &[u64], budget: u64) -> Result<Self> {
        let built = Xor16::from(hashes);
        let count = built.fingerprints.len() as u64;
        let width = (budget / count).min(16) as u32;
        if width == 0 {
            bail!(TooSmall(budget));
        }
        let mut slots = PackedArray::new(count, width)?;
        for (slot, &fingerprint) in built.fingerprints.iter().enumerate() {
            slots.set(slot, u64::from(fingerprint));
        }
        Ok(Xor {
            slots,
            width,
            block: built.block_length,
            seed: built.seed,
        })
    }
}

/// The hash of a key that `xorf` takes: the lower half of its digest.
pub fn xor_hash(digest: Digest) -> u64 {
    u128::from(digest) as u64
}

/// How `xorf` hashes a key with its seed: the finalizer of `MurmurHash3`.
fn mix(mut hash: u64) -> u64 {
    for factor in [0xFF51_AFD7_ED55_8CCD, 0xC4CE_B9FE_1A85_EC53] {
        hash = (hash ^ hash >> 33).wrapping_mul(factor);
    }
    hash ^ hash >> 33
}

/// Maps 32 bits uniformly to `0..n`, as `xorf` does.
fn reduce_32(hash: u32, n: usize) -> usize {
    ((u64::from(hash) * n as u64) >> 32) as usize
}

impl DigestFilter for Xor {
    fn may_contain(&self, digest: Digest) -> bool {
        let hash = mix(xor_hash(digest).wrapping_add(self.seed));
        let sum = (0..3u32).fold(hash ^ hash >> 32, |sum, block| {
            let turned = hash.rotate_left(21 * block) as u32;
            let at = reduce_32(turned, self.block);
            sum ^ self.slots.get(block as usize * self.block + at)
        });
        sum & ((1 << self.width) - 1) == 0
    }

    fn bits(&self) -> u64 {
        self.slots.len() * u64::from(self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::tests::{check, set};

    #[test]
    fn xor_filter_has_no_false_negatives_and_the_expected_rate() {
        let set = set();
        let sets = set.with_equal_costs().expect("valid");
        for (bits, width) in [(5, 4), (8, 6), (11, 8)] {
            let budget = bits * set.positives.len() as u64;
            let filter = Xor::build(&sets, budget).expect("fits");
            check(&filter, &set, budget, 0.5f64.powi(width), 0.0);
        }
        assert!(Xor::build(&sets, 20_000).is_err());
    }
}
