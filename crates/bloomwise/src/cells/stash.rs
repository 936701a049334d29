//! A short, exact list of keys that a filter cannot store otherwise.
//!
//! Families that divert a few keys (overflow, rejection) keep the digests of those here. A digest has 128 bits. Among a
//! billion keys, two share one with a probability below 1e-20. So the list is practically exact and adds no measurable false
//! positives.
//!
//! The digests are sorted and found by binary search. New digests go to a second, short list. When that has about as many digests as the square root
//! of the length of the long one, it is merged into the long one. So an insertion moves few digests. No choice of
//! digests, by chance or by malice, makes a look-up slow or takes more memory than 128 bits per digest.
//!
//! A list that was read from a file may be unsorted until [`Stash::check`] has checked it. Until then, look-ups may miss
//! digests, but they stay within the list.

use crate::cells::storage::{Storage, eight};
use crate::error::{Error, Result};
use crate::keys::hash::Digest;

/// Bytes of a digest.
const DIGEST_BYTES: usize = 16;

/// A set of digests.
#[derive(Clone, Debug, Default)]
pub struct Stash {
    /// Most of the digests, sorted: 16 bytes each, the upper half first.
    settled: Storage,
    /// The newest digests, sorted. They are not in `settled`.
    recent: Vec<Digest>,
}

impl Stash {
    /// Adds a digest and returns whether it is new.
    pub fn insert(&mut self, digest: Digest) -> bool {
        if self.is_settled(digest) {
            return false;
        }
        let Err(place) = self.recent.binary_search(&digest) else {
            return false;
        };
        self.recent.insert(place, digest);
        if self.recent.len().pow(2) > 64 + self.entries().len() {
            let bytes: Vec<u8> = self.words().flat_map(u64::to_le_bytes).collect();
            self.settled = Storage::copy_of(&bytes);
            self.recent.clear();
        }
        true
    }

    /// Whether a digest was added.
    #[inline]
    pub fn contains(&self, digest: Digest) -> bool {
        // Most stashes are empty, and then a query costs nothing.
        !self.is_empty() && (self.is_settled(digest) || self.recent.binary_search(&digest).is_ok())
    }

    /// The number of digests.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries().len() + self.recent.len()
    }

    /// Whether the stash is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bits that the digests take in memory and in a file.
    pub fn size_in_bits(&self) -> u64 {
        128 * self.len() as u64
    }

    /// The digests as words, upper half first. They are sorted, so equal stashes give equal words.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let mut settled = self.entries().iter().map(digest_of).peekable();
        let mut recent = self.recent.iter().copied().peekable();
        let merged = std::iter::from_fn(move || match (settled.peek(), recent.peek()) {
            (Some(old), Some(new)) if new < old => recent.next(),
            (Some(_), _) => settled.next(),
            (None, _) => recent.next(),
        });
        merged.flat_map(|digest| [digest.high, digest.low])
    }

    /// The stash in these bytes, which [`Stash::words`] gave. Call [`Stash::check`] to verify that the digests are sorted.
    pub fn over(settled: Storage) -> Self {
        Stash {
            settled,
            recent: Vec::new(),
        }
    }

    /// Returns an error unless the digests are sorted and distinct.
    pub fn check(&self) -> Result<()> {
        let mut digests = self.entries().iter().map(digest_of);
        if digests.by_ref().is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        let expected = "digests in ascending order";
        Err(Error::field("the list", "not in order", expected))
    }

    #[inline]
    fn entries(&self) -> &[[u8; DIGEST_BYTES]] {
        self.settled.bytes().as_chunks().0
    }

    fn is_settled(&self, digest: Digest) -> bool {
        let found = self
            .entries()
            .binary_search_by(|entry| digest_of(entry).cmp(&digest));
        found.is_ok()
    }
}

/// The digest in an entry.
#[inline]
fn digest_of(entry: &[u8; DIGEST_BYTES]) -> Digest {
    Digest {
        high: eight(entry, 0),
        low: eight(entry, 8),
    }
}

/// Stashes are equal if they hold the same digests, whatever the order of insertion.
impl PartialEq for Stash {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.words().eq(other.words())
    }
}

impl Eq for Stash {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn of_words(words: &[u64]) -> Stash {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Stash::over(Storage::copy_of(&bytes))
    }

    proptest! {
        #[test]
        fn agrees_with_a_set_and_survives_its_words(values in prop::collection::vec(0u128..50, 0..200)) {
            let mut stash = Stash::default();
            let mut set = BTreeSet::new();
            for value in values {
                let digest = Digest::from(value << 60);
                prop_assert_eq!(stash.insert(digest), set.insert(digest));
            }
            prop_assert_eq!((stash.len(), stash.is_empty()), (set.len(), set.is_empty()));
            for value in 0u128..50 {
                let digest = Digest::from(value << 60);
                prop_assert_eq!(stash.contains(digest), set.contains(&digest));
            }
            let words: Vec<u64> = stash.words().collect();
            prop_assert_eq!(words.len() as u64 * 64, stash.size_in_bits());
            prop_assert!(words.as_chunks::<2>().0.is_sorted());
            let read = of_words(&words);
            prop_assert!(read.check().is_ok());
            prop_assert_eq!(read, stash);
        }
    }

    #[test]
    fn unsorted_list_is_an_error_but_does_not_panic() {
        for words in [[1, 2, 1, 2], [2, 0, 1, 0]] {
            let mut stash = of_words(&words);
            assert!(stash.check().is_err());
            assert_eq!(stash.len(), 2);
            for value in 0..20u128 {
                let digest = Digest::from(value << 63);
                stash.insert(digest);
                assert!(stash.contains(digest));
            }
        }
    }
}
