//! How a filter inserts and answers. Each is a piece of [`Work`], compiled for each kernel.

use super::Blocked;
use crate::hash::Digest;
use crate::kernel::{SingleQuery, Vectors, Work};
use crate::marks::Blocks;
use crate::prefetch::{self, AHEAD};
use crate::probe::block_of;
use std::marker::PhantomData;

/// The number of blocks.
#[inline(always)]
fn blocks<B: Blocks>(filter: &Blocked) -> u64 {
    filter.lines.len() * u64::from(B::STEP)
}

/// Looks up one key.
pub(super) struct Query<B>(PhantomData<B>);

impl<B: Blocks> SingleQuery<Blocked> for Query<B> {
    const SHORT_REGISTERS: bool = true;

    #[inline(always)]
    fn query<V: Vectors>(filter: &Blocked, digest: Digest) -> bool {
        let block = block_of(digest, blocks::<B>(filter));
        let line = filter.lines.get(B::line_of(block));
        filter.marks.has_all::<V, B>(line, block, digest)
    }
}

/// Looks up many keys. It prefetches the lines of a whole group before it reads the first one.
pub(super) struct QueryBatch<'a, B>(pub &'a Blocked, pub PhantomData<B>);

impl<'a, B: Blocks> Work for QueryBatch<'a, B> {
    type Argument = (&'a [Digest], &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, (digests, answers): Self::Argument) {
        let QueryBatch(filter, _) = self;
        let (lines, marks, count) = (filter.lines.blocks(), filter.marks, blocks::<B>(filter));
        for &digest in digests.iter().take(AHEAD) {
            prefetch::fetch(lines, B::line_of(block_of(digest, count)));
        }
        for (at, (&digest, answer)) in digests.iter().zip(answers).enumerate() {
            if let Some(&later) = digests.get(at + AHEAD) {
                prefetch::fetch(lines, B::line_of(block_of(later, count)));
            }
            let block = block_of(digest, count);
            let line = &lines[B::line_of(block)];
            *answer = marks.has_all::<V, B>(line, block, digest);
        }
    }
}

/// Adds one key, and returns whether it is new.
pub(super) struct Insert<'a, B>(pub &'a mut Blocked, pub PhantomData<B>);

impl<B: Blocks> Work for Insert<'_, B> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors>(self, digest: Digest) -> bool {
        let Insert(filter, _) = self;
        let (block, marks) = (block_of(digest, blocks::<B>(filter)), filter.marks);
        let line = filter.lines.get_mut(B::line_of(block));
        let new = !marks.has_all::<V, B>(line, block, digest);
        marks.set_all::<V, B>(line, block, digest);
        new
    }
}

/// Adds many keys. It prefetches the lines of a whole group before it changes the first one.
pub(super) struct InsertBatch<'a, B>(pub &'a mut Blocked, pub PhantomData<B>);

impl<'a, B: Blocks> Work for InsertBatch<'a, B> {
    type Argument = &'a [Digest];
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, digests: &[Digest]) {
        let InsertBatch(filter, _) = self;
        let (marks, count) = (filter.marks, blocks::<B>(filter));
        let lines = filter.lines.blocks_mut();
        for &digest in digests.iter().take(AHEAD) {
            prefetch::fetch(lines, B::line_of(block_of(digest, count)));
        }
        for (at, &digest) in digests.iter().enumerate() {
            if let Some(&later) = digests.get(at + AHEAD) {
                prefetch::fetch(lines, B::line_of(block_of(later, count)));
            }
            let block = block_of(digest, count);
            let line = &mut lines[B::line_of(block)];
            marks.set_all::<V, B>(line, block, digest);
        }
    }
}
