//! Removal.

use crate::error::Result;
use crate::filter::contract::Filter;
use crate::filter::contract::sealed::Checked;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;

/// A filter whose keys can be removed. The trait is sealed.
///
/// A key that was added twice must be removed twice.
///
/// ```
/// use bloomwise::{Counting, Filter, Insert, Remove, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut cached = Counting::builder(Size::Rate(0.01)).capacity(100).create()?;
/// cached.extend(["ant", "bee"]);
/// assert!(cached.remove("ant"));
/// assert!(!cached.contains("ant") && cached.contains("bee"));
/// # Ok(())
/// # }
/// ```
pub trait Remove: Filter {
    /// Removes a key that is in the set. If the filter can tell that it is not there, it returns `false` and changes nothing. It can tell
    /// for every key that it denies, and [`crate::Seesaw`] for some others.
    ///
    /// Removing a false positive, a key that was never added, can make false negatives.
    #[inline]
    fn remove<K: Key>(&mut self, key: K) -> bool
    where
        Self: Sized,
    {
        self.take_digest(self.hashing().digest(key), Checked(()))
    }

    /// Removes keys by their digests, as [`Remove::remove`] does, and returns how many were removed.
    ///
    /// # Errors
    ///
    /// The digests have another hashing.
    fn remove_digests(&mut self, digests: &Digests<'_>) -> Result<u64> {
        let digests = digests.made_by(self.hashing())?.iter();
        Ok(digests
            .map(|&digest| u64::from(self.take_digest(digest, Checked(()))))
            .sum())
    }

    /// Removes the key of a digest. Returns `false` if the filter can tell that the key was not in the set.
    #[doc(hidden)]
    fn take_digest(&mut self, digest: Digest, checked: Checked) -> bool;
}
