//! How a filter inserts and answers. Each is a piece of [`Work`], compiled for each kernel.

use super::Blocked;
use crate::hash::Digest;
use crate::kernel::{Vectors, Work};
use crate::prefetch::{self, AHEAD};
use crate::probe::block_of;

/// Looks up one key.
pub(super) struct Query<'a, const SIMPLE: bool>(pub &'a Blocked);

impl<const SIMPLE: bool> Work for Query<'_, SIMPLE> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors>(self, digest: Digest) -> bool {
        let Query(filter) = self;
        let block = block_of(digest, filter.marks.blocks::<SIMPLE>(filter.lines.len()));
        let line = filter.lines.get(filter.marks.line_of::<SIMPLE>(block));
        filter.marks.has_all::<V, SIMPLE>(line, block, digest)
    }
}

/// Looks up many keys. It prefetches the lines of a whole group before it reads the first one.
pub(super) struct QueryBatch<'a, const SIMPLE: bool>(pub &'a Blocked);

impl<'a, const SIMPLE: bool> Work for QueryBatch<'a, SIMPLE> {
    type Argument = (&'a [Digest], &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, (digests, answers): Self::Argument) {
        let QueryBatch(filter) = self;
        let (lines, marks, count) = (
            filter.lines.blocks(),
            filter.marks,
            filter.marks.blocks::<SIMPLE>(filter.lines.len()),
        );
        for &digest in digests.iter().take(AHEAD) {
            prefetch::fetch(lines, marks.line_of::<SIMPLE>(block_of(digest, count)));
        }
        for (at, (&digest, answer)) in digests.iter().zip(answers).enumerate() {
            if let Some(&later) = digests.get(at + AHEAD) {
                prefetch::fetch(lines, marks.line_of::<SIMPLE>(block_of(later, count)));
            }
            let block = block_of(digest, count);
            let line = &lines[marks.line_of::<SIMPLE>(block)];
            *answer = marks.has_all::<V, SIMPLE>(line, block, digest);
        }
    }
}

/// Adds one key, and returns whether it is new.
pub(super) struct Insert<'a, const SIMPLE: bool>(pub &'a mut Blocked);

impl<const SIMPLE: bool> Work for Insert<'_, SIMPLE> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors>(self, digest: Digest) -> bool {
        let Insert(filter) = self;
        let (block, marks) = (
            block_of(digest, filter.marks.blocks::<SIMPLE>(filter.lines.len())),
            filter.marks,
        );
        let line = filter.lines.get_mut(marks.line_of::<SIMPLE>(block));
        let new = !marks.has_all::<V, SIMPLE>(line, block, digest);
        marks.set_all::<V, SIMPLE>(line, block, digest);
        new
    }
}

/// Adds many keys. It prefetches the lines of a whole group before it changes the first one.
pub(super) struct InsertBatch<'a, const SIMPLE: bool>(pub &'a mut Blocked);

impl<'a, const SIMPLE: bool> Work for InsertBatch<'a, SIMPLE> {
    type Argument = &'a [Digest];
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, digests: &[Digest]) {
        let InsertBatch(filter) = self;
        let (marks, count) = (
            filter.marks,
            filter.marks.blocks::<SIMPLE>(filter.lines.len()),
        );
        let lines = filter.lines.blocks_mut();
        for &digest in digests.iter().take(AHEAD) {
            prefetch::fetch(lines, marks.line_of::<SIMPLE>(block_of(digest, count)));
        }
        for (at, &digest) in digests.iter().enumerate() {
            if let Some(&later) = digests.get(at + AHEAD) {
                prefetch::fetch(lines, marks.line_of::<SIMPLE>(block_of(later, count)));
            }
            let block = block_of(digest, count);
            let line = &mut lines[marks.line_of::<SIMPLE>(block)];
            marks.set_all::<V, SIMPLE>(line, block, digest);
        }
    }
}
