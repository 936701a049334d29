//! Queries and insertions.

use crate::cells::stash::Stash;
use crate::families::bloom::Bloom;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::{Info, Parameter};
use crate::filter::insert::Insert;
use crate::filter::profile::Profile;
use crate::filter::sizing::{Size, bloom_rate};
use crate::keys::hash::Digest;
use std::fmt;

/// A filter for a growing set that keeps keys with too many collisions in an exact list.
///
/// ```
/// use bloomwise::personalized::PersonalizedRejecting;
/// use bloomwise::{Filter, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = PersonalizedRejecting::builder(Size::BitsPerKey(12.0)).capacity(1000);
/// let mut seen = builder.threshold(4).create()?;
/// seen.extend(0..1000);
/// assert!((0..1000).all(|key| seen.contains(key)));
/// assert!(seen.rejected() > 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct PersonalizedRejecting {
    /// The slots of the keys that were not rejected. Its own number of keys stays 0.
    pub(super) slots: Bloom,
    /// A key is rejected if its walk meets this many set slots in a row.
    pub(super) threshold: u32,
    /// The most keys that can be rejected.
    pub(super) limit: u64,
    /// The digests of the rejected keys.
    pub(super) rejected: Stash,
    /// Hashing, capacity, and insertions so far.
    pub(super) profile: Profile,
}

impl PersonalizedRejecting {
    /// The number of bits of a digest in the list.
    pub(super) const LIST_ENTRY_BITS: u64 = 128;

    /// By default the list has room for one key in this many.
    pub(super) const KEYS_PER_ENTRY: u64 = 200;

    /// Options for a filter of this size.
    pub fn builder(size: Size) -> Builder<PersonalizedRejecting> {
        Builder::new(size)
    }

    /// The number of rejected keys, which are in the list.
    pub fn rejected(&self) -> u64 {
        self.rejected.len() as u64
    }

    /// Sets the slots of a key or rejects it, without counting it, and returns whether it is new.
    fn add_one(&mut self, digest: Digest) -> bool {
        if self.query(digest) {
            return false;
        }
        if self.rejected() < self.limit && self.collides(digest) {
            self.rejected.insert(digest);
        } else {
            self.slots.set_all(digest);
        }
        true
    }

    /// Whether the walk of a key meets `threshold` set slots in a row.
    fn collides(&self, digest: Digest) -> bool {
        let mut run = 0;
        self.slots.bits_on_walk(digest).any(|set| {
            run = if set { run + 1 } else { 0 };
            run >= self.threshold
        })
    }
}

impl fmt::Debug for PersonalizedRejecting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for PersonalizedRejecting {}

impl Lookup for PersonalizedRejecting {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.slots.query(digest) || self.rejected.contains(digest)
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.slots.prefetch(digest);
    }
}

impl Filter for PersonalizedRejecting {
    fn family(&self) -> Family {
        Family::PersonalizedRejecting
    }

    fn rate(&self) -> f64 {
        // As in the forecast, as if no key were rejected.
        let slots = self.slots.size_in_bits();
        bloom_rate(slots, self.profile.keys, self.slots.functions())
    }

    fn size_in_bits(&self) -> u64 {
        self.slots.size_in_bits() + self.rejected.size_in_bits()
    }

    fn info(&self) -> Info {
        let slots = self.slots.info();
        let share = self.rejected() as f64 / self.profile.keys.max(1) as f64;
        let mut parameters = slots.parameters;
        parameters.extend([
            Parameter::setting("threshold", u64::from(self.threshold)),
            Parameter::measure("list", self.limit),
            Parameter::measure("rejected", self.rejected()),
            Parameter::measure("rejected_share", share),
        ]);
        let (fill, rate) = (slots.fill, slots.predicted_fpr);
        Info::new(self.family(), &self.profile, parameters, fill, rate)
    }
}

impl Insert for PersonalizedRejecting {
    fn add_digest(&mut self, digest: Digest, _: Checked) -> bool {
        self.profile.add_keys(1);
        self.add_one(digest)
    }

    fn add_digests(&mut self, digests: &[Digest], _: Checked) {
        for &digest in digests {
            self.add_one(digest);
        }
        self.profile.add_keys(digests.len());
    }
}

impl Change for PersonalizedRejecting {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builder() -> Builder<PersonalizedRejecting> {
        PersonalizedRejecting::builder(Size::Bits(2048)).functions(4)
    }

    fn filter(list: u32, threshold: u32) -> PersonalizedRejecting {
        let builder = builder().list(list).threshold(threshold);
        builder.create().expect("valid")
    }

    #[test]
    fn a_full_list_rejects_no_more_keys_and_no_key_is_lost() {
        let mut full = filter(3, 1);
        full.extend(0..200);
        assert_eq!(full.rejected(), 3);
        assert!((0..200).all(|key| full.contains(key)));
        assert!(full.size_in_bits() <= 2048);
        let mut without = filter(0, 1);
        without.extend(0..200);
        assert_eq!((without.rejected(), without.len()), (0, 200));
    }

    #[test]
    fn a_repeated_key_is_not_rejected() {
        let mut twice = filter(8, 2);
        assert!(twice.insert("ant"));
        for _ in 0..4 {
            assert!(!twice.insert("ant"));
        }
        assert_eq!((twice.rejected(), twice.len()), (0, 5));
    }

    #[test]
    fn insert_says_whether_the_key_is_new() {
        let mut seen = filter(8, 2);
        for key in 0..300 {
            let new = !seen.contains(key);
            assert_eq!(seen.insert(key), new);
        }
        assert_eq!((seen.rejected(), seen.len()), (8, 300));
    }

    #[test]
    fn thresholds_and_lists_out_of_range_are_errors() {
        let builder = || builder().capacity(100);
        for builder in [
            builder().threshold(0),
            builder().threshold(5),
            builder().list(16),
        ] {
            assert!(builder.create().is_err(), "{builder:?}");
        }
        assert!(builder().list(15).create().is_ok());
        let of = |bits_per_key| {
            let size = Size::BitsPerKey(bits_per_key);
            PersonalizedRejecting::builder(size).capacity(1000).create()
        };
        assert!(of(0.5).is_ok());
        assert!(of(f64::NAN).is_err());
    }

    #[test]
    fn a_capacity_is_needed_unless_slots_walk_and_list_are_given() {
        assert!(builder().create().is_err());
        assert!(builder().list(2).create().is_ok());
    }

    #[test]
    fn rate_without_a_scan_follows_the_keys_beyond_capacity() {
        let builder = PersonalizedRejecting::builder(Size::Rate(0.01)).capacity(10_000);
        let mut seen = builder.create().expect("valid");
        assert_eq!((seen.rate(), seen.load_factor()), (0.0, Some(0.0)));
        for keys in [10_000, 30_000] {
            seen.extend(seen.len()..keys);
            let (rate, scanned) = (seen.rate(), seen.info().predicted_fpr);
            assert!((rate / scanned - 1.0).abs() < 0.1, "{rate} and {scanned}");
        }
    }
}
