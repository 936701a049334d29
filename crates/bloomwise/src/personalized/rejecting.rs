//! The rejecting variant: keys that would collide too much are turned away into an exact list.
//!
//! # The idea
//!
//! A walk that meets `t` set slots in a row collides a lot: inserting its key adds few bits, but each of them fills the
//! filter a little more. Such a key is rejected: it sets nothing, and its digest goes to a list ([`crate::stash`]). A
//! query walks first, and looks into the list if the walk ends at an empty slot.
//!
//! # Invariants
//!
//! - *No false negative.* An insertion ends in one of three ways: the filter already said yes, or the digest is in the
//!   list, or all slots of the walk are set. Nothing is ever cleared or taken off the list, so each of them lasts.
//! - The list has a limit. When it is full, keys are inserted into the slots after all, whatever they meet there.
//! - The list is inside the budget: the slots get what its limit leaves.
//!
//! # Costs
//!
//! A rejected key takes 128 bits, one that is inserted takes ten or so; what is saved are the few bits that its walk would
//! have set. With the default threshold, one below the length of a walk, that does not pay: `docs/choosing.md` has the
//! rates. The variant is here because the paper has it.

use crate::bloom::Bloom;
use crate::builder::Builder;
use crate::codec::{Body, Head, Reader, Writer};
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::{Filter, Info, Value, digest_groups};
use crate::forecast::Forecast;
use crate::hash::{Digest, Hashing};
use crate::sizing::Size;
use crate::stash::Stash;
use std::io;

/// A set that keys can be added to; keys that collide too much are kept in a list.
///
/// ```
/// use bloomwise::{Filter, PersonalizedRejecting, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut seen = PersonalizedRejecting::builder(1000, Size::BitsPerKey(12.0)).threshold(4).build()?;
/// seen.extend((0..1000u64).map(u64::to_le_bytes));
/// assert!((0..1000u64).all(|key| seen.contains(&key.to_le_bytes())));
/// assert!(seen.rejected() > 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalizedRejecting {
    /// The slots of the keys that were taken; it does not count them.
    taken: Bloom,
    /// Set slots in a row that a key may not meet.
    threshold: u32,
    /// The most keys that are rejected.
    limit: u64,
    rejected: Stash,
    /// Hashing, and as keys: insertions so far.
    head: Head,
}

impl PersonalizedRejecting {
    /// Bits of a digest in the list.
    const ENTRY: u64 = 128;

    /// Without a wish, one key in so many has room in the list.
    const KEYS_PER_ENTRY: u64 = 200;

    /// The wishes for a filter of `capacity` keys.
    pub fn builder(capacity: u64, size: Size) -> Builder<PersonalizedRejecting> {
        Builder::new(capacity, size)
    }

    /// Adds a key.
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_digest(self.head.hashing.digest(key.as_ref()));
    }

    /// Adds the key of a digest, which must come from this filter's hashing.
    pub fn insert_digest(&mut self, digest: Digest) {
        self.head.add_keys(1);
        if self.contains_digest(digest) {
            return;
        }
        if (self.rejected.len() as u64) < self.limit && self.collides(digest) {
            self.rejected.insert(digest);
        } else {
            self.taken.set_all(digest);
        }
    }

    /// Adds the keys of many digests, in their order.
    pub fn insert_digests(&mut self, digests: &[Digest]) {
        for &digest in digests {
            self.insert_digest(digest);
        }
    }

    /// The number of insertions, a key that was inserted twice counted twice.
    pub fn len(&self) -> u64 {
        self.head.keys
    }

    /// Whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.head.keys == 0
    }

    /// The number of keys in the list.
    pub fn rejected(&self) -> u64 {
        self.rejected.len() as u64
    }

    /// Whether a walk meets as many set slots in a row as the threshold.
    fn collides(&self, digest: Digest) -> bool {
        let mut run = 0;
        self.taken.bits_on_walk(digest).any(|set| {
            run = if set { run + 1 } else { 0 };
            run >= self.threshold
        })
    }
}

impl Builder<PersonalizedRejecting> {
    /// Set slots in a row at which a key is rejected; without this, one less than the length of a walk.
    pub fn threshold(mut self, slots: u32) -> Self {
        self.threshold = Some(slots);
        self
    }

    /// The most keys that are rejected; without this, one in 200 of the capacity. The list takes 128 bits for each out
    /// of the size, unless that is a rate: then they come on top.
    pub fn list(mut self, keys: u32) -> Self {
        self.list = Some(keys);
        self
    }

    /// The size of the slots, and the limit of the list that takes the rest.
    fn share(&self) -> Result<(Size, u64)> {
        type Own = PersonalizedRejecting;
        let bits = match self.size {
            Size::Bits(bits) => bits,
            Size::BitsPerKey(bits) => (bits * self.capacity as f64) as u64,
            Size::Rate(_) => u64::MAX,
        };
        // A list nobody asked for takes no more than an eighth.
        let usual = (self.capacity / Own::KEYS_PER_ENTRY).min(bits / 8 / Own::ENTRY);
        let limit = self.list.map_or(usual, u64::from);
        match self.size {
            Size::Rate(_) => Ok((self.size, limit)),
            _ if limit == 0 => Ok((self.size, limit)),
            _ if limit >= bits / Own::ENTRY => {
                let expected = format!(
                    "less than {}, which would take all of the size",
                    bits / Own::ENTRY
                );
                Err(Error::parameter("the limit of the list", limit, expected))
            }
            _ => Ok((Size::Bits(bits - limit * Own::ENTRY), limit)),
        }
    }

    /// The wishes for the slots, and the limit of the list.
    fn slots(&self) -> Result<(Builder<Bloom>, u64)> {
        let (size, limit) = self.share()?;
        let mut slots = Bloom::builder(self.capacity, size)
            .personalized()
            .hashing(self.hashing);
        slots.functions = self.functions;
        Ok((slots, limit))
    }

    /// The threshold for walks of this length.
    fn threshold_of(&self, functions: u32) -> Result<u32> {
        let threshold = self.threshold.unwrap_or(functions.saturating_sub(1).max(1));
        if !(1..=functions).contains(&threshold) {
            let expected = format!("a number from 1 to the length of a walk, {functions}");
            return Err(Error::parameter("the threshold", threshold, expected));
        }
        Ok(threshold)
    }

    /// What the filter will do once it holds its capacity, without making it.
    ///
    /// # Errors
    ///
    /// As for [`Builder::build`], but for the memory.
    pub fn forecast(&self) -> Result<Forecast> {
        let (slots, limit) = self.slots()?;
        let mut forecast = slots.forecast()?;
        // What is rejected has hardly a slot of its own, so that the slots fill as if they took all keys.
        forecast.bits += limit * PersonalizedRejecting::ENTRY;
        forecast.parameters.push(("list", Value::Whole(limit)));
        Ok(forecast)
    }

    /// The empty filter.
    ///
    /// # Errors
    ///
    /// A size, threshold or number of functions that no filter can have; a list larger than the size; memory that is
    /// not there.
    pub fn build(&self) -> Result<PersonalizedRejecting> {
        let (slots, limit) = self.slots()?;
        let taken = slots.build()?;
        Ok(PersonalizedRejecting {
            threshold: self.threshold_of(taken.functions())?,
            taken,
            limit,
            rejected: Stash::default(),
            head: Head::new(Family::PersonalizedRejecting, self.hashing),
        })
    }
}

impl<K: AsRef<[u8]>> Extend<K> for PersonalizedRejecting {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for PersonalizedRejecting {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        self.taken.contains_digest(digest) || self.rejected.contains(digest)
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.taken.prefetch(digest);
    }

    fn size_in_bits(&self) -> u64 {
        self.taken.size_in_bits() + self.rejected.size_in_bits()
    }

    fn info(&self) -> Info {
        let mut info = self.taken.info();
        let share = match self.head.keys {
            0 => 0.0,
            keys => self.rejected() as f64 / keys as f64,
        };
        info.family = Family::PersonalizedRejecting;
        info.keys = self.head.keys;
        info.parameters.extend([
            ("threshold", Value::Whole(u64::from(self.threshold))),
            ("list", Value::Whole(self.limit)),
            ("rejected", Value::Whole(self.rejected())),
            ("rejected_share", Value::Real(share)),
        ]);
        info
    }
}

impl Body for PersonalizedRejecting {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        let mut words = self.taken.parameters();
        words.extend([u64::from(self.threshold), self.limit, self.rejected()]);
        words
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        self.taken.write_payload(writer)?;
        writer.words(self.rejected.to_words())
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(&[Family::PersonalizedRejecting])?;
        let inner = Head::new(Family::Personalized, head.hashing);
        let taken = Bloom::read(&inner, parameters, payload)?;
        let longest = u64::from(taken.functions());
        let threshold = parameters.word_in(1..=longest, "the threshold")? as u32;
        let limit = parameters.word("the limit of the list")?;
        let rejected = parameters.word_in(0..=limit, "the length of the list")?;
        let words = payload.words(rejected.saturating_mul(2), "the list")?;
        let unsorted = || Error::field("the list", "not in order", "rising digests");
        Ok(PersonalizedRejecting {
            taken,
            threshold,
            limit,
            rejected: Stash::from_words(words).ok_or_else(unsorted)?,
            head: *head,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(list: u32, threshold: u32) -> PersonalizedRejecting {
        let builder = PersonalizedRejecting::builder(100, Size::Bits(2048)).functions(4);
        builder
            .list(list)
            .threshold(threshold)
            .build()
            .expect("sound")
    }

    #[test]
    fn beyond_its_limit_nothing_is_rejected_and_nothing_denied() {
        let mut full = filter(3, 1);
        full.extend((0..200u64).map(u64::to_le_bytes));
        assert_eq!(full.rejected(), 3);
        assert!((0..200u64).all(|key| full.contains(&key.to_le_bytes())));
        assert!(full.size_in_bits() <= 2048);
        let mut without = filter(0, 1);
        without.extend((0..200u64).map(u64::to_le_bytes));
        assert_eq!((without.rejected(), without.len()), (0, 200));
    }

    #[test]
    fn a_key_that_comes_again_is_not_rejected() {
        let mut twice = filter(8, 2);
        for _ in 0..5 {
            twice.insert("ant");
        }
        assert_eq!((twice.rejected(), twice.len()), (0, 5));
    }

    #[test]
    fn impossible_thresholds_and_lists_are_errors() {
        let builder = || PersonalizedRejecting::builder(100, Size::Bits(2048)).functions(4);
        for builder in [
            builder().threshold(0),
            builder().threshold(5),
            builder().list(16),
        ] {
            assert!(builder.build().is_err(), "{builder:?}");
        }
        assert!(builder().list(15).build().is_ok());
        assert!(
            PersonalizedRejecting::builder(1000, Size::BitsPerKey(0.5))
                .build()
                .is_ok()
        );
        assert!(
            PersonalizedRejecting::builder(1000, Size::BitsPerKey(f64::NAN))
                .build()
                .is_err()
        );
    }
}
