//! The counting Bloom filter: keys can be taken out again.
//!
//! # The idea
//!
//! A Bloom filter with a counter of 4 bits where that has a bit. Insertion raises the counters at the key's `k`
//! positions, removal lowers them, and a key is answered with "yes" if none of its counters is 0.
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
//!   of the set name a counter. The counter either equals `c`, or has reached 15 at some time and stays there for ever
//!   ([`crate::cells::PackedArray`]). Both hold at the start; insertion and removal of a key change `c` and a counter
//!   that is not stuck alike. A key of the set makes `c` at least 1 at each of its positions, so each of its counters
//!   is above 0.
//! - A key whose positions coincide counts twice in the same counter, when it comes and when it goes.
//! - Removing a key that is not in the set is the caller's debt: it lowers counters that belong to others. It is refused
//!   when the filter can see it, that is when a counter is lower than what the key would have added.
//!
//! # Costs
//!
//! Four times the bits of a Bloom filter of the same rate. With the best `k` a counter sticks with a chance of 1.6e-15;
//! what sticks only costs false positives, and [`Counting::stuck`] tells how many there are.
//!
//! # Papers
//!
//! Fan, Cao, Almeida and Broder, "Summary cache", 2000: the structure and the width of 4 bits. There, counters at their
//! maximum are to be left alone too; libraries that lower them lose keys.

use crate::builder::Builder;
use crate::cells::PackedArray;
use crate::codec::{Body, Head, Reader, Writer, read_counters};
use crate::error::Result;
use crate::family::Family;
use crate::filter::{Filter, Info, Value, contains_in_groups, digest_groups};
use crate::forecast::Forecast;
use crate::hash::{Digest, Hashing};
use crate::prefetch;
use crate::probe::{self, Placement};
use crate::sizing::{Layout, Size, bloom_rate};
use std::io;

/// A set that keys can be added to and removed from.
///
/// ```
/// use bloomwise::{Counting, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut cached = Counting::builder(1000, Size::BitsPerKey(40.0)).build()?;
/// cached.insert("ant");
/// assert!(cached.contains(b"ant"));
/// assert!(cached.remove("ant"));
/// assert!(!cached.contains(b"ant"));
/// assert!(!cached.remove("ant"), "it was not there any more");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counting {
    counters: PackedArray,
    /// Positions of a key.
    functions: u32,
    /// Hashing, and as keys: insertions less removals.
    head: Head,
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

    /// The wishes for a filter of `capacity` keys at a time.
    pub fn builder(capacity: u64, size: Size) -> Builder<Counting> {
        Builder::new(capacity, size)
    }

    /// Adds a key. A key that is added twice has to be removed twice.
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_digest(self.head.hashing.digest(key.as_ref()));
    }

    /// Adds the key of a digest, which must come from this filter's hashing.
    pub fn insert_digest(&mut self, digest: Digest) {
        self.insert_digests(&[digest]);
    }

    /// Adds the keys of many digests, faster than one by one.
    pub fn insert_digests(&mut self, digests: &[Digest]) {
        prefetch::in_groups(self, digests, Filter::prefetch, |filter, digest| {
            let (placement, counters) = (filter.head.placement(), filter.counters.len());
            placement.each(digest, filter.functions, counters, |position| {
                filter.counters.increment(position);
            });
        });
        self.head.add_keys(digests.len());
    }

    /// Removes a key that is in the set. `false`, and nothing is changed, if the filter can tell that it is not.
    ///
    /// Removing a key that was never added, and that the filter takes for one of its own, makes false negatives.
    pub fn remove(&mut self, key: impl AsRef<[u8]>) -> bool {
        self.remove_digest(self.head.hashing.digest(key.as_ref()))
    }

    /// Removes the key of a digest, as [`Counting::remove`] does.
    pub fn remove_digest(&mut self, digest: Digest) -> bool {
        let (functions, counters) = (self.functions, self.counters.len());
        let removed = match self.head.placement() {
            Placement::Spread => {
                let positions = probe::spread(digest, 0..functions, counters);
                self.counters.decrement_all(positions)
            }
            Placement::Walk => {
                let positions = probe::walk(digest, functions, counters);
                self.counters.decrement_all(positions)
            }
        };
        self.head.keys = self.head.keys.saturating_sub(u64::from(removed));
        removed
    }

    /// How often a key was added and not removed: never less than that, up to 15, where counters stick; more by a false
    /// positive only.
    pub fn count(&self, key: impl AsRef<[u8]>) -> u64 {
        let digest = self.head.hashing.digest(key.as_ref());
        let (placement, counters) = (self.head.placement(), self.counters.len());
        let mut least = self.counters.max();
        placement.each(digest, self.functions, counters, |position| {
            least = least.min(self.counters.get(position));
        });
        least
    }

    /// The number of keys: insertions less removals.
    pub fn len(&self) -> u64 {
        self.head.keys
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.head.keys == 0
    }

    /// The number of counters that have reached their maximum and stay there.
    pub fn stuck(&self) -> u64 {
        self.counters.count(|count| count == self.counters.max())
    }
}

impl Builder<Counting> {
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
        self.foretold(&Counting::LAYOUT, "counters", f64::from)
    }

    /// The empty filter.
    ///
    /// # Errors
    ///
    /// A size or number of functions that no filter can have; memory that is not there.
    pub fn build(&self) -> Result<Counting> {
        let family = match self.placement {
            Placement::Spread => Family::Counting,
            Placement::Walk => Family::PersonalizedCounting,
        };
        let fit = self.fit(&Counting::LAYOUT)?;
        Ok(Counting {
            counters: PackedArray::new(fit.cells, Counting::WIDTH)?,
            functions: fit.functions,
            head: Head::new(family, self.hashing),
        })
    }
}

impl<K: AsRef<[u8]>> Extend<K> for Counting {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for Counting {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        let test = |position| u64::from(self.counters.get(position) != 0);
        let counters = self.counters.len();
        self.head
            .placement()
            .all(digest, self.functions, counters, test)
    }

    fn contains_digests(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        let ask = |position| self.counters.prefetch(position);
        let test = |position| u64::from(self.counters.get(position) != 0);
        match self.head.placement() {
            Placement::Walk => contains_in_groups(self, digests, answers),
            Placement::Spread => {
                let counters = self.counters.len();
                probe::all_of_many(digests, self.functions, counters, ask, test, answers);
            }
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let ask = |position| self.counters.prefetch(position);
        let counters = self.counters.len();
        self.head
            .placement()
            .each(digest, self.functions, counters, ask);
    }

    fn size_in_bits(&self) -> u64 {
        self.counters.words().len() as u64 * 64
    }

    fn info(&self) -> Info {
        let used = self.counters.count(|count| count != 0);
        let fill = used as f64 / self.counters.len() as f64;
        Info {
            family: self.head.family,
            keys: self.head.keys,
            parameters: vec![
                ("counters", Value::Whole(self.counters.len())),
                ("k", Value::Whole(u64::from(self.functions))),
                ("stuck", Value::Whole(self.stuck())),
            ],
            fill,
            predicted_fpr: fill.powi(self.functions as i32),
        }
    }
}

impl Body for Counting {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        vec![u64::from(self.functions), self.counters.len()]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.counters.words())
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(&[Family::Counting, Family::PersonalizedCounting])?;
        Ok(Counting {
            functions: parameters.functions()?,
            counters: read_counters(parameters, payload, Self::WIDTH)?,
            head: *head,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn filter(bits: u64, functions: u32) -> Counting {
        let builder = Counting::builder(0, Size::Bits(bits)).functions(functions);
        builder.build().expect("sound")
    }

    #[test]
    fn a_key_added_twenty_times_and_removed_sixteen_times_is_still_there() {
        let mut counting = filter(64, 3);
        for _ in 0..20 {
            counting.insert("ant");
        }
        for _ in 0..16 {
            assert!(counting.remove("ant"));
        }
        assert!(counting.contains(b"ant"));
        assert!((1..=3).contains(&counting.stuck()));
        assert_eq!(counting.len(), 4);
    }

    proptest! {
        #[test]
        fn a_refused_removal_changes_nothing(
            keys in prop::collection::vec(0u8..50, 0..20),
            absent in 50u8..100,
        ) {
            let mut counting = filter(128, 4);
            counting.extend(keys.iter().map(|key| [*key]));
            let before = counting.clone();
            if !counting.remove([absent]) {
                prop_assert_eq!(&counting, &before);
            }
            if !before.contains(&[absent]) {
                prop_assert_eq!(&counting, &before, "what the filter denies it does not remove");
            }
        }

        #[test]
        fn all_keys_removed_leave_an_empty_filter_where_nothing_stuck(
            keys in prop::collection::vec(any::<u16>(), 0..30),
        ) {
            let mut counting = filter(1024, 3);
            let empty = counting.clone();
            counting.extend(keys.iter().map(|key| key.to_le_bytes()));
            prop_assume!(counting.stuck() == 0);
            for key in &keys {
                prop_assert!(counting.remove(key.to_le_bytes()));
            }
            prop_assert_eq!(counting, empty);
        }
    }

    proptest! {
        #[test]
        fn a_count_is_never_below_the_truth(
            steps in prop::collection::vec((0u8..12, prop::bool::weighted(0.7)), 0..150),
        ) {
            let builder = Counting::builder(0, Size::Bits(128)).functions(3).personalized();
            let mut filter = builder.build().expect("sound");
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
    fn counts_are_exact_where_nothing_collides() {
        let mut filter = Counting::builder(10, Size::Rate(1e-6))
            .build()
            .expect("sound");
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
}
