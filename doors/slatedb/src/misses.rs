//! What a store has learned from its reads: which missing keys are looked up most.
//!
//! A filter policy never learns how a read ended, so whoever reads reports the keys that were not there. A learner of fixed memory
//! adds the reports up. A build needs the costliest keys in the order of keys; this *list* is made when a table is finished, and used by
//! the tables that follow until a sixteenth of the reports is newer.
//!
//! - *A report never waits.* One that finds the learner busy, with another report or with a list, is skipped and counted. The
//!   keys that matter are reported again and again, and whether a report is skipped has nothing to do with its key.
//! - *Old traffic fades.* A report loses half of its weight in every half-life, so that keys that nobody looks up any more
//!   make room.
//! - *Memory is fixed.* The learner takes two thirds of it at the start. The list has a copy of the learner's keys, which take less than the
//!   last third. While a list is replaced, a build may still hold the old one.

use crate::fading::Fading;
use crate::list::List;
use bloomwise::learn::Learner;
use bloomwise::{Hashing, Result};
use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The missing keys of a store, and how often they are looked up. Clones share what they have learned.
///
/// ```
/// use bloomwise_slatedb::Misses;
/// use std::time::Duration;
///
/// # fn main() -> bloomwise::Result<()> {
/// let day = Duration::from_secs(86_400);
/// let misses = Misses::new(32 << 20, day)?;
/// misses.missed("user:4718");
///
/// let saved = misses.to_bytes(); // when the program ends
/// misses.restore(&saved)?; // when it starts again
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Misses {
    shared: Arc<Shared>,
}

struct Shared {
    /// The bytes that learning may take.
    memory: usize,
    reports: Mutex<Fading>,
    /// The list that builds use until there is a newer one.
    list: RwLock<Arc<List>>,
    /// Reports that found the learner busy.
    skipped: AtomicU64,
}

impl Misses {
    /// Learns in `memory` bytes. A report loses half of its weight in every `half_life`, which is at least a millisecond.
    ///
    /// # Errors
    ///
    /// A learner needs more memory than this, or there is not as much.
    pub fn new(memory: usize, half_life: Duration) -> Result<Self> {
        let learner = Learner::new(Hashing::default(), for_learner(memory))?;
        let reports = Fading::new(learner, half_life, Instant::now());
        Ok(Misses {
            shared: Arc::new(Shared {
                memory,
                reports: Mutex::new(reports),
                list: RwLock::default(),
                skipped: AtomicU64::new(0),
            }),
        })
    }

    /// Replaces what was learned by what [`Misses::to_bytes`] has saved: after a restart, or in a compactor of another process. The time since
    /// then does not count. The memory stays that of [`Misses::new`].
    ///
    /// # Errors
    ///
    /// The bytes are not what [`Misses::to_bytes`] gives. What was learned stays.
    pub fn restore(&self, bytes: &[u8]) -> Result<()> {
        let restored = Learner::from_bytes(bytes, for_learner(self.shared.memory))?;
        self.shared.reports.lock().restore(restored, Instant::now());
        Ok(())
    }

    /// Reports that a key was looked up and was not there.
    pub fn missed(&self, key: impl AsRef<[u8]>) {
        self.missed_with_cost(key, 1.0);
    }

    /// Reports that a key was looked up and was not there, and what that has cost, or would cost without a filter: blocks, say, or
    /// milliseconds. All reports have the same unit. A cost that is negative, infinite or not a number counts as nothing.
    pub fn missed_with_cost(&self, key: impl AsRef<[u8]>, cost: f64) {
        match self.shared.reports.try_lock() {
            Some(mut reports) => reports.record(key.as_ref(), cost, Instant::now()),
            None => {
                self.shared.skipped.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// How many reports were skipped because the learner was busy.
    pub fn skipped(&self) -> u64 {
        self.shared.skipped.load(Ordering::Relaxed)
    }

    /// Everything learned so far. Waits until the learner is free.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.shared.reports.lock().to_bytes()
    }

    /// The list for a build.
    pub(crate) fn list(&self) -> Arc<List> {
        // Locked until the list is in its place, or an older one could replace a newer one.
        let mut reports = self.shared.reports.lock();
        match reports.list_if_stale(Instant::now()) {
            Some(newer) => {
                let newer = Arc::new(newer);
                *self.shared.list.write() = Arc::clone(&newer);
                newer
            }
            None => Arc::clone(&self.shared.list.read()),
        }
    }
}

/// The part of the memory that the learner takes.
fn for_learner(memory: usize) -> usize {
    memory / 3 * 2
}
