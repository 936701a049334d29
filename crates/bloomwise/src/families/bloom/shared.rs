//! The filter for many threads.

use super::Bloom;
use crate::cells::storage::Storage;
use crate::cells::words::SharedWord;
use crate::cells::{BitArray, Bits};
use crate::families::probe::Placement;
use crate::families::spread::ArrayShape;
use crate::filter::family::Family;
use crate::filter::info::{Info, Parameter};
use crate::filter::profile::Profile;
use crate::keys::hash::Digest;
use crate::threads::shared::{Shareable, SharedShape};

impl Shareable for Bloom {
    type Shape = ArrayShape<0>;

    fn into_parts(self) -> (ArrayShape<0>, Storage, Profile) {
        (self.shape, self.bits.into_storage(), self.profile)
    }

    fn from_parts(shape: ArrayShape<0>, cells: Storage, profile: Profile) -> Self {
        Bloom::over(BitArray::over(cells), shape, profile)
    }
}

impl SharedShape for ArrayShape<0> {
    fn family(&self) -> Family {
        match self.placement() {
            Placement::Pairs => Family::Bloom,
            Placement::Walk => Family::Personalized,
        }
    }

    fn insert<W: SharedWord>(&self, words: &[W], digest: Digest) -> bool {
        self.insert_into(Bits(words), digest)
    }

    fn add<W: SharedWord>(&self, words: &[W], digests: &[Digest]) {
        self.insert_batch_into(Bits(words), digests);
    }

    fn query<W: SharedWord>(&self, words: &[W], digest: Digest) -> bool {
        self.query_in(Bits(words), digest)
    }

    fn query_batch<W: SharedWord>(&self, words: &[W], digests: &[Digest], answers: &mut [bool]) {
        self.query_batch_in(Bits(words), digests, answers);
    }

    fn rate(&self, keys: u64) -> f64 {
        ArrayShape::rate(*self, keys)
    }

    fn info(&self, words: impl Iterator<Item = u64>, profile: &Profile) -> Info {
        let (fill, rate) = self.fill_and_rate(words.map(u64::count_ones));
        let parameters = vec![
            Parameter::total("bits", self.cells()),
            Parameter::setting("k", u64::from(self.functions())),
            Parameter::measure("estimated_keys", self.estimated_keys(fill)),
        ];
        Info::new(self.family(), profile, parameters, fill, rate)
    }
}

impl ArrayShape<0> {
    /// The number of distinct keys, estimated from the share of set bits; infinite if all bits are set.
    ///
    /// `k` positions of each of `n` keys leave a bit 0 with probability `(1 - 1/m)^(kn)`. This solves for `n`.
    pub(super) fn estimated_keys(self, fill: f64) -> f64 {
        let bits = self.cells() as f64;
        // Adding zero turns the -0 of an empty filter into 0.
        (1.0 - fill).ln() / (-1.0 / bits).ln_1p() / f64::from(self.functions()) + 0.0
    }
}
