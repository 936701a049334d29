//! How a filter inserts and answers. Each is a piece of [`BlockWork`].

use super::Blocked;
use crate::families::probe::block_of;
use crate::kernel::Vectors;
use crate::kernel::marks::{BlockQuery, BlockWork, Blocks};
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD};

/// The number of blocks.
#[inline(always)]
fn blocks<B: Blocks>(filter: &Blocked) -> u64 {
    filter.lines.len() * u64::from(B::STEP)
}

/// Looks up one key.
pub(super) struct Query;

impl BlockQuery<Blocked> for Query {
    #[inline(always)]
    fn query<V: Vectors, B: Blocks>(filter: &Blocked, digest: Digest) -> bool {
        let block = block_of(digest, blocks::<B>(filter));
        let line = filter.lines.get(B::line_of(block));
        filter.marks.has_all::<V, B>(line, block, digest)
    }
}

/// Looks up many keys.
pub(super) struct QueryBatch<'a>(pub &'a Blocked);

impl<'a> BlockWork for QueryBatch<'a> {
    type Argument = (&'a [Digest], &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, B: Blocks>(self, (digests, answers): Self::Argument) {
        let QueryBatch(filter) = self;
        let (lines, marks, count) = (filter.lines.blocks(), filter.marks, blocks::<B>(filter));
        prefetch::rolling(
            answers,
            digests,
            AHEAD,
            #[inline(always)]
            |_, digest| prefetch::fetch(lines, B::line_of(block_of(digest, count))),
            #[inline(always)]
            |answers, at, digest| {
                let block = block_of(digest, count);
                let line = &lines[B::line_of(block)];
                answers[at] = marks.has_all::<V, B>(line, block, digest);
            },
        );
    }
}

/// Adds one key, and returns whether it is new.
pub(super) struct Insert<'a>(pub &'a mut Blocked);

impl BlockWork for Insert<'_> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, B: Blocks>(self, digest: Digest) -> bool {
        let Insert(filter) = self;
        let (block, marks) = (block_of(digest, blocks::<B>(filter)), filter.marks);
        let line = filter.lines.get_mut(B::line_of(block));
        let new = !marks.has_all::<V, B>(line, block, digest);
        marks.set_all::<V, B>(line, block, digest);
        new
    }
}

/// Adds many keys.
pub(super) struct InsertBatch<'a>(pub &'a mut Blocked);

impl<'a> BlockWork for InsertBatch<'a> {
    type Argument = &'a [Digest];
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, B: Blocks>(self, digests: &[Digest]) {
        let InsertBatch(filter) = self;
        let (marks, count) = (filter.marks, blocks::<B>(filter));
        prefetch::rolling(
            filter.lines.blocks_mut(),
            digests,
            AHEAD,
            #[inline(always)]
            |lines, digest| prefetch::fetch(lines, B::line_of(block_of(digest, count))),
            #[inline(always)]
            |lines, _, digest| {
                let block = block_of(digest, count);
                marks.set_all::<V, B>(&mut lines[B::line_of(block)], block, digest);
            },
        );
    }
}
