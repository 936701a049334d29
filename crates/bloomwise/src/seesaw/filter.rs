//! The filter, for one thread at a time that changes it.

use super::builder::SeesawBuilder;
use super::footprint::Cells;
use crate::codec::Head;
use crate::error::Result;
use crate::family::Operation;
use crate::filter::{Filter, Info, contains_in_groups, digest_groups};
use crate::hash::{Digest, Hashing};
use crate::prefetch::{self, NEAR};
use crate::sizing::Size;

/// A set that keys can be added to and removed from, and that errs rarely on the keys it guards.
///
/// ```
/// use bloomwise::{Costed, Filter, Hashing, KeySets, Seesaw, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let digest = |n: u64| Hashing::default().digest(&n.to_le_bytes());
/// let costly = (9_000..9_500).map(|n| Costed { digest: digest(n), cost: 1.0 });
/// let negatives = KeySets::new(Vec::new(), costly.collect())?;
///
/// let mut cached = Seesaw::builder(10_000, Size::BitsPerKey(36.0)).build(&negatives)?;
/// cached.extend((0..9_000u64).map(u64::to_le_bytes));
/// cached.remove(7u64.to_le_bytes());
/// assert!(cached.contains(&8u64.to_le_bytes()));
/// let wrong = (9_000..9_500u64).filter(|n| cached.contains(&n.to_le_bytes())).count();
/// assert!(wrong <= 2, "one in thirty keys that are not guarded is taken for a member");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Seesaw {
    /// Counters, marks and modulator.
    pub(super) cells: Cells,
    /// Family, hashing, and as keys: insertions less removals.
    pub(super) head: Head,
}

impl Seesaw {
    /// The wishes for a filter of `capacity` keys at a time.
    pub fn builder(capacity: u64, size: Size) -> SeesawBuilder {
        SeesawBuilder::new(capacity, size)
    }

    /// Adds a key. A key that is added twice has to be removed twice.
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_digest(self.head.hashing.digest(key.as_ref()));
    }

    /// Adds the key of a digest, which must come from this filter's hashing.
    pub fn insert_digest(&mut self, digest: Digest) {
        self.cells.insert(digest);
        self.head.add_keys(1);
    }

    /// Adds the keys of many digests, faster than one by one.
    pub fn insert_digests(&mut self, digests: &[Digest]) {
        let ask = Cells::prefetch;
        prefetch::in_groups(&mut self.cells, digests, ask, |cells, digest| {
            cells.insert(digest);
        });
        self.head.add_keys(digests.len());
    }

    /// Removes a key that is in the set. `false`, and nothing is changed, if the filter can tell that it is not: whatever
    /// it denies, and more.
    ///
    /// Removing a key that was never added, and that the filter takes for one of its own, makes false negatives.
    pub fn remove(&mut self, key: impl AsRef<[u8]>) -> bool {
        self.remove_digest(self.head.hashing.digest(key.as_ref()))
    }

    /// Removes the key of a digest, as [`Seesaw::remove`] does.
    pub fn remove_digest(&mut self, digest: Digest) -> bool {
        let removed = self.cells.remove(digest);
        self.head.keys = self.head.keys.saturating_sub(u64::from(removed));
        removed
    }

    /// Guards a key that is not in the set against being taken for one that is. In time: the counters of the key that are
    /// in use are given up to it as they empty, and until keys have been replaced by others nothing is gained. If many
    /// keys were guarded before, the rate on the new ones rises at first; most of all if the filter was asked to have no modulator
    /// ([`SeesawBuilder::alpha`]).
    ///
    /// # Errors
    ///
    /// The filter is not adaptive; it guards the negatives that it was built with.
    pub fn guard(&mut self, key: impl AsRef<[u8]>) -> Result<()> {
        self.guard_digest(self.head.hashing.digest(key.as_ref()))
    }

    /// Guards the key of a digest, as [`Seesaw::guard`] does.
    ///
    /// # Errors
    ///
    /// As for [`Seesaw::guard`].
    pub fn guard_digest(&mut self, digest: Digest) -> Result<()> {
        self.head.family.check(Operation::Guard)?;
        self.cells.guard(digest);
        Ok(())
    }

    /// The number of keys: insertions less removals, and not below 0.
    pub fn len(&self) -> u64 {
        self.head.keys
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.head.keys == 0
    }
}

impl<K: AsRef<[u8]>> Extend<K> for Seesaw {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for Seesaw {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        self.cells.contains(digest)
    }

    fn contains_digests(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        // What is in the cache need not be asked for.
        match self.cells.bits() <= NEAR {
            true => answers.extend(digests.iter().map(|&digest| self.cells.contains(digest))),
            false => contains_in_groups(self, digests, answers),
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.cells.prefetch(digest);
    }

    fn size_in_bits(&self) -> u64 {
        self.cells.bits()
    }

    fn info(&self) -> Info {
        self.cells.info(&self.head)
    }
}
