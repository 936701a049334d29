//! The families that spread a key over one array: [`crate::Bloom`] of bits, [`crate::Counting`] of counters, and the personalized form of each.
//!
//! [`ArrayShape`] knows where keys are, and so how to add and look them up. It does so in any cells ([`crate::cells::access`]): bits or counters, plain or
//! shared by threads.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `pairs` | positions in pairs that share a cache line |
//! | `pair_work` | insertion, removal and queries, compiled for each usual number of functions |
//! | `query_fn` | the function that looks up one key in a filter |
//! | `options` | what callers can choose |

pub(crate) mod options;
mod pair_work;
mod pairs;
mod query_fn;

pub(crate) use query_fn::{ArrayFilter, query_fn};

use crate::cells::PackedArray;
use crate::cells::access::{AddToCells, Cells, UsedCells};
use crate::error::{Error, Result};
use crate::families::probe::{self, Placement};
use crate::filter::sizing::bloom_rate;
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};
use pair_work::{Insert, InsertBatch, Prefetch, Query, QueryBatch, Remove};
use pairs::Pairs;

/// The shape of an array of cells of `2^LOG` bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrayShape<const LOG: u32> {
    /// How positions are found.
    placement: Placement,
    /// Where keys are that have pairs of positions.
    pairs: Pairs<LOG>,
}

impl<const LOG: u32> ArrayShape<LOG> {
    /// The shape of this many cells, a number that [`ArrayShape::checked`] accepts.
    pub(crate) fn new(placement: Placement, cells: u64, functions: u32) -> Self {
        let pairs = Pairs::new(cells, functions);
        ArrayShape { placement, pairs }
    }

    /// The shape of this many cells, or an error if there is none. `what` names the cells.
    pub(crate) fn checked(
        placement: Placement,
        cells: u64,
        functions: u32,
        what: &'static str,
    ) -> Result<Self> {
        let step = match placement {
            Placement::Pairs => Pairs::<LOG>::step(cells),
            Placement::Walk => 64 >> LOG,
        };
        if !cells.is_multiple_of(step) {
            return Err(Error::field(what, cells, format!("a multiple of {step}")));
        }
        Ok(ArrayShape::new(placement, cells, functions))
    }

    /// How positions are found.
    pub(crate) fn placement(self) -> Placement {
        self.placement
    }

    /// The number of cells.
    pub(crate) fn cells(self) -> u64 {
        self.pairs.cells()
    }

    /// The number of positions of a key.
    pub(crate) fn functions(self) -> u32 {
        self.pairs.functions()
    }

    /// Where a key that walks is.
    #[inline(always)]
    pub(crate) fn walk(self, digest: Digest) -> impl Iterator<Item = usize> + Clone + use<LOG> {
        probe::walk(digest, self.functions(), self.cells())
    }

    /// Where a key is.
    pub(crate) fn positions(
        self,
        digest: Digest,
    ) -> impl Iterator<Item = usize> + Clone + use<LOG> {
        let pairs = (self.placement == Placement::Pairs).then(|| self.pairs.positions(digest));
        let walk = (self.placement == Placement::Walk).then(|| self.walk(digest));
        pairs
            .into_iter()
            .flatten()
            .chain(walk.into_iter().flatten())
    }

    /// Adds a key, and returns whether it is new.
    #[inline]
    pub(crate) fn insert_into(self, mut cells: impl AddToCells, digest: Digest) -> bool {
        match self.placement {
            Placement::Pairs => self.pairs.apply(Insert(cells, digest)),
            // It adds to all cells, whatever the first one was.
            Placement::Walk => self
                .walk(digest)
                .fold(false, |new, position| !cells.add(position) | new),
        }
    }

    /// Removes a key. `false`, and nothing changes, if one of its counters is 0 when its turn comes.
    #[inline]
    pub(crate) fn remove_from(self, counters: &mut PackedArray, digest: Digest) -> bool {
        match self.placement {
            Placement::Pairs => self.pairs.apply(Remove(counters.nibbles_mut(), digest)),
            Placement::Walk => counters.decrement_all(self.walk(digest)),
        }
    }

    /// Adds keys.
    pub(crate) fn insert_batch_into(self, mut cells: impl AddToCells, digests: &[Digest]) {
        match self.placement {
            Placement::Pairs => self.pairs.apply(InsertBatch(cells, digests)),
            Placement::Walk => {
                for position in digests.iter().flat_map(|&digest| self.walk(digest)) {
                    cells.add_silently(position);
                }
            }
        }
    }

    /// Whether a key may be in the set.
    #[inline]
    pub(crate) fn query_in(self, cells: impl UsedCells, digest: Digest) -> bool {
        match self.placement {
            Placement::Pairs => self.pairs.apply(Query(cells, digest)),
            Placement::Walk => self.query_walk(cells, digest),
        }
    }

    /// Whether a key that walks may be in the set.
    #[inline(always)]
    fn query_walk(self, cells: impl UsedCells, digest: Digest) -> bool {
        self.walk(digest)
            .all(|position| cells.used(position) & 1 == 1)
    }

    /// The answer for each key.
    pub(crate) fn query_batch_in(
        self,
        cells: impl UsedCells,
        digests: &[Digest],
        answers: &mut [bool],
    ) {
        match self.placement {
            Placement::Pairs => self.pairs.apply(QueryBatch(cells, digests, answers)),
            Placement::Walk => prefetch::rolling(
                answers,
                digests,
                AHEAD_OF_LINES,
                |_, digest| self.walk(digest).for_each(|at| cells.prefetch(at)),
                |answers, at, digest| answers[at] = self.query_walk(cells, digest),
            ),
        }
    }

    /// Prefetches the lines of a key.
    #[inline]
    pub(crate) fn prefetch(self, cells: impl Cells, digest: Digest) {
        match self.placement {
            Placement::Pairs => self.pairs.apply(Prefetch(cells, digest)),
            Placement::Walk => self.walk(digest).for_each(|at| cells.prefetch(at)),
        }
    }

    /// The false positive rate of a filter that holds `keys` keys.
    pub(crate) fn rate(self, keys: u64) -> f64 {
        match self.placement {
            Placement::Pairs => self.pairs.rate(keys),
            Placement::Walk => bloom_rate(self.cells(), keys, self.functions()),
        }
    }

    /// The number of cache lines that a key of the set reads.
    pub(crate) fn lines(self) -> u32 {
        match self.placement {
            Placement::Pairs => self.pairs.lines(),
            Placement::Walk => self.functions(),
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
