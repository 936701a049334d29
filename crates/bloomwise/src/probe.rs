//! Where a key's cells are.
//!
//! Four ways to place the `k` positions of a key, all with replacement and all from the digest alone:
//!
//! - [`spread`]: anywhere in an array, by functions `0..k` of the digest. Each position may cost a cache miss.
//! - [`block_of`] and [`within_block`]: all in one block. The lower half of the digest chooses the block. The upper half is
//!   cut into slices of 8 or 9 bits, one for each position. The whole key costs one cache miss and one multiplication. When
//!   the slices are used up, function 1, 2, ... of the digest gives the next 64 bits.
//! - [`within_cells`]: all in one block of any size, from slices of 16 bits.
//! - [`walk`]: anywhere; each position gives the number of the function for the next one.
//!
//! ```
//! use bloomwise::Hashing;
//! use bloomwise::unstable::probe;
//!
//! let digest = Hashing::default().digest("user4718");
//! assert_eq!(probe::spread(digest, 0..7, 1000).count(), 7);
//! assert!(probe::within_block::<9>(digest, 12).all(|position| position < 512));
//! ```

use crate::family::Family;
use crate::hash::{Digest, reduce};
use crate::prefetch::GROUP;
use std::ops::Range;

/// The positions that these functions give a key in an array of `cells` cells.
#[inline]
pub fn spread(
    digest: Digest,
    functions: Range<u32>,
    cells: u64,
) -> impl Iterator<Item = usize> + Clone + use<> {
    functions.map(move |i| reduce(digest.function(u64::from(i)), cells) as usize)
}

/// The slots on the walk of a key through an array of `cells` cells, where each slot determines the function for the
/// next. The number of the step is part of the function's number, so a walk that returns to a slot continues elsewhere.
#[inline]
pub fn walk(
    digest: Digest,
    functions: u32,
    cells: u64,
) -> impl Iterator<Item = usize> + Clone + use<> {
    let mut number = 0;
    (0..u64::from(functions)).map(move |step| {
        let slot = reduce(digest.function(number), cells);
        number = (step.wrapping_mul(cells))
            .wrapping_add(slot)
            .wrapping_add(1);
        slot as usize
    })
}

/// How the positions of a key are found in an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// By [`spread`].
    #[default]
    Spread,
    /// By [`walk`].
    Walk,
}

impl Placement {
    /// The placement in filters of a family that can have either.
    pub(crate) fn of(family: Family) -> Self {
        match family {
            Family::Personalized | Family::PersonalizedCounting => Placement::Walk,
            _ => Placement::Spread,
        }
    }

    /// Calls `act` with each position of a key.
    #[inline]
    pub fn each(self, digest: Digest, functions: u32, cells: u64, act: impl FnMut(usize)) {
        match self {
            Placement::Spread => spread(digest, 0..functions, cells).for_each(act),
            Placement::Walk => walk(digest, functions, cells).for_each(act),
        }
    }

    /// Whether a test holds at all positions of a key. The test answers with the lowest bit of a number; for a `bool` the
    /// compiler would branch after each position.
    #[inline]
    pub fn all(
        self,
        digest: Digest,
        functions: u32,
        cells: u64,
        test: impl Fn(usize) -> u64,
    ) -> bool {
        match self {
            Placement::Walk => walk(digest, functions, cells).all(|slot| test(slot) & 1 == 1),
            Placement::Spread if functions < FIRST => all_of(digest, 0..functions, cells, &test),
            Placement::Spread => {
                all_of(digest, 0..FIRST, cells, &test)
                    && all_of(digest, FIRST..functions, cells, &test)
            }
        }
    }
}

/// The number of positions of a key that are tested before the first branch.
///
/// In a filter in use half of the cells are set. The first cell of a non-member is a coin flip, which the processor
/// mispredicts half of the time. Four cells are all set for one non-member in sixteen.
const FIRST: u32 = 4;

/// Writes to `answers` whether a test holds at all positions that [`spread`] gives, for many keys. `ahead` prefetches a
/// position before `test` reads it: first the first positions of all keys of a group, then the other positions of the
/// keys that passed there.
#[inline]
pub(crate) fn all_of_many(
    digests: &[Digest],
    functions: u32,
    cells: u64,
    ahead: impl Fn(usize),
    test: impl Fn(usize) -> u64,
    answers: &mut [bool],
) {
    let rest = FIRST.min(functions)..functions;
    for (group, answers) in digests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
        let mut first = [[0; FIRST as usize]; GROUP];
        for (positions, &digest) in first.iter_mut().zip(group) {
            for (i, position) in (0..).zip(positions) {
                *position = reduce(digest.function(i), cells) as usize;
                ahead(*position);
            }
        }
        let mut passed = [0; GROUP];
        let mut count = 0;
        for (at, positions) in first[..group.len()].iter().enumerate() {
            let tested = &positions[..FIRST.min(functions) as usize];
            let set = tested.iter().fold(1, |all, &position| all & test(position));
            let yes = set & 1 == 1;
            answers[at] = yes;
            passed[count] = at;
            count += usize::from(yes);
        }
        if rest.is_empty() {
            continue;
        }
        for &at in &passed[..count] {
            spread(group[at], rest.clone(), cells).for_each(&ahead);
        }
        for &at in &passed[..count] {
            answers[at] = all_of(group[at], rest.clone(), cells, &test);
        }
    }
}

/// Whether a test holds at all of these positions; all of them are tested.
#[inline]
fn all_of(digest: Digest, functions: Range<u32>, cells: u64, test: impl Fn(usize) -> u64) -> bool {
    spread(digest, functions, cells).fold(1, |all, position| all & test(position)) & 1 == 1
}

/// The block of a key among `blocks` blocks.
#[inline]
pub fn block_of(digest: Digest, blocks: u64) -> usize {
    reduce(digest.low, blocks) as usize
}

/// The positions of a key inside its block of `2^WIDTH` bits.
#[inline]
pub fn within_block<const WIDTH: u32>(
    digest: Digest,
    functions: u32,
) -> impl Iterator<Item = usize> {
    const { assert!(WIDTH >= 1 && WIDTH <= 32, "a slice has 1 to 32 bits") };
    let (mut bits, mut left, mut word) = (digest.high, 64 / WIDTH, 0);
    (0..functions).map(move |_| {
        if left == 0 {
            word += 1;
            bits = digest.function(word);
            left = 64 / WIDTH;
        }
        left -= 1;
        let position = bits & ((1 << WIDTH) - 1);
        bits >>= WIDTH;
        position as usize
    })
}

/// The positions of a key among the first `cells` bits of its block: slices of 16 bits, the lowest first, scaled to
/// `0..cells`. Among 512 cells one is at most 1 % likelier than another.
#[inline]
pub fn within_cells(
    digest: Digest,
    functions: u32,
    cells: u32,
) -> impl Iterator<Item = usize> + Clone + use<> {
    let mut bits = digest.high;
    (0..u64::from(functions)).map(move |i| {
        if i > 0 && i % 4 == 0 {
            bits = digest.function(i / 4);
        }
        let slice = bits & 0xFFFF;
        bits >>= 16;
        ((slice * u64::from(cells)) >> 16) as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Hashing;

    /// Counts how often each of `cells` positions comes up and checks each against the binomial, five deviations.
    fn check_even(cells: usize, positions: impl Iterator<Item = usize>) {
        let mut counts = vec![0u32; cells];
        let mut total = 0.0;
        for position in positions {
            counts[position] += 1;
            total += 1.0;
        }
        let mean = total / cells as f64;
        for (cell, &count) in counts.iter().enumerate() {
            let deviations = (f64::from(count) - mean) / mean.sqrt();
            assert!(deviations.abs() < 5.0, "cell {cell}: {count}, mean {mean}");
        }
    }

    fn digests() -> impl Iterator<Item = Digest> {
        (0..100_000u64).map(|key| Hashing::default().digest(key))
    }

    #[test]
    fn positions_are_even() {
        check_even(1000, digests().flat_map(|d| spread(d, 0..7, 1000)));
        check_even(1000, digests().flat_map(|d| walk(d, 7, 1000)));
        check_even(1000, digests().map(|d| block_of(d, 1000)));
        check_even(512, digests().flat_map(|d| within_block::<9>(d, 16)));
        check_even(256, digests().flat_map(|d| within_block::<8>(d, 32)));
        check_even(252, digests().flat_map(|d| within_cells(d, 5, 252)));
        check_even(506, digests().flat_map(|d| within_cells(d, 5, 506)));
    }

    #[test]
    fn steps_of_a_walk_are_independent_of_the_steps_before() {
        for (i, j) in [(0, 1), (0, 2), (3, 4), (1, 6)] {
            let joint = |d: Digest| {
                let slots: Vec<_> = walk(d, 7, 32).collect();
                slots[i] * 32 + slots[j]
            };
            check_even(1024, digests().map(joint));
        }
    }

    #[test]
    fn positions_in_a_block_are_independent_of_the_block_and_of_each_other() {
        // Joint cells of (block, position) and of the last slice of one word with the first of the next.
        let joint =
            |d: Digest| block_of(d, 32) * 32 + within_block::<9>(d, 1).next().unwrap_or(0) / 16;
        check_even(1024, digests().map(joint));
        let across = |d: Digest| {
            let positions: Vec<_> = within_block::<9>(d, 8).collect();
            positions[6] / 16 * 32 + positions[7] / 16
        };
        check_even(1024, digests().map(across));
    }
}
