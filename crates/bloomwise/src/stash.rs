//! A short, exact list of keys for which a filter has no room elsewhere.
//!
//! Families that turn a few keys away (overflow, rejection) keep the digests of those here. A digest has 128 bits, so
//! that among a thousand million keys two share one with a chance below 1e-20: the list is as good as exact, and adds
//! no false positives that could be measured. A look-up costs one step: the digest is its own hash.
//!
//! The size that counts is 128 bits a digest, as in a file; the table in memory has room to spare.

use crate::hash::Digest;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stash {
    digests: HashSet<Digest, BuildHasherDefault<LowerHalf>>,
}

impl Stash {
    /// Adds a digest and tells whether it is new.
    pub fn insert(&mut self, digest: Digest) -> bool {
        self.digests.insert(digest)
    }

    /// Whether the digest was added.
    #[inline]
    pub fn contains(&self, digest: Digest) -> bool {
        // Most stashes are empty or close to it; the answer for those should cost nothing.
        !self.digests.is_empty() && self.digests.contains(&digest)
    }

    /// The number of digests.
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// What the digests take in a file.
    pub fn size_in_bits(&self) -> u64 {
        128 * self.digests.len() as u64
    }

    /// The digests as words, upper half first, sorted, so that equal stashes give equal words.
    pub fn to_words(&self) -> impl Iterator<Item = u64> + use<> {
        let mut sorted: Vec<Digest> = self.digests.iter().copied().collect();
        sorted.sort_unstable();
        sorted.into_iter().flat_map(|d| [d.high, d.low])
    }

    /// The stash that these words hold; `None` unless they are what [`Stash::to_words`] gives.
    pub fn from_words(words: impl ExactSizeIterator<Item = u64>) -> Option<Self> {
        let mut words = words;
        let mut stash = Stash::default();
        stash.digests.try_reserve(words.len() / 2).ok()?;
        let mut last = None;
        while let Some(high) = words.next() {
            let digest = Digest {
                high,
                low: words.next()?,
            };
            if last >= Some(digest) {
                return None;
            }
            last = Some(digest);
            stash.digests.insert(digest);
        }
        Some(stash)
    }
}

/// Takes the lower half of a digest as its hash: a digest is random already.
#[derive(Clone, Debug, Default)]
struct LowerHalf(u64);

impl Hasher for LowerHalf {
    fn write_u64(&mut self, half: u64) {
        // A digest writes its halves one after the other, the lower one last.
        self.0 = half;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn agrees_with_a_set_and_survives_its_words(values in prop::collection::vec(0u128..50, 0..60)) {
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
            let words: Vec<u64> = stash.to_words().collect();
            prop_assert_eq!(words.len() as u64 * 64, stash.size_in_bits());
            prop_assert_eq!(Stash::from_words(words.into_iter()), Some(stash));
        }
    }

    #[test]
    fn words_that_no_stash_gives_are_refused() {
        for words in [vec![1], vec![1, 2, 1, 2], vec![2, 0, 1, 0]] {
            assert_eq!(Stash::from_words(words.into_iter()), None);
        }
    }
}
