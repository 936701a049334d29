//! The Bloom filter.
//!
//! # The idea
//!
//! `m` bits, all 0 at the start. An inserted key sets the bits at `k` positions that follow from its digest. A query answers "yes"
//! if all bits of the key are 1.
//!
//! With 8 bits and 2 functions: "ant" has positions 1 and 6, "bee" has 3 and 6.
//!
//! ```text
//! position   0 1 2 3 4 5 6 7
//! after ant  . 1 . . . . 1 .
//! after bee  . 1 . 1 . . 1 .      "cow" has 2 and 3: bit 2 is 0, no.  "dog" has 1 and 3: yes, a false positive.
//! ```
//!
//! # Invariants
//!
//! - *No false negative.* Insertion sets all bits of the key. Only [`Bloom::intersection`] clears bits, and it keeps those
//!   that are set in both filters. A key that is in both has all of its bits set in both, and so in the result.
//! - Two filters can be united only if kind, bits, functions and hashing agree. A key then has the same positions in both.
//!
//! # Costs
//!
//! With `m / n` bits per key and the best `k = m / n * ln 2` the false positive rate is `0.6185^(m/n)`: 0.82 % at 10
//! bits. A query for a key of the set reads `k` cache lines. A query for another key mostly reads four: the first four bits are tested
//! together, because a test after each costs more in mispredicted branches than it saves in reads.
//!
//! # Papers
//!
//! Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970: the structure. Swamidass and Baldi,
//! "Mathematical correction for fingerprint similarity measures", 2007: the estimate of the number of keys.

use crate::array_options::ArrayOptions;
use crate::builder::{Buildable, Builder, Growable};
use crate::cells::BitArray;
use crate::codec::{Body, Head, Parameters, Payload, Writer};
use crate::digests::Digests;
use crate::error::{Result, expect_equal};
use crate::family::Family;
use crate::filter::{Filter, Lookup, digest_groups, query_in_groups, sealed};
use crate::forecast::{Forecast, Workload};
use crate::hash::{Digest, Hashing};
use crate::info::{Info, Report, Value};
use crate::key::Key;
use crate::prefetch;
use crate::probe::{self, Placement};
use crate::profile::Profile;
use crate::sets::KeySets;
use crate::sizing::{Layout, Size, bloom_rate};
use std::io;

/// A set that keys can be added to, and that can be united with others.
///
/// ```
/// use bloomwise::{Bloom, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut seen = Bloom::builder(Size::Rate(0.01)).capacity(1000).create()?;
/// assert!(seen.insert("ant"), "it is new");
/// assert!(seen.contains("ant"));
/// assert!(!seen.contains("bee"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Bloom {
    bits: BitArray,
    /// Positions of a key.
    functions: u32,
    /// How positions are found.
    placement: Placement,
    /// Its keys are the insertions so far.
    profile: Profile,
}

impl Bloom {
    const LAYOUT: Layout<fn(u64, u64, u32) -> f64> = Layout {
        cell_bits: 1,
        step: 64,
        rate: bloom_rate,
    };

    /// Options for a filter of this size.
    pub fn builder(size: Size) -> Builder<Bloom> {
        Builder::new(size)
    }

    /// Adds a key and returns whether it is new: whether the filter denied it before.
    pub fn insert(&mut self, key: impl Key) -> bool {
        let digest = self.profile.hashing.digest(key);
        let (len, mut new) = (self.bits.len(), false);
        let mut bits = self.bits.view_mut();
        self.placement
            .each(digest, self.functions, len, |position| {
                new |= !bits.set(position);
            });
        self.profile.add_keys(1);
        new
    }

    /// Adds keys by their digests, faster than one by one.
    ///
    /// # Errors
    ///
    /// The filter hashes differently.
    pub fn insert_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.add(digests.made_by(self.profile.hashing)?);
        Ok(())
    }

    /// Makes this the filter of all keys that are in this one or in `other`: bit for bit the filter that results from
    /// inserting them all. [`Filter::len`] becomes the sum.
    ///
    /// # Errors
    ///
    /// The filters must agree in kind, bits, functions and hashing.
    pub fn union(&mut self, other: &Bloom) -> Result<()> {
        self.check_alike(other)?;
        self.bits.combine(&other.bits, |a, b| a | b);
        self.profile.keys = self.profile.keys.saturating_add(other.profile.keys);
        Ok(())
    }

    /// Makes this a filter of all keys that are in both. It may have more false positives than a filter of those keys
    /// alone. [`Filter::len`] becomes an estimate.
    ///
    /// # Errors
    ///
    /// The filters must agree in kind, bits, functions and hashing.
    pub fn intersection(&mut self, other: &Bloom) -> Result<()> {
        self.check_alike(other)?;
        self.bits.combine(&other.bits, |a, b| a & b);
        // Bits that are set came from a key, however few they are.
        let least = u64::from(self.bits.ones() > 0);
        let most = self.profile.keys.min(other.profile.keys);
        self.profile.keys = (self.estimated_keys().round() as u64).max(least).min(most);
        Ok(())
    }

    /// The number of distinct keys, estimated from the share of set bits; infinite if all bits are set.
    ///
    /// `k` positions of each of `n` keys leave a bit 0 with probability `(1 - 1/m)^(kn)`; this solves for `n`.
    pub fn estimated_keys(&self) -> f64 {
        let bits = self.bits.len() as f64;
        let empty = 1.0 - self.bits.ones() as f64 / bits;
        // Adding zero turns the -0 of an empty filter into 0.
        empty.ln() / (-1.0 / bits).ln_1p() / f64::from(self.functions) + 0.0
    }

    /// Adds the keys of digests that this filter's hashing made.
    pub(crate) fn add(&mut self, digests: &[Digest]) {
        // Computing all positions twice pays only if the bits are far away.
        let far = self.size_in_bits() > prefetch::NEAR;
        let (placement, functions, len) = (self.placement, self.functions, self.bits.len());
        let mut bits = self.bits.view_mut();
        prefetch::in_groups(
            &mut bits,
            digests,
            |bits, digest| {
                if far {
                    placement.each(digest, functions, len, |position| bits.prefetch(position));
                }
            },
            |bits, digest| {
                placement.each(digest, functions, len, |position| _ = bits.set(position));
            },
        );
        self.profile.add_keys(digests.len());
    }

    /// Sets the bits of a key.
    #[inline]
    pub(crate) fn set_all(&mut self, digest: Digest) {
        let len = self.bits.len();
        let mut bits = self.bits.view_mut();
        let set = |position| _ = bits.set(position);
        self.placement.each(digest, self.functions, len, set);
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
        expect_equal("kind", self.family().name(), other.family().name())?;
        expect_equal("number of bits", self.bits.len(), other.bits.len())?;
        expect_equal("number of functions", self.functions, other.functions)?;
        self.profile.hashing.expect(other.profile.hashing)
    }
}

impl Buildable for Bloom {
    type Options = ArrayOptions;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let functions = builder.options.functions;
        Forecast::plain(
            &Bloom::LAYOUT,
            "bits",
            builder.size,
            workload.keys,
            functions,
        )
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        Ok((builder.fill(sets, Self::add)?, Report::default()))
    }
}

impl Growable for Bloom {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let ArrayOptions {
            functions,
            placement,
        } = builder.options;
        let fit = Bloom::LAYOUT.fit(builder.size, capacity, functions)?;
        Ok(Bloom {
            bits: BitArray::new(fit.cells)?,
            functions: fit.functions,
            placement,
            profile: Profile::new(hashing, capacity, builder.size),
        })
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        builder.has_fixed_shape()
    }
}

impl<K: Key> Extend<K> for Bloom {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.profile.hashing, keys, |digests| self.add(digests));
    }
}

impl sealed::Sealed for Bloom {}

impl Lookup for Bloom {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        let (bits, len) = (self.bits.view(), self.bits.len());
        let test = |position| bits.lowest(position);
        self.placement.all(digest, self.functions, len, test)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        let (bits, len) = (self.bits.view(), self.bits.len());
        let ahead = |position| bits.prefetch(position);
        let test = |position| bits.lowest(position);
        match self.placement {
            Placement::Walk => query_in_groups(self, digests, answers),
            Placement::Spread => {
                probe::all_of_many(digests, self.functions, len, ahead, test, answers);
            }
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let (bits, len) = (self.bits.view(), self.bits.len());
        let ahead = |position| bits.prefetch(position);
        self.placement.each(digest, self.functions, len, ahead);
    }
}

impl Filter for Bloom {
    fn family(&self) -> Family {
        match self.placement {
            Placement::Spread => Family::Bloom,
            Placement::Walk => Family::Personalized,
        }
    }

    fn rate(&self) -> f64 {
        bloom_rate(self.bits.len(), self.profile.keys, self.functions)
    }

    fn size_in_bits(&self) -> u64 {
        self.bits.len()
    }

    fn info(&self) -> Info {
        let fill = self.bits.ones() as f64 / self.bits.len() as f64;
        let parameters = vec![
            ("bits", Value::Whole(self.bits.len())),
            ("k", Value::Whole(u64::from(self.functions))),
            ("estimated_keys", Value::Real(self.estimated_keys())),
        ];
        let rate = fill.powi(self.functions as i32);
        Info::new(self.family(), &self.profile, parameters, fill, rate)
    }
}

impl Body for Bloom {
    fn parameters(&self) -> Vec<u64> {
        vec![u64::from(self.functions), self.bits.len()]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(self.bits.storage())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Bloom, Family::Personalized])?;
        let functions = parameters.functions()?;
        let bits = parameters.multiple_of(64, "the bits")?;
        Ok(Bloom {
            bits: BitArray::over(payload.storage(bits / 64, "the bits")?),
            functions,
            placement: Placement::of(head.family),
            profile: head.profile,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filter(keys: &[u16]) -> Bloom {
        let builder = Bloom::builder(Size::Bits(192)).functions(3);
        let mut filter = builder.create().expect("sound");
        filter.extend(keys);
        filter
    }

    proptest! {
        #[test]
        fn union_is_the_filter_of_all_keys(left: Vec<u16>, right: Vec<u16>) {
            let mut union = filter(&left);
            union.union(&filter(&right)).expect("alike");
            prop_assert_eq!(union, filter(&[left, right].concat()));
        }

        #[test]
        fn intersection_holds_the_keys_of_both(
            left in prop::collection::vec(0u16..20, 0..20),
            right in prop::collection::vec(0u16..20, 0..20),
        ) {
            let mut both = filter(&left);
            both.intersection(&filter(&right)).expect("alike");
            for key in left.iter().filter(|key| right.contains(key)) {
                prop_assert!(both.contains(key));
            }
            prop_assert!(both.len() <= left.len().min(right.len()) as u64);
            prop_assert_eq!(both.is_empty(), both.bits.ones() == 0);
        }
    }

    #[test]
    fn only_filters_built_alike_can_be_united() {
        let build = |bits, functions, seed| {
            let builder = Bloom::builder(Size::Bits(bits)).functions(functions);
            let builder = builder.hashing(Hashing::Xxh3 { seed });
            builder.create().expect("sound")
        };
        let mut left = build(192, 3, 0);
        for (right, what) in [
            (build(256, 3, 0), "number of bits differs: 192 and 256"),
            (build(192, 4, 0), "number of functions differs: 3 and 4"),
            (
                build(192, 3, 1),
                "hashing differs: xxh3 with seed 0 and xxh3 with seed 1",
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
    fn estimate_is_zero_when_empty_and_infinite_when_full() {
        assert_eq!(filter(&[]).estimated_keys(), 0.0);
        assert!(filter(&[]).is_empty());
        let full = filter(&(0..2000).collect::<Vec<_>>());
        assert_eq!(full.estimated_keys(), f64::INFINITY);
    }

    #[test]
    fn insert_says_whether_the_key_is_new() {
        let mut seen = filter(&[]);
        for key in 0..100u64 {
            let new = !seen.contains(key);
            assert_eq!(seen.insert(key), new);
            assert!(!seen.insert(key));
        }
        assert_eq!(seen.len(), 200);
    }

    #[test]
    fn rate_without_a_scan_follows_the_keys_beyond_capacity() {
        let builder = Bloom::builder(Size::Rate(0.01)).capacity(10_000);
        let mut seen = builder.create().expect("sound");
        assert_eq!((seen.rate(), seen.load_factor()), (0.0, Some(0.0)));
        for keys in [10_000, 30_000] {
            seen.extend(seen.len()..keys);
            let scanned = seen.info().predicted_fpr;
            assert!(
                (seen.rate() / scanned - 1.0).abs() < 0.1,
                "{} and {scanned}",
                seen.rate()
            );
        }
        assert_eq!(
            (seen.capacity(), seen.load_factor()),
            (Some(10_000), Some(3.0))
        );
        assert!(seen.rate() > 0.1);
    }
}
