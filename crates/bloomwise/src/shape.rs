//! The shape of the families that spread a key over one array, [`crate::Bloom`] and [`crate::Counting`]: where keys are, and what
//! follows from it.

use crate::hash::Digest;
use crate::pairs::Pairs;
use crate::probe::{self, Placement};
use crate::sizing::bloom_rate;

/// The shape of an array of cells of `2^LOG` bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrayShape<const LOG: u32> {
    /// How positions are found.
    pub(crate) placement: Placement,
    /// Where keys are that have pairs of positions.
    pub(crate) pairs: Pairs<LOG>,
}

impl<const LOG: u32> ArrayShape<LOG> {
    /// The shape of this many cells, a number that [`Pairs::check`] accepts if positions come in pairs.
    pub(crate) fn new(placement: Placement, cells: u64, functions: u32) -> Self {
        let pairs = Pairs::new(cells, functions);
        ArrayShape { placement, pairs }
    }

    /// The number of positions of a key.
    pub(crate) fn functions(self) -> u32 {
        self.pairs.functions()
    }

    /// Where a key that walks is.
    #[inline(always)]
    pub(crate) fn walk(self, digest: Digest) -> impl Iterator<Item = usize> + Clone + use<LOG> {
        probe::walk(digest, self.functions(), self.pairs.cells())
    }

    /// The false positive rate of a filter that holds `keys` keys.
    pub(crate) fn rate(self, keys: u64) -> f64 {
        match self.placement {
            Placement::Pairs => self.pairs.rate(keys),
            Placement::Walk => bloom_rate(self.pairs.cells(), keys, self.functions()),
        }
    }

    /// The share of cells in use, and the false positive rate that follows from them. `used` is the number of cells in use
    /// in each word.
    pub(crate) fn fill_and_rate(self, used: impl Iterator<Item = u32>) -> (f64, f64) {
        let (fill, rate) = self.pairs.fill_and_rate(used);
        match self.placement {
            Placement::Pairs => (fill, rate),
            Placement::Walk => (fill, fill.powi(self.functions() as i32)),
        }
    }
}
