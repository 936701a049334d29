//! The filter. One thread changes it at a time. [`super::SharedCuckoo`] is for many.

use super::buckets::Buckets;
use super::eviction::Eviction;
use super::insert_log::InsertLog;
use super::inspect::{info, used};
use super::shape::{Place, Shape};
use super::table::{Entry, Table, most_entries};
use super::waiting::WaitingMistakes;
use crate::cells::storage::Storage;
use crate::cells::words::{Word, padded_words, padded_words_mut};
use crate::error::{Error, Result};
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, Lookup, digest_groups, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::profile::Profile;
use crate::filter::remove::Remove;
use crate::filter::sizing::Size;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};
use std::fmt;

/// A set whose keys come and go, in about 11 bits per key. It denies the negatives it is told about.
///
/// ```
/// use bloomwise::{Cuckoo, Filter, Remove, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut sessions = Cuckoo::builder(Size::Rate(0.01)).capacity(10_000).create()?;
/// sessions.extend(0..9_000)?;
/// assert!(sessions.remove(7));
/// assert!(sessions.contains(8));
///
/// // A key outside of the set that is wrongly accepted, and that many people look up.
/// let wrong = (10_000..20_000).find(|key| sessions.contains(key)).unwrap();
/// assert!(sessions.guard(wrong, 500.0)?);
/// assert!(!sessions.contains(wrong), "from now on");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Cuckoo {
    /// Where segments, buckets and the table are.
    pub(super) shape: Shape,
    /// The buckets, then the exact table.
    pub(super) words: Storage,
    /// Hashing, capacity and number of keys: insertions minus removals.
    pub(super) profile: Profile,
    /// The numbers of entries in the exact table.
    pub(super) eviction: Eviction,
    /// The latest insertions.
    pub(super) insert_log: InsertLog,
    /// Reported mistakes that wait for room in the table.
    pub(super) waiting: WaitingMistakes,
}

impl Cuckoo {
    /// Options for a filter of this size. The capacity is the most keys that are in the set at a time.
    pub fn builder(size: Size) -> Builder<Cuckoo> {
        Builder::new(size)
    }

    /// A filter over words that hold buckets and table.
    pub(super) fn over(shape: Shape, words: Storage, profile: Profile, eviction: Eviction) -> Self {
        Cuckoo {
            shape,
            words,
            profile,
            eviction,
            insert_log: InsertLog::new(),
            waiting: WaitingMistakes::default(),
        }
    }

    /// Adds a key and returns whether it is new, that is, whether the filter denied it before. A key that is added twice must be removed twice.
    ///
    /// # Errors
    ///
    /// The filter is full: it holds about as many keys as it was planned for. It does not change then.
    pub fn insert(&mut self, key: impl Key) -> Result<bool> {
        self.insert_digest(self.profile.hashing.digest(key))
    }

    /// Adds keys. This is faster than adding them one by one.
    ///
    /// # Errors
    ///
    /// The filter is full. All keys before the first that did not fit have been added; [`Filter::len`] says how many.
    pub fn extend<K: Key>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
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
    /// The filter is full, as for [`Cuckoo::extend`], or the digests have another hashing.
    pub fn insert_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.add(digests.made_by(self.profile.hashing)?)
    }

    /// Adds keys. This filter's hashing must have made the digests.
    pub(crate) fn add(&mut self, digests: &[Digest]) -> Result<()> {
        let mut result = Ok(());
        prefetch::rolling(
            self,
            digests,
            AHEAD_OF_LINES,
            Lookup::prefetch,
            |filter, _, digest| {
                if result.is_ok() {
                    result = filter.add_at(digest, filter.shape.place(digest));
                }
            },
        );
        result
    }

    /// Adds a key with this digest, which this filter's hashing made, and this place.
    #[inline(always)]
    fn add_at(&mut self, digest: Digest, place: Place) -> Result<()> {
        let words = padded_words_mut(&mut self.words);
        let buckets = Buckets::new(words, &self.shape, place.segment);
        if buckets.add(place, choices(digest)) {
            if self.eviction.entries > 0 {
                self.eviction
                    .forget_exception(&Table::new(words, &self.shape), digest);
            }
        } else if !self.keep_extra(digest) {
            return Err(self.full());
        }
        self.profile.add_keys(1);
        self.insert_log.remember(digest);
        Ok(())
    }

    /// Whether the key of this digest and place may be in the set.
    #[inline(always)]
    fn answer(&self, digest: Digest, place: Place) -> bool {
        let words = padded_words(&self.words);
        let entry = || Table::new(words, &self.shape).get(digest);
        // Most queries end here: a "yes" if there are no exceptions, a "no" if there are no extras.
        if Buckets::new(words, &self.shape, place.segment).contains(place) {
            self.eviction.entries == 0 || !matches!(entry(), Some(Entry::Exception(_)))
        } else {
            self.eviction.extras > 0 && matches!(entry(), Some(Entry::Extra(_)))
        }
    }

    /// Stores a key that found no room in the buckets in the exact table. Returns `false` if there is no room either.
    #[cold]
    fn keep_extra(&mut self, digest: Digest) -> bool {
        let (words, shape) = (padded_words_mut(&mut self.words), &self.shape);
        let accepts = |digest| accepts(words, shape, shape.place(digest));
        let table = Table::new(words, shape);
        self.eviction
            .keep_extra(&table, digest, most_entries(shape.entries), &accepts)
    }

    /// The error for a key that finds no room.
    fn full(&self) -> Error {
        Error::Full { keys: self.len() }
    }
}

/// The bits of a digest that choose which fingerprints move.
#[inline(always)]
pub(super) fn choices(digest: Digest) -> u64 {
    digest.low.rotate_left(32)
}

/// Whether the buckets contain the fingerprint of a key.
#[inline(always)]
pub(super) fn accepts<W: Word>(words: &[W], shape: &Shape, place: Place) -> bool {
    Buckets::new(words, shape, place.segment).contains(place)
}

impl PartialEq for Cuckoo {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
            && self.profile == other.profile
            && self.eviction == other.eviction
            && self.words == other.words
    }
}

impl fmt::Debug for Cuckoo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Cuckoo {}

impl Lookup for Cuckoo {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.answer(digest, self.shape.place(digest))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let place = self.shape.place(digest);
        let words = padded_words(&self.words);
        for bucket in [place.first, place.second] {
            prefetch::fetch(words, self.shape.word_of(place.segment, bucket));
        }
    }
}

impl Filter for Cuckoo {
    fn family(&self) -> Family {
        Family::Cuckoo
    }

    fn rate(&self) -> f64 {
        self.shape.rate(self.len())
    }

    fn size_in_bits(&self) -> u64 {
        64 * self.shape.words()
    }

    fn info(&self) -> Info {
        let used = used(padded_words(&self.words), &self.shape);
        info(&self.shape, &self.profile, &self.eviction, used)
    }
}

impl Remove for Cuckoo {
    fn take_digest(&mut self, digest: Digest, _: Checked) -> bool {
        // Leave a denied key alone, and do not copy borrowed words for it.
        if !self.query(digest) {
            return false;
        }
        let words = padded_words_mut(&mut self.words);
        let table = Table::new(words, &self.shape);
        if !self.eviction.take_extra(&table, digest) {
            let place = self.shape.place(digest);
            let buckets = Buckets::new(words, &self.shape, place.segment);
            if !buckets.remove(place) {
                return false;
            }
            let shape = &self.shape;
            self.eviction.move_back(&table, |extra| {
                let other = shape.place(extra);
                other.meets(place) && buckets.add(other, choices(extra))
            });
        }
        self.profile.remove_key(true);
        true
    }
}

impl Change for Cuckoo {
    fn insert_digest(&mut self, digest: Digest) -> Result<bool> {
        let place = self.shape.place(digest);
        let new = !self.answer(digest, place);
        self.add_at(digest, place)?;
        Ok(new)
    }

    fn insert_all(&mut self, digests: &[Digest]) -> Result<()> {
        self.add(digests)
    }

    fn as_remove(&mut self) -> Option<&mut dyn Remove> {
        Some(self)
    }

    fn guard_digest(&mut self, digest: Digest, cost: f64) -> Result<()> {
        self.except(digest, cost);
        Ok(())
    }

    fn bytes_beside_cells(&self) -> u64 {
        self.bytes_in_memory_only()
    }
}
