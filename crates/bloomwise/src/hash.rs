//! From keys to digests, and from digests to as many hash functions as a family wants.
//!
//! # The idea
//!
//! A key is read once. What comes out is a [`Digest`] of 128 bits, and everything a filter needs later (positions,
//! blocks, segments, coin flips, the choice among alternatives) is arithmetic on those bits. A hash function is
//! therefore not a piece of code but a number: [`Digest::function`]`(i)` is the i-th one, for any `i`, and distinct
//! numbers behave as independent functions. [`reduce`] maps the 64 bits of a function to `0..n`.
//!
//! ```
//! use bloomwise::hash::{Hashing, reduce};
//!
//! let digest = Hashing::default().digest(b"user4718");
//! let (first, second) = (digest.function(0), digest.function(1));
//! assert_ne!(first, second);
//! assert!(reduce(first, 1000) < 1000);
//! ```
//!
//! # The two ways to make a digest
//!
//! | id | name | use |
//! |---|---|---|
//! | 1 | XXH3-128 with a 64-bit seed | the default, fast |
//! | 2 | SipHash-1-3 with 128 bits of output and a secret 128-bit key | when strangers choose the keys |
//!
//! Id and seed are part of a filter and stand in its file, so that a filter that is loaded hashes as the one that was
//! saved. Integers are hashed as their 8 little-endian bytes ([`u64::to_le_bytes`]), so that all languages agree.
//!
//! # Why the functions are independent
//!
//! Function `i` offsets the two halves of the digest, each by `i` times an odd constant of its own (one by exclusive
//! or, one by addition), multiplies them to 128 bits and folds the product. Double hashing, `low + i * high`, is
//! cheaper, but then three functions of a key are never independent: the third follows from two. Here both factors
//! change with `i`, so no such line exists. A test checks pairs of functions with chi-square on a million keys, and the
//! measured rates of all families depend on it.
//!
//! Reduction takes the high half of a 128-bit product (Lemire, "Fast random integer generation in an interval", 2019):
//! it costs one multiplication, and its bias is below `n / 2^64`.

use siphasher::sip128::{Hasher128, SipHasher13};
use std::fmt;
use std::hash::Hasher;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// How keys become digests; part of every filter and of every file. Shown with `Debug`, it keeps its secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    /// Hash id 1: XXH3-128.
    Xxh3 {
        /// Filters with different seeds make their mistakes on different keys.
        seed: u64,
    },
    /// Hash id 2: SipHash-1-3 with 128 bits of output. Nobody who does not know the key can aim at false positives.
    SipHash {
        /// The secret; the file of the filter holds it too.
        key: u128,
    },
}

impl fmt::Debug for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hashing::Xxh3 { seed } => write!(f, "xxh3 with seed {seed}"),
            Hashing::SipHash { .. } => f.write_str("siphash with a secret key"),
        }
    }
}

impl Default for Hashing {
    fn default() -> Self {
        Hashing::Xxh3 { seed: 0 }
    }
}

impl Hashing {
    /// The digest of a key.
    #[inline(always)]
    pub fn digest(self, key: &[u8]) -> Digest {
        match self {
            Hashing::Xxh3 { seed } => Digest::from(xxh3_128_with_seed(key, seed)),
            Hashing::SipHash { key: secret } => siphash(secret, key),
        }
    }

    /// The number by which files name this way of hashing.
    pub fn id(self) -> u8 {
        match self {
            Hashing::Xxh3 { .. } => 1,
            Hashing::SipHash { .. } => 2,
        }
    }

    /// The name people use for it.
    pub fn name(self) -> &'static str {
        match self {
            Hashing::Xxh3 { .. } => "xxh3",
            Hashing::SipHash { .. } => "siphash",
        }
    }

    /// Seed or key, whichever it has.
    pub fn seed(self) -> u128 {
        match self {
            Hashing::Xxh3 { seed } => u128::from(seed),
            Hashing::SipHash { key } => key,
        }
    }
}

/// Kept out of line, so that the other way of hashing is small enough to become part of a query's loop.
#[inline(never)]
fn siphash(secret: u128, key: &[u8]) -> Digest {
    let mut hasher = SipHasher13::new_with_keys(secret as u64, (secret >> 64) as u64);
    hasher.write(key);
    Digest::from(hasher.finish128().as_u128())
}

/// 128 bits that stand for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest {
    /// The upper half.
    pub high: u64,
    /// The lower half.
    pub low: u64,
}

impl From<u128> for Digest {
    #[inline]
    fn from(bits: u128) -> Self {
        Digest {
            high: (bits >> 64) as u64,
            low: bits as u64,
        }
    }
}

impl Digest {
    /// The 64 bits of hash function number `i`.
    #[inline]
    pub fn function(self, i: u64) -> u64 {
        // Odd 64-bit constants: the fractional bits of the golden ratio and of the square root of 3.
        const LOW_STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        const HIGH_STEP: u64 = 0xBB67_AE85_84CA_A73B;
        let left = self.low ^ i.wrapping_mul(LOW_STEP);
        let right = self.high.wrapping_add(i.wrapping_mul(HIGH_STEP));
        let product = u128::from(left) * u128::from(right);
        product as u64 ^ (product >> 64) as u64
    }
}

/// Maps 64 hashed bits evenly to `0..n`; to 0 if `n` is 0.
#[inline]
pub fn reduce(hash: u64, n: u64) -> u64 {
    ((u128::from(hash) * u128::from(n)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUCKETS: u64 = 64;

    /// Chi-square of the joint distribution of two functions over 64 x 64 buckets.
    fn chi_square(digests: &[Digest], i: u64, j: u64) -> f64 {
        let mut counts = vec![0u32; (BUCKETS * BUCKETS) as usize];
        for digest in digests {
            let row = reduce(digest.function(i), BUCKETS);
            let column = reduce(digest.function(j), BUCKETS);
            counts[(row * BUCKETS + column) as usize] += 1;
        }
        let expected = digests.len() as f64 / counts.len() as f64;
        counts
            .iter()
            .map(|&n| (f64::from(n) - expected).powi(2) / expected)
            .sum()
    }

    #[test]
    fn any_two_functions_are_independent() {
        // 4095 degrees of freedom: mean 4095, standard deviation 90.5. Five of them above the mean is a tail below
        // 1e-6 for each of the pairs; five below it would mean an evenness that chance does not give.
        let freedom = (BUCKETS * BUCKETS - 1) as f64;
        let slack = 5.0 * (2.0 * freedom).sqrt();
        for hashing in [Hashing::default(), Hashing::SipHash { key: 7 << 64 | 5 }] {
            let digests: Vec<_> = (0..1_000_000u64)
                .map(|key| hashing.digest(&key.to_le_bytes()))
                .collect();
            let mut functions: Vec<u64> = (0..12).collect();
            functions.extend([31, 32, 63, 1 << 20, (1 << 20) + 1, u64::MAX]);
            for (at, &i) in functions.iter().enumerate() {
                for &j in &functions[at + 1..] {
                    let chi = chi_square(&digests, i, j);
                    assert!(
                        (chi - freedom).abs() < slack,
                        "{}: functions {i} and {j}: chi-square {chi}",
                        hashing.name()
                    );
                }
            }
        }
    }

    #[test]
    fn reduction_covers_the_range_and_never_leaves_it() {
        assert_eq!(reduce(u64::MAX, 0), 0);
        assert_eq!(reduce(u64::MAX, 1), 0);
        assert_eq!(reduce(0, 10), 0);
        assert_eq!(reduce(u64::MAX, 10), 9);
        assert_eq!(reduce(u64::MAX, u64::MAX), u64::MAX - 1);
    }

    #[test]
    fn seeds_and_kinds_of_hashing_give_unrelated_digests() {
        let all = [
            Hashing::Xxh3 { seed: 0 },
            Hashing::Xxh3 { seed: 1 },
            Hashing::SipHash { key: 0 },
            Hashing::SipHash { key: 1 },
            Hashing::SipHash { key: 1 << 64 },
        ];
        let mut digests: Vec<_> = all.iter().map(|h| h.digest(b"key")).collect();
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), all.len());
    }

    #[test]
    fn published_vectors() {
        // XXH3-128 of nothing with seed 0, from the reference implementation's sanity checks.
        assert_eq!(
            Hashing::default().digest(b""),
            Digest::from(0x99AA_06D3_0147_98D8_6001_C324_468D_497F)
        );
    }
}
