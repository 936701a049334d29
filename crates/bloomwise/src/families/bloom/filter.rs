//! The filter.

use crate::cells::BitArray;
use crate::cells::access::UsedCells;
use crate::error::{Result, expect_equal};
use crate::families::spread::ArrayShape;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::insert::Insert;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::kernel::{Narrow, QueryFn, Vectors, Work};
use crate::keys::hash::Digest;
use crate::machine::processor::Kernel;
use crate::threads::shared::SharedShape;
use std::fmt;

/// A set that accepts insertions and can be united with others.
///
/// ```
/// use bloomwise::{Bloom, Filter, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut seen = Bloom::builder(Size::Rate(0.01)).capacity(1000).create()?;
/// assert!(seen.insert("ant"), "it is new");
/// assert!(seen.contains("ant"));
/// assert!(!seen.contains("bee"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Bloom {
    /// The array of bits.
    pub(super) bits: BitArray,
    /// The positions of keys.
    pub(super) shape: ArrayShape<0>,
    /// The compiled query.
    query_fn: QueryFn<Bloom>,
    /// Hashing, capacity and number of insertions.
    pub(super) profile: Profile,
}

impl Bloom {
    /// Options for a filter of this size.
    pub fn builder(size: Size) -> Builder<Bloom> {
        Builder::new(size)
    }

    /// The filter with these bits.
    pub(super) fn over(bits: BitArray, shape: ArrayShape<0>, profile: Profile) -> Self {
        Bloom {
            bits,
            shape,
            query_fn: shape.run(Narrow(Kernel::current()), QueryFn::choose(), ()),
            profile,
        }
    }

    /// Adds all keys of `other`. The result is bit for bit the filter that inserting all keys would give.
    /// [`Filter::len`] becomes the sum.
    ///
    /// # Errors
    ///
    /// The filters differ in kind, bits, functions or hashing.
    pub fn union_with(&mut self, other: &Bloom) -> Result<()> {
        self.check_alike(other)?;
        self.bits.combine(&other.bits, |a, b| a | b);
        self.profile.keys = self.profile.keys.saturating_add(other.profile.keys);
        Ok(())
    }

    /// Makes this a filter of all keys that are in both filters. It may have more false positives than a filter built from those keys
    /// alone. [`Filter::len`] becomes an estimate.
    ///
    /// # Errors
    ///
    /// The filters differ in kind, bits, functions or hashing.
    pub fn intersect_with(&mut self, other: &Bloom) -> Result<()> {
        self.check_alike(other)?;
        self.bits.combine(&other.bits, |a, b| a & b);
        // Any set bit comes from a key, so there is at least one.
        let least = u64::from(self.bits.ones() > 0);
        let most = self.profile.keys.min(other.profile.keys);
        self.profile.keys = (self.estimated_keys().round() as u64).max(least).min(most);
        Ok(())
    }

    /// The number of distinct keys, estimated from the share of set bits; infinite if all bits are set.
    ///
    /// `k` positions of each of `n` keys leave a bit 0 with probability `(1 - 1/m)^(kn)`. This solves for `n`.
    pub fn estimated_keys(&self) -> f64 {
        let fill = self.bits.ones() as f64 / self.bits.len() as f64;
        self.shape.estimated_keys(fill)
    }

    /// Sets the bits of a key and returns whether one of them was 0.
    #[inline]
    pub(crate) fn set_all(&mut self, digest: Digest) -> bool {
        self.shape.insert_into(self.bits.view_mut(), digest)
    }

    /// The false positive rate of this filter once it holds `keys` keys.
    pub(crate) fn rate_of(&self, keys: u64) -> f64 {
        self.shape.rate(keys)
    }

    /// Sets the capacity and the rate that this filter is planned for.
    pub(crate) fn plan_for(&mut self, capacity: u64, rate: f64) {
        (self.profile.capacity, self.profile.target_rate) = (Some(capacity), Some(rate));
    }

    /// Adds a key and counts it if it is new. Returns whether it is.
    pub(crate) fn insert_if_new(&mut self, digest: Digest) -> bool {
        let new = self.set_all(digest);
        self.profile.add_keys(usize::from(new));
        new
    }

    /// The bits at the positions of a key on its walk, in order. The filter must be personalized.
    pub(crate) fn bits_on_walk(&self, digest: Digest) -> impl Iterator<Item = bool> {
        let walk = self.shape.walk(digest);
        walk.map(|position| self.bits.get(position))
    }

    /// The number of positions of a key.
    pub(crate) fn functions(&self) -> u32 {
        self.shape.functions()
    }

    fn check_alike(&self, other: &Bloom) -> Result<()> {
        expect_equal("kind", self.family().name(), other.family().name())?;
        expect_equal("number of bits", self.bits.len(), other.bits.len())?;
        expect_equal(
            "number of functions",
            self.shape.functions(),
            other.shape.functions(),
        )?;
        self.profile.hashing.expect(other.profile.hashing)?;
        other.bits.storage().expect_sound()
    }
}

impl fmt::Debug for Bloom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Bloom {}

impl Lookup for Bloom {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline(always)]
    fn query(&self, digest: Digest) -> bool {
        self.query_fn.call(self, digest)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        self.shape
            .query_batch_in(self.bits.view(), digests, answers);
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.shape.prefetch(self.bits.view(), digest);
    }
}

/// Looks up one key.
impl Work for &Bloom {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let (cells, positions) = (self.bits.view(), self.shape.in_layout::<LAYOUT, K>());
        positions.all_or_stop(
            digest,
            #[inline(always)]
            |position| cells.used(position),
        )
    }
}

impl Filter for Bloom {
    fn family(&self) -> Family {
        self.shape.family()
    }

    fn rate(&self) -> f64 {
        self.shape.rate(self.profile.keys)
    }

    fn size_in_bits(&self) -> u64 {
        self.bits.len()
    }

    fn info(&self) -> Info {
        self.shape.info(self.bits.storage().words(), &self.profile)
    }
}

impl Insert for Bloom {
    fn add_digest(&mut self, digest: Digest, _: Checked) -> bool {
        self.profile.add_keys(1);
        self.set_all(digest)
    }

    fn add_digests(&mut self, digests: &[Digest], _: Checked) {
        self.profile.add_keys(digests.len());
        self.shape.insert_batch_into(self.bits.view_mut(), digests);
    }
}

impl Change for Bloom {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }

    fn unite(&mut self, other: &Self) -> Result<()> {
        self.union_with(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Hashing;
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
            union.union_with(&filter(&right)).expect("alike");
            prop_assert_eq!(union, filter(&[left, right].concat()));
        }

        #[test]
        fn intersection_holds_the_keys_of_both(
            left in prop::collection::vec(0u16..20, 0..20),
            right in prop::collection::vec(0u16..20, 0..20),
        ) {
            let mut both = filter(&left);
            both.intersect_with(&filter(&right)).expect("alike");
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
            let text = left
                .union_with(&right)
                .expect_err("they differ")
                .to_string();
            assert!(text.contains(what), "{text}");
            assert!(left.intersect_with(&right).is_err());
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
