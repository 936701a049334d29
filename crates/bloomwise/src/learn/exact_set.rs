//! A set of keys by their digests. It tells exactly which keys of a stream are absent.
//!
//! A digest has 16 bytes, whatever the length of the key. Among a billion keys, two share a digest with a probability below 1e-20. The digests
//! are sorted. An index has the first digest for each value of the upper bits, two digests per value on average, so a look-up reads two cache lines.

use crate::error::{Error, Result};
use crate::keys::digests::Digests;
use crate::keys::hash::{Digest, Hashing, reduce};
use crate::keys::key::Key;
use crate::keys::sort;
use crate::machine::memory::{Need, reserve};
use crate::machine::prefetch;
use std::fmt;

/// The mean number of digests that share an entry of the index.
const SHARE: usize = 2;

/// Up to this number of digests, comparing each is faster than a binary search.
const FEW: usize = 16;

/// How many keys are hashed and prefetched before they are looked up.
const BATCH: usize = 64;

/// An exact set of keys, 18 bytes each.
///
/// ```
/// use bloomwise::keys::Digests;
/// use bloomwise::learn::ExactSet;
/// use bloomwise::Hashing;
///
/// # fn main() -> bloomwise::Result<()> {
/// let members = ExactSet::new(Digests::of(Hashing::default(), ["ant", "bee"]))?;
/// assert_eq!(members.contains_batch(&["ant", "cow"]), [true, false]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ExactSet {
    /// How the digests were made.
    hashing: Hashing,
    /// The digests, sorted and distinct.
    digests: Vec<Digest>,
    /// For each value of the upper bits, the position of its first digest, and one more entry for the end.
    starts: Vec<u32>,
}

/// One line: the number of keys and their hashing.
impl fmt::Debug for ExactSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExactSet")
            .field("keys", &self.len())
            .field("hashing", &self.hashing)
            .finish()
    }
}

impl ExactSet {
    /// The set of keys with these digests.
    ///
    /// # Errors
    ///
    /// There is not enough memory, or there are 2^32 keys or more.
    pub fn new(digests: Digests<'_>) -> Result<Self> {
        let hashing = digests.hashing();
        let mut digests = digests.into_vec();
        sort::digests(&mut digests);
        digests.dedup();
        let Ok(count) = u32::try_from(digests.len()) else {
            let expected = format!("at most {}", u32::MAX);
            return Err(Error::parameter(
                "the number of members",
                digests.len(),
                expected,
            ));
        };
        let shares = digests.len().div_ceil(SHARE);
        let mut starts = Vec::new();
        reserve(&mut starts, shares as u64 + 1, Need::Keys)?;
        for (at, digest) in (0..count).zip(&digests) {
            let share = reduce(digest.high, shares as u64) as usize;
            starts.resize(starts.len().max(share + 1), at);
        }
        starts.resize(shares + 1, count);
        Ok(ExactSet {
            hashing,
            digests,
            starts,
        })
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// The hashing that made the digests.
    pub fn hashing(&self) -> Hashing {
        self.hashing
    }

    /// Whether the key is in the set.
    pub fn contains(&self, key: impl Key) -> bool {
        self.contains_digest(self.hashing.digest(key))
    }

    /// Whether each of these keys is in the set. This is faster than one at a time, because memory is prefetched.
    pub fn contains_batch<K: Key>(&self, keys: &[K]) -> Vec<bool> {
        let mut answers = Vec::with_capacity(keys.len());
        let mut digests = [Digest::from(0); BATCH];
        for keys in keys.chunks(BATCH) {
            let digests = &mut digests[..keys.len()];
            for (key, digest) in keys.iter().zip(&mut *digests) {
                *digest = self.hashing.digest(key);
            }
            answers.extend(self.look_up(digests));
        }
        answers
    }

    /// Whether each of the keys with these digests is in the set.
    ///
    /// # Errors
    ///
    /// The digests have another hashing.
    pub fn contains_digests(&self, digests: &Digests<'_>) -> Result<Vec<bool>> {
        let digests = digests.made_by(self.hashing)?;
        let answers = digests.chunks(BATCH).flat_map(|some| self.look_up(some));
        Ok(answers.collect())
    }

    /// Looks up a few digests, after prefetching the memory that they need.
    fn look_up(&self, digests: &[Digest]) -> impl Iterator<Item = bool> {
        for &digest in digests {
            prefetch::fetch(&self.starts, self.share(digest));
        }
        for &digest in digests {
            let start = self.starts[self.share(digest)];
            prefetch::fetch(&self.digests, start as usize);
        }
        digests.iter().map(|&digest| self.contains_digest(digest))
    }

    fn contains_digest(&self, digest: Digest) -> bool {
        let share = self.share(digest);
        let &[start, end, ..] = &self.starts[share..] else {
            return false;
        };
        let digests = &self.digests[start as usize..end as usize];
        if digests.len() <= FEW {
            return digests.contains(&digest);
        }
        digests.binary_search(&digest).is_ok()
    }

    #[inline]
    fn share(&self, digest: Digest) -> usize {
        reduce(digest.high, self.starts.len() as u64 - 1) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_keys_of_the_set_are_members() {
        for count in [0u64, 1, 2, 7, 8, 9, 1000, 20_000] {
            let keys = (0..count).chain(0..count / 2);
            let members = ExactSet::new(Digests::of(Hashing::default(), keys)).expect("memory");
            assert_eq!(members.len() as u64, count);
            let asked: Vec<u64> = (0..2 * count + 5).collect();
            let expected: Vec<bool> = asked.iter().map(|&key| key < count).collect();
            assert_eq!(members.contains_batch(&asked), expected);
            let digests = Digests::of(Hashing::default(), &asked);
            assert_eq!(
                members.contains_digests(&digests).expect("its hashing"),
                expected
            );
            assert!(!members.contains(count));
        }
    }

    #[test]
    fn equal_upper_halves_are_told_apart() {
        let digests: Vec<Digest> = (0..100).map(|low| Digest { high: 7, low }).collect();
        let members =
            ExactSet::new(Digests::from_raw(Hashing::default(), digests)).expect("memory");
        assert!((0..100).all(|low| members.contains_digest(Digest { high: 7, low })));
        assert!(!members.contains_digest(Digest { high: 7, low: 100 }));
        assert!(!members.contains_digest(Digest {
            high: u64::MAX,
            low: 0
        }));
    }
}
