//! Keys become digests ([`Hashing`]), and digests become any number of hash functions ([`Digest`]).

use crate::error::{Error, Result};
use crate::keys::key::Key;
use siphasher::sip128::{Hasher128, SipHasher13};
use std::fmt;
use std::hash::Hasher;
use std::str::FromStr;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// How keys become digests. Every filter and every file stores its hashing.
///
/// # The two hash algorithms
///
/// | id | name | use |
/// |---|---|---|
/// | 1 | XXH3-128 with a 64-bit seed | the default, fast |
/// | 2 | SipHash-1-3 with 128 bits of output and a secret 128-bit key | keys chosen by people you do not trust |
///
/// A file contains the id and the seed, so a loaded filter hashes as the saved one did. Both algorithms give the same digests on every
/// machine, whatever its byte order.
///
/// `Debug` and `Display` do not show the key of SipHash.
///
/// ```
/// use bloomwise::Hashing;
///
/// # fn main() -> bloomwise::Result<()> {
/// assert_eq!("xxh3:42".parse::<Hashing>()?, Hashing::Xxh3 { seed: 42 });
/// let secret: Hashing = "siphash:000102030405060708090a0b0c0d0e0f".parse()?;
/// assert_eq!(secret.to_string(), "siphash with a secret key");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hashing {
    /// Hash id 1: XXH3-128.
    Xxh3 {
        /// Filters with different seeds make their mistakes on different keys.
        seed: u64,
    },
    /// Hash id 2: SipHash-1-3 with 128 bits of output. Without the key, false positives cannot be constructed.
    SipHash {
        /// The secret. The file of the filter contains it too.
        key: u128,
    },
}

impl fmt::Display for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hashing::Xxh3 { seed } => write!(f, "xxh3 with seed {seed}"),
            Hashing::SipHash { .. } => f.write_str("siphash with a secret key"),
        }
    }
}

impl fmt::Debug for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Default for Hashing {
    fn default() -> Self {
        Hashing::Xxh3 { seed: 0 }
    }
}

/// Reads what [`Hashing::reveal`] writes: `xxh3`, `xxh3:SEED` with a decimal seed, or `siphash:KEY` with a key of 32 hexadecimal digits.
impl FromStr for Hashing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        // The text may contain a secret, so the error does not quote it.
        let wrong = || {
            let expected = "xxh3, xxh3:SEED or siphash: and 32 hexadecimal digits";
            Error::parameter("the hashing", "not readable", expected)
        };
        match text.split_once(':') {
            None if text == "xxh3" => Ok(Hashing::default()),
            Some(("xxh3", seed)) => {
                let seed = seed.parse().map_err(|_| wrong())?;
                Ok(Hashing::Xxh3 { seed })
            }
            Some(("siphash", key)) if key.len() == 32 && !key.starts_with('+') => {
                let key = u128::from_str_radix(key, 16).map_err(|_| wrong())?;
                Ok(Hashing::SipHash { key })
            }
            _ => Err(wrong()),
        }
    }
}

impl Hashing {
    /// The digest of a key.
    #[inline(always)]
    pub fn digest(self, key: impl Key) -> Digest {
        key.with_bytes(
            #[inline(always)]
            |bytes| self.digest_bytes(bytes),
        )
    }

    /// The digest of a key together with this hashing. All filters of this hashing accept it.
    #[inline]
    pub fn hash(self, key: impl Key) -> Hashed {
        Hashed {
            hashing: self,
            digest: self.digest(key),
        }
    }

    /// The digest of a byte string.
    #[inline(always)]
    fn digest_bytes(self, bytes: &[u8]) -> Digest {
        match self {
            Hashing::Xxh3 { seed } => Digest::from(xxh3_128_with_seed(bytes, seed)),
            Hashing::SipHash { key } => siphash(key, bytes),
        }
    }

    /// The hashing as text that [`str::parse`] reads. It contains the key of SipHash, which `Display` does not show.
    ///
    /// ```
    /// use bloomwise::Hashing;
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let secret = Hashing::SipHash { key: 10 };
    /// assert_eq!(secret.reveal(), "siphash:0000000000000000000000000000000a");
    /// assert_eq!(secret.reveal().parse::<Hashing>()?, secret);
    /// # Ok(())
    /// # }
    /// ```
    pub fn reveal(self) -> String {
        match self {
            Hashing::Xxh3 { seed } => format!("xxh3:{seed}"),
            Hashing::SipHash { key } => format!("siphash:{key:032x}"),
        }
    }

    /// The number of this algorithm in files.
    pub fn id(self) -> u8 {
        match self {
            Hashing::Xxh3 { .. } => 1,
            Hashing::SipHash { .. } => 2,
        }
    }

    /// The name of the algorithm.
    pub fn name(self) -> &'static str {
        match self {
            Hashing::Xxh3 { .. } => "xxh3",
            Hashing::SipHash { .. } => "siphash",
        }
    }

    /// The seed of XXH3. SipHash has a secret key instead.
    pub fn seed(self) -> Option<u64> {
        match self {
            Hashing::Xxh3 { seed } => Some(seed),
            Hashing::SipHash { .. } => None,
        }
    }

    /// The seed of XXH3 or the key of SipHash, as files store it. It may be a secret.
    pub(crate) fn seed_or_key(self) -> u128 {
        match self {
            Hashing::Xxh3 { seed } => u128::from(seed),
            Hashing::SipHash { key } => key,
        }
    }

    /// The hashing of this id and seed; the inverse of [`Hashing::id`] and [`Hashing::seed_or_key`].
    pub(crate) fn from_parts(id: u8, seed: u128) -> Result<Self> {
        match id {
            1 => match u64::try_from(seed) {
                Ok(seed) => Ok(Hashing::Xxh3 { seed }),
                Err(_) => Err(Error::field("the upper half of the seed", seed >> 64, "0")),
            },
            2 => Ok(Hashing::SipHash { key: seed }),
            _ => Err(Error::field("the hash", format!("number {id}"), "1 or 2")),
        }
    }

    /// Returns an error unless `other` is the same hashing. With digests of another hashing, a filter would deny its own keys.
    pub(crate) fn expect(self, other: Hashing) -> Result<()> {
        if self == other {
            return Ok(());
        }
        // Two secrets print alike, so the message says that they differ.
        let alike = self.to_string() == other.to_string();
        let right = if alike {
            format!("another {other}")
        } else {
            other.to_string()
        };
        Err(Error::Mismatch {
            what: "hashing",
            left: self.to_string(),
            right,
        })
    }
}

/// SipHash-1-3. It is not inlined, so that the XXH3 path is small enough to be inlined into a query's loop.
#[inline(never)]
fn siphash(secret: u128, bytes: &[u8]) -> Digest {
    let mut hasher = SipHasher13::new_with_keys(secret as u64, (secret >> 64) as u64);
    hasher.write(bytes);
    // `as_u128` would swap the bytes of both halves on big-endian machines.
    let hash = hasher.finish128();
    Digest {
        high: hash.h2,
        low: hash.h1,
    }
}

/// 128 bits that stand for a key. A digest means something only together with the [`Hashing`] that made it: see [`Hashed`] for one
/// key and [`crate::keys::Digests`] for many.
///
/// # The idea
///
/// A key is read once and becomes a [`Digest`] of 128 bits. Everything a filter needs later (positions, blocks,
/// segments, coin flips, shards) is computed from those bits. So a hash function is a number, not code:
/// [`Digest::function`]`(i)` is function `i`, and distinct numbers behave like independent functions. [`reduce`] maps the
/// 64 bits of a function to `0..n`.
///
/// ```
/// use bloomwise::Hashing;
///
/// let digest = Hashing::default().digest("user4718");
/// assert_ne!(digest.function(0), digest.function(1));
/// assert!(digest.shard(1000) < 1000);
/// ```
///
/// # Why the functions are independent
///
/// Function `i` offsets the two halves of the digest by `i` times a constant (the low half by XOR, the high half by addition, with
/// different odd constants), multiplies them to 128 bits and folds the product. Double hashing, `low + i * high`, is cheaper, but three
/// functions of a key are then never independent: the first two determine the third. Here both factors change with `i`, so no such relation
/// exists. A test checks pairs of functions with chi-square on a million keys. The measured rates of all families depend on this
/// independence.
///
/// Reduction takes the high half of a 128-bit product (Lemire, "Fast random integer generation in an interval", 2019). It
/// costs one multiplication, and its bias is below `n / 2^64`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C)]
pub struct Digest {
    /// The upper half.
    pub(crate) high: u64,
    /// The lower half.
    pub(crate) low: u64,
}

/// The 32 hexadecimal digits.
impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({:016x}{:016x})", self.high, self.low)
    }
}

/// A digest together with the hashing that made it.
///
/// Hash a key once and query several filters that hash alike, such as the levels of an LSM tree:
///
/// ```
/// use bloomwise::{Bloom, Filter, Hashing, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = Bloom::builder(Size::BitsPerKey(10.0));
/// let levels = [builder.build_from_keys(["ant"])?, builder.build_from_keys(["bee"])?];
/// let key = Hashing::default().hash("bee");
/// let found = levels.iter().map(|level| level.contains_hashed(key)).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(found, [false, true]);
/// assert!(levels[0].contains_hashed(Hashing::Xxh3 { seed: 1 }.hash("ant")).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashed {
    /// The hashing that made the digest.
    pub(crate) hashing: Hashing,
    /// The digest of the key.
    pub(crate) digest: Digest,
}

impl Hashed {
    /// The hashing that made the digest.
    pub fn hashing(self) -> Hashing {
        self.hashing
    }

    /// The digest.
    pub fn digest(self) -> Digest {
        self.digest
    }
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

impl From<Digest> for u128 {
    #[inline]
    fn from(digest: Digest) -> Self {
        u128::from(digest.high) << 64 | u128::from(digest.low)
    }
}

impl Digest {
    /// The number of the function that chooses a shard. Families use only small numbers, so shards are independent of them.
    const SHARD: u64 = 0x5348_4152_4453_0001;

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

    /// The number of the key's shard, below `shards`; 0 if `shards` is 0. A filter of the keys of one shard works as
    /// well as any other, because no family uses this hash function.
    #[inline]
    pub fn shard(self, shards: u64) -> u64 {
        reduce(self.function(Self::SHARD), shards)
    }

    /// The digest with a class in the lowest byte of the upper half, see [`super::classes`].
    #[inline]
    pub(crate) fn with_class(self, class: u8) -> Self {
        Digest {
            high: self.high & !0xFF | u64::from(class),
            ..self
        }
    }

    /// The class, if the digest has one.
    #[inline]
    pub(crate) fn class(self) -> u8 {
        self.high as u8
    }

    /// The digest as 16 bytes, a 128-bit number in little-endian order.
    #[inline]
    pub fn to_bytes(self) -> [u8; 16] {
        u128::from(self).to_le_bytes()
    }

    /// The digest that [`Digest::to_bytes`] wrote.
    #[inline]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Digest::from(u128::from_le_bytes(bytes))
    }
}

/// Maps 64 hashed bits uniformly to `0..n`, or to 0 if `n` is 0.
///
/// ```
/// use bloomwise::unstable::reduce;
///
/// assert_eq!(reduce(u64::MAX / 2, 10), 4);
/// assert_eq!(reduce(u64::MAX, 10), 9);
/// ```
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
        // 4095 degrees of freedom: mean 4095, standard deviation 90.5. Five standard deviations above the mean is a tail below
        // 1e-6 for each of the pairs. Five below would be more uniform than chance.
        let freedom = (BUCKETS * BUCKETS - 1) as f64;
        let slack = 5.0 * (2.0 * freedom).sqrt();
        for hashing in [Hashing::default(), Hashing::SipHash { key: 7 << 64 | 5 }] {
            let digests: Vec<_> = (0..1_000_000u64).map(|key| hashing.digest(key)).collect();
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
        let mut digests: Vec<_> = all.iter().map(|h| h.digest("key")).collect();
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), all.len());
    }

    #[test]
    fn shards_are_even_and_independent_of_the_functions_of_families() {
        let digests: Vec<_> = (0..1_000_000u64)
            .map(|key| Hashing::default().digest(key))
            .collect();
        let freedom = (BUCKETS * BUCKETS - 1) as f64;
        for i in [0, 1, 2, 31] {
            let chi = chi_square(&digests, Digest::SHARD, i);
            assert!(
                (chi - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(),
                "function {i}: {chi}"
            );
        }
        // Families also use the halves directly, so these must stay uniform inside a shard.
        let of_shard = digests.iter().filter(|digest| digest.shard(4) == 3);
        let mut counts = [0u32; 64];
        of_shard.for_each(|digest| counts[reduce(digest.low, 64) as usize] += 1);
        let mean = f64::from(counts.iter().sum::<u32>()) / 64.0;
        assert!((mean - 1e6 / 256.0).abs() < 5.0 * (1e6f64 / 256.0).sqrt());
        for count in counts {
            assert!(
                (f64::from(count) - mean).abs() < 5.0 * mean.sqrt(),
                "{counts:?}"
            );
        }
    }

    #[test]
    fn digests_survive_the_way_through_bytes() {
        let digest = Hashing::default().digest("key");
        assert_eq!(Digest::from_bytes(digest.to_bytes()), digest);
        assert_eq!(Digest::from(u128::from(digest)), digest);
        assert_eq!(digest.to_bytes()[..8], digest.low.to_le_bytes());
    }

    #[test]
    fn text_names_a_hashing() {
        let parse = |text: &str| text.parse::<Hashing>();
        assert_eq!(parse("xxh3").ok(), Some(Hashing::default()));
        assert_eq!(parse("xxh3:7").ok(), Some(Hashing::Xxh3 { seed: 7 }));
        let key = 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F;
        assert_eq!(
            parse("siphash:000102030405060708090a0b0c0d0e0f").ok(),
            Some(Hashing::SipHash { key })
        );
        for wrong in [
            "",
            "xxh4",
            "xxh3:",
            "xxh3:-1",
            "siphash",
            "siphash:12",
            "siphash:+00102030405060708090a0b0c0d0e0f",
        ] {
            let text = parse(wrong).expect_err("not a hashing").to_string();
            assert!(text.contains("32 hexadecimal digits"), "{text}");
        }
    }

    #[test]
    fn messages_do_not_show_the_key() {
        let secret = Hashing::SipHash { key: 123_456_789 };
        let error = secret
            .expect(Hashing::SipHash { key: 5 })
            .expect_err("other key");
        for text in [format!("{secret:?}"), secret.to_string(), error.to_string()] {
            assert!(!text.contains("123456789"), "{text}");
        }
        assert!(error.to_string().contains("another"), "{error}");
        assert!(secret.expect(secret).is_ok());
    }

    #[test]
    fn published_vectors() {
        // XXH3-128 of nothing with seed 0, from the reference implementation's sanity checks.
        assert_eq!(
            Hashing::default().digest(""),
            Digest::from(0x99AA_06D3_0147_98D8_6001_C324_468D_497F)
        );
    }
}
