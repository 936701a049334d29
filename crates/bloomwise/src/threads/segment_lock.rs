//! A part of a filter that one thread changes while others read it.
//!
//! A segment has a lock for writers and a *version* for readers. A writer takes the lock, makes the version odd, changes cells, and makes
//! the version even again. A reader takes no lock and writes nothing: it loads the version, reads the cells, and loads the version again.
//! If the version was odd or has changed, it retries. After `LOCK_FREE_READS` failed reads it takes the lock.
//!
//! # A reader sees the segment as it was between two changes
//!
//! The version was the same even number before and after the reads. So the reads saw no cell of a change that began after the first
//! load of the version: a writer makes the version odd before it stores the first cell (release fence), and a reader that loads such a
//! cell then loads that odd version or a later one (acquire fence). The reads saw all cells of the changes before, because the reader
//! acquired the version that those changes released. A reader that holds the lock reads while no change is in progress, so the same holds.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Reads of a segment without its lock before a reader takes the lock.
const LOCK_FREE_READS: u32 = 64;

/// The lock, the version and the number of keys of a segment, and data that only the holder of the lock reads. Each has its own cache line, so that
/// threads in different segments do not share one.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct SegmentLock<T = ()> {
    /// The lock for writers, and the data that it protects in addition to the cells.
    lock: Mutex<T>,
    /// The version for readers. It is odd while a writer changes the segment.
    version: AtomicU64,
    /// The insertions minus the removals since the filter was shared. Only the holder of the lock stores it; any thread may load it.
    keys: AtomicI64,
}

impl<T> SegmentLock<T> {
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        // No code panics while it holds the lock. If it did, the version would stay odd until the next change, and readers would
        // take the lock.
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The insertions minus the removals since the filter was shared. The number is exact while the lock is held.
    pub(crate) fn keys(&self) -> i64 {
        self.keys.load(Ordering::Relaxed)
    }

    /// A segment that has not changed.
    pub(crate) fn new(protected: T) -> Self {
        SegmentLock {
            lock: Mutex::new(protected),
            version: AtomicU64::new(0),
            keys: AtomicI64::new(0),
        }
    }

    /// The protected data.
    pub(crate) fn into_inner(self) -> T {
        self.lock
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` under the lock. It changes the segment, the protected data, and the number of keys.
    #[inline]
    pub(crate) fn write<R>(&self, work: impl FnOnce(&mut T, &mut i64) -> R) -> R {
        let mut guard = self.lock();
        // The version is odd here only if an earlier writer panicked.
        let odd = self.version.load(Ordering::Relaxed) | 1;
        self.version.store(odd, Ordering::Relaxed);
        fence(Ordering::Release);
        let mut keys = self.keys();
        let result = work(&mut guard, &mut keys);
        self.keys.store(keys, Ordering::Relaxed);
        self.version.store(odd.wrapping_add(1), Ordering::Release);
        result
    }

    /// Runs `work`, which reads the segment, until no change has overlapped with it, and returns its result.
    #[inline]
    pub(crate) fn read<R>(&self, work: impl Fn() -> R) -> R {
        for _ in 0..LOCK_FREE_READS {
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
        let _guard = self.lock();
        work()
    }
}
