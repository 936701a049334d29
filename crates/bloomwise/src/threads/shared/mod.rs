//! One filter for many threads: [`Shared`].

mod key_count;
mod removal;

pub(crate) use removal::{hold, lower_all};

use crate::cells::atomic_words::AtomicWords;
use crate::cells::storage::Storage;
use crate::cells::words::{SharedWord, Word};
use crate::error::Result;
use crate::filter::contract::{Filter, Lookup, digest_groups, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::profile::Profile;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use key_count::KeyCount;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A family that [`Shared`] can hold. The trait is sealed.
pub trait Shareable: Filter + Sized {
    /// How keys are placed in the cells.
    type Shape: SharedShape;

    /// The shape, the cells and the profile of the filter.
    fn into_parts(self) -> (Self::Shape, Storage, Profile);

    /// The filter of these parts, which [`Shareable::into_parts`] returned.
    fn from_parts(shape: Self::Shape, cells: Storage, profile: Profile) -> Self;
}

/// How keys are placed in shared cells.
pub trait SharedShape: Copy + fmt::Debug + Send + Sync {
    /// The family of the filter.
    fn family(&self) -> Family;

    /// Adds a key and returns whether it is new.
    fn insert<W: SharedWord>(&self, words: &[W], digest: Digest) -> bool;

    /// Adds keys.
    fn add<W: SharedWord>(&self, words: &[W], digests: &[Digest]);

    /// Whether a key may be in the set.
    fn query<W: SharedWord>(&self, words: &[W], digest: Digest) -> bool;

    /// Writes the answer for each key.
    fn query_batch<W: SharedWord>(&self, words: &[W], digests: &[Digest], answers: &mut [bool]);

    /// The false positive rate of a filter that holds `keys` keys.
    fn rate(&self, keys: u64) -> f64;

    /// All facts about a filter with these words.
    fn info(&self, words: impl Iterator<Item = u64>, profile: &Profile) -> Info;
}

/// A filter that many threads insert into and query at the same time, without locks. Threads that remove keys take turns.
///
/// ```
/// use bloomwise::{Blocked, Filter, Shared, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let seen = Shared::new(Blocked::builder(Size::BitsPerKey(10.0)).capacity(10_000).create()?);
/// std::thread::scope(|threads| {
///     for half in [0..5_000, 5_000..10_000] {
///         let seen = &seen;
///         threads.spawn(move || seen.extend(half));
///     }
/// });
/// assert!((0..10_000).all(|key| seen.contains(key)));
/// let to_save: Blocked = seen.snapshot()?;
/// assert_eq!(to_save.len(), 10_000);
/// # Ok(())
/// # }
/// ```
///
/// # The idea
///
/// [`Shared`] holds the cells of a filter in atomic words. Threads insert and query through `&self`. One atomic instruction sets a bit,
/// compare-and-exchange changes a counter, and a query only loads. A lock serializes removals. In any order, the same keys give the same
/// bytes as in a filter of one thread: setting bits and adding to counters commute. (So do counters that stick at their maximum.)
///
/// # No false negative
///
/// Assume that the insertion of a key happens before a query, in the sense of the memory model: the same thread did both, or the inserting
/// thread synchronised with the querying thread by a join, a channel, a lock, or a release store and an acquire load. All threads agree on
/// the order of the changes of a word. A load never returns a value from before a change that happens before the load. So
/// relaxed loads and changes suffice:
///
/// - *Bits.* Each load of the query sees its word after the key's bit was set there, perhaps after more changes. Changes only set
///   bits. So all bits of the key are set.
/// - *Counters.* Each change of a counter is atomic, so none is lost. After the insertion of a key that is not removed, the counter
///   is at least 1 or stuck: it counts that insertion, and the removal of another key subtracts only what the insertion of that other key added.
///   That insertion was already counted: callers remove only keys that they have inserted.
///
/// A query that overlaps with an insertion may see only some of its bits. It then answers as if the insertion came later.
///
/// # A removal that is refused changes nothing
///
/// The filter refuses to remove a key if one of its counters is lower than what the key's insertion added. A removal holds the lock while it tests
/// all counters and then lowers them. Only removals lower counters, so counters can only rise while the lock is held. A refused removal therefore never
/// lowers a counter. If two threads remove a key at the same time, the second tests the counters that the first has left.
///
/// # Snapshots
///
/// A snapshot reads each word once. It contains every key inserted before it started. It holds the removal lock, so each removal is in it completely or
/// not at all. A concurrent insertion may be in it partly, which causes no false negative.
///
/// # Costs
///
/// An atomic change of a word takes several times as long as a plain one, and vector instructions cannot do it. `docs/measurements.md` in
/// the repository has numbers. Queries cost as much as with the portable kernel.
pub struct Shared<F: Shareable> {
    /// How keys are placed in the words.
    shape: F::Shape,
    /// The cells.
    words: AtomicWords,
    /// Hashing, capacity and number of keys before the filter was shared.
    profile: Profile,
    /// Insertions minus removals since the filter was shared.
    changes: KeyCount,
    /// Held while counters are lowered or copied.
    removals: Mutex<()>,
}

impl<F: Shareable> Shared<F> {
    /// Makes a filter usable by many threads. Copies its cells.
    pub fn new(filter: F) -> Self {
        let (shape, cells, profile) = filter.into_parts();
        Shared {
            shape,
            words: AtomicWords::copy_of(&cells),
            profile,
            changes: KeyCount::default(),
            removals: Mutex::default(),
        }
    }

    /// Copies the filter while other threads keep using it, for example to save it. Removals wait for the copy. The copy holds each key
    /// whose insertion happened before the call and that was not removed before the call.
    ///
    /// # Errors
    ///
    /// There is not enough memory for the copy.
    pub fn snapshot(&self) -> Result<F> {
        let _removals = self.lock_removals();
        // Read the count first, so that it counts no key that the copy lacks.
        let profile = self.profile_now();
        Ok(F::from_parts(self.shape, self.words.copy()?, profile))
    }

    /// Turns the filter back into one for a single thread. Copies its cells.
    ///
    /// # Errors
    ///
    /// There is not enough memory for the copy.
    pub fn into_inner(self) -> Result<F> {
        self.snapshot()
    }

    /// Adds a key and returns whether it is new: whether the filter denied it before. If several threads insert the same key
    /// at the same time, each of them may be told that it is new.
    #[inline]
    pub fn insert(&self, key: impl Key) -> bool {
        let digest = self.profile.hashing.digest(key);
        let new = self.shape.insert(self.words.words(), digest);
        self.changes.add(1);
        new
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

    /// The digest of a key.
    pub(crate) fn digest(&self, key: impl Key) -> Digest {
        self.profile.hashing.digest(key)
    }

    /// The digests. Returns an error unless this filter's hashing made them.
    pub(crate) fn checked<'a>(&self, digests: &'a Digests<'_>) -> Result<&'a [Digest]> {
        digests.made_by(self.profile.hashing)
    }

    /// How keys are placed in the words.
    pub(crate) fn shape(&self) -> F::Shape {
        self.shape
    }

    /// The cells.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        self.words.words()
    }

    /// Removes a key by `work`, which lowers its counters and returns whether it did. During the call, no other thread removes keys or
    /// copies the filter.
    pub(crate) fn remove_by(&self, work: impl FnOnce() -> bool) -> bool {
        let _removals = self.lock_removals();
        let removed = work();
        self.changes.add(-i64::from(removed));
        removed
    }

    /// Waits until no other thread removes keys.
    fn lock_removals(&self) -> MutexGuard<'_, ()> {
        // No code panics while it holds the lock.
        self.removals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds keys. This filter's hashing must have made the digests.
    fn add(&self, digests: &[Digest]) {
        self.shape.add(self.words.words(), digests);
        self.changes.add(digests.len() as i64);
    }

    /// The profile with the number of keys now.
    fn profile_now(&self) -> Profile {
        Profile {
            keys: self.len(),
            ..self.profile
        }
    }
}

impl<F: Shareable> fmt::Debug for Shared<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "Shared", f)
    }
}

impl<F: Shareable> sealed::Sealed for Shared<F> {}

impl<F: Shareable> Lookup for Shared<F> {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.shape.query(self.words.words(), digest)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        self.shape.query_batch(self.words.words(), digests, answers);
    }
}

impl<F: Shareable> Filter for Shared<F> {
    fn family(&self) -> Family {
        self.shape.family()
    }

    /// The number of keys: insertions minus removals. It is exact if every change happens before or after the call. Otherwise it is off
    /// by at most the number of simultaneous changes.
    fn len(&self) -> u64 {
        self.profile.keys.saturating_add_signed(self.changes.sum())
    }

    fn rate(&self) -> f64 {
        self.shape.rate(self.len())
    }

    fn size_in_bits(&self) -> u64 {
        64 * self.words.words().len() as u64
    }

    /// The numbers are approximate if other threads change the filter during the call.
    fn info(&self) -> Info {
        let words = self.words.words().iter().map(Word::get);
        self.shape.info(words, &self.profile_now())
    }
}

/// Runs all interleavings of threads that the memory model allows, on filters of one line.
#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::cells::counters::Counters;
    use crate::cells::{BitArray, PackedArray};
    use crate::families::probe::Placement;
    use crate::families::spread::ArrayShape;
    use loom::sync::atomic::{AtomicU64, Ordering};
    use loom::sync::{Arc, Mutex};
    use loom::thread;

    impl Word for AtomicU64 {
        fn get(&self) -> u64 {
            self.load(Ordering::Relaxed)
        }
    }

    impl SharedWord for AtomicU64 {
        fn set_bits(&self, bits: u64) {
            self.fetch_or(bits, Ordering::Relaxed);
        }

        fn update(&self, change: impl Fn(u64) -> u64) -> u64 {
            let change = |bits| Some(change(bits)).filter(|&changed| changed != bits);
            let (Ok(before) | Err(before)) =
                self.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
            before
        }
    }

    /// A cache line of zeros.
    fn empty_line() -> Arc<[AtomicU64; 8]> {
        Arc::new(std::array::from_fn(|_| AtomicU64::new(0)))
    }

    fn bits_of(words: &[AtomicU64; 8]) -> Vec<u64> {
        words.iter().map(Word::get).collect()
    }

    /// Digests of two keys. They have different bits in one word, and one counter in common.
    const fn digests() -> [Digest; 2] {
        let low = 1 << 55;
        [
            Digest {
                low: 5 * low,
                high: 1,
            },
            Digest {
                low: 6 * low,
                high: 1,
            },
        ]
    }

    /// Two threads insert one key each. A third learns of the first key and must see it. The result must be as if one thread had
    /// inserted both.
    fn check_insertions<S: SharedShape + 'static>(shape: S, alone: Vec<u64>) {
        loom::model(move || {
            let [first, second] = digests();
            let words = empty_line();
            let told = Arc::new(AtomicU64::new(0));
            let (words_of_first, telling) = (words.clone(), told.clone());
            let inserting = thread::spawn(move || {
                shape.insert(&words_of_first[..], first);
                telling.store(1, Ordering::Release);
            });
            let words_of_second = words.clone();
            let other = thread::spawn(move || shape.add(&words_of_second[..], &[second]));
            if told.load(Ordering::Acquire) == 1 {
                assert!(shape.query(&words[..], first));
            }
            inserting.join().expect("it ends");
            other.join().expect("it ends");
            assert!(shape.query(&words[..], first) && shape.query(&words[..], second));
            assert_eq!(bits_of(&words), alone);
        });
    }

    #[test]
    fn bits_of_all_threads_are_set() {
        let shape = ArrayShape::<0>::new(Placement::Pairs, 512, 2);
        let mut bits = BitArray::new(512).expect("small");
        for position in digests().iter().flat_map(|&digest| shape.positions(digest)) {
            bits.set(position);
        }
        check_insertions(shape, bits.storage().words().collect());
    }

    #[test]
    fn counters_count_the_keys_of_all_threads() {
        let shape = ArrayShape::<2>::new(Placement::Pairs, 128, 2);
        let mut counters = PackedArray::new(128, 4).expect("small");
        for position in digests().iter().flat_map(|&digest| shape.positions(digest)) {
            counters.counters_mut().raise(position);
        }
        check_insertions(shape, counters.storage().words().collect());
    }

    #[test]
    fn removal_takes_away_what_its_own_key_added() {
        let shape = ArrayShape::<2>::new(Placement::Pairs, 128, 2);
        loom::model(move || {
            let [kept, gone] = digests();
            let words = empty_line();
            shape.add(&words[..], &[gone]);
            let words_of_other = words.clone();
            let removing = thread::spawn(move || {
                let positions: Vec<_> = shape.positions(gone).collect();
                assert!(lower_all(Counters(&words_of_other[..]), &positions));
            });
            shape.insert(&words[..], kept);
            assert!(shape.query(&words[..], kept));
            removing.join().expect("it ends");
            assert!(shape.query(&words[..], kept));
            let count: u64 = bits_of(&words)
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum();
            assert_eq!(count, 2, "both counters of the key that was kept are 1");
        });
    }

    /// Two threads remove the key `gone`, which `times` of them can do, and a third looks up the key `kept`.
    fn check_removals(gone: Digest, kept: Digest, added: &'static [Digest], times: usize) {
        let shape = ArrayShape::<2>::new(Placement::Pairs, 128, 2);
        loom::model(move || {
            let (words, lock) = (empty_line(), Arc::new(Mutex::new(())));
            shape.add(&words[..], added);
            let remove = move |words: &[AtomicU64; 8], lock: &Mutex<()>| {
                let positions: Vec<_> = shape.positions(gone).collect();
                let counters = Counters(&words[..]);
                hold(counters, &positions) && {
                    let _removals = lock.lock().expect("no thread panics");
                    lower_all(counters, &positions)
                }
            };
            let (words_of_other, lock_of_other) = (words.clone(), lock.clone());
            let other = thread::spawn(move || remove(&words_of_other, &lock_of_other));
            let words_of_reader = words.clone();
            let reader = thread::spawn(move || assert!(shape.query(&words_of_reader[..], kept)));
            // Loom only looks for a read between two changes if it has first seen that read after them. So the reader is not this thread.
            let removed = [remove(&words, &lock), other.join().expect("it ends")];
            reader.join().expect("it ends");
            assert_eq!(removed.iter().filter(|&&removed| removed).count(), times);
            assert!(shape.query(&words[..], kept));
        });
    }

    #[test]
    fn one_thread_removes_a_key_that_is_there_once() {
        const KEYS: [Digest; 2] = digests();
        check_removals(KEYS[0], KEYS[1], &KEYS, 1);
    }

    #[test]
    fn refused_removal_of_a_key_with_one_position_twice_lowers_no_counter() {
        // The first key has positions 0 and 0, the second 3 and 0.
        const KEYS: [Digest; 2] = [
            Digest { low: 0, high: 1 },
            Digest {
                low: 3 << 57,
                high: 1,
            },
        ];
        check_removals(KEYS[0], KEYS[1], &[KEYS[1]], 0);
    }
}
