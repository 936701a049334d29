//! Insertions, removals and queries. Each is a piece of [`Work`] on a shape and its cells.

use super::ArrayShape;
use crate::cells::access::{AddToCells, PrefetchCells, UsedCells};
use crate::cells::counters::Counters;
use crate::cells::words::SharedWord;
use crate::kernel::{Vectors, Work};
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};

/// Looks up one key.
pub(super) struct Query<C, const LOG: u32>(pub ArrayShape<LOG>, pub C);

impl<C: UsedCells, const LOG: u32> Work for Query<C, LOG> {
    type Argument = Digest;
    type Output = bool;

    /// Not inlined: side by side, the code for all numbers of functions would not have enough registers.
    #[inline(never)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let Query(shape, cells) = self;
        let positions = shape.in_layout::<LAYOUT, K>();
        positions.all_or_stop(digest, |position| cells.used(position))
    }
}

/// Looks up many keys.
pub(super) struct QueryBatch<'a, C, const LOG: u32> {
    /// The positions of keys.
    pub shape: ArrayShape<LOG>,
    /// The cells.
    pub cells: C,
    /// One answer for each key.
    pub answers: &'a mut [bool],
}

impl<'a, C: UsedCells, const LOG: u32> Work for QueryBatch<'a, C, LOG> {
    type Argument = &'a [Digest];
    type Output = ();

    #[inline(never)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digests: &[Digest]) {
        let QueryBatch {
            shape,
            cells,
            answers,
        } = self;
        let positions = shape.in_layout::<LAYOUT, K>();
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
pub(super) struct Prefetch<C, const LOG: u32>(pub ArrayShape<LOG>, pub C);

impl<C: PrefetchCells, const LOG: u32> Work for Prefetch<C, LOG> {
    type Argument = Digest;
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) {
        let Prefetch(shape, cells) = self;
        let positions = shape.in_layout::<LAYOUT, K>();
        positions.each_line(digest, |position| cells.prefetch(position));
    }
}

/// Adds one key, and returns whether it is new.
pub(super) struct Insert<C, const LOG: u32>(pub ArrayShape<LOG>, pub C);

impl<C: AddToCells, const LOG: u32> Work for Insert<C, LOG> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let (Insert(shape, mut cells), mut new) = (self, false);
        let positions = shape.in_layout::<LAYOUT, K>();
        positions.each(digest, |position| new |= !cells.add(position));
        new
    }
}

/// Removes one key. If one of its counters is 0 when it is reached, it returns `false` and changes nothing.
pub(super) struct Remove<'a, W, const LOG: u32>(pub ArrayShape<LOG>, pub Counters<'a, W>);

impl<W: SharedWord, const LOG: u32> Work for Remove<'_, W, LOG> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let Remove(shape, cells) = self;
        let positions = shape.in_layout::<LAYOUT, K>();
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
pub(super) struct InsertBatch<'a, C, const LOG: u32> {
    /// The positions of keys.
    pub shape: ArrayShape<LOG>,
    /// The cells.
    pub cells: C,
    /// The keys.
    pub digests: &'a [Digest],
}

impl<C: AddToCells, const LOG: u32> Work for InsertBatch<'_, C, LOG> {
    type Argument = ();
    type Output = ();

    #[inline(never)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, (): ()) {
        let InsertBatch {
            shape,
            mut cells,
            digests,
        } = self;
        let positions = shape.in_layout::<LAYOUT, K>();
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
