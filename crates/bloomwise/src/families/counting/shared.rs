//! The filter for many threads.

use super::{Counting, LOG};
use crate::cells::PackedArray;
use crate::cells::counters::{Counters, stuck_in, used_in};
use crate::cells::storage::Storage;
use crate::cells::words::SharedWord;
use crate::error::Result;
use crate::families::probe::Placement;
use crate::families::spread::ArrayShape;
use crate::filter::family::Family;
use crate::filter::info::{Info, Parameter};
use crate::filter::profile::Profile;
use crate::filter::sizing::MAX_FUNCTIONS;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::threads::shared::{Shareable, Shared, SharedShape, hold, lower_all};

impl Shareable for Counting {
    type Shape = ArrayShape<LOG>;

    fn into_parts(self) -> (ArrayShape<LOG>, Storage, Profile) {
        (self.shape, self.counters.into_storage(), self.profile)
    }

    fn from_parts(shape: ArrayShape<LOG>, cells: Storage, profile: Profile) -> Self {
        let counters = PackedArray::of(cells, shape.cells(), 1 << LOG);
        Counting::over(counters, shape, profile)
    }
}

impl Shared<Counting> {
    /// Removes a key that was inserted before the call. If the key is certainly absent, it returns `false` and changes nothing. Removals
    /// and snapshots wait for each other.
    ///
    /// Removing a false positive, a key that was never added or is just being added by another thread, makes false negatives.
    pub fn remove(&self, key: impl Key) -> bool {
        self.take(self.digest(key))
    }

    /// Removes keys by their digests, as [`Shared::remove`] does, and returns how many were removed.
    ///
    /// # Errors
    ///
    /// The digests have another hashing.
    pub fn remove_digests(&self, digests: &Digests<'_>) -> Result<u64> {
        let digests = self.checked(digests)?.iter();
        Ok(digests.map(|&digest| u64::from(self.take(digest))).sum())
    }

    /// How often a key was added and not removed, as [`Counting::count`] does.
    pub fn count(&self, key: impl Key) -> u64 {
        let (digest, counters) = (self.digest(key), Counters(self.words()));
        let counts = self.shape().positions(digest).map(|at| counters.get(at));
        counts.min().unwrap_or(0)
    }

    /// Removes a key. This filter's hashing must have made the digest.
    fn take(&self, digest: Digest) -> bool {
        let (counters, mut positions) = (Counters(self.words()), [0; MAX_FUNCTIONS as usize]);
        let found = self.shape().positions(digest).zip(&mut positions);
        let count = found.map(|(position, at)| *at = position).count();
        let positions = &positions[..count];
        // Most absent keys are refused without the lock. For the others, the counters are in the cache when the lock is taken.
        hold(counters, positions) && self.remove_by(|| lower_all(counters, positions))
    }
}

impl SharedShape for ArrayShape<LOG> {
    fn family(&self) -> Family {
        match self.placement() {
            Placement::Pairs => Family::Counting,
            Placement::Walk => Family::PersonalizedCounting,
        }
    }

    fn insert<W: SharedWord>(&self, words: &[W], digest: Digest) -> bool {
        self.insert_into(Counters(words), digest)
    }

    fn add<W: SharedWord>(&self, words: &[W], digests: &[Digest]) {
        self.insert_batch_into(Counters(words), digests);
    }

    fn query<W: SharedWord>(&self, words: &[W], digest: Digest) -> bool {
        self.query_in(Counters(words), digest)
    }

    fn query_batch<W: SharedWord>(&self, words: &[W], digests: &[Digest], answers: &mut [bool]) {
        self.query_batch_in(Counters(words), digests, answers);
    }

    fn rate(&self, keys: u64) -> f64 {
        ArrayShape::rate(*self, keys)
    }

    fn info(&self, words: impl Iterator<Item = u64>, profile: &Profile) -> Info {
        let mut stuck = 0;
        let used = words.map(|word| {
            stuck += u64::from(stuck_in(word));
            used_in(word)
        });
        let (fill, rate) = self.fill_and_rate(used);
        let parameters = vec![
            Parameter::total("counters", self.cells()),
            Parameter::setting("k", u64::from(self.functions())),
            Parameter::measure("stuck", stuck),
        ];
        Info::new(self.family(), profile, parameters, fill, rate)
    }
}
