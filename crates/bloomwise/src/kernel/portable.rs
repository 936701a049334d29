//! The version for every machine.

use super::{BitRow, EightWords, QueryFn, RowWords, Run, Vectors, Work, selected};
use crate::keys::hash::Digest;

/// The kernel of every machine.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Vectors for Portable {
    #[inline(always)]
    fn parities(low: &EightWords, high: &EightWords, mask_low: u64, mask_high: u64) -> u8 {
        /// Folds both words to half their width: `a` into the lower halves of groups of `2 * BITS` bits, `b` into the upper.
        #[inline(always)]
        fn fold<const BITS: u32>(a: u64, b: u64) -> u64 {
            let lower = u64::MAX / ((1 << BITS) + 1);
            (a ^ a >> BITS) & lower | (b ^ b << BITS) & !lower
        }
        let x = selected(low, high, mask_low, mask_high);
        let x: [u64; 4] = std::array::from_fn(|j| fold::<32>(x[j], x[j + 4]));
        let x: [u64; 2] = std::array::from_fn(|j| fold::<16>(x[j], x[j + 2]));
        // Byte `j` holds what is left of column `j`.
        let mut x = fold::<8>(x[0], x[1]);
        x ^= x >> 4;
        x ^= x >> 2;
        x ^= x >> 1;
        // Moves the lowest bit of byte `j` to bit `56 + j`.
        ((x & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }

    #[inline(always)]
    fn has_all(line: &EightWords, row: BitRow) -> bool {
        // A constant number of steps takes a third less time than a loop. Most filters have one of these numbers of functions.
        match (row.words.step, row.words.count) {
            (1, 4) => has_bits::<4>(line, row),
            (1, 5) => has_bits::<5>(line, row),
            (1, 6) => has_bits::<6>(line, row),
            (1, 7) => has_bits::<7>(line, row),
            (1, 8) => has_bits::<8>(line, row),
            _ => has_any_number(line, row),
        }
    }

    #[inline(always)]
    fn set_all(line: &mut EightWords, row: BitRow) {
        let (words, _) = line.as_chunks_mut();
        for i in 0..row.words.count {
            let (word, bit) = row.place(i);
            words[word] = (u64::from_le_bytes(words[word]) | 1 << bit).to_le_bytes();
        }
    }

    #[inline(never)]
    fn aside<W: Work, const LAYOUT: usize, const K: usize>(
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        work.run::<Self, LAYOUT, K>(argument)
    }

    #[inline(always)]
    fn query_fn<F, const LAYOUT: usize, const K: usize>() -> QueryFn<F>
    where
        for<'a> &'a F: Work<Argument = Digest, Output = bool>,
    {
        QueryFn(|filter, digest| filter.run::<Self, LAYOUT, K>(digest))
    }
}

/// Inlines the work into the caller.
impl Run for Portable {
    #[inline(always)]
    fn run<W: Work, const LAYOUT: usize, const K: usize>(
        self,
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        work.run::<Self, LAYOUT, K>(argument)
    }
}

/// Whether all bits of a row of `COUNT` neighbouring words are set. It tests all of them, which takes less time than one
/// mispredicted branch.
#[inline(always)]
fn has_bits<const COUNT: u32>(line: &EightWords, row: BitRow) -> bool {
    let row = RowWords::new(COUNT, 1).row(row.bits, row.first);
    (0..COUNT).fold(1, |all, i| all & shifted(line, row, i)) & 1 == 1
}

/// Like [`has_bits`], for any row. It is not inlined, because it needs more registers than the others.
#[inline(never)]
fn has_any_number(line: &EightWords, row: BitRow) -> bool {
    (0..row.words.count).fold(1, |all, i| all & shifted(line, row, i)) & 1 == 1
}

/// A number whose lowest bit is bit number `i` of a row.
#[inline(always)]
fn shifted(line: &EightWords, row: BitRow, i: u32) -> u64 {
    let (word, bit) = row.place(i);
    let (words, _) = line.as_chunks();
    u64::from_le_bytes(words[word]) >> bit
}
