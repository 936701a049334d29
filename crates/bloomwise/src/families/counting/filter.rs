//! The filter.

use super::LOG;
use crate::cells::PackedArray;
use crate::cells::access::UsedCells;
use crate::cells::counters::stuck_in;
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
use crate::filter::remove::Remove;
use crate::filter::sizing::Size;
use crate::kernel::{Narrow, QueryFn, Vectors, Work};
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::machine::processor::Kernel;
use crate::threads::shared::SharedShape;
use std::fmt;

/// A set that accepts insertions and removals.
///
/// ```
/// use bloomwise::{Counting, Filter, Insert, Remove, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut cached = Counting::builder(Size::BitsPerKey(40.0)).capacity(1000).create()?;
/// cached.insert("ant");
/// assert!(cached.contains("ant"));
/// assert!(cached.remove("ant"));
/// assert!(!cached.contains("ant"));
/// assert!(!cached.remove("ant"), "it is not there any more");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Counting {
    /// The counters, 4 bits each.
    pub(super) counters: PackedArray,
    /// The positions of keys.
    pub(super) shape: ArrayShape<LOG>,
    /// The compiled query.
    query_fn: QueryFn<Counting>,
    /// Hashing, capacity, and insertions minus removals.
    pub(super) profile: Profile,
}

impl Counting {
    /// Options for a filter of this size. The capacity is the most keys that are in the set at a time.
    pub fn builder(size: Size) -> Builder<Counting> {
        Builder::new(size)
    }

    /// The filter with these counters.
    pub(super) fn over(counters: PackedArray, shape: ArrayShape<LOG>, profile: Profile) -> Self {
        Counting {
            counters,
            shape,
            query_fn: shape.run(Narrow(Kernel::current()), QueryFn::choose(), ()),
            profile,
        }
    }

    /// Adds all keys of `other`. A key that is in both filters must be removed twice. [`Filter::len`] becomes the sum.
    ///
    /// # Errors
    ///
    /// The filters differ in kind, counters, functions or hashing.
    pub fn union_with(&mut self, other: &Counting) -> Result<()> {
        expect_equal("kind", self.family().name(), other.family().name())?;
        expect_equal(
            "number of counters",
            self.counters.len(),
            other.counters.len(),
        )?;
        expect_equal(
            "number of functions",
            self.shape.functions(),
            other.shape.functions(),
        )?;
        self.profile.hashing.expect(other.profile.hashing)?;
        other.counters.storage().expect_sound()?;
        self.counters.add_counters(&other.counters);
        self.profile.keys = self.profile.keys.saturating_add(other.profile.keys);
        Ok(())
    }

    /// The number of insertions of a key minus its removals. Below 15, where counters stick, the result is never too low. It is too high only for
    /// a false positive.
    pub fn count(&self, key: impl Key) -> u64 {
        let digest = self.profile.hashing.digest(key);
        let counts = self.shape.positions(digest).map(|at| self.counters.get(at));
        counts.min().unwrap_or(0)
    }

    /// The number of counters that have reached their maximum and stay at it.
    pub fn stuck(&self) -> u64 {
        let words = self.counters.storage().words();
        words.map(|word| u64::from(stuck_in(word))).sum()
    }
}

impl fmt::Debug for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Counting {}

impl Lookup for Counting {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline(always)]
    fn query(&self, digest: Digest) -> bool {
        self.query_fn.call(self, digest)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        let counters = self.counters.counters();
        self.shape.query_batch_in(counters, digests, answers);
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.shape.prefetch(self.counters.counters(), digest);
    }
}

/// Looks up one key.
impl Work for &Counting {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let (cells, positions) = (
            self.counters.counters(),
            self.shape.in_layout::<LAYOUT, K>(),
        );
        positions.all_or_stop(
            digest,
            #[inline(always)]
            |position| cells.used(position),
        )
    }
}

impl Filter for Counting {
    fn family(&self) -> Family {
        self.shape.family()
    }

    fn rate(&self) -> f64 {
        self.shape.rate(self.profile.keys)
    }

    fn size_in_bits(&self) -> u64 {
        self.counters.size_in_bits()
    }

    fn info(&self) -> Info {
        self.shape
            .info(self.counters.storage().words(), &self.profile)
    }
}

impl Insert for Counting {
    fn add_digest(&mut self, digest: Digest, _: Checked) -> bool {
        self.profile.add_keys(1);
        self.shape.insert_into(self.counters.counters_mut(), digest)
    }

    fn add_digests(&mut self, digests: &[Digest], _: Checked) {
        self.profile.add_keys(digests.len());
        self.shape
            .insert_batch_into(self.counters.counters_mut(), digests);
    }
}

impl Remove for Counting {
    fn take_digest(&mut self, digest: Digest, _: Checked) -> bool {
        // The counters refuse such a key too, but borrowed ones would be copied first.
        if self.counters.storage().is_borrowed() && !self.query(digest) {
            return false;
        }
        let removed = self.shape.remove_from(self.counters.counters_mut(), digest);
        self.profile.remove_key(removed);
        removed
    }
}

impl Change for Counting {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }

    fn as_remove(&mut self) -> Option<&mut dyn Remove> {
        Some(self)
    }

    fn unite(&mut self, other: &Self) -> Result<()> {
        self.union_with(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn filter(bits: u64, functions: u32) -> Counting {
        let builder = Counting::builder(Size::Bits(bits)).functions(functions);
        builder.create().expect("sound")
    }

    #[test]
    fn key_added_twenty_times_and_removed_sixteen_times_is_still_there() {
        let mut counting = filter(64, 3);
        for _ in 0..20 {
            counting.insert("ant");
        }
        for _ in 0..16 {
            assert!(counting.remove("ant"));
        }
        assert!(counting.contains("ant"));
        assert!((1..=3).contains(&counting.stuck()));
        assert_eq!(counting.len(), 4);
    }

    proptest! {
        #[test]
        fn refused_removal_changes_nothing(
            keys in prop::collection::vec(0u8..50, 0..20),
            absent in 50u8..100,
        ) {
            let mut counting = filter(128, 4);
            counting.extend(keys.iter().map(|key| [*key]));
            let before = counting.clone();
            if !counting.remove([absent]) {
                prop_assert_eq!(&counting, &before);
            }
            if !before.contains([absent]) {
                prop_assert_eq!(&counting, &before, "the filter does not remove a key that it denies");
            }
        }

        #[test]
        fn removing_all_keys_empties_the_filter_if_nothing_is_stuck(
            keys in prop::collection::vec(any::<u16>(), 0..30),
        ) {
            let mut counting = filter(1024, 3);
            let empty = counting.clone();
            counting.extend(&keys);
            prop_assume!(counting.stuck() == 0);
            for key in &keys {
                prop_assert!(counting.remove(key));
            }
            prop_assert_eq!(counting, empty);
        }
    }

    proptest! {
        #[test]
        fn count_is_never_below_the_truth(
            steps in prop::collection::vec((0u8..12, prop::bool::weighted(0.7)), 0..150),
        ) {
            let builder = Counting::builder(Size::Bits(128)).functions(3).personalized();
            let mut filter = builder.create().expect("sound");
            let mut truth: BTreeMap<u8, u64> = BTreeMap::new();
            for (key, insert) in steps {
                let count = truth.entry(key).or_default();
                if insert {
                    filter.insert([key]);
                    *count += 1;
                } else if *count > 0 {
                    prop_assert!(filter.remove([key]));
                    *count -= 1;
                }
            }
            for (key, count) in truth {
                prop_assert!(filter.count([key]) >= count.min(15));
            }
        }
    }

    #[test]
    fn counts_are_exact_if_nothing_collides() {
        let builder = Counting::builder(Size::Rate(1e-6)).capacity(10);
        let mut filter = builder.create().expect("sound");
        for (key, times) in [("ant", 3), ("bee", 1)] {
            for _ in 0..times {
                filter.insert(key);
            }
        }
        assert_eq!(
            ["ant", "bee", "cow"].map(|key| filter.count(key)),
            [3, 1, 0]
        );
    }

    #[test]
    fn keys_of_a_union_can_be_removed() {
        let mut left = filter(1024, 3);
        left.extend(0..20);
        let mut right = filter(1024, 3);
        right.extend(10..30);
        left.union_with(&right).expect("alike");
        assert_eq!(left.len(), 40);
        assert!((0..30).all(|key| left.contains(key)));
        for key in (0..20).chain(10..30) {
            assert!(left.remove(key), "{key}");
        }
        assert!(left.is_empty());
        assert!(left.union_with(&filter(512, 3)).is_err());
    }
}
