//! The counting variant: slots are counters of 4 bits, so that keys can be removed and counted.
//!
//! # Invariants
//!
//! *No false negative* while only keys of the set are removed, for the reason given on the page of [`crate::Counting`]: a
//! counter that is not stuck is exactly the number of times that walks of the set come by, and a walk never changes. The
//! same holds for [`PersonalizedCounting::count`]: it is never below the true number, up to 15, where counters stick.

use crate::builder::Builder;
use crate::cells::PackedArray;
use crate::codec::{Body, Head, Reader, Writer, read_counters};
use crate::error::Result;
use crate::family::Family;
use crate::filter::{Filter, Info, Value, digest_groups};
use crate::hash::{Digest, Hashing};
use crate::sizing::{Layout, Size, bloom_rate};
use crate::{prefetch, probe};
use std::io;

/// A multiset that keys can be added to, removed from and counted in; each key walks its own way.
///
/// ```
/// use bloomwise::{Filter, PersonalizedCounting, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut visits = PersonalizedCounting::builder(1000, Size::BitsPerKey(40.0)).build()?;
/// visits.insert("ant");
/// visits.insert("ant");
/// assert_eq!(visits.count("ant"), 2);
/// assert!(visits.remove("ant"));
/// assert_eq!(visits.count("ant"), 1);
/// assert_eq!(visits.count("bee"), 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalizedCounting {
    counters: PackedArray,
    /// Length of a walk.
    functions: u32,
    /// Hashing, and as keys: insertions less removals.
    head: Head,
}

impl PersonalizedCounting {
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
    pub fn builder(capacity: u64, size: Size) -> Builder<PersonalizedCounting> {
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
        prefetch::in_groups(self, digests, Filter::prefetch, |filter, digest| {
            filter.counters.increment_all(filter.walk(digest));
        });
        self.head.add_keys(digests.len());
    }

    /// Removes a key that is in the set. `false`, and nothing is changed, if the filter can tell that it is not.
    ///
    /// Removing a key that was never added, and that the filter takes for one of its own, makes false negatives.
    pub fn remove(&mut self, key: impl AsRef<[u8]>) -> bool {
        self.remove_digest(self.head.hashing.digest(key.as_ref()))
    }

    /// Removes the key of a digest, as [`PersonalizedCounting::remove`] does.
    pub fn remove_digest(&mut self, digest: Digest) -> bool {
        let removed = self.counters.decrement_all(self.walk(digest));
        self.head.keys = self.head.keys.saturating_sub(u64::from(removed));
        removed
    }

    /// How often a key was added and not removed: at least that often up to 15, where counters stick, and more only by
    /// a false positive.
    pub fn count(&self, key: impl AsRef<[u8]>) -> u64 {
        let walk = self.walk(self.head.hashing.digest(key.as_ref()));
        walk.map(|slot| self.counters.get(slot)).min().unwrap_or(0)
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

    /// The slots of a key, in order.
    #[inline]
    fn walk(&self, digest: Digest) -> impl Iterator<Item = usize> + Clone + use<> {
        probe::walk(digest, self.functions, self.counters.len())
    }
}

impl Builder<PersonalizedCounting> {
    /// The empty filter.
    ///
    /// # Errors
    ///
    /// A size or number of functions that no filter can have; memory that is not there.
    pub fn build(&self) -> Result<PersonalizedCounting> {
        let fit = self.fit(&PersonalizedCounting::LAYOUT)?;
        Ok(PersonalizedCounting {
            counters: PackedArray::new(fit.cells, PersonalizedCounting::WIDTH)?,
            functions: fit.functions,
            head: Head::new(Family::PersonalizedCounting, self.hashing),
        })
    }
}

impl<K: AsRef<[u8]>> Extend<K> for PersonalizedCounting {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for PersonalizedCounting {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        self.walk(digest).all(|slot| self.counters.get(slot) != 0)
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.walk(digest)
            .for_each(|slot| self.counters.prefetch(slot));
    }

    fn size_in_bits(&self) -> u64 {
        self.counters.words().len() as u64 * 64
    }

    fn info(&self) -> Info {
        let used = self.counters.count(|count| count != 0);
        let fill = used as f64 / self.counters.len() as f64;
        Info {
            family: Family::PersonalizedCounting,
            keys: self.head.keys,
            parameters: vec![
                ("slots", Value::Whole(self.counters.len())),
                ("k", Value::Whole(u64::from(self.functions))),
                ("stuck", Value::Whole(self.stuck())),
            ],
            fill,
            predicted_fpr: fill.powi(self.functions as i32),
        }
    }
}

impl Body for PersonalizedCounting {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        vec![u64::from(self.functions), self.counters.len()]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.counters.words().iter().copied())
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(Family::PersonalizedCounting)?;
        Ok(PersonalizedCounting {
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

    proptest! {
        #[test]
        fn a_count_is_never_below_the_truth(
            steps in prop::collection::vec((0u8..12, prop::bool::weighted(0.7)), 0..150),
        ) {
            let builder = PersonalizedCounting::builder(0, Size::Bits(128)).functions(3);
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
        let mut filter = PersonalizedCounting::builder(10, Size::Rate(1e-6))
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
