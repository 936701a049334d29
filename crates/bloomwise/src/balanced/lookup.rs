//! How a filter inserts and answers. Each is a piece of [`BlockWork`].

use super::Balanced;
use super::tables::Candidate;
use crate::hash::Digest;
use crate::kernel::{Vectors, Work};
use crate::marks::{BlockQuery, BlockWork, Blocks};
use crate::prefetch::{self, AHEAD};
use std::marker::PhantomData;

/// Keys of a batch in flight at once: four times as many as in other families, because few are left in later rounds.
const GROUP: usize = 4 * AHEAD;

/// Looks up one key. Most lookups end at the first block; the others continue out of line.
pub(super) struct Query;

impl BlockQuery<Balanced> for Query {
    #[inline(always)]
    fn query<V: Vectors, B: Blocks>(filter: &Balanced, digest: Digest) -> bool {
        let candidate = filter.tables.candidate(digest, 0);
        has_all::<V, B>(filter, candidate, digest)
            || if may_have_rejected::<B>(filter, candidate) {
                V::aside(QueryElsewhere(filter, PhantomData::<B>), digest)
            } else {
                filter.is_listed_over_budget(digest)
            }
    }
}

/// Looks a key up in the choices after the first, and in the list.
struct QueryElsewhere<'a, B>(&'a Balanced, PhantomData<B>);

impl<B: Blocks> Work for QueryElsewhere<'_, B> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors>(self, digest: Digest) -> bool {
        let QueryElsewhere(filter, _) = self;
        for choice in 1..filter.tables.len() {
            let candidate = filter.tables.candidate(digest, choice);
            if has_all::<V, B>(filter, candidate, digest) {
                return true;
            }
            if !may_have_rejected::<B>(filter, candidate) {
                return filter.is_listed_over_budget(digest);
            }
        }
        filter.overflow.contains(digest)
    }
}

/// Looks up many keys, choice by choice instead of key by key: it prefetches and tests the first block of all keys in a
/// group, then the second block of the keys that continue, and so on. Which keys continue is unpredictable, so `open` is
/// filled without a branch.
pub(super) struct QueryBatch<'a>(pub &'a Balanced);

impl<'a> BlockWork for QueryBatch<'a> {
    type Argument = (&'a [Digest], &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, B: Blocks>(self, (digests, answers): Self::Argument) {
        let QueryBatch(filter) = self;
        for (group, answers) in digests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
            let mut open = [0; GROUP];
            for (at, open) in open.iter_mut().enumerate() {
                *open = at;
            }
            let mut count = group.len();
            for choice in 0..filter.tables.len() {
                for &at in &open[..count] {
                    prefetch_choice::<B>(filter, choice, group[at]);
                }
                let mut left = 0;
                for next in 0..count {
                    let at = open[next];
                    let candidate = filter.tables.candidate(group[at], choice);
                    let yes = has_all::<V, B>(filter, candidate, group[at]);
                    answers[at] = yes;
                    open[left] = at;
                    left += usize::from(!yes & may_have_rejected::<B>(filter, candidate));
                }
                count = left;
            }
            for &at in &open[..count] {
                answers[at] = filter.overflow.contains(group[at]);
            }
            if filter.budget_is_spent() {
                for (answer, &digest) in answers.iter_mut().zip(group) {
                    *answer |= filter.overflow.contains(digest);
                }
            }
        }
    }
}

/// Adds many keys, in order.
pub(super) struct InsertBatch<'a>(pub &'a mut Balanced);

impl<'a> BlockWork for InsertBatch<'a> {
    type Argument = &'a [Digest];
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, B: Blocks>(self, digests: &[Digest]) {
        let InsertBatch(filter) = self;
        prefetch::rolling(
            filter,
            digests,
            AHEAD,
            #[inline(always)]
            |filter, digest| prefetch_choice::<B>(filter, 0, digest),
            #[inline(always)]
            |filter, _, digest| place::<V, B>(filter, digest),
        );
    }
}

/// Prefetches the candidate block of a choice.
#[inline(always)]
fn prefetch_choice<B: Blocks>(filter: &Balanced, choice: usize, digest: Digest) {
    let candidate = filter.tables.candidate(digest, choice);
    filter.lines.prefetch(B::line_of(candidate.block));
}

/// Whether the candidate block may have rejected the key.
#[inline(always)]
fn may_have_rejected<B: Blocks>(filter: &Balanced, candidate: Candidate) -> bool {
    let line = filter.lines.get(B::line_of(candidate.block));
    let last = line.word(B::last_word(candidate.block) as usize);
    let state = last >> (64 - filter.block_state.bits());
    filter.block_state.may_have_rejected(state, candidate)
}

/// Puts a key into the first of its candidates that accepts it, or else into the list, or else, if the list is full,
/// into its first candidate.
#[inline(always)]
fn place<V: Vectors, B: Blocks>(filter: &mut Balanced, digest: Digest) {
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
        if has_all::<V, B>(filter, candidate, digest) || offer::<V, B>(filter, candidate, digest) {
            return;
        }
    }
    if filter.overflowed() < filter.list_room {
        filter.overflow.insert(digest);
    } else if !filter.overflow.contains(digest) {
        set_all::<V, B>(filter, filter.tables.candidate(digest, 0), digest);
    }
}

/// Offers a key to a block. Returns whether the block accepted it.
#[inline(always)]
fn offer<V: Vectors, B: Blocks>(
    filter: &mut Balanced,
    candidate: Candidate,
    digest: Digest,
) -> bool {
    let line = B::line_of(candidate.block);
    let word = B::last_word(candidate.block) as usize;
    let shift = 64 - filter.block_state.bits();
    let block = filter.lines.get_mut(line);
    let last = block.word(word);
    let (state, accepted) = filter.block_state.after(last >> shift, candidate);
    block.set_word(word, last & !(u64::MAX << shift) | state << shift);
    if accepted {
        set_all::<V, B>(filter, candidate, digest);
    }
    accepted
}

/// Sets all bits of a key in its candidate block.
#[inline(always)]
fn set_all<V: Vectors, B: Blocks>(filter: &mut Balanced, candidate: Candidate, digest: Digest) {
    let (marks, line) = (filter.marks, B::line_of(candidate.block));
    let line = filter.lines.get_mut(line);
    marks.set_all::<V, B>(line, candidate.block, digest);
}

/// Whether all bits of a key are set in its candidate block.
#[inline(always)]
pub(super) fn has_all<V: Vectors, B: Blocks>(
    filter: &Balanced,
    candidate: Candidate,
    digest: Digest,
) -> bool {
    let line = filter.lines.get(B::line_of(candidate.block));
    filter.marks.has_all::<V, B>(line, candidate.block, digest)
}
