//! Insertion.

use crate::error::Result;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, digest_groups};
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;

/// A filter that accepts every key that is inserted.
///
/// Most families that accept keys later implement it. [`crate::Cuckoo`] and [`crate::AnyFilter`] may refuse a key, so they have methods of these names that return
/// a `Result`. The trait is sealed.
///
/// ```
/// use bloomwise::keys::Digests;
/// use bloomwise::{Bloom, Counting, Filter, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// /// Fills any of these filters in all three ways.
/// fn fill(seen: &mut impl Insert) -> bloomwise::Result<()> {
///     assert!(seen.insert("ant"), "it is new");
///     seen.extend(["bee", "cow"]);
///     seen.insert_digests(&Digests::of(seen.hashing(), ["dog"]))
/// }
///
/// let mut bloom = Bloom::builder(Size::Rate(0.01)).capacity(100).create()?;
/// let mut counting = Counting::builder(Size::Rate(0.01)).capacity(100).create()?;
/// fill(&mut bloom)?;
/// fill(&mut counting)?;
/// assert_eq!((bloom.len(), counting.len()), (4, 4));
/// # Ok(())
/// # }
/// ```
///
/// A digest alone cannot be inserted, since it may come from another hashing:
///
/// ```compile_fail,E0061
/// # use bloomwise::{Bloom, Hashing, Insert, Size};
/// # let mut bloom = Bloom::builder(Size::Bits(64)).functions(3).create().unwrap();
/// bloom.add_digest(Hashing::default().digest("ant"));
/// ```
pub trait Insert: Filter {
    /// Adds a key and returns whether it is new: whether the filter denied it before.
    #[inline]
    fn insert<K: Key>(&mut self, key: K) -> bool
    where
        Self: Sized,
    {
        self.add_digest(self.hashing().digest(key), Checked(()))
    }

    /// Adds keys. This is faster than adding them one by one.
    fn extend<K: Key>(&mut self, keys: impl IntoIterator<Item = K>)
    where
        Self: Sized,
    {
        digest_groups(self.hashing(), keys, |digests| {
            self.add_digests(digests, Checked(()));
        });
    }

    /// Adds keys by their digests, in order. This is faster than adding them one by one.
    ///
    /// # Errors
    ///
    /// The digests have another hashing.
    fn insert_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.add_digests(digests.made_by(self.hashing())?, Checked(()));
        Ok(())
    }

    /// Adds the key of a digest and returns whether it is new.
    #[doc(hidden)]
    #[inline]
    fn add_digest(&mut self, digest: Digest, checked: Checked) -> bool {
        let new = !self.query_checked(digest, checked);
        self.add_digests(&[digest], checked);
        new
    }

    /// Adds the keys of digests.
    #[doc(hidden)]
    fn add_digests(&mut self, digests: &[Digest], checked: Checked);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::personalized::PersonalizedRejecting;
    use crate::filter::builder::{Builder, Growable};
    use crate::filter::sizing::Size;
    use crate::keys::hash::Hashing;
    use crate::{Balanced, Blocked, Bloom, Counting, Growing, Habf, Seesaw};

    fn check<F: Growable + Insert + Clone + PartialEq>(builder: Builder<F>) {
        let mut one_by_one = builder.capacity(1000).create().expect("sound");
        let (mut extended, mut by_digests) = (one_by_one.clone(), one_by_one.clone());
        for key in 0..1500u64 {
            let new = !one_by_one.contains(key);
            assert_eq!(one_by_one.insert(key), new);
        }
        extended.extend(0..1500u64);
        assert_eq!(extended, one_by_one);
        let digests = Digests::of(by_digests.hashing(), 0..1500u64);
        by_digests.insert_digests(&digests).expect("one hashing");
        assert_eq!(by_digests, one_by_one);
        let other = Digests::of(Hashing::Xxh3 { seed: 1 }, [7]);
        assert!(by_digests.insert_digests(&other).is_err());
        assert_eq!(by_digests, one_by_one);
    }

    #[test]
    fn every_way_to_insert_gives_the_same_filter() {
        let size = Size::BitsPerKey(40.0);
        check(Bloom::builder(size));
        check(Bloom::builder(size).personalized());
        check(Blocked::builder(size));
        check(Counting::builder(size));
        check(Growing::builder(size));
        check(Balanced::builder(size));
        check(Habf::builder(size));
        check(Seesaw::builder(size));
        check(PersonalizedRejecting::builder(size));
    }
}
