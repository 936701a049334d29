//! The Bloom filter.
//!
//! # The idea
//!
//! `m` bits, all 0. A key sets the bits at `k` positions that its digest names ([`crate::probe::spread`]); it is
//! answered with "yes" if all of its bits are 1.
//!
//! With 8 bits and 2 functions: "ant" names 1 and 6, "bee" names 3 and 6.
//!
//! ```text
//! position   0 1 2 3 4 5 6 7
//! after ant  . 1 . . . . 1 .
//! after bee  . 1 . 1 . . 1 .      "cow" names 2 and 3: bit 2 is 0, no.  "dog" names 1 and 3: yes, and wrong.
//! ```
//!
//! # Invariants
//!
//! - *No false negative.* Insertion sets all bits of the key, and no operation on the filter clears a bit but
//!   [`Bloom::intersection`], which keeps the bits that are set in both filters. A key that is in both has all of its
//!   bits set in both, and so in the result.
//! - Two filters can be joined only if kind, bits, functions and hashing agree; then a key names the same positions in
//!   both.
//!
//! # Costs
//!
//! With `m / n` bits per key and the best `k = m / n * ln 2` the false positive rate is `0.6185^(m/n)`: 0.82 % at 10
//! bits. A positive query reads `k` cache lines. A negative one mostly reads four: the first four bits are looked at
//! together, because asking after each costs more in wrong guesses of the processor than it saves in reads.
//!
//! # Papers
//!
//! Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970: the structure. Swamidass and Baldi,
//! "Mathematical correction for fingerprint similarity measures", 2007: the estimate of the number of keys.

use crate::builder::Builder;
use crate::cells::BitArray;
use crate::codec::{Body, Head, Reader, Writer};
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::{Filter, Info, Value, contains_in_groups, digest_groups};
use crate::forecast::Forecast;
use crate::hash::{Digest, Hashing};
use crate::prefetch;
use crate::probe::{self, Placement};
use crate::sizing::{Layout, Size, bloom_rate};
use std::io;

/// A set that keys can be added to, and that can be joined with others.
///
/// ```
/// use bloomwise::{Bloom, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut seen = Bloom::builder(1000, Size::Rate(0.01)).build()?;
/// seen.insert("ant");
/// assert!(seen.contains(b"ant"));
/// assert!(!seen.contains(b"bee"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bloom {
    bits: BitArray,
    /// Positions of a key.
    functions: u32,
    /// Hashing, and as keys: insertions so far.
    head: Head,
}

impl Bloom {
    const LAYOUT: Layout<fn(u64, u64, u32) -> f64> = Layout {
        cell_bits: 1,
        step: 64,
        rate: bloom_rate,
    };

    /// The wishes for a filter of `capacity` keys.
    pub fn builder(capacity: u64, size: Size) -> Builder<Bloom> {
        Builder::new(capacity, size)
    }

    /// Adds a key.
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_digest(self.head.hashing.digest(key.as_ref()));
    }

    /// Adds the key of a digest, which must come from this filter's hashing.
    pub fn insert_digest(&mut self, digest: Digest) {
        self.insert_digests(&[digest]);
    }

    /// Adds the keys of many digests, faster than one by one.
    pub fn insert_digests(&mut self, digests: &[Digest]) {
        // Working out all positions twice pays only if they are far away.
        let far = self.size_in_bits() > prefetch::NEAR;
        let ask = |filter: &Bloom, digest| {
            if far {
                filter.prefetch(digest);
            }
        };
        prefetch::in_groups(self, digests, ask, Bloom::set_all);
        self.head.add_keys(digests.len());
    }

    /// Makes this the filter of all keys that are in this one or in the other: bit for bit the one that would have
    /// come from inserting them all. [`Bloom::len`] becomes the sum.
    ///
    /// # Errors
    ///
    /// The filters must agree in kind, bits, functions and hashing.
    pub fn union(&mut self, other: &Bloom) -> Result<()> {
        self.check_alike(other)?;
        self.bits.combine(&other.bits, |a, b| a | b);
        self.head.keys = self.head.keys.saturating_add(other.head.keys);
        Ok(())
    }

    /// Makes this a filter of all keys that are in both. It may have more false positives than a filter made of those
    /// keys alone. [`Bloom::len`] becomes an estimate.
    ///
    /// # Errors
    ///
    /// The filters must agree in kind, bits, functions and hashing.
    pub fn intersection(&mut self, other: &Bloom) -> Result<()> {
        self.check_alike(other)?;
        self.bits.combine(&other.bits, |a, b| a & b);
        // Bits that are set came from a key, however few they are.
        let least = u64::from(self.bits.ones() > 0);
        let most = self.head.keys.min(other.head.keys);
        self.head.keys = (self.estimated_keys().round() as u64).max(least).min(most);
        Ok(())
    }

    /// The number of distinct keys, estimated from the share of set bits; infinite if all of them are set.
    ///
    /// `k` positions of each of `n` keys leave a bit 0 with the chance `(1 - 1/m)^(kn)`; this solves for `n`.
    pub fn estimated_keys(&self) -> f64 {
        let bits = self.bits.len() as f64;
        let empty = 1.0 - self.bits.ones() as f64 / bits;
        // Adding zero turns the -0 of an empty filter into 0.
        empty.ln() / (-1.0 / bits).ln_1p() / f64::from(self.functions) + 0.0
    }

    /// The number of insertions, a key that was inserted twice counted twice.
    pub fn len(&self) -> u64 {
        self.head.keys
    }

    /// Whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.head.keys == 0
    }

    /// Sets the bits of a key.
    #[inline]
    pub(crate) fn set_all(&mut self, digest: Digest) {
        let (placement, bits) = (self.head.placement(), self.bits.len());
        placement.each(digest, self.functions, bits, |position| {
            self.bits.set(position);
        });
    }

    /// The bits at the positions of a key that walks, in order.
    pub(crate) fn bits_on_walk(&self, digest: Digest) -> impl Iterator<Item = bool> {
        let walk = probe::walk(digest, self.functions, self.bits.len());
        walk.map(|position| self.bits.get(position))
    }

    /// The number of positions of a key.
    pub(crate) fn functions(&self) -> u32 {
        self.functions
    }

    fn check_alike(&self, other: &Bloom) -> Result<()> {
        let mismatch =
            |what, left: String, right: String| Err(Error::Mismatch { what, left, right });
        if self.head.family != other.head.family {
            let (left, right) = (self.head.family.name(), other.head.family.name());
            return mismatch("kind", left.to_string(), right.to_string());
        }
        if self.bits.len() != other.bits.len() {
            let (left, right) = (self.bits.len(), other.bits.len());
            return mismatch("bits", left.to_string(), right.to_string());
        }
        if self.functions != other.functions {
            let (left, right) = (self.functions, other.functions);
            return mismatch("functions", left.to_string(), right.to_string());
        }
        if self.head.hashing != other.head.hashing {
            let (left, right) = (self.head.hashing, other.head.hashing);
            return mismatch("hashing", format!("{left:?}"), format!("{right:?}"));
        }
        Ok(())
    }
}

impl Builder<Bloom> {
    /// Lets every key walk its own way, see [`crate::personalized`].
    pub fn personalized(mut self) -> Self {
        self.placement = Placement::Walk;
        self
    }

    /// What the filter will do once it holds its capacity, without making it.
    ///
    /// # Errors
    ///
    /// As for [`Builder::build`], but for the memory.
    pub fn forecast(&self) -> Result<Forecast> {
        self.foretold(&Bloom::LAYOUT, "bits", f64::from)
    }

    /// The empty filter.
    ///
    /// # Errors
    ///
    /// A size or number of functions that no filter can have; memory that is not there.
    pub fn build(&self) -> Result<Bloom> {
        let family = match self.placement {
            Placement::Spread => Family::Bloom,
            Placement::Walk => Family::Personalized,
        };
        let fit = self.fit(&Bloom::LAYOUT)?;
        Ok(Bloom {
            bits: BitArray::new(fit.cells)?,
            functions: fit.functions,
            head: Head::new(family, self.hashing),
        })
    }
}

impl<K: AsRef<[u8]>> Extend<K> for Bloom {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for Bloom {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        let test = |position| self.bits.lowest(position);
        self.head
            .placement()
            .all(digest, self.functions, self.bits.len(), test)
    }

    fn contains_digests(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        let ask = |position| self.bits.prefetch(position);
        let test = |position| self.bits.lowest(position);
        match self.head.placement() {
            Placement::Walk => contains_in_groups(self, digests, answers),
            Placement::Spread => {
                let bits = self.bits.len();
                probe::all_of_many(digests, self.functions, bits, ask, test, answers);
            }
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let ask = |position| self.bits.prefetch(position);
        self.head
            .placement()
            .each(digest, self.functions, self.bits.len(), ask);
    }

    fn size_in_bits(&self) -> u64 {
        self.bits.len()
    }

    fn info(&self) -> Info {
        let fill = self.bits.ones() as f64 / self.bits.len() as f64;
        Info {
            family: self.head.family,
            keys: self.head.keys,
            parameters: vec![
                ("bits", Value::Whole(self.bits.len())),
                ("k", Value::Whole(u64::from(self.functions))),
                ("estimated_keys", Value::Real(self.estimated_keys())),
            ],
            fill,
            predicted_fpr: fill.powi(self.functions as i32),
        }
    }
}

impl Body for Bloom {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        vec![u64::from(self.functions), self.bits.len()]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.bits.words())
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(&[Family::Bloom, Family::Personalized])?;
        let functions = parameters.functions()?;
        let bits = parameters.word_of(64, "the bits")?;
        let words = payload.words(bits / 64, "the bits")?;
        Ok(Bloom {
            bits: BitArray::from_words(words)?,
            functions,
            head: *head,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filter(keys: &[u16]) -> Bloom {
        let mut filter = (Bloom::builder(0, Size::Bits(192)).functions(3))
            .build()
            .expect("sound");
        filter.extend(keys.iter().map(|key| key.to_le_bytes()));
        filter
    }

    proptest! {
        #[test]
        fn a_union_is_the_filter_of_all_keys(left: Vec<u16>, right: Vec<u16>) {
            let mut union = filter(&left);
            union.union(&filter(&right)).expect("alike");
            prop_assert_eq!(union, filter(&[left, right].concat()));
        }

        #[test]
        fn an_intersection_holds_the_keys_of_both(
            left in prop::collection::vec(0u16..20, 0..20),
            right in prop::collection::vec(0u16..20, 0..20),
        ) {
            let mut both = filter(&left);
            both.intersection(&filter(&right)).expect("alike");
            for key in left.iter().filter(|key| right.contains(key)) {
                prop_assert!(both.contains(&key.to_le_bytes()));
            }
            prop_assert!(both.len() <= left.len().min(right.len()) as u64);
            prop_assert_eq!(both.is_empty(), both.bits.ones() == 0);
        }
    }

    #[test]
    fn only_filters_built_alike_can_be_joined() {
        let build = |bits, functions, seed| {
            let builder = Bloom::builder(0, Size::Bits(bits)).functions(functions);
            builder
                .hashing(Hashing::Xxh3 { seed })
                .build()
                .expect("sound")
        };
        let mut left = build(192, 3, 0);
        for (right, what) in [
            (build(256, 3, 0), "bits (192 and 256)"),
            (build(192, 4, 0), "functions (3 and 4)"),
            (
                build(192, 3, 1),
                "hashing (xxh3 with seed 0 and xxh3 with seed 1)",
            ),
        ] {
            let before = left.clone();
            let text = left.union(&right).expect_err("they differ").to_string();
            assert!(text.contains(what), "{text}");
            assert!(left.intersection(&right).is_err());
            assert_eq!(left, before);
        }
    }

    #[test]
    fn the_estimate_is_zero_when_empty_and_infinite_when_full() {
        assert_eq!(filter(&[]).estimated_keys(), 0.0);
        assert!(filter(&[]).is_empty());
        let full = filter(&(0..2000).collect::<Vec<_>>());
        assert_eq!(full.estimated_keys(), f64::INFINITY);
    }
}
