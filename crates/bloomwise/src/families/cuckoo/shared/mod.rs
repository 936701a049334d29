//! One filter for many threads.
//!
//! # How it works
//!
//! Both buckets of a key are in one segment, and segments share no words. Each segment has a lock for writers and a version for readers
//! ([`SegmentLock`]), and so has the exact table. A query reads its segment, and the table only if necessary. So readers rarely delay each
//! other, and writers wait only for writers in the same segment. A thread that holds both locks has taken the lock of the table first.
//!
//! # Every answer is one that a single thread could get, so there are no false negatives
//!
//! Assume that the insertion of a key happens before a query, and that no thread removes or guards the key. A query sees a segment, and the
//! table, as they are between two changes. The locks put all changes in an order.
//!
//! - *The key went into the buckets.* Its class has a fingerprint there (see [`super`]) in every later state of the segment.
//! - *The key became an extra.* It is an extra in every later state of the table, until a removal moves it to the buckets. The removal puts the
//!   fingerprint there first, and removes the extra after that. A query looks for extras first and at the buckets second. If it misses the
//!   extra, the fingerprint was in the buckets before, and the query sees it.
//! - *No exception denies it.* After the key is in place, the insertion looks for its exception and removes it. No later exception appears:
//!   `guard` is not called for the key, and `guard_since` refuses it, as follows. `guard_since` takes the lock of the table, announces an
//!   entry, looks at the latest insertions, and then adds the exception. If it does not find the key there, the insertion remembers its key
//!   later, under the same lock of the segment. So the insertion sees the entry announced and looks for the exception under the lock of the
//!   table. It waits until `guard_since` has released that lock, and finds the exception.

mod guard;
mod insert;
mod query;

use super::buckets::Buckets;
use super::eviction::Eviction;
use super::filter::Cuckoo;
use super::insert_log::InsertLog;
use super::shape::{Place, Shape};
use super::table::{Entry, Table};
use crate::cells::atomic_words::AtomicWords;
use crate::error::Result;
use crate::filter::contract::Filter;
use crate::filter::profile::Profile;
use crate::keys::hash::Digest;
use crate::threads::segment_lock::SegmentLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A [`Cuckoo`] filter that many threads read and change at the same time.
///
/// ```
/// use bloomwise::cuckoo::SharedCuckoo;
/// use bloomwise::{Cuckoo, Filter, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let stored = SharedCuckoo::new(Cuckoo::builder(Size::Rate(0.01)).capacity(10_000).create()?);
/// std::thread::scope(|threads| {
///     for half in [0..5_000, 5_000..10_000] {
///         let stored = &stored;
///         threads.spawn(move || stored.extend(half));
///     }
/// });
/// assert!((0..10_000).all(|key| stored.contains(key)));
///
/// // A reader that found nothing in the store, though the filter said "yes", reports it with the stamp of its query.
/// let (_, stamp) = stored.contains_stamped(77_777);
/// assert!(stored.guard_since(77_777, 1.0, stamp)?);
/// assert!(!stored.contains(77_777));
/// let to_save: Cuckoo = stored.snapshot()?;
/// assert_eq!(to_save.len(), 10_000);
/// # Ok(())
/// # }
/// ```
pub struct SharedCuckoo {
    /// Where segments, buckets and the table are.
    shape: Shape,
    /// The buckets, then the exact table.
    words: AtomicWords,
    /// Hashing, capacity and number of keys before the filter was shared.
    profile: Profile,
    /// For each segment, its lock, the change of its number of keys, and its latest insertions.
    segments: Vec<SegmentLock<InsertLog>>,
    /// The lock of the exact table, and the rules for what the table keeps.
    table: SegmentLock<Eviction>,
    /// The number of entries of the table. Also counts entries that are about to be added.
    entries: AtomicU64,
    /// The number of extras of the table.
    extras: AtomicU64,
}

impl SharedCuckoo {
    /// Makes a filter usable by many threads.
    pub fn new(filter: Cuckoo) -> Self {
        let eviction = filter.eviction;
        let segments = 0..filter.shape.segments;
        SharedCuckoo {
            words: AtomicWords::copy_of(&filter.words),
            shape: filter.shape,
            profile: filter.profile,
            segments: segments
                .map(|_| SegmentLock::new(InsertLog::new()))
                .collect(),
            entries: AtomicU64::new(eviction.entries),
            extras: AtomicU64::new(eviction.extras),
            table: SegmentLock::new(eviction),
        }
    }

    /// Copies the filter while other threads keep using it, for example to save it. Guards wait during the copy, and so do insertions of keys that
    /// have an exception. The copy holds each key whose insertion happened before the call and that no thread removes during the call.
    ///
    /// # Errors
    ///
    /// There is not enough memory for the copy.
    pub fn snapshot(&self) -> Result<Cuckoo> {
        // Extras cannot move to the buckets while the lock of the table is held.
        let held = self.table.lock();
        let eviction = Eviction::new(held.entries, held.extras, held.given_up);
        let mut copy = self.words.zeros()?;
        let (size, mut change) = (self.shape.segment_words, 0);
        for (number, segment) in self.segments.iter().enumerate() {
            let _guard = segment.lock();
            self.words
                .copy_part(number * size..(number + 1) * size, &mut copy);
            change += segment.keys();
        }
        let table = self.segments.len() * size..self.words.words().len();
        self.words.copy_part(table, &mut copy);
        let profile = Profile {
            keys: self.profile.keys.saturating_add_signed(change),
            ..self.profile
        };
        Ok(Cuckoo::over(self.shape, copy, profile, eviction))
    }

    /// Turns the filter back into one for a single thread.
    ///
    /// # Errors
    ///
    /// There is not enough memory to copy it.
    pub fn into_inner(self) -> Result<Cuckoo> {
        let profile = self.profile_now();
        let words = self.words.copy()?;
        let eviction = self.table.into_inner();
        Ok(Cuckoo::over(self.shape, words, profile, eviction))
    }

    /// Runs `work`, which changes the table, while holding the table's lock.
    fn change_table<T>(&self, work: impl FnOnce(&mut Eviction) -> T) -> T {
        self.table.write(|eviction, _| {
            let result = work(eviction);
            self.entries.store(eviction.entries, Ordering::Release);
            self.extras.store(eviction.extras, Ordering::Release);
            result
        })
    }

    /// Whether the buckets contain the fingerprint of a key.
    fn accepts(&self, digest: Digest) -> bool {
        let place = self.shape.place(digest);
        self.segment(place)
            .read(|| self.buckets(place).contains(place))
    }

    /// The entry of a key in the table.
    fn entry(&self, digest: Digest) -> Option<Entry> {
        self.table.read(|| self.exact().get(digest))
    }

    fn exact(&self) -> Table<'_, AtomicU64> {
        Table::new(self.words.words(), &self.shape)
    }

    #[inline(always)]
    fn buckets(&self, place: Place) -> Buckets<'_, AtomicU64> {
        Buckets::new(self.words.words(), &self.shape, place.segment)
    }

    #[inline(always)]
    fn segment(&self, place: Place) -> &SegmentLock<InsertLog> {
        &self.segments[place.segment]
    }

    /// The profile with the number of keys now.
    fn profile_now(&self) -> Profile {
        Profile {
            keys: self.len(),
            ..self.profile
        }
    }
}
