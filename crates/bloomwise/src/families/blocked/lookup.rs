//! Insertions and queries. Each is a piece of [`Work`].

use super::Blocked;
use crate::families::probe::block_of;
use crate::kernel::block_bits::Blocks;
use crate::kernel::{Vectors, Work};
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD};

/// The number of blocks.
#[inline(always)]
fn blocks<const LAYOUT: usize>(filter: &Blocked) -> u64 {
    filter.lines.len() * u64::from(Blocks::<LAYOUT>::STEP)
}

/// Looks up one key.
impl Work for &Blocked {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let block = block_of(digest, blocks::<LAYOUT>(self));
        let line = self.lines.get(Blocks::<LAYOUT>::line_of(block));
        self.block_bits.has_all::<V, LAYOUT>(line, block, digest)
    }
}

/// Looks up many keys.
pub(super) struct QueryBatch<'a>(pub &'a Blocked);

impl<'a> Work for QueryBatch<'a> {
    type Argument = (&'a [Digest], &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
        self,
        (digests, answers): Self::Argument,
    ) {
        let QueryBatch(filter) = self;
        let (lines, block_bits, count) = (
            filter.lines.blocks(),
            filter.block_bits,
            blocks::<LAYOUT>(filter),
        );
        prefetch::rolling(
            answers,
            digests,
            AHEAD,
            #[inline(always)]
            |_, digest| prefetch::fetch(lines, Blocks::<LAYOUT>::line_of(block_of(digest, count))),
            #[inline(always)]
            |answers, at, digest| {
                let block = block_of(digest, count);
                let line = &lines[Blocks::<LAYOUT>::line_of(block)];
                answers[at] = block_bits.has_all::<V, LAYOUT>(line, block, digest);
            },
        );
    }
}

/// Adds one key, and returns whether it is new.
pub(super) struct InsertOne<'a>(pub &'a mut Blocked);

impl Work for InsertOne<'_> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let InsertOne(filter) = self;
        let (block, block_bits) = (
            block_of(digest, blocks::<LAYOUT>(filter)),
            filter.block_bits,
        );
        let line = filter.lines.get_mut(Blocks::<LAYOUT>::line_of(block));
        let new = !block_bits.has_all::<V, LAYOUT>(line, block, digest);
        block_bits.set_all::<V, LAYOUT>(line, block, digest);
        new
    }
}

/// Adds many keys.
pub(super) struct InsertBatch<'a>(pub &'a mut Blocked);

impl<'a> Work for InsertBatch<'a> {
    type Argument = &'a [Digest];
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digests: &[Digest]) {
        let InsertBatch(filter) = self;
        let (block_bits, count) = (filter.block_bits, blocks::<LAYOUT>(filter));
        prefetch::rolling(
            filter.lines.blocks_mut(),
            digests,
            AHEAD,
            #[inline(always)]
            |lines, digest| {
                prefetch::fetch(lines, Blocks::<LAYOUT>::line_of(block_of(digest, count)));
            },
            #[inline(always)]
            |lines, _, digest| {
                let block = block_of(digest, count);
                block_bits.set_all::<V, LAYOUT>(
                    &mut lines[Blocks::<LAYOUT>::line_of(block)],
                    block,
                    digest,
                );
            },
        );
    }
}
