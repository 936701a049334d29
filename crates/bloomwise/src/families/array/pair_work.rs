//! How filters whose keys have pairs of positions insert, remove and answer. Each is a piece of [`PairWork`].

use super::pairs::{PairWork, Positions};
use crate::cells::NibblesMut;
use crate::cells::access::{AddToCells, Cells, UsedCells};
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};

/// Looks up one key.
pub(super) struct Query<C>(pub C, pub Digest);

impl<C: UsedCells, const LOG: u32> PairWork<LOG> for Query<C> {
    type Output = bool;

    /// Not inlined: side by side, the forms for all numbers of functions would not have enough registers.
    #[inline(never)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) -> bool {
        let Query(cells, digest) = self;
        positions.all_or_stop(digest, |position| cells.used(position))
    }
}

/// Looks up many keys. It tests all positions of a key without a branch.
pub(super) struct QueryBatch<'a, C>(pub C, pub &'a [Digest], pub &'a mut [bool]);

impl<C: UsedCells, const LOG: u32> PairWork<LOG> for QueryBatch<'_, C> {
    type Output = ();

    #[inline(never)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) {
        let QueryBatch(cells, digests, answers) = self;
        let query = |digest| positions.all(digest, |position| cells.used(position));
        if positions.are_near() {
            for (&digest, answer) in digests.iter().zip(answers) {
                *answer = query(digest);
            }
            return;
        }
        prefetch::rolling(
            answers,
            digests,
            AHEAD_OF_LINES,
            |_, digest| positions.each_line(digest, |position| cells.prefetch(position)),
            |answers, at, digest| answers[at] = query(digest),
        );
    }
}

/// Prefetches the lines of a key.
pub(super) struct Prefetch<C>(pub C, pub Digest);

impl<C: Cells, const LOG: u32> PairWork<LOG> for Prefetch<C> {
    type Output = ();

    #[inline(always)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) {
        let Prefetch(cells, digest) = self;
        positions.each_line(digest, |position| cells.prefetch(position));
    }
}

/// Adds one key, and returns whether it is new.
pub(super) struct Insert<C>(pub C, pub Digest);

impl<C: AddToCells, const LOG: u32> PairWork<LOG> for Insert<C> {
    type Output = bool;

    #[inline(always)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) -> bool {
        let (Insert(mut cells, digest), mut new) = (self, false);
        positions.each(digest, |position| new |= !cells.add(position));
        new
    }
}

/// Removes one key. `false`, and nothing changes, if one of its counters is 0 when its turn comes.
pub(super) struct Remove<'a>(pub NibblesMut<'a>, pub Digest);

impl<const LOG: u32> PairWork<LOG> for Remove<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) -> bool {
        let Remove(mut cells, digest) = self;
        let (mut lowered, mut found) = (0, true);
        positions.each(digest, |position| {
            found = found && cells.lower(position);
            lowered += u32::from(found);
        });
        if !found {
            // Stuck counters were not lowered and are not raised.
            positions.each(digest, |position| {
                if lowered > 0 {
                    cells.raise(position);
                    lowered -= 1;
                }
            });
        }
        found
    }
}

/// Adds many keys.
pub(super) struct InsertBatch<'a, C>(pub C, pub &'a [Digest]);

impl<C: AddToCells, const LOG: u32> PairWork<LOG> for InsertBatch<'_, C> {
    type Output = ();

    #[inline(never)]
    fn run<const K: u32, const LARGE: bool>(self, positions: Positions<K, LARGE, LOG>) {
        let InsertBatch(mut cells, digests) = self;
        let insert = |cells: &mut C, digest| {
            positions.each(digest, |position| cells.add_silently(position));
        };
        if positions.are_near() {
            for &digest in digests {
                insert(&mut cells, digest);
            }
            return;
        }
        prefetch::rolling(
            &mut cells,
            digests,
            AHEAD_OF_LINES,
            |cells, digest| positions.each_line(digest, |position| cells.prefetch(position)),
            |cells, _, digest| insert(cells, digest),
        );
    }
}
