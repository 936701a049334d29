//! The families that spread a key over one array: [`crate::Bloom`] of bits, [`crate::Counting`] of counters, and the personalized form of each.
//!
//! [`ArrayShape`] computes the positions of keys, and adds and looks up keys. It works on any cells ([`crate::cells::access`]): bits or
//! counters, plain or shared by threads.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `pairs` | positions in pairs that share a cache line |
//! | `positions` | positions for a layout and a number of functions that the compiler knows |
//! | `work` | insertion, removal and queries |
//! | `options` | the options of both families |

pub(crate) mod options;
mod pairs;
mod positions;
mod work;

use crate::cells::access::{AddToCells, PrefetchCells, UsedCells};
use crate::cells::counters::Counters;
use crate::cells::words::SharedWord;
use crate::error::{Error, Result};
use crate::families::probe::{self, Placement};
use crate::filter::sizing::bloom_rate;
use crate::kernel::{Portable, Run, Work};
use crate::keys::hash::Digest;
use pairs::Pairs;
use positions::{LARGE, Positions, SMALL, WALK};
use work::{Insert, InsertBatch, Prefetch, Query, QueryBatch, Remove};

/// The shape of an array of cells of `2^LOG` bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrayShape<const LOG: u32> {
    /// How positions are found.
    placement: Placement,
    /// The positions of keys that have pairs of positions.
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

    /// The walk of a key.
    #[inline(always)]
    pub(crate) fn walk(self, digest: Digest) -> impl Iterator<Item = usize> + Clone + use<LOG> {
        probe::walk(digest, self.functions(), self.cells())
    }

    /// The positions of a key.
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

    /// The positions of a key in code that was compiled for this layout and number of functions, see [`ArrayShape::run`].
    #[inline(always)]
    pub(crate) fn in_layout<const LAYOUT: usize, const K: usize>(
        self,
    ) -> Positions<LAYOUT, K, LOG> {
        Positions {
            cells: self.pairs.cells(),
            functions: self.pairs.functions(),
        }
    }

    /// Does the work in this layout, compiled for the number of functions if the number is common.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, place: impl Run, work: W, argument: W::Argument) -> W::Output {
        if self.placement == Placement::Walk {
            return place.run::<W, WALK, 0>(work, argument);
        }
        match self.functions() {
            _ if !self.pairs.is_large() => place.run::<W, SMALL, 0>(work, argument),
            4 => place.run::<W, LARGE, 4>(work, argument),
            5 => place.run::<W, LARGE, 5>(work, argument),
            6 => place.run::<W, LARGE, 6>(work, argument),
            7 => place.run::<W, LARGE, 7>(work, argument),
            8 => place.run::<W, LARGE, 8>(work, argument),
            10 => place.run::<W, LARGE, 10>(work, argument),
            11 => place.run::<W, LARGE, 11>(work, argument),
            _ => place.run::<W, LARGE, 0>(work, argument),
        }
    }

    /// Adds a key, and returns whether it is new.
    #[inline]
    pub(crate) fn insert_into(self, cells: impl AddToCells, digest: Digest) -> bool {
        self.run(Portable, Insert(self, cells), digest)
    }

    /// Removes a key. If one of its counters is 0 when it is reached, it returns `false` and changes nothing.
    #[inline]
    pub(crate) fn remove_from(
        self,
        counters: Counters<'_, impl SharedWord>,
        digest: Digest,
    ) -> bool {
        self.run(Portable, Remove(self, counters), digest)
    }

    /// Adds keys.
    pub(crate) fn insert_batch_into(self, cells: impl AddToCells, digests: &[Digest]) {
        let work = InsertBatch {
            shape: self,
            cells,
            digests,
        };
        self.run(Portable, work, ());
    }

    /// Whether a key may be in the set.
    #[inline]
    pub(crate) fn query_in(self, cells: impl UsedCells, digest: Digest) -> bool {
        self.run(Portable, Query(self, cells), digest)
    }

    /// The answer for each key.
    pub(crate) fn query_batch_in(
        self,
        cells: impl UsedCells,
        digests: &[Digest],
        answers: &mut [bool],
    ) {
        let work = QueryBatch {
            shape: self,
            cells,
            answers,
        };
        self.run(Portable, work, digests);
    }

    /// Prefetches the lines of a key.
    #[inline]
    pub(crate) fn prefetch(self, cells: impl PrefetchCells, digest: Digest) {
        self.run(Portable, Prefetch(self, cells), digest);
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

    /// The share of cells in use, and the false positive rate computed from it. `used` is the number of cells in use
    /// in each word.
    pub(crate) fn fill_and_rate(self, used: impl Iterator<Item = u32>) -> (f64, f64) {
        let (fill, rate) = self.pairs.fill_and_rate(used);
        match self.placement {
            Placement::Pairs => (fill, rate),
            Placement::Walk => (fill, fill.powi(self.functions() as i32)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Vectors;
    use crate::keys::hash::Hashing;

    /// All positions of a key, as work.
    struct All<const LOG: u32>(ArrayShape<LOG>);

    impl<const LOG: u32> Work for All<LOG> {
        type Argument = Digest;
        type Output = Vec<usize>;

        fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
            self,
            digest: Digest,
        ) -> Vec<usize> {
            let positions = self.0.in_layout::<LAYOUT, K>();
            let mut all = Vec::new();
            positions.each(digest, |position| all.push(position));
            let mut lines = Vec::new();
            positions.each_line(digest, |position| lines.push(position));
            let step = if LAYOUT == LARGE { 2 } else { 1 };
            assert!(lines.into_iter().eq(all.iter().copied().step_by(step)));
            let set = |position| u64::from(all.contains(&position));
            assert!(positions.all(digest, set) && positions.all_or_stop(digest, set));
            for missing in &all {
                let set = |position| u64::from(position != *missing);
                assert!(!positions.all(digest, set) && !positions.all_or_stop(digest, set));
            }
            all
        }
    }

    #[test]
    fn every_form_gives_the_same_positions_and_pairs_share_a_line() {
        const FIRST_LARGE: u64 = 1 << 16;
        let sizes = [
            64,
            1024,
            FIRST_LARGE - 64,
            FIRST_LARGE,
            FIRST_LARGE + 512,
            1 << 30,
        ];
        for functions in 1..=32 {
            for cells in sizes {
                for key in 0..20u64 {
                    let digest = Hashing::default().digest(key);
                    let pairs = ArrayShape::<0>::new(Placement::Pairs, cells, functions);
                    let all = pairs.run(Portable, All(pairs), digest);
                    assert!(pairs.positions(digest).eq(all.iter().copied()));
                    assert!(all.iter().all(|&position| position < cells as usize));
                    assert_eq!(all.len(), functions as usize);
                    let shared = all
                        .chunks(2)
                        .all(|pair| pair[0] / 512 == pair[pair.len() - 1] / 512);
                    assert!(shared || cells < FIRST_LARGE);
                    let counters = ArrayShape::<2>::new(Placement::Pairs, cells, functions);
                    let all = counters.run(Portable, All(counters), digest);
                    assert!(counters.positions(digest).eq(all));
                    let walk = ArrayShape::<0>::new(Placement::Walk, cells, functions);
                    let all = walk.run(Portable, All(walk), digest);
                    assert!(walk.positions(digest).eq(all));
                }
            }
        }
    }
}
