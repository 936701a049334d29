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

use super::buckets::Buckets;
use super::eviction::Eviction;
use super::filter::{Cuckoo, choices};
use super::insert_log::{InsertLog, Stamp};
use super::inspect::{info, used};
use super::shape::{Place, Shape};
use super::table::{Entry, Table, most_entries};
use crate::cells::atomic_words::AtomicWords;
use crate::error::{Error, Result};
use crate::filter::contract::{Filter, Lookup, digest_groups, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::profile::Profile;
use crate::keys::cost::check_cost;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::machine::prefetch;
use crate::threads::segment_lock::SegmentLock;
use std::fmt;
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

    /// Adds a key and returns whether it is new, as [`Cuckoo::insert`] does.
    ///
    /// # Errors
    ///
    /// The filter is full. It is unchanged.
    pub fn insert(&self, key: impl Key) -> Result<bool> {
        let digest = self.profile.hashing.digest(key);
        let new = !self.query(digest);
        self.add_one(digest)?;
        Ok(new)
    }

    /// Adds keys.
    ///
    /// # Errors
    ///
    /// The filter is full. Keys before the first that did not fit were added.
    pub fn extend<K: Key>(&self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        let mut result = Ok(());
        digest_groups(self.profile.hashing, keys, |digests| {
            if result.is_ok() {
                result = self.add(digests);
            }
        });
        result
    }

    /// Adds keys by their digests.
    ///
    /// # Errors
    ///
    /// The filter is full, or the digests have another hashing.
    pub fn insert_digests(&self, digests: &Digests<'_>) -> Result<()> {
        self.add(digests.made_by(self.profile.hashing)?)
    }

    /// Removes a key that is in the set, as [`Remove::remove`](crate::Remove::remove) does.
    pub fn remove(&self, key: impl Key) -> bool {
        self.take(self.profile.hashing.digest(key))
    }

    /// Removes keys by their digests and returns how many were removed.
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

    /// Guards a key that is *not* in the set, as [`Cuckoo::guard`] does. If other threads insert keys, use [`SharedCuckoo::guard_since`].
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn guard(&self, key: impl Key, cost: f64) -> Result<bool> {
        check_cost(0, cost)?;
        let digest = self.profile.hashing.digest(key);
        self.change_table(|eviction| self.except(eviction, digest, cost));
        Ok(!self.query(digest))
    }

    /// Whether the key may be in the set, and a stamp of the current moment for [`SharedCuckoo::guard_since`]. The call takes the lock of the
    /// key's segment briefly.
    pub fn contains_stamped(&self, key: impl Key) -> (bool, Stamp) {
        let digest = self.profile.hashing.digest(key);
        let stamp = self.segment(self.shape.place(digest)).lock().stamp();
        (self.query(digest), stamp)
    }

    /// Guards a key, unless it may have been inserted after `stamp`, as [`Cuckoo::guard_since`] does. Returns whether the filter denies the key
    /// now. The stamp must come from a query for the same key.
    ///
    /// # Errors
    ///
    /// The cost is negative, infinite or not a number.
    pub fn guard_since(&self, key: impl Key, cost: f64, stamp: Stamp) -> Result<bool> {
        check_cost(0, cost)?;
        let digest = self.profile.hashing.digest(key);
        let segment = self.segment(self.shape.place(digest));
        let guarded = self.change_table(|eviction| {
            // An insertion that remembers its key later will look for an exception: see the page of this module.
            self.entries.fetch_add(1, Ordering::Release);
            if segment.lock().may_have_been_inserted(digest, stamp) {
                return false;
            }
            self.except(eviction, digest, cost);
            true
        });
        Ok(guarded && !self.query(digest))
    }

    /// Adds keys. This filter's hashing must have made the digests.
    fn add(&self, digests: &[Digest]) -> Result<()> {
        digests.iter().try_for_each(|&digest| self.add_one(digest))
    }

    fn add_one(&self, digest: Digest) -> Result<()> {
        let place = self.shape.place(digest);
        let segment = self.segment(place);
        let added = segment.write(|insert_log, keys| {
            insert_log.remember(digest);
            let added = self.buckets(place).add(place, choices(digest));
            *keys += i64::from(added);
            added
        });
        if !added {
            let most = most_entries(self.shape.entries);
            let kept = self.change_table(|eviction| {
                eviction.keep_extra(&self.exact(), digest, most, &|other| self.accepts(other))
            });
            if !kept {
                return Err(Error::Full { keys: self.len() });
            }
            segment.write(|_, keys| *keys += 1);
        } else if self.entries.load(Ordering::Acquire) > 0
            && let Some(Entry::Exception(_)) = self.entry(digest)
        {
            self.change_table(|eviction| eviction.forget_exception(&self.exact(), digest));
        }
        Ok(())
    }

    fn take(&self, digest: Digest) -> bool {
        if !self.query(digest) {
            return false;
        }
        let place = self.shape.place(digest);
        let segment = self.segment(place);
        let has_extras = || self.extras.load(Ordering::Acquire) > 0;
        if has_extras() && self.change_table(|eviction| eviction.take_extra(&self.exact(), digest))
        {
            segment.write(|_, keys| *keys -= 1);
            return true;
        }
        let removed = segment.write(|_, keys| {
            let removed = self.buckets(place).remove(place);
            *keys -= i64::from(removed);
            removed
        });
        if removed && has_extras() {
            self.change_table(|eviction| {
                eviction.move_back(&self.exact(), |extra| {
                    let other = self.shape.place(extra);
                    let buckets = self.buckets(other);
                    let moves = |_: &mut InsertLog, _: &mut i64| buckets.add(other, choices(extra));
                    other.meets(place) && self.segment(other).write(moves)
                });
            });
        }
        removed
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

    /// Adds an exception for a key. The caller holds the lock of the table.
    fn except(&self, eviction: &mut Eviction, digest: Digest, cost: f64) {
        let (rate, most) = (self.rate(), most_entries(self.shape.entries));
        let accepts = |other| self.accepts(other);
        eviction.except(&self.exact(), digest, cost, rate, most, &accepts);
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

impl fmt::Debug for SharedCuckoo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "Shared", f)
    }
}

impl sealed::Sealed for SharedCuckoo {}

impl Lookup for SharedCuckoo {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        let place = self.shape.place(digest);
        // Extras before buckets: see the page of this module.
        if self.extras.load(Ordering::Acquire) > 0
            && let Some(Entry::Extra(_)) = self.entry(digest)
        {
            return true;
        }
        let found = self
            .segment(place)
            .read(|| self.buckets(place).contains(place));
        found
            && (self.entries.load(Ordering::Acquire) == 0
                || !matches!(self.entry(digest), Some(Entry::Exception(_))))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let (place, words) = (self.shape.place(digest), self.words.words());
        for bucket in [place.first, place.second] {
            prefetch::fetch(words, self.shape.word_of(place.segment, bucket));
        }
    }
}

impl Filter for SharedCuckoo {
    fn family(&self) -> Family {
        Family::Cuckoo
    }

    /// The number of keys: insertions minus removals. The call never waits for other threads. The number is exact if every change happens before
    /// or after the call. Otherwise it is off by at most the number of simultaneous changes.
    fn len(&self) -> u64 {
        let changes = self.segments.iter().map(SegmentLock::keys);
        self.profile.keys.saturating_add_signed(changes.sum())
    }

    fn rate(&self) -> f64 {
        self.shape.rate(self.len())
    }

    fn size_in_bits(&self) -> u64 {
        64 * self.shape.words()
    }

    /// The numbers are approximate if other threads change the filter during the call.
    fn info(&self) -> Info {
        let used = used(self.words.words(), &self.shape);
        let eviction = self.table.lock();
        info(&self.shape, &self.profile_now(), &eviction, used)
    }
}
