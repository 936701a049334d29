//! The counting Bloom filter: keys can be removed.
//!
//! # The idea
//!
//! A Bloom filter with a counter of 4 bits in place of each bit. Insertion raises the counters at the key's `k`
//! positions, removal lowers them, and a query answers "yes" if none of the key's counters is 0.
//!
//! With 8 counters and 2 functions, "ant" at 1 and 6, "bee" at 3 and 6:
//!
//! ```text
//! position            0 1 2 3 4 5 6 7
//! after ant, bee      . 1 . 1 . . 2 .
//! after removing ant  . . . 1 . . 1 .
//! ```
//!
//! # Invariants
//!
//! - *No false negative* while only keys that are in the set are removed. Let `c` be the true number of times that keys
//!   of the set use a counter. The counter either equals `c`, or has reached 15 at some time and stays there for ever.
//!   This holds at the start, and insertion and removal change `c` and a counter that is not stuck alike. A key of the set
//!   makes `c` at least 1 at each of its positions, so each of its counters is above 0.
//! - A key whose positions coincide counts twice in the same counter, at insertion and at removal.
//! - The caller must not remove a key that is not in the set: that would lower counters of other keys. The filter refuses
//!   if it can tell, that is if a counter is lower than what the key would have added.
//!
//! # Costs
//!
//! Four times the bits of a Bloom filter of the same rate. With the best `k` a counter sticks with a probability of
//! 1.6e-15. A stuck counter only costs false positives, and [`Counting::stuck`] counts them.
//!
//! # Papers
//!
//! Fan, Cao, Almeida and Broder, "Summary cache", 2000: the structure and the width of 4 bits. The paper leaves counters at
//! their maximum alone too; libraries that lower them lose keys.

use crate::array_options::ArrayOptions;
use crate::builder::{Buildable, Builder, Growable};
use crate::cells::PackedArray;
use crate::codec::{Body, Head, Parameters, Payload, Writer};
use crate::digests::Digests;
use crate::error::{Error, Result, expect_equal};
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

/// A set that keys can be added to and removed from.
///
/// ```
/// use bloomwise::{Counting, Filter, Size};
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
#[derive(Clone, Debug, PartialEq)]
pub struct Counting {
    counters: PackedArray,
    /// Positions of a key.
    functions: u32,
    /// How positions are found.
    placement: Placement,
    /// Its keys are insertions less removals.
    profile: Profile,
}

impl Counting {
    /// Bits of a counter.
    const WIDTH: u32 = 4;
    /// Counters in a word: the step in which their number grows.
    const STEP: u64 = 64 / Self::WIDTH as u64;

    const LAYOUT: Layout<fn(u64, u64, u32) -> f64> = Layout {
        cell_bits: Self::WIDTH as u64,
        step: Self::STEP,
        rate: bloom_rate,
    };

    /// Options for a filter of this size. The capacity is the number of keys that are in the set at a time.
    pub fn builder(size: Size) -> Builder<Counting> {
        Builder::new(size)
    }

    /// Adds a key and returns whether it is new: whether the filter denied it before. A key that is added twice must be
    /// removed twice.
    pub fn insert(&mut self, key: impl Key) -> bool {
        let digest = self.profile.hashing.digest(key);
        let new = !self.query(digest);
        self.raise(digest);
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

    /// Removes a key that is in the set. Returns `false`, and changes nothing, if the filter can tell that it is not.
    ///
    /// Removing a key that was never added, and that is a false positive, makes false negatives.
    pub fn remove(&mut self, key: impl Key) -> bool {
        self.take(self.profile.hashing.digest(key))
    }

    /// Removes keys by their digests, as [`Counting::remove`] does, and returns how many were removed.
    ///
    /// # Errors
    ///
    /// The filter hashes differently.
    pub fn remove_digests(&mut self, digests: &Digests<'_>) -> Result<u64> {
        let digests = digests.made_by(self.profile.hashing)?;
        Ok(digests
            .iter()
            .map(|&digest| u64::from(self.take(digest)))
            .sum())
    }

    /// Makes this the filter of all keys that are in this one or in `other`; a key that is in both must be removed twice.
    /// [`Filter::len`] becomes the sum.
    ///
    /// # Errors
    ///
    /// The filters must agree in kind, counters, functions and hashing.
    pub fn union(&mut self, other: &Counting) -> Result<()> {
        expect_equal("kind", self.family().name(), other.family().name())?;
        expect_equal(
            "number of counters",
            self.counters.len(),
            other.counters.len(),
        )?;
        expect_equal("number of functions", self.functions, other.functions)?;
        self.profile.hashing.expect(other.profile.hashing)?;
        self.counters.add_counters(&other.counters);
        self.profile.keys = self.profile.keys.saturating_add(other.profile.keys);
        Ok(())
    }

    /// How often a key was added and not removed. Never less than that up to 15, where counters stick; more for a false
    /// positive only.
    pub fn count(&self, key: impl Key) -> u64 {
        let digest = self.profile.hashing.digest(key);
        let counters = self.counters.len();
        let mut least = self.counters.max();
        self.placement
            .each(digest, self.functions, counters, |position| {
                least = least.min(self.counters.get(position));
            });
        least
    }

    /// The number of counters that have reached their maximum and stay there.
    pub fn stuck(&self) -> u64 {
        self.counters.count(|count| count == self.counters.max())
    }

    /// Adds the keys of digests that this filter's hashing made.
    pub(crate) fn add(&mut self, digests: &[Digest]) {
        prefetch::in_groups(self, digests, Lookup::prefetch, Counting::raise);
        self.profile.add_keys(digests.len());
    }

    /// Raises the counters of a key.
    #[inline]
    fn raise(&mut self, digest: Digest) {
        let (placement, counters) = (self.placement, self.counters.len());
        placement.each(digest, self.functions, counters, |position| {
            self.counters.increment(position);
        });
    }

    /// Removes the key of a digest that this filter's hashing made.
    fn take(&mut self, digest: Digest) -> bool {
        // The counters refuse such a key too, but borrowed ones would be copied first.
        if self.counters.storage().is_borrowed() && !self.query(digest) {
            return false;
        }
        let (functions, counters) = (self.functions, self.counters.len());
        let removed = match self.placement {
            Placement::Spread => {
                let positions = probe::spread(digest, 0..functions, counters);
                self.counters.decrement_all(positions)
            }
            Placement::Walk => {
                let positions = probe::walk(digest, functions, counters);
                self.counters.decrement_all(positions)
            }
        };
        self.profile.remove_key(removed);
        removed
    }
}

impl Buildable for Counting {
    type Options = ArrayOptions;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let functions = builder.options.functions;
        Forecast::plain(
            &Counting::LAYOUT,
            "counters",
            builder.size,
            workload.keys,
            functions,
        )
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        Ok((builder.fill(sets, Self::add)?, Report::default()))
    }
}

impl Growable for Counting {
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self> {
        let ArrayOptions {
            functions,
            placement,
        } = builder.options;
        let fit = Counting::LAYOUT.fit(builder.size, capacity, functions)?;
        Ok(Counting {
            counters: PackedArray::new(fit.cells, Counting::WIDTH)?,
            functions: fit.functions,
            placement,
            profile: Profile::new(hashing, capacity, builder.size),
        })
    }

    fn needs_no_capacity(builder: &Builder<Self>) -> bool {
        builder.has_fixed_shape()
    }
}

impl<K: Key> Extend<K> for Counting {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.profile.hashing, keys, |digests| self.add(digests));
    }
}

impl sealed::Sealed for Counting {}

impl Lookup for Counting {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        let (counters, len) = (self.counters.view(), self.counters.len());
        let test = |position| u64::from(counters.get(position) != 0);
        self.placement.all(digest, self.functions, len, test)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        let (counters, len) = (self.counters.view(), self.counters.len());
        let ahead = |position| counters.prefetch(position);
        let test = |position| u64::from(counters.get(position) != 0);
        match self.placement {
            Placement::Walk => query_in_groups(self, digests, answers),
            Placement::Spread => {
                probe::all_of_many(digests, self.functions, len, ahead, test, answers);
            }
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let (counters, len) = (self.counters.view(), self.counters.len());
        let ahead = |position| counters.prefetch(position);
        self.placement.each(digest, self.functions, len, ahead);
    }
}

impl Filter for Counting {
    fn family(&self) -> Family {
        match self.placement {
            Placement::Spread => Family::Counting,
            Placement::Walk => Family::PersonalizedCounting,
        }
    }

    fn rate(&self) -> f64 {
        bloom_rate(self.counters.len(), self.profile.keys, self.functions)
    }

    fn size_in_bits(&self) -> u64 {
        self.counters.size_in_bits()
    }

    fn info(&self) -> Info {
        let used = self.counters.count(|count| count != 0);
        let fill = used as f64 / self.counters.len() as f64;
        let parameters = vec![
            ("counters", Value::Whole(self.counters.len())),
            ("k", Value::Whole(u64::from(self.functions))),
            ("stuck", Value::Whole(self.stuck())),
        ];
        let rate = fill.powi(self.functions as i32);
        Info::new(self.family(), &self.profile, parameters, fill, rate)
    }
}

impl Body for Counting {
    fn parameters(&self) -> Vec<u64> {
        vec![u64::from(self.functions), self.counters.len()]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.storage(self.counters.storage())
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        head.expect(&[Family::Counting, Family::PersonalizedCounting])?;
        let functions = parameters.functions()?;
        let counters = parameters.multiple_of(Self::STEP, "the counters")?;
        let words = PackedArray::words_for(counters, Self::WIDTH);
        let bytes = payload.storage(words, "the counters")?;
        let wrong = || Error::field("the counters", counters, "as many as the payload holds");
        Ok(Counting {
            counters: PackedArray::over(bytes, counters, Self::WIDTH).ok_or_else(wrong)?,
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
        left.union(&right).expect("alike");
        assert_eq!(left.len(), 40);
        assert!((0..30).all(|key| left.contains(key)));
        for key in (0..20).chain(10..30) {
            assert!(left.remove(key), "{key}");
        }
        assert!(left.is_empty());
        assert!(left.union(&filter(512, 3)).is_err());
    }
}
