//! Digests of many keys, together with the hashing that made them.
//!
//! A [`Digest`] alone does not say how it was made. A filter that gets digests of another hashing would deny its own keys. [`Digests`]
//! carries the hashing, and every filter compares it with its own, once per call.
//!
//! Use digests to hash keys once for several filters, to hash on one machine and build on another, or to store 16 bytes
//! instead of long keys. Everywhere else, use keys.

use crate::error::{Error, Result};
use crate::keys::hash::{Digest, Hashing};
use crate::keys::key::Key;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Digests of keys, owned or borrowed, and the hashing that made them.
///
/// ```
/// use bloomwise::keys::Digests;
/// use bloomwise::{Blocked, Filter, Hashing, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let keys = Digests::of(Hashing::default(), ["ant", "bee"]);
/// let mut filter = Blocked::builder(Size::BitsPerKey(12.0)).capacity(100).create()?;
/// filter.insert_digests(&keys)?;
/// assert_eq!(filter.contains_digests(&keys)?, [true, true]);
///
/// let other = Digests::of(Hashing::Xxh3 { seed: 1 }, ["ant"]);
/// assert!(filter.contains_digests(&other).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Digests<'a> {
    /// The hashing that made all of the digests.
    hashing: Hashing,
    /// The digests in the order in which keys were added.
    digests: Cow<'a, [Digest]>,
}

/// One line: the number of digests and their hashing.
impl fmt::Debug for Digests<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Digests")
            .field("count", &self.digests.len())
            .field("hashing", &self.hashing)
            .finish()
    }
}

impl Digests<'static> {
    /// An empty list. Add keys with [`Digests::push`].
    pub fn new(hashing: Hashing) -> Self {
        Digests {
            hashing,
            digests: Cow::Owned(Vec::new()),
        }
    }

    /// The digests of these keys.
    pub fn of<K: Key>(hashing: Hashing, keys: impl IntoIterator<Item = K>) -> Self {
        let digests = keys.into_iter().map(|key| hashing.digest(key));
        Digests {
            hashing,
            digests: Cow::Owned(digests.collect()),
        }
    }

    /// The digests in `bytes`, 16 bytes each as [`Digest::to_bytes`] writes them. The caller guarantees that `hashing` made
    /// them.
    ///
    /// # Errors
    ///
    /// The length is not a multiple of 16.
    pub fn from_bytes(hashing: Hashing, bytes: &[u8]) -> Result<Self> {
        let (digests, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            let got = format!("{} bytes long", bytes.len());
            return Err(Error::parameter(
                "the list of digests",
                got,
                "a multiple of 16 bytes",
            ));
        }
        let digests = digests.iter().map(|&digest| Digest::from_bytes(digest));
        Ok(Digests {
            hashing,
            digests: Cow::Owned(digests.collect()),
        })
    }
}

impl<'a> Digests<'a> {
    /// Existing digests, as a vector or a slice. The caller guarantees that `hashing` made them.
    pub fn from_raw(hashing: Hashing, digests: impl Into<Cow<'a, [Digest]>>) -> Self {
        Digests {
            hashing,
            digests: digests.into(),
        }
    }

    /// Adds the digest of a key.
    #[inline]
    pub fn push(&mut self, key: impl Key) {
        let digest = self.hashing.digest(key);
        self.digests.to_mut().push(digest);
    }

    /// Adds the digests of `other`.
    ///
    /// # Errors
    ///
    /// The other digests have another hashing.
    pub fn append(&mut self, other: &Digests<'_>) -> Result<()> {
        let more = other.made_by(self.hashing)?;
        self.digests.to_mut().extend_from_slice(more);
        Ok(())
    }

    /// A part of the list, borrowed.
    ///
    /// # Panics
    ///
    /// The range is outside of the list.
    pub fn slice(&self, range: Range<usize>) -> Digests<'_> {
        Digests {
            hashing: self.hashing,
            digests: Cow::Borrowed(&self.digests[range]),
        }
    }

    /// The hashing that made the digests.
    pub fn hashing(&self) -> Hashing {
        self.hashing
    }

    /// The digests in order.
    pub fn as_slice(&self) -> &[Digest] {
        &self.digests
    }

    /// The digests as a vector.
    pub fn into_vec(self) -> Vec<Digest> {
        self.digests.into_owned()
    }

    /// The number of digests.
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// The digests. Returns an error unless `hashing` made them.
    pub(crate) fn made_by(&self, hashing: Hashing) -> Result<&[Digest]> {
        hashing.expect(self.hashing)?;
        Ok(&self.digests)
    }

    /// Each digest with its cost. Returns an error unless `hashing` made the digests and there is one cost for each.
    pub(crate) fn with_costs(
        &self,
        hashing: Hashing,
        costs: &[f64],
    ) -> Result<impl Iterator<Item = (Digest, f64)>> {
        let digests = self.made_by(hashing)?;
        if digests.len() != costs.len() {
            let expected = format!("{}, one for each digest", digests.len());
            let got = costs.len();
            return Err(Error::parameter("the number of costs", got, expected));
        }
        Ok(digests.iter().copied().zip(costs.iter().copied()))
    }
}

impl<K: Key> Extend<K> for Digests<'_> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        let hashing = self.hashing;
        let digests = keys.into_iter().map(|key| hashing.digest(key));
        self.digests.to_mut().extend(digests);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_survive_the_way_through_bytes() {
        let hashing = Hashing::Xxh3 { seed: 3 };
        let digests = Digests::of(hashing, 0..10u64);
        let bytes: Vec<u8> = digests
            .as_slice()
            .iter()
            .flat_map(|digest| digest.to_bytes())
            .collect();
        assert_eq!(
            Digests::from_bytes(hashing, &bytes).expect("whole digests"),
            digests
        );
        assert!(Digests::from_bytes(hashing, &bytes[1..]).is_err());
    }

    #[test]
    fn lists_of_different_hashings_do_not_mix() {
        let mut list = Digests::new(Hashing::default());
        list.push("ant");
        list.extend(["bee"]);
        let more = Digests::of(Hashing::default(), ["cow"]);
        list.append(&more).expect("one hashing");
        assert_eq!(list, Digests::of(Hashing::default(), ["ant", "bee", "cow"]));
        assert_eq!(list.slice(2..3), more);
        let error = list.append(&Digests::of(Hashing::SipHash { key: 0 }, ["dog"]));
        assert!(matches!(
            error,
            Err(Error::Mismatch {
                what: "hashing",
                ..
            })
        ));
        assert_eq!(list.len(), 3);
    }
}
