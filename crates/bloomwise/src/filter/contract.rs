//! The queries of every filter.
//!
//! [`Filter`] has one law: a query for a key of the set returns `true`. A query for any other key may return `true` too, at the filter's false
//! positive rate. All families implement it; the trait is sealed.
//!
//! Batches come with the trait: they hash a group of keys, then answer them one after the other, prefetching the memory that later keys of the
//! group need. A family that knows a better order has its own batch query.

use crate::error::{Error, Result};
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::profile::{Profile, load_factor};
use crate::keys::digests::Digests;
use crate::keys::hash::{Digest, Hashed, Hashing};
use crate::keys::key::Key;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};
use sealed::Checked;
use std::fmt;

/// The number of keys that are hashed, and then queried together.
pub(crate) const GROUP: usize = 256;

/// Unchecked queries by digest. The filter's own hashing must have made the digest, or keys of the set are denied.
///
/// Families implement this; [`Filter`] checks the hashing and calls it. The trait is sealed.
pub trait Lookup: fmt::Debug + Send + Sync + sealed::Sealed {
    /// Hashing, number of keys, and what the filter was planned for.
    fn profile(&self) -> &Profile;

    /// Whether the key of this digest may be in the set.
    fn query(&self, digest: Digest) -> bool;

    /// Prefetches the memory that [`Lookup::query`] will read for this digest. It changes no answer.
    fn prefetch(&self, _digest: Digest) {}

    /// Writes the answer for digest `i` to `answers[i]`. Both slices must have the same length.
    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        query_rolling(self, AHEAD_OF_LINES, digests, answers);
    }
}

/// Seals the traits of this crate and keeps unchecked queries private.
pub(crate) mod sealed {
    use super::{Digest, Lookup, Profile, fmt};

    /// Only types of this crate implement it.
    pub trait Sealed {}

    /// A token that says that the filter's own hashing made the digests. Only this crate can create one.
    #[derive(Clone, Copy)]
    pub struct Checked(pub(crate) ());

    /// [`Lookup`] behind a [`Checked`] token. A supertrait's methods can be called on any [`super::Filter`], so they require a token that only
    /// this crate has.
    pub trait CheckedLookup: fmt::Debug + Send + Sync {
        /// See [`Lookup::profile`].
        fn profile_checked(&self, checked: Checked) -> &Profile;

        /// See [`Lookup::query`].
        fn query_checked(&self, digest: Digest, checked: Checked) -> bool;

        /// See [`Lookup::query_batch`].
        fn query_batch_checked(&self, digests: &[Digest], answers: &mut [bool], checked: Checked);
    }

    impl<F: Lookup> CheckedLookup for F {
        #[inline(always)]
        fn profile_checked(&self, _: Checked) -> &Profile {
            self.profile()
        }

        #[inline(always)]
        fn query_checked(&self, digest: Digest, _: Checked) -> bool {
            self.query(digest)
        }

        #[inline]
        fn query_batch_checked(&self, digests: &[Digest], answers: &mut [bool], _: Checked) {
            self.query_batch(digests, answers);
        }
    }
}

/// A set that may answer "yes" for a key it does not hold, and never "no" for a key it does.
///
/// ```
/// use bloomwise::{Blocked, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let filter = Blocked::builder(Size::BitsPerKey(12.0)).build_from_keys(["ant", "bee"])?;
/// assert!(filter.contains("ant"));
/// assert_eq!(filter.contains_batch(["bee", "cow"]), [true, false]);
/// assert_eq!((filter.len(), filter.load_factor()), (2, Some(1.0)));
/// # Ok(())
/// # }
/// ```
///
/// A digest alone cannot be queried, because it may come from another hashing:
///
/// ```compile_fail,E0599
/// # use bloomwise::{Bloom, Filter, Hashing, Size};
/// # let bloom = Bloom::builder(Size::Rate(0.01)).build_from_keys(["ant"]).unwrap();
/// let filter: &dyn Filter = &bloom;
/// filter.query(Hashing::default().digest("ant"));
/// ```
///
/// [`crate::AnyFilter`] is a filter whose family is chosen at run time. `dyn Filter` works too, with digests instead of keys.
pub trait Filter: sealed::CheckedLookup {
    /// The family of the filter.
    fn family(&self) -> Family;

    /// How this filter hashes keys.
    #[inline(always)]
    fn hashing(&self) -> Hashing {
        self.profile_checked(Checked(())).hashing
    }

    /// The number of keys that the filter counts: insertions minus removals. A key that is inserted twice counts twice. Does not scan
    /// the cells.
    fn len(&self) -> u64 {
        self.profile_checked(Checked(())).keys
    }

    /// Whether the filter holds no keys.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of keys that the filter was planned for, if one was given. A filter accepts more keys; its rate then rises.
    fn capacity(&self) -> Option<u64> {
        self.profile_checked(Checked(())).capacity
    }

    /// The share of the capacity that is in use. It is above 1 for a filter beyond its capacity.
    fn load_factor(&self) -> Option<f64> {
        load_factor(self.len(), self.capacity())
    }

    /// The current false positive rate on unseen keys, predicted from [`Filter::len`] without a scan.
    fn rate(&self) -> f64;

    /// The size in bits of everything the filter needs to answer: the payload of its file.
    fn size_in_bits(&self) -> u64;

    /// All facts about the filter. Scans its cells.
    fn info(&self) -> Info;

    /// Whether the key may be in the set.
    // Always inlined, because hashing a key of known length takes a third of the instructions.
    #[inline(always)]
    fn contains<K: Key>(&self, key: K) -> bool
    where
        Self: Sized,
    {
        self.query_checked(self.hashing().digest(key), Checked(()))
    }

    /// The answer for each key, in order. On filters larger than the cache this is faster than single queries.
    fn contains_batch<K: Key>(&self, keys: impl IntoIterator<Item = K>) -> Vec<bool>
    where
        Self: Sized,
    {
        let keys = keys.into_iter();
        let mut answers = Vec::with_capacity(keys.size_hint().0);
        digest_groups(self.hashing(), keys, |digests| {
            let start = answers.len();
            answers.resize(start + digests.len(), false);
            self.query_batch_checked(digests, &mut answers[start..], Checked(()));
        });
        answers
    }

    /// Whether a key that is already hashed may be in the set.
    ///
    /// # Errors
    ///
    /// The key has another hashing than the filter.
    #[inline]
    fn contains_hashed(&self, key: Hashed) -> Result<bool> {
        self.hashing().expect(key.hashing)?;
        Ok(self.query_checked(key.digest, Checked(())))
    }

    /// The answer for each digest, in order.
    ///
    /// # Errors
    ///
    /// The digests have another hashing than the filter.
    fn contains_digests(&self, digests: &Digests<'_>) -> Result<Vec<bool>> {
        let mut answers = vec![false; digests.len()];
        self.contains_digests_into(digests, &mut answers)?;
        Ok(answers)
    }

    /// Writes the answer for each digest into `answers`, which must have as many places as there are digests.
    ///
    /// # Errors
    ///
    /// The digests have another hashing than the filter, or `answers` has another length.
    fn contains_digests_into(&self, digests: &Digests<'_>, answers: &mut [bool]) -> Result<()> {
        let digests = digests.made_by(self.hashing())?;
        expect_length(answers.len(), digests.len())?;
        self.query_batch_checked(digests, answers, Checked(()));
        Ok(())
    }

    /// Writes the answers into a bitmap: answer `i` is bit `i % 8` of byte `i / 8`, as in Apache Arrow. Unused bits of the
    /// last byte become 0.
    ///
    /// # Errors
    ///
    /// The digests have another hashing than the filter, or `bitmap` does not have one byte for every eight digests.
    fn contains_digests_bitmap(&self, digests: &Digests<'_>, bitmap: &mut [u8]) -> Result<()> {
        let digests = digests.made_by(self.hashing())?;
        expect_length(bitmap.len(), digests.len().div_ceil(8))?;
        let mut answers = [false; GROUP];
        for (digests, bytes) in digests.chunks(GROUP).zip(bitmap.chunks_mut(GROUP / 8)) {
            let answers = &mut answers[..digests.len()];
            self.query_batch_checked(digests, answers, Checked(()));
            for (byte, answers) in bytes.iter_mut().zip(answers.chunks(8)) {
                let bits = answers
                    .iter()
                    .zip(0..)
                    .map(|(&yes, bit)| u8::from(yes) << bit);
                *byte = bits.fold(0, |byte, bit| byte | bit);
            }
        }
        Ok(())
    }
}

/// Returns an error unless a caller's buffer has the length that the answers need.
fn expect_length(got: usize, expected: usize) -> Result<()> {
    if got == expected {
        return Ok(());
    }
    Err(Error::parameter("the length of the answers", got, expected))
}

/// Answers each key, prefetching the memory for the key that is `distance` positions later.
#[inline]
pub(crate) fn query_rolling<F: Lookup + ?Sized>(
    filter: &F,
    distance: usize,
    digests: &[Digest],
    answers: &mut [bool],
) {
    prefetch::rolling(
        answers,
        digests,
        distance,
        |_, digest| filter.prefetch(digest),
        |answers, at, digest| answers[at] = filter.query(digest),
    );
}

/// Hashes keys in groups and calls `act` with the digests of each group.
#[inline]
pub(crate) fn digest_groups<K: Key>(
    hashing: Hashing,
    keys: impl IntoIterator<Item = K>,
    mut act: impl FnMut(&[Digest]),
) {
    let mut keys = keys.into_iter();
    let mut group = [Digest { high: 0, low: 0 }; GROUP];
    loop {
        let mut filled = 0;
        for (digest, key) in group.iter_mut().zip(&mut keys) {
            *digest = hashing.digest(key);
            filled += 1;
        }
        if filled == 0 {
            return;
        }
        act(&group[..filled]);
    }
}
