//! A short, exact list of keys for which a filter has no room elsewhere.
//!
//! Families that turn a few keys away (overflow, rejection) keep the digests of those here. A digest has 128 bits, so
//! that among a thousand million keys two share one with a chance below 1e-20: the list is as good as exact, and adds
//! no false positives that could be measured.
//!
//! The digests are kept sorted and are looked up by halving. New ones go to a short list of their own, which joins the
//! long one when it has grown to about the square root of that: an insertion moves few digests, and no choice of
//! digests, by chance or by malice, makes a look-up slow or takes more memory than 128 bits for each.

use crate::hash::Digest;

/// A set of digests.
#[derive(Clone, Debug, Default)]
pub struct Stash {
    /// Most of them, sorted.
    settled: Vec<Digest>,
    /// The newest, sorted.
    recent: Vec<Digest>,
}

impl Stash {
    /// Adds a digest and tells whether it is new.
    pub fn insert(&mut self, digest: Digest) -> bool {
        if self.settled.binary_search(&digest).is_ok() {
            return false;
        }
        let Err(place) = self.recent.binary_search(&digest) else {
            return false;
        };
        self.recent.insert(place, digest);
        if self.recent.len().pow(2) > 64 + self.settled.len() {
            self.settled.append(&mut self.recent);
            // Two sorted runs: joined in one pass.
            self.settled.sort();
        }
        true
    }

    /// Whether the digest was added.
    #[inline]
    pub fn contains(&self, digest: Digest) -> bool {
        // Most stashes are empty or close to it; the answer for those should cost nothing.
        !self.is_empty()
            && (self.settled.binary_search(&digest).is_ok()
                || self.recent.binary_search(&digest).is_ok())
    }

    /// The number of digests.
    pub fn len(&self) -> usize {
        self.settled.len() + self.recent.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the digests take in memory and in a file.
    pub fn size_in_bits(&self) -> u64 {
        128 * self.len() as u64
    }

    /// The digests as words, upper half first, sorted, so that equal stashes give equal words.
    pub fn to_words(&self) -> impl Iterator<Item = u64> + use<> {
        let mut sorted = [&self.settled[..], &self.recent[..]].concat();
        sorted.sort();
        sorted.into_iter().flat_map(|d| [d.high, d.low])
    }

    /// The stash that these words hold; `None` unless they are what [`Stash::to_words`] gives.
    pub fn from_words(mut words: impl ExactSizeIterator<Item = u64>) -> Option<Self> {
        let mut settled: Vec<Digest> = Vec::with_capacity(words.len() / 2);
        while let Some(high) = words.next() {
            let low = words.next()?;
            settled.push(Digest { high, low });
        }
        let recent = Vec::new();
        let rising = settled.is_sorted_by(|a, b| a < b);
        rising.then_some(Stash { settled, recent })
    }
}

/// Stashes are equal if they hold the same digests, in whatever order those came.
impl PartialEq for Stash {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.to_words().eq(other.to_words())
    }
}

impl Eq for Stash {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

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
