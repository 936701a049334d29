//! The filter for many threads.

use super::{Counting, LOG};
use crate::cells::PackedArray;
use crate::cells::storage::Storage;
use crate::error::Result;
use crate::families::probe::Placement;
use crate::families::spread::ArrayShape;
use crate::filter::family::Family;
use crate::filter::info::{Info, Parameter};
use crate::filter::profile::Profile;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::threads::shared::{Line, Shareable, Shared, SharedCounters, SharedShape, SharedWord};

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
        let (digest, counters) = (self.digest(key), SharedCounters(self.lines()));
        let counts = self.shape().positions(digest).map(|at| counters.get(at));
        counts.min().unwrap_or(0)
    }

    /// Removes a key. This filter's hashing must have made the digest.
    fn take(&self, digest: Digest) -> bool {
        let (counters, positions) = (SharedCounters(self.lines()), self.shape().positions(digest));
        // Most absent keys are refused without the lock. For the others, the counters are in the cache when the lock is taken.
        counters.hold(positions.clone()) && self.remove_by(|| counters.lower_all(positions))
    }
}

impl SharedShape for ArrayShape<LOG> {
    fn family(&self) -> Family {
        match self.placement() {
            Placement::Pairs => Family::Counting,
            Placement::Walk => Family::PersonalizedCounting,
        }
    }

    fn insert<W: SharedWord>(&self, lines: &[Line<W>], digest: Digest) -> bool {
        self.insert_into(SharedCounters(lines), digest)
    }

    fn add<W: SharedWord>(&self, lines: &[Line<W>], digests: &[Digest]) {
        self.insert_batch_into(SharedCounters(lines), digests);
    }

    fn query<W: SharedWord>(&self, lines: &[Line<W>], digest: Digest) -> bool {
        self.query_in(SharedCounters(lines), digest)
    }

    fn query_batch<W: SharedWord>(
        &self,
        lines: &[Line<W>],
        digests: &[Digest],
        answers: &mut [bool],
    ) {
        self.query_batch_in(SharedCounters(lines), digests, answers);
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

/// The lowest bit of each counter of a word.
const LOWEST: u64 = 0x1111_1111_1111_1111;

/// The number of counters of a word that are not 0.
fn used_in(word: u64) -> u32 {
    let pairs = word | word >> 1;
    ((pairs | pairs >> 2) & LOWEST).count_ones()
}

/// The number of counters of a word that are at their maximum.
pub(super) fn stuck_in(word: u64) -> u32 {
    let pairs = word & word >> 1;
    (pairs & pairs >> 2 & LOWEST).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_a_word_are_counted() {
        for word in [0, 1, 0x8421, 0xF0F0_1234_0000_FFFF, u64::MAX] {
            let counters = (0..16).map(|at| word >> (4 * at) & 15);
            assert_eq!(
                used_in(word) as usize,
                counters.clone().filter(|&n| n > 0).count()
            );
            assert_eq!(
                stuck_in(word) as usize,
                counters.filter(|&n| n == 15).count()
            );
        }
    }
}
