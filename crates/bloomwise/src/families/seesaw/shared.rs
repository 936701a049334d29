//! One filter for many threads.
//!
//! # How it works
//!
//! All cells of a key are in one segment, and segments share no cells. Each segment has a lock for writers and a version for readers
//! ([`SegmentLock`]). So readers rarely delay each other, and only threads in the same segment wait for each other.
//!
//! # Every answer is one that a single thread could get, so there are no false negatives
//!
//! The lock puts the changes of a segment in an order. A query reads the segment as it was between two changes ([`SegmentLock::read`]):
//! the state of a filter to which the changes so far were applied one by one. Such a filter answers "yes" for each member (see
//! [`super`]). If the insertion of a key happens before the query, the key is a member then, unless a thread removes it. The query reads
//! the modulator cell and the counters of a key under one version, so they are consistent.

use super::cells::Cells;
use super::filter::Seesaw;
use super::shape::Shape;
use crate::cells::atomic_words::AtomicWords;
use crate::cells::storage::Storage;
use crate::error::Result;
use crate::filter::contract::{Filter, Lookup, digest_groups, sealed};
use crate::filter::debug::describe;
use crate::filter::family::{Family, Operation};
use crate::filter::info::Info;
use crate::filter::profile::Profile;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};
use crate::threads::segment_lock::SegmentLock;
use std::fmt;
use std::sync::atomic::AtomicU64;

/// A [`Seesaw`] filter that many threads read and change at the same time.
///
/// ```
/// use bloomwise::seesaw::SharedSeesaw;
/// use bloomwise::{Filter, Seesaw, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = Seesaw::builder(Size::BitsPerKey(36.0)).capacity(10_000).adaptive();
/// let sessions = SharedSeesaw::new(builder.create()?);
/// std::thread::scope(|threads| {
///     for half in [0..5_000, 5_000..10_000] {
///         let sessions = &sessions;
///         threads.spawn(move || sessions.extend(half));
///     }
/// });
/// assert!((0..10_000).all(|key| sessions.contains(key)));
/// let to_save: Seesaw = sessions.snapshot()?;
/// assert_eq!(to_save.len(), 10_000);
/// # Ok(())
/// # }
/// ```
pub struct SharedSeesaw {
    /// Where the cells of a key are.
    shape: Shape,
    /// The counters with their marks, then the modulator.
    words: AtomicWords,
    /// Hashing, capacity, and number of keys before the filter was shared.
    profile: Profile,
    /// A lock, a version and a number of keys for each segment.
    segments: Vec<SegmentLock>,
}

impl SharedSeesaw {
    /// Makes a filter usable by many threads. Copies its cells.
    pub fn new(filter: Seesaw) -> Self {
        let segments = 0..filter.shape.segments;
        SharedSeesaw {
            segments: segments.map(|_| SegmentLock::default()).collect(),
            words: AtomicWords::copy_of(&filter.words),
            shape: filter.shape,
            profile: filter.profile,
        }
    }

    /// Copies the filter while other threads keep using it, for example to save it. This copies one segment after the other, each
    /// under its lock. So each segment of the copy is consistent, but segments may be from different moments. The copy holds each key
    /// whose insertion happened before the call and that no thread removes during the call.
    ///
    /// # Errors
    ///
    /// There is not enough memory for the copy.
    pub fn snapshot(&self) -> Result<Seesaw> {
        let mut copy = self.words.zeros()?;
        let mut change = 0;
        for (number, segment) in self.segments.iter().enumerate() {
            let _guard = segment.lock();
            for part in self.shape.words_of_segment(number) {
                self.words.copy_part(part, &mut copy);
            }
            change += segment.keys();
        }
        let profile = Profile {
            keys: self.profile.keys.saturating_add_signed(change),
            ..self.profile
        };
        Ok(self.alone(copy, profile))
    }

    /// Turns the filter back into one for a single thread. Copies its cells.
    ///
    /// # Errors
    ///
    /// There is not enough memory for the copy.
    pub fn into_inner(self) -> Result<Seesaw> {
        Ok(self.alone(self.words.copy()?, self.profile_now()))
    }

    /// The filter of these words for one thread.
    fn alone(&self, words: Storage, profile: Profile) -> Seesaw {
        Seesaw {
            shape: self.shape,
            words,
            profile,
        }
    }

    /// The cells.
    #[inline]
    fn cells(&self) -> Cells<'_, AtomicU64> {
        Cells::new(self.words.words(), &self.shape)
    }

    /// Adds a key and returns whether it is new: whether the filter denied it before. A key that is added twice must be
    /// removed twice.
    pub fn insert(&self, key: impl Key) -> bool {
        let digest = self.profile.hashing.digest(key);
        self.segment(digest).write(|(), keys| {
            let new = !self.cells().contains(digest);
            self.cells().insert(digest);
            *keys += 1;
            new
        })
    }

    /// Adds keys by their digests. This is faster than adding them one by one.
    ///
    /// # Errors
    ///
    /// The digests have another hashing.
    pub fn insert_digests(&self, digests: &Digests<'_>) -> Result<()> {
        self.add(digests.made_by(self.profile.hashing)?);
        Ok(())
    }

    /// Adds many keys.
    pub fn extend<K: Key>(&self, keys: impl IntoIterator<Item = K>) {
        digest_groups(self.profile.hashing, keys, |digests| self.add(digests));
    }

    /// Removes a key that is in the set, as [`Remove::remove`](crate::Remove::remove) does. Returns `false`, and changes nothing, if the filter can tell
    /// that it is not.
    ///
    /// Removing a false positive, a key that was never added, can make false negatives.
    pub fn remove(&self, key: impl Key) -> bool {
        self.take(self.profile.hashing.digest(key))
    }

    /// Removes keys by their digests, as [`SharedSeesaw::remove`] does, and returns how many were removed.
    ///
    /// # Errors
    ///
    /// The digests have another hashing.
    pub fn remove_digests(&self, digests: &Digests<'_>) -> Result<u64> {
        let digests = digests.made_by(self.profile.hashing)?;
        Ok(digests
            .iter()
            .map(|&digest| u64::from(self.take(digest)))
            .sum())
    }

    /// Guards a non-member, as [`Seesaw::guard`] does.
    ///
    /// # Errors
    ///
    /// The filter is not adaptive.
    pub fn guard(&self, key: impl Key) -> Result<()> {
        self.mark(&[self.profile.hashing.digest(key)])
    }

    /// Guards non-members by their digests, as [`Seesaw::guard`] does.
    ///
    /// # Errors
    ///
    /// The digests have another hashing, or the filter is not adaptive.
    pub fn guard_digests(&self, digests: &Digests<'_>) -> Result<()> {
        self.mark(digests.made_by(self.profile.hashing)?)
    }

    /// Adds keys. This filter's hashing must have made the digests.
    fn add(&self, digests: &[Digest]) {
        let prefetch = |shared: &&Self, digest| shared.prefetch(digest);
        let insert = |shared: &mut &Self, _, digest| {
            shared.segment(digest).write(|(), keys| {
                shared.cells().insert(digest);
                *keys += 1;
            });
        };
        prefetch::rolling(&mut &*self, digests, AHEAD_OF_LINES, prefetch, insert);
    }

    /// Removes a key. This filter's hashing must have made the digest.
    fn take(&self, digest: Digest) -> bool {
        self.segment(digest).write(|(), keys| {
            let removed = self.cells().remove(digest);
            // A segment never counts more removals than there were keys, as the count of a `Seesaw` never falls below 0.
            if removed && self.profile.keys.checked_add_signed(*keys) != Some(0) {
                *keys -= 1;
            }
            removed
        })
    }

    /// Guards keys. This filter's hashing must have made the digests.
    fn mark(&self, digests: &[Digest]) -> Result<()> {
        self.family().check(Operation::Guard)?;
        for &digest in digests {
            self.segment(digest)
                .write(|(), _| self.cells().guard(digest));
        }
        Ok(())
    }

    /// The profile with the number of keys now.
    fn profile_now(&self) -> Profile {
        Profile {
            keys: self.len(),
            ..self.profile
        }
    }

    #[inline]
    fn segment(&self, digest: Digest) -> &SegmentLock {
        &self.segments[self.shape.segment(digest) as usize]
    }
}

impl fmt::Debug for SharedSeesaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "Shared", f)
    }
}

impl sealed::Sealed for SharedSeesaw {}

impl Lookup for SharedSeesaw {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.segment(digest).read(|| self.cells().contains(digest))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.cells().prefetch(digest);
    }
}

impl Filter for SharedSeesaw {
    fn family(&self) -> Family {
        self.shape.family()
    }

    /// The number of keys: insertions minus removals. It never waits for other threads. It is exact if every change happens before or
    /// after the call. Otherwise it is off by at most the number of the other changes.
    fn len(&self) -> u64 {
        let changes = self.segments.iter().map(SegmentLock::keys);
        self.profile.keys.saturating_add_signed(changes.sum())
    }

    fn rate(&self) -> f64 {
        let marked = self.cells().marked_share();
        self.shape.rate(self.len(), marked)
    }

    fn size_in_bits(&self) -> u64 {
        self.shape.bits()
    }

    /// The numbers are approximate if other threads change the filter during the call.
    fn info(&self) -> Info {
        let stats = self.cells().stats();
        stats.info(&self.shape, &self.profile_now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::sizing::Size;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn number_of_keys_does_not_wait_for_a_locked_segment() {
        let builder = Seesaw::builder(Size::BitsPerKey(30.0)).capacity(1000);
        let shared = SharedSeesaw::new(builder.segments(4).create().expect("sound"));
        shared.extend(0..1000);
        let rate = shared.rate();
        std::thread::scope(|scope| {
            let _guards: Vec<_> = shared.segments.iter().map(SegmentLock::lock).collect();
            let (sender, receiver) = mpsc::channel();
            let shared = &shared;
            scope.spawn(move || sender.send((shared.len(), shared.is_empty(), shared.rate())));
            // If the other thread waits, this one gives up. That unlocks the segments, so the test ends.
            let answer = receiver.recv_timeout(Duration::from_secs(600));
            assert_eq!(answer, Ok((1000, false, rate)));
        });
    }
}
