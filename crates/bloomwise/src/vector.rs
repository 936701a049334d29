//! Tests all positions of a key in a block at once, with vector instructions if the processor has them.
//!
//! The plain path, [`within_block`] and [`Block::all`], cuts one position after another out of the digest, selects a word
//! by it, and shifts. With AVX-512 a line is one register, and up to eight positions are tested together. Copies of the
//! digest are shifted by 0, 9, 18, ... bits. The upper three bits of each position select a word of the line, and the lower
//! six rotate a one to its place. Then one instruction compares. If the number of cells of a block is not a power of two,
//! slices of 16 bits are first scaled to it. Both paths give the same answers, which a test checks. The path is chosen once,
//! by what the processor has. While the filter is in the cache, the vector path takes half the time.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a call of AVX-512 code needs proof that the processor has it"
    )
)]

use crate::cells::Block;
use crate::hash::Digest;
use crate::probe::{within_block, within_cells};

/// How this processor tests blocks. Only [`Kernel::of_this_processor`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    /// Whether the processor has AVX-512.
    avx512: bool,
}

impl Kernel {
    /// The fastest path of this processor.
    pub(crate) fn of_this_processor() -> Self {
        #[cfg(target_arch = "x86_64")]
        let avx512 = is_x86_feature_detected!("avx512f");
        #[cfg(not(target_arch = "x86_64"))]
        let avx512 = false;
        Kernel { avx512 }
    }

    /// Whether all positions of a key are set in its block of `2^WIDTH` bits, which starts at bit `start` of a line.
    #[inline]
    pub(crate) fn all_in_block<const WIDTH: u32>(
        self,
        line: &Block,
        start: usize,
        digest: Digest,
        functions: u32,
    ) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self.avx512 {
            // SAFETY: the field is set only if the processor has AVX-512.
            return unsafe { avx512::all_in_block::<WIDTH>(line, start, digest, functions) };
        }
        plain::<WIDTH>(line, start, digest, functions)
    }

    /// Whether all positions of a key are set in its block, which starts at bit `start` of a line and has `cells` bits for
    /// keys. A block starts at a multiple of its size.
    #[inline]
    pub(crate) fn all_within_cells(
        self,
        line: &Block,
        start: usize,
        cells: u32,
        digest: Digest,
        functions: u32,
    ) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self.avx512 {
            // SAFETY: the field is set only if the processor has AVX-512.
            return unsafe { avx512::all_within_cells(line, start, cells, digest, functions) };
        }
        plain_cells(line, start, cells, digest, functions)
    }
}

/// Tests one position after another. Kept out of line, so that it does not enlarge a loop that does not use it.
#[inline(never)]
fn plain<const WIDTH: u32>(line: &Block, start: usize, digest: Digest, functions: u32) -> bool {
    let positions = within_block::<WIDTH>(digest, functions);
    line.all(positions.map(|position| start + position))
}

/// Tests one position after another in a block of any number of cells.
#[inline(never)]
fn plain_cells(line: &Block, start: usize, cells: u32, digest: Digest, functions: u32) -> bool {
    let positions = within_cells(digest, functions, cells);
    line.all(positions.map(|position| start + position))
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{Block, Digest};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f")]
    pub(super) fn all_in_block<const WIDTH: u32>(
        line: &Block,
        start: usize,
        digest: Digest,
        functions: u32,
    ) -> bool {
        let [a, b, c, d, e, f, g, h] = line.words().map(|word| word as i64);
        let line = _mm512_set_epi64(h, g, f, e, d, c, b, a);
        let by = |slice: u32| i64::from(slice * WIDTH);
        let to_slice = _mm512_set_epi64(by(7), by(6), by(5), by(4), by(3), by(2), by(1), by(0));
        let one = _mm512_set1_epi64(1);
        // Which of the positions that 64 bits name are set.
        let set = |bits: u64| {
            // Selection looks at the lowest three bits of a lane, rotation at the lowest six: the rest of the digest
            // above them does no harm, but for blocks of half a line, which have two bits to name a word.
            let slices = _mm512_srlv_epi64(_mm512_set1_epi64(bits as i64), to_slice);
            let mut index = _mm512_srli_epi64::<6>(slices);
            if WIDTH == 8 {
                index = _mm512_and_si512(index, _mm512_set1_epi64(3));
                index = _mm512_or_si512(index, _mm512_set1_epi64(start as i64 / 64));
            }
            let words = _mm512_permutexvar_epi64(index, line);
            u32::from(_mm512_test_epi64_mask(
                words,
                _mm512_rolv_epi64(one, slices),
            ))
        };
        let slices = 64 / WIDTH;
        let all = (1 << slices) - 1;
        let (mut bits, mut left, mut word) = (digest.high, functions, 0);
        while left > slices {
            if set(bits) & all != all {
                return false;
            }
            left -= slices;
            word += 1;
            bits = digest.function(word);
        }
        // The positions beyond the last one count as set.
        (set(bits) | u32::MAX << left) & all == all
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn all_within_cells(
        line: &Block,
        start: usize,
        cells: u32,
        digest: Digest,
        functions: u32,
    ) -> bool {
        let set = set_within_cells(line, start, cells, digest.high, digest.function(1));
        // The positions beyond the last one count as set.
        match functions {
            0..=8 => (set | u32::MAX << functions) & 0xFF == 0xFF,
            _ => set == 0xFF && all_after_eight(line, start, cells, digest, functions),
        }
    }

    /// Tests the positions after the eighth. Kept out of line, because a non-member rarely gets this far.
    #[target_feature(enable = "avx512f")]
    #[inline(never)]
    fn all_after_eight(
        line: &Block,
        start: usize,
        cells: u32,
        digest: Digest,
        functions: u32,
    ) -> bool {
        let (mut left, mut word) = (functions - 8, 2);
        loop {
            let (lower, upper) = (digest.function(word), digest.function(word + 1));
            let set = set_within_cells(line, start, cells, lower, upper);
            if left <= 8 {
                return (set | u32::MAX << left) & 0xFF == 0xFF;
            }
            if set != 0xFF {
                return false;
            }
            left -= 8;
            word += 2;
        }
    }

    /// Which of eight positions are set; `lower` and `upper` hold four each.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn set_within_cells(line: &Block, start: usize, cells: u32, lower: u64, upper: u64) -> u32 {
        let [a, b, c, d, e, f, g, h] = line.words().map(|word| word as i64);
        let line = _mm512_set_epi64(h, g, f, e, d, c, b, a);
        let (l, u) = (lower as i64, upper as i64);
        let bits = _mm512_set_epi64(u, u, u, u, l, l, l, l);
        let slices = _mm512_srlv_epi64(bits, _mm512_set_epi64(48, 32, 16, 0, 48, 32, 16, 0));
        let slices = _mm512_and_si512(slices, _mm512_set1_epi64(0xFFFF));
        let scaled = _mm512_mul_epu32(slices, _mm512_set1_epi64(i64::from(cells)));
        let positions = _mm512_srli_epi64::<16>(scaled);
        let first_word = _mm512_set1_epi64((start >> 6) as i64);
        let index = _mm512_or_si512(_mm512_srli_epi64::<6>(positions), first_word);
        let words = _mm512_permutexvar_epi64(index, line);
        let ones = _mm512_rolv_epi64(_mm512_set1_epi64(1), positions);
        u32::from(_mm512_test_epi64_mask(words, ones))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares the two paths on a line with all positions of a key, or all but one, and some others.
    fn check<const WIDTH: u32>(
        key: u64,
        functions: u32,
        start: usize,
        missing: Option<usize>,
    ) -> Result<(), TestCaseError> {
        let digest = crate::hash::Hashing::default().digest(key);
        let of_key = within_block::<WIDTH>(digest, functions).map(|position| start + position);
        let of_key: Vec<usize> = of_key.collect();
        let missing = missing.and_then(|function| of_key.get(function).copied());
        let others = (0..512).filter(|position| key.is_multiple_of(2) && position % 3 == 0);
        let mut line = Block::default();
        for position in of_key
            .into_iter()
            .chain(others)
            .filter(|&position| Some(position) != missing)
        {
            line.set(position);
        }
        let kernel = Kernel::of_this_processor();
        if !kernel.avx512 {
            eprintln!("no AVX-512: this run compares the plain path with itself");
        }
        let expected = plain::<WIDTH>(&line, start, digest, functions);
        prop_assert_eq!(
            kernel.all_in_block::<WIDTH>(&line, start, digest, functions),
            expected
        );
        prop_assert_eq!(expected, missing.is_none());
        Ok(())
    }

    /// Compares the two paths on a block of any number of cells.
    fn check_cells(
        key: u64,
        functions: u32,
        (start, cells): (usize, u32),
        missing: Option<usize>,
    ) -> Result<(), TestCaseError> {
        let digest = crate::hash::Hashing::default().digest(key);
        let mut line = Block::default();
        let of_key = within_cells(digest, functions, cells).map(|position| start + position);
        let missing = missing.and_then(|function| of_key.clone().nth(function));
        for position in of_key {
            if Some(position) != missing {
                line.set(position);
            }
        }
        let kernel = Kernel::of_this_processor();
        let expected = plain_cells(&line, start, cells, digest, functions);
        let found = kernel.all_within_cells(&line, start, cells, digest, functions);
        prop_assert_eq!(found, expected);
        prop_assert_eq!(expected, missing.is_none());
        Ok(())
    }

    proptest! {
        #[test]
        fn both_paths_give_the_same_answer(
            key: u64,
            functions in 1u32..=32,
            upper: bool,
            missing in prop::option::of(0usize..32),
            cells in 240u32..=256,
        ) {
            check::<8>(key, functions, if upper { 256 } else { 0 }, missing)?;
            check::<9>(key, functions, 0, missing)?;
            check_cells(key, functions, (if upper { 256 } else { 0 }, cells), missing)?;
            check_cells(key, functions, (0, 256 + cells), missing)?;
        }
    }
}
