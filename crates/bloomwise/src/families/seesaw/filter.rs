//! The filter. One thread changes it at a time; [`crate::seesaw::SharedSeesaw`] is for many.

use super::cells::Cells;
use super::shape::Shape;
use crate::cells::storage::Storage;
use crate::cells::words::{padded_words, padded_words_mut};
use crate::error::Result;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::{Family, Operation};
use crate::filter::info::Info;
use crate::filter::insert::Insert;
use crate::filter::profile::Profile;
use crate::filter::remove::Remove;
use crate::filter::sizing::Size;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::machine::prefetch::{self, AHEAD_OF_LINES, NEAR};
use std::cell::Cell;
use std::fmt;

/// A filter that supports insertion and removal, and has few false positives on the keys it guards.
///
/// ```
/// use bloomwise::{Filter, Insert, Remove, Seesaw, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let costly = (9_000..9_500).map(|key| (key, 1.0));
/// let builder = Seesaw::builder(Size::BitsPerKey(36.0)).capacity(10_000);
/// let mut cached = builder.build_from(0..9_000, costly)?;
/// assert!(cached.remove(7));
/// cached.insert(9_999);
/// assert!(cached.contains(8) && cached.contains(9_999));
/// let wrong = (9_000..9_500).filter(|key| cached.contains(key)).count();
/// assert!(wrong <= 2, "of keys that are not guarded, one in thirty is a false positive");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Seesaw {
    /// Where the cells of a key are.
    pub(super) shape: Shape,
    /// The counters with their marks, then the modulator.
    pub(super) words: Storage,
    /// Hashing, capacity, and insertions minus removals.
    pub(super) profile: Profile,
}

impl Seesaw {
    /// Options for a filter of this size. The capacity is the most keys that are in the set at a time.
    pub fn builder(size: Size) -> Builder<Seesaw> {
        Builder::new(size)
    }

    /// Guards a non-member: lowers the chance that it is a false positive. The effect takes time. A counter of the key that is in
    /// use is marked when it becomes 0, so the rate on guarded keys falls as members are removed and others inserted. In a filter
    /// without a modulator (`alpha` 0), the rate on newly guarded keys rises at first.
    ///
    /// # Errors
    ///
    /// The filter is not adaptive. Such a filter guards only negatives that it was built with.
    pub fn guard(&mut self, key: impl Key) -> Result<()> {
        self.mark(&[self.profile.hashing.digest(key)])
    }

    /// Guards non-members by their digests, as [`Seesaw::guard`] does.
    ///
    /// # Errors
    ///
    /// The digests have another hashing, or the filter is not adaptive.
    pub fn guard_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.mark(digests.made_by(self.profile.hashing)?)
    }

    /// The cells to read.
    #[inline]
    pub(super) fn cells(&self) -> Cells<'_, [u8; 8]> {
        Cells::new(padded_words(&self.words), &self.shape)
    }

    /// The cells to change. Borrowed ones are copied first.
    #[inline]
    pub(super) fn cells_mut(&mut self) -> Cells<'_, Cell<[u8; 8]>> {
        Cells::new(padded_words_mut(&mut self.words), &self.shape)
    }

    /// Guards keys. This filter's hashing must have made the digests.
    fn mark(&mut self, digests: &[Digest]) -> Result<()> {
        self.family().check(Operation::Guard)?;
        let cells = self.cells_mut();
        digests.iter().for_each(|&digest| cells.guard(digest));
        Ok(())
    }
}

impl fmt::Debug for Seesaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Seesaw {}

impl Lookup for Seesaw {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.cells().contains(digest)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        let cells = self.cells();
        // A small filter is in the cache, so prefetching would gain nothing.
        if self.size_in_bits() <= NEAR {
            for (&digest, answer) in digests.iter().zip(answers) {
                *answer = cells.contains(digest);
            }
            return;
        }
        prefetch::rolling(
            answers,
            digests,
            AHEAD_OF_LINES,
            |_, digest| cells.prefetch(digest),
            |answers, at, digest| answers[at] = cells.contains(digest),
        );
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.cells().prefetch(digest);
    }
}

impl Filter for Seesaw {
    fn family(&self) -> Family {
        self.shape.family()
    }

    /// The false positive rate on unseen keys that the filter has now. It follows from [`Filter::len`] and from the share of marked
    /// counters, which is estimated from at most 256 groups of 64 counters.
    fn rate(&self) -> f64 {
        let marked = self.cells().marked_share();
        self.shape.rate(self.profile.keys, marked)
    }

    fn size_in_bits(&self) -> u64 {
        self.shape.bits()
    }

    fn info(&self) -> Info {
        self.cells().stats().info(&self.shape, &self.profile)
    }
}

impl Insert for Seesaw {
    fn add_digests(&mut self, digests: &[Digest], _: Checked) {
        prefetch::rolling(
            &mut self.cells_mut(),
            digests,
            AHEAD_OF_LINES,
            Cells::prefetch,
            |cells, _, digest| cells.insert(digest),
        );
        self.profile.add_keys(digests.len());
    }
}

impl Remove for Seesaw {
    fn take_digest(&mut self, digest: Digest, _: Checked) -> bool {
        // The cells refuse such a key too, but borrowed ones would be copied first.
        if self.words.is_borrowed() && !self.query(digest) {
            return false;
        }
        let removed = self.cells_mut().remove(digest);
        self.profile.remove_key(removed);
        removed
    }
}

impl Change for Seesaw {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }

    fn as_remove(&mut self) -> Option<&mut dyn Remove> {
        Some(self)
    }

    // It ignores costs: all guarded keys count the same.
    fn guard_digest(&mut self, digest: Digest, _cost: f64) -> Result<()> {
        self.mark(&[digest])
    }
}
