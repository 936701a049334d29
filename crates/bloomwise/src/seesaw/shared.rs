//! One filter for many threads.
//!
//! # How
//!
//! All cells of a key are in one segment, and segments do not touch each other. Each has a lock for those who change it, and
//! a *version* for those who read it. A change takes the lock, makes the version odd, changes cells, and makes the version
//! even again. A query takes no lock and writes nothing: it notes the version, reads, and if the version is odd or another
//! one by then, it asks again; after some attempts in vain it waits for the lock. So readers do not disturb each other at all,
//! and writers meet only in the same segment.
//!
//! # No false negative, and no other answer that one thread would not get
//!
//! Changes of a segment come one after the other, because of the lock. Take the answer of a query. The version was the same
//! even number before and after its reads, so no change has begun and not ended between them: a change makes the version odd
//! before it stores the first cell (release fence), and whoever reads such a cell reads an odd or later version
//! afterwards (acquire fence). And what changes before it have stored, the query has read, because it acquired the version that
//! they released. So it has read the segment as it is between two changes, that is, as the filter is that has lived through the
//! changes so far, one by one. That filter denies no key that is in the set (see [`super`]). A key whose insertion happens before
//! the query is in the set then, unless it is being removed. Modulator cell and counters of a key are read
//! under one version, so that they always fit together.
//!
//! With the lock held there are no changes at all, and the same is true.

use super::filter::Seesaw;
use super::footprint::Cells;
use crate::codec::Head;
use crate::error::Result;
use crate::family::Operation;
use crate::filter::{Filter, Info, digest_groups};
use crate::hash::{Digest, Hashing};
use crate::prefetch;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Attempts to read a segment before waiting for its lock.
const ATTEMPTS: u32 = 64;

/// A [`Seesaw`] filter that many threads read and change at the same time.
///
/// ```
/// use bloomwise::seesaw::SharedSeesaw;
/// use bloomwise::{Filter, KeySets, Seesaw, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let builder = Seesaw::builder(10_000, Size::BitsPerKey(36.0)).adaptive();
/// let sessions = SharedSeesaw::new(builder.build(&KeySets::default())?);
/// std::thread::scope(|threads| {
///     for half in [0..5_000u64, 5_000..10_000] {
///         let sessions = &sessions;
///         threads.spawn(move || half.for_each(|n| sessions.insert(n.to_le_bytes())));
///     }
/// });
/// assert!((0..10_000u64).all(|n| sessions.contains(&n.to_le_bytes())));
/// let to_save: Seesaw = sessions.snapshot()?;
/// assert_eq!(to_save.len(), 10_000);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct SharedSeesaw {
    cells: Cells,
    /// Family and hashing; its keys are those from before the filter was shared.
    head: Head,
    segments: Vec<Segment>,
}

/// What threads agree by. On a cache line of its own, so that neighbours are left alone.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Segment {
    /// For those who change it; the keys that have come since the filter was shared, less those that have gone.
    keys: Mutex<i64>,
    /// For those who read it: odd while it is being changed.
    version: AtomicU64,
}

impl Segment {
    fn lock(&self) -> MutexGuard<'_, i64> {
        // Nothing panics while the lock is held. If it did, the version would stay odd until the next change, and readers would
        // take the lock.
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a change, alone.
    #[inline]
    fn change<T>(&self, work: impl FnOnce(&mut i64) -> T) -> T {
        let mut keys = self.lock();
        // Odd already only if a change before this one panicked.
        let odd = self.version.load(Ordering::Relaxed) | 1;
        self.version.store(odd, Ordering::Relaxed);
        fence(Ordering::Release);
        let result = work(&mut keys);
        self.version.store(odd.wrapping_add(1), Ordering::Release);
        result
    }

    /// Reads what is there between two changes.
    #[inline]
    fn read<T>(&self, work: impl Fn() -> T) -> T {
        for _ in 0..ATTEMPTS {
            let before = self.version.load(Ordering::Acquire);
            if before.is_multiple_of(2) {
                let result = work();
                fence(Ordering::Acquire);
                if self.version.load(Ordering::Relaxed) == before {
                    return result;
                }
            }
            std::hint::spin_loop();
        }
        let _alone = self.lock();
        work()
    }
}

impl SharedSeesaw {
    /// Shares a filter.
    pub fn new(filter: Seesaw) -> Self {
        let segments = 0..filter.cells.shape.segments;
        SharedSeesaw {
            segments: segments.map(|_| Segment::default()).collect(),
            cells: filter.cells,
            head: filter.head,
        }
    }

    /// A copy to save while others go on. Each segment is copied under its lock, one after the other, so the copy is a filter
    /// that has lived through the first so many changes of each segment: it holds every key whose insertion happened before and that
    /// nobody removes meanwhile.
    ///
    /// # Errors
    ///
    /// Memory that is not there.
    pub fn snapshot(&self) -> Result<Seesaw> {
        let cells = Cells::new(self.cells.shape)?;
        let mut change = 0;
        for (number, segment) in self.segments.iter().enumerate() {
            let keys = segment.lock();
            cells.copy_segment(&self.cells, number);
            change += *keys;
        }
        let keys = self.head.keys.saturating_add_signed(change);
        let head = Head { keys, ..self.head };
        Ok(Seesaw { cells, head })
    }

    /// The filter, no longer shared.
    pub fn into_inner(self) -> Seesaw {
        let keys = self.len();
        Seesaw {
            cells: self.cells,
            head: Head { keys, ..self.head },
        }
    }

    /// Adds a key. A key that is added twice has to be removed twice.
    pub fn insert(&self, key: impl AsRef<[u8]>) {
        self.insert_digest(self.head.hashing.digest(key.as_ref()));
    }

    /// Adds the key of a digest, which must come from this filter's hashing.
    #[inline]
    pub fn insert_digest(&self, digest: Digest) {
        self.segment(digest).change(|keys| {
            self.cells.insert(digest);
            *keys += 1;
        });
    }

    /// Adds the keys of many digests, faster than one by one.
    pub fn insert_digests(&self, digests: &[Digest]) {
        let ask = |shared: &&Self, digest| shared.prefetch(digest);
        prefetch::in_groups(&mut &*self, digests, ask, |shared, digest| {
            shared.insert_digest(digest);
        });
    }

    /// Adds many keys.
    pub fn extend<K: AsRef<[u8]>>(&self, keys: impl IntoIterator<Item = K>) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }

    /// Removes a key that is in the set; as [`Seesaw::remove`].
    pub fn remove(&self, key: impl AsRef<[u8]>) -> bool {
        self.remove_digest(self.head.hashing.digest(key.as_ref()))
    }

    /// Removes the key of a digest; as [`Seesaw::remove`].
    #[inline]
    pub fn remove_digest(&self, digest: Digest) -> bool {
        self.segment(digest).change(|keys| {
            let removed = self.cells.remove(digest);
            // No segment loses more keys than it can have had, as the count of a filter alone does not go below 0.
            if removed && self.head.keys.checked_add_signed(*keys) != Some(0) {
                *keys -= 1;
            }
            removed
        })
    }

    /// Guards a key that is not in the set; as [`Seesaw::guard`].
    ///
    /// # Errors
    ///
    /// As for [`Seesaw::guard`].
    pub fn guard(&self, key: impl AsRef<[u8]>) -> Result<()> {
        self.guard_digest(self.head.hashing.digest(key.as_ref()))
    }

    /// Guards the key of a digest; as [`Seesaw::guard`].
    ///
    /// # Errors
    ///
    /// As for [`Seesaw::guard`].
    pub fn guard_digest(&self, digest: Digest) -> Result<()> {
        self.head.family.check(Operation::Guard)?;
        self.segment(digest).change(|_| self.cells.guard(digest));
        Ok(())
    }

    /// The number of keys: insertions less removals. Exact if nobody changes the filter meanwhile; else off by at most the
    /// changes that were made.
    pub fn len(&self) -> u64 {
        let changes = self.segments.iter().map(|segment| *segment.lock());
        self.head.keys.saturating_add_signed(changes.sum())
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn segment(&self, digest: Digest) -> &Segment {
        &self.segments[self.cells.shape.segment(digest) as usize]
    }
}

impl Filter for SharedSeesaw {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        self.segment(digest).read(|| self.cells.contains(digest))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.cells.prefetch(digest);
    }

    fn size_in_bits(&self) -> u64 {
        self.cells.bits()
    }

    /// While others change the filter, its counts are from about now.
    fn info(&self) -> Info {
        let keys = self.len();
        self.cells.info(&Head { keys, ..self.head })
    }
}
