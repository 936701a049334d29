//! How filters whose keys have pairs of positions insert and answer. Each is a piece of [`PairWork`].

use super::{PairWork, Positions};
use crate::cells::{BitView, BitViewMut, Nibbles, NibblesMut};
use crate::hash::Digest;
use crate::prefetch::AHEAD_OF_LINES;

/// Cells that can be asked whether a key uses them.
pub(crate) trait UsedCells: Copy {
    /// A number whose lowest bit says whether a cell is used. For a `bool` the compiler would branch after each.
    fn used(self, position: usize) -> u64;

    /// Prefetches the cache line of a cell.
    fn prefetch(self, position: usize);
}

/// Cells that keys can be added to.
pub(crate) trait AddToCells {
    /// Uses a cell once more, and returns whether it was used before.
    fn add(&mut self, position: usize) -> bool;

    /// As [`AddToCells::add`], for callers that do not need the answer.
    #[inline(always)]
    fn add_silently(&mut self, position: usize) {
        self.add(position);
    }

    /// Prefetches the cache line of a cell.
    fn prefetch(&self, position: usize);
}

impl UsedCells for BitView<'_> {
    #[inline(always)]
    fn used(self, position: usize) -> u64 {
        self.lowest(position)
    }

    #[inline(always)]
    fn prefetch(self, position: usize) {
        self.prefetch(position);
    }
}

impl UsedCells for Nibbles<'_> {
    #[inline(always)]
    fn used(self, position: usize) -> u64 {
        u64::from(self.get(position) != 0)
    }

    #[inline(always)]
    fn prefetch(self, position: usize) {
        self.prefetch(position);
    }
}

impl AddToCells for BitViewMut<'_> {
    #[inline(always)]
    fn add(&mut self, position: usize) -> bool {
        self.set(position)
    }

    #[inline(always)]
    fn prefetch(&self, position: usize) {
        self.prefetch(position);
    }
}

impl AddToCells for NibblesMut<'_> {
    #[inline(always)]
    fn add(&mut self, position: usize) -> bool {
        self.raise(position) != 0
    }

    #[inline(always)]
    fn prefetch(&self, position: usize) {
        self.prefetch(position);
    }
}

/// Looks up one key.
pub(crate) struct Query<C>(pub C, pub Digest);

impl<C: UsedCells, const LOG: u32> PairWork<LOG> for Query<C> {
    type Output = bool;

    #[inline(always)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) -> bool {
        let Query(cells, digest) = self;
        query(cells, digest, positions)
    }
}

/// Looks up one key. Not inlined: side by side, the forms for all numbers of functions would not have enough registers.
#[inline(never)]
fn query<C: UsedCells, const K: u32, const LARGE: bool, const LOG: u32>(
    cells: C,
    digest: Digest,
    positions: Positions<K, LARGE, LOG>,
) -> bool {
    positions.all_or_stop(digest, |position| cells.used(position))
}

/// Looks up many keys. It prefetches the lines of some keys ahead, and tests all positions of a key without a branch.
pub(crate) struct QueryBatch<'a, C>(pub C, pub &'a [Digest], pub &'a mut [bool]);

impl<C: UsedCells, const LOG: u32> PairWork<LOG> for QueryBatch<'_, C> {
    type Output = ();

    #[inline(never)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) {
        let QueryBatch(cells, digests, answers) = self;
        if positions.are_near() {
            for (&digest, answer) in digests.iter().zip(answers) {
                *answer = positions.all(digest, |position| cells.used(position));
            }
            return;
        }
        for &digest in digests.iter().take(AHEAD_OF_LINES) {
            positions.each_line(digest, |position| cells.prefetch(position));
        }
        for (at, (&digest, answer)) in digests.iter().zip(answers).enumerate() {
            if let Some(&later) = digests.get(at + AHEAD_OF_LINES) {
                positions.each_line(later, |position| cells.prefetch(position));
            }
            *answer = positions.all(digest, |position| cells.used(position));
        }
    }
}

/// Prefetches the lines of a key.
pub(crate) struct Prefetch<C>(pub C, pub Digest);

impl<C: UsedCells, const LOG: u32> PairWork<LOG> for Prefetch<C> {
    type Output = ();

    #[inline(always)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) {
        let Prefetch(cells, digest) = self;
        positions.each_line(digest, |position| cells.prefetch(position));
    }
}

/// Adds one key, and returns whether it is new.
pub(crate) struct Insert<C>(pub C, pub Digest);

impl<C: AddToCells, const LOG: u32> PairWork<LOG> for Insert<C> {
    type Output = bool;

    #[inline(always)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) -> bool {
        let (Insert(mut cells, digest), mut new) = (self, false);
        positions.each(digest, |position| new |= !cells.add(position));
        new
    }
}

/// Adds many keys. It prefetches the lines of some keys ahead.
pub(crate) struct InsertBatch<'a, C>(pub C, pub &'a [Digest]);

impl<C: AddToCells, const LOG: u32> PairWork<LOG> for InsertBatch<'_, C> {
    type Output = ();

    #[inline(never)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) {
        let InsertBatch(mut cells, digests) = self;
        if positions.are_near() {
            for &digest in digests {
                positions.each(digest, |position| cells.add_silently(position));
            }
            return;
        }
        for &digest in digests.iter().take(AHEAD_OF_LINES) {
            positions.each_line(digest, |position| cells.prefetch(position));
        }
        for (at, &digest) in digests.iter().enumerate() {
            if let Some(&later) = digests.get(at + AHEAD_OF_LINES) {
                positions.each_line(later, |position| cells.prefetch(position));
            }
            positions.each(digest, |position| cells.add_silently(position));
        }
    }
}
