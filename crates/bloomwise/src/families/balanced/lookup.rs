//! Insertions and queries. Each is a piece of [`Work`].

use super::Balanced;
use super::tables::Candidate;
use crate::kernel::block_bits::Blocks;
use crate::kernel::key_list::KeyList;
use crate::kernel::{Vectors, Work};
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD};
use std::hint;

/// How many keys of a batch go through the choices after the first together.
const GROUP: usize = 2 * AHEAD;

/// Looks up one key. Most lookups end at the first block. The code for the others is not inlined.
impl Work for &Balanced {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let candidate = self.tables.candidate(digest, 0);
        let (yes, rejected) = test::<V, LAYOUT>(self, candidate, digest);
        // Hides both from the compiler. Otherwise it would branch on the answer, which the processor cannot predict.
        if hint::black_box(!yes & rejected) {
            return V::aside::<_, LAYOUT, K>(QueryElsewhere(self), digest);
        }
        yes | self.is_listed_over_budget(digest)
    }
}

/// Looks a key up in the choices after the first, and in the list.
struct QueryElsewhere<'a>(&'a Balanced);

impl Work for QueryElsewhere<'_> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let QueryElsewhere(filter) = self;
        for choice in 1..filter.tables.len() {
            let candidate = filter.tables.candidate(digest, choice);
            let (yes, rejected) = test::<V, LAYOUT>(filter, candidate, digest);
            if yes || !rejected {
                return yes || filter.is_listed_over_budget(digest);
            }
        }
        filter.overflow.contains(digest)
    }
}

/// Looks up many keys: all of them in the block of their first choice, some at a time in the others. Which keys continue is
/// unpredictable, so they are collected without a branch.
pub(super) struct QueryBatch<'a>(pub &'a Balanced);

impl<'a> Work for QueryBatch<'a> {
    type Argument = (&'a [Digest], &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
        self,
        (digests, answers): Self::Argument,
    ) {
        let QueryBatch(filter) = self;
        let mut open = KeyList::new();
        prefetch::rolling(
            &mut (&mut *answers, &mut open),
            digests,
            AHEAD,
            #[inline(always)]
            |_, digest| prefetch_choice::<LAYOUT>(filter, 0, digest),
            #[inline(always)]
            |(answers, open), at, digest| {
                let candidate = filter.tables.candidate(digest, 0);
                let (yes, rejected) = test::<V, LAYOUT>(filter, candidate, digest);
                answers[at] = yes;
                open.push_if(at, !yes & rejected);
                if open.is_full() {
                    V::aside::<_, LAYOUT, 0>(QueryOpen(filter, digests), (open, answers));
                }
            },
        );
        V::aside::<_, LAYOUT, 0>(QueryOpen(filter, digests), (&mut open, answers));
        if filter.budget_is_spent() {
            for (answer, &digest) in answers.iter_mut().zip(digests) {
                *answer |= filter.overflow.contains(digest);
            }
        }
    }
}

/// Completes the queries that the first block has not decided, one choice after the other: prefetches a block for each key, then tests
/// them. No key is left after it.
struct QueryOpen<'a>(&'a Balanced, &'a [Digest]);

impl<'a> Work for QueryOpen<'a> {
    type Argument = (&'a mut KeyList<GROUP>, &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, (open, answers): Self::Argument) {
        let QueryOpen(filter, digests) = self;
        for choice in 1..filter.tables.len() {
            for &at in open.keys() {
                prefetch_choice::<LAYOUT>(filter, choice, digests[at]);
            }
            open.retain(
                #[inline(always)]
                |at| {
                    let candidate = filter.tables.candidate(digests[at], choice);
                    let (yes, rejected) = test::<V, LAYOUT>(filter, candidate, digests[at]);
                    answers[at] = yes;
                    !yes & rejected
                },
            );
        }
        open.retain(|at| {
            answers[at] = filter.overflow.contains(digests[at]);
            false
        });
    }
}

/// Adds many keys, in order.
pub(super) struct InsertBatch<'a>(pub &'a mut Balanced);

impl<'a> Work for InsertBatch<'a> {
    type Argument = &'a [Digest];
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digests: &[Digest]) {
        let InsertBatch(filter) = self;
        prefetch::rolling(
            filter,
            digests,
            AHEAD,
            #[inline(always)]
            |filter, digest| prefetch_choice::<LAYOUT>(filter, 0, digest),
            #[inline(always)]
            |filter, _, digest| place::<V, LAYOUT>(filter, digest),
        );
    }
}

/// Prefetches the candidate block of a choice.
#[inline(always)]
fn prefetch_choice<const LAYOUT: usize>(filter: &Balanced, choice: usize, digest: Digest) {
    let candidate = filter.tables.candidate(digest, choice);
    filter
        .lines
        .prefetch(Blocks::<LAYOUT>::line_of(candidate.block));
}

/// Whether all bits of a key are set in its candidate block, and whether that block may have rejected the key.
#[inline(always)]
fn test<V: Vectors, const LAYOUT: usize>(
    filter: &Balanced,
    candidate: Candidate,
    digest: Digest,
) -> (bool, bool) {
    let line = filter.lines.get(Blocks::<LAYOUT>::line_of(candidate.block));
    let last = line.word(Blocks::<LAYOUT>::last_word(candidate.block) as usize);
    let state = last >> (64 - filter.block_state.bits());
    let yes = filter
        .block_bits
        .has_all::<V, LAYOUT>(line, candidate.block, digest);
    (yes, filter.block_state.may_have_rejected(state, candidate))
}

/// Puts a key into the first of its candidates that accepts it, or else into the list, or else, if the list is full,
/// into its first candidate.
#[inline(always)]
fn place<V: Vectors, const LAYOUT: usize>(filter: &mut Balanced, digest: Digest) {
    let mut reads = 0;
    for choice in 0..filter.tables.len() {
        if filter.budget_is_spent() {
            break;
        }
        reads += 1;
        filter.reads.total = filter.reads.total.saturating_add(1);
        filter.reads.worst = filter.reads.worst.max(reads);
        let candidate = filter.tables.candidate(digest, choice);
        // The key was inserted before, or other keys have set all its bits: there is nothing to add.
        if has_all::<V, LAYOUT>(filter, candidate, digest)
            || offer::<V, LAYOUT>(filter, candidate, digest)
        {
            return;
        }
    }
    if filter.overflowed() < filter.list_room {
        filter.overflow.insert(digest);
    } else if !filter.overflow.contains(digest) {
        set_all::<V, LAYOUT>(filter, filter.tables.candidate(digest, 0), digest);
    }
}

/// Offers a key to a block. Returns whether the block accepted it.
#[inline(always)]
fn offer<V: Vectors, const LAYOUT: usize>(
    filter: &mut Balanced,
    candidate: Candidate,
    digest: Digest,
) -> bool {
    let line = Blocks::<LAYOUT>::line_of(candidate.block);
    let word = Blocks::<LAYOUT>::last_word(candidate.block) as usize;
    let shift = 64 - filter.block_state.bits();
    let block = filter.lines.get_mut(line);
    let last = block.word(word);
    let (state, accepted) = filter.block_state.after(last >> shift, candidate);
    block.set_word(word, last & !(u64::MAX << shift) | state << shift);
    if accepted {
        set_all::<V, LAYOUT>(filter, candidate, digest);
    }
    accepted
}

/// Sets all bits of a key in its candidate block.
#[inline(always)]
fn set_all<V: Vectors, const LAYOUT: usize>(
    filter: &mut Balanced,
    candidate: Candidate,
    digest: Digest,
) {
    let (block_bits, line) = (
        filter.block_bits,
        Blocks::<LAYOUT>::line_of(candidate.block),
    );
    let line = filter.lines.get_mut(line);
    block_bits.set_all::<V, LAYOUT>(line, candidate.block, digest);
}

/// Whether all bits of a key are set in its candidate block.
#[inline(always)]
pub(super) fn has_all<V: Vectors, const LAYOUT: usize>(
    filter: &Balanced,
    candidate: Candidate,
    digest: Digest,
) -> bool {
    let line = filter.lines.get(Blocks::<LAYOUT>::line_of(candidate.block));
    filter
        .block_bits
        .has_all::<V, LAYOUT>(line, candidate.block, digest)
}
