//! Vector code, in the form that suits the processor.
//!
//! There are two innermost steps that all the speed depends on. Each has a form for every set of instructions, and all
//! forms give the same bits (tests compare them):
//!
//! | kernel | parities of eight columns ([`Vectors::parities`]) | the bits of a key in a line ([`Vectors::has_all`]) |
//! |---|---|---|
//! | portable | halves of words are folded onto each other, two words into one | one word after another |
//! | avx2 | folds eight words in two registers | compares four words at once |
//! | avx512 | counts the bits of eight words in one register | compares eight words at once |
//! | neon | as portable, which the compiler makes vector code of | compares two words at once |
//!
//! [`crate::machine::processor`] chooses one of them, by what the processor has.
//!
//! # Three axes
//!
//! A query takes a few nanoseconds, so what is the same for all queries of a filter should be a constant in its code: the kernel, the layout of its
//! cells, and the number `k` of functions. A piece of [`Work`], such as a batch of queries, is compiled once for each combination that
//! occurs, and the filter calls the one that suits it:
//!
//! ```text
//!                kernel                     LAYOUT                            K
//!                portable avx2              blocks: one row, ..., half lines  0, known at run time
//!                avx512   neon              spread: walk, small, large        4, 5, ..., 11
//!                   |                       HABF:   full, fast, cache         3, ..., 7
//!                   |                          |                              |
//!   batch, insert --+-- Run: Kernel ---.       '----- match in the shape -----'
//!                   '-- Run: Portable -+--> shape.run(where, work, argument) --> Work::run::<V, LAYOUT, K>(argument)
//!
//!   one key: shape.run(kernel, QueryFn::choose(), ()) once per filter --> QueryFn, the address of Work::run::<V, LAYOUT, K> of `&Filter`
//! ```
//!
//! - The *kernel* is a type that implements [`Vectors`]. A [`Kernel`] calls the code that was compiled with its instructions. [`Portable`] as the
//!   place to run inlines the work into the caller: for work so short that a call costs more than better instructions save.
//! - `LAYOUT` and `K` are const parameters. Each shape has a method `run` with one `match` on what it knows, and its module names its
//!   layouts. A family that has nothing to distinguish uses 0 for both.
//! - A single query is the work of a reference to its filter. Finding the code at each call would take longer than the query of a
//!   blocked filter, so the filter keeps its address, a [`QueryFn`].
//!
//! All that the work calls must be inlined, closures too (`#[inline(always)]`): what is not inlined does not have the instructions of the
//! kernel.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod bit_row;
pub(crate) mod block_bits;
pub(crate) mod key_list;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod portable;
mod query_fn;

pub(crate) use bit_row::{BitRow, RowWords};
pub(crate) use portable::Portable;
pub(crate) use query_fn::QueryFn;

use crate::keys::hash::Digest;
use crate::machine::processor::{Instructions, Kernel};

/// The number of columns that a kernel handles at once.
pub(crate) const LANES: usize = 8;

/// Eight words, little-endian: those of eight columns, or a cache line.
pub(crate) type EightWords = [u8; 8 * LANES];

/// Something that is compiled for each kernel, and for each layout and number of functions of a family. It and its argument are two values,
/// because a small one is passed in registers and a structure of both is not.
pub(crate) trait Work {
    /// What it takes.
    type Argument;

    /// What it returns.
    type Output;

    /// Does it; always inlined. The family defines the values of `LAYOUT`. `K` is the number of functions; 0 if it is known only at run time.
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
        self,
        argument: Self::Argument,
    ) -> Self::Output;
}

/// Where work runs.
pub(crate) trait Run: Copy {
    /// Does the work.
    fn run<W: Work, const LAYOUT: usize, const K: usize>(
        self,
        work: W,
        argument: W::Argument,
    ) -> W::Output;
}

/// A kernel.
pub(crate) trait Vectors {
    /// The parities of `low[j] & mask_low ^ high[j] & mask_high` for all columns `j`, one bit each.
    fn parities(low: &EightWords, high: &EightWords, mask_low: u64, mask_high: u64) -> u8;

    /// Whether all bits of a row are set in a line.
    fn has_all(line: &EightWords, row: BitRow) -> bool;

    /// Sets all bits of a row in a line.
    fn set_all(line: &mut EightWords, row: BitRow);

    /// Does rare work out of line.
    fn aside<W: Work, const LAYOUT: usize, const K: usize>(
        work: W,
        argument: W::Argument,
    ) -> W::Output;

    /// The address of the query of `F`, compiled for this kernel.
    fn query_fn<F, const LAYOUT: usize, const K: usize>() -> QueryFn<F>
    where
        for<'a> &'a F: Work<Argument = Digest, Output = bool>;
}

/// Calls the code that was compiled for the kernel.
impl Run for Kernel {
    #[inline]
    fn run<W: Work, const LAYOUT: usize, const K: usize>(
        self,
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        match self.instructions() {
            Instructions::Portable => Portable::aside::<W, LAYOUT, K>(work, argument),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => avx2::run::<W, LAYOUT, K>(self, work, argument),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => avx512::run::<W, LAYOUT, K>(self, work, argument),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Instructions::Neon => neon::run::<W, LAYOUT, K>(self, work, argument),
        }
    }
}

/// Does work that has neither layouts nor numbers of functions.
#[inline]
pub(crate) fn run<W: Work>(place: impl Run, work: W, argument: W::Argument) -> W::Output {
    place.run::<W, 0, 0>(work, argument)
}

/// The bits of an equation in the words of eight columns.
#[inline(always)]
fn selected(low: &EightWords, high: &EightWords, mask_low: u64, mask_high: u64) -> [u64; LANES] {
    let words = |lanes: &EightWords| {
        let (words, _) = lanes.as_chunks::<8>();
        std::array::from_fn::<u64, LANES, _>(|j| u64::from_le_bytes(words[j]))
    };
    let (low, high) = (words(low), words(high));
    std::array::from_fn(|j| low[j] & mask_low ^ high[j] & mask_high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Parities of the argument.
    struct Parities;

    impl Work for Parities {
        type Argument = (EightWords, EightWords, u64, u64);
        type Output = u8;

        #[inline(always)]
        fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
            self,
            (low, high, mask_low, mask_high): Self::Argument,
        ) -> u8 {
            V::parities(&low, &high, mask_low, mask_high)
        }
    }

    /// Whether a line has a row, and the line once it has.
    struct Rows;

    impl Work for Rows {
        type Argument = (EightWords, BitRow);
        type Output = (bool, EightWords);

        #[inline(always)]
        fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
            self,
            (mut line, row): Self::Argument,
        ) -> (bool, EightWords) {
            let had_all = V::has_all(&line, row);
            V::set_all(&mut line, row);
            assert!(V::has_all(&line, row));
            (had_all, line)
        }
    }

    fn bytes(words: [u64; LANES]) -> EightWords {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        EightWords::try_from(bytes).expect("eight words")
    }

    fn config() -> ProptestConfig {
        ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 4000 })
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn all_kernels_give_the_parity_of_each_column(
            low: [u64; LANES],
            high: [u64; LANES],
            mask_low: u64,
            mask_high: u64,
        ) {
            let naive = (0..LANES).map(|column| {
                let bits = low[column] & mask_low ^ high[column] & mask_high;
                u8::from(bits.count_ones() % 2 == 1) << column
            });
            let naive = naive.fold(0, |all, bit| all | bit);
            for kernel in Kernel::available() {
                let found = run(kernel, Parities, (bytes(low), bytes(high), mask_low, mask_high));
                prop_assert_eq!(found, naive, "{}", kernel);
            }
        }

        #[test]
        fn all_kernels_test_and_set_the_bits_of_a_row(
            words: [u64; LANES],
            bits: u64,
            count in 0u32..=8,
            first in 0u32..8,
            even_words: bool,
            all: bool,
            missing in prop::option::of(0usize..8),
        ) {
            let step = if even_words { 2 } else { 1 };
            let row = RowWords::new(count.min(8 / step), step).row(bits, first);
            let positions: Vec<usize> = row.positions().collect();
            let mut words = words;
            if all {
                positions.iter().for_each(|at| words[at / 64] |= 1 << (at % 64));
            }
            if let Some(&at) = missing.and_then(|index| positions.get(index)) {
                words[at / 64] &= !(1 << (at % 64));
            }
            let has_all = positions.iter().all(|at| words[at / 64] >> (at % 64) & 1 == 1);
            let mut with_all = words;
            positions.iter().for_each(|at| with_all[at / 64] |= 1 << (at % 64));
            for kernel in Kernel::available() {
                let found = run(kernel, Rows, (bytes(words), row));
                prop_assert_eq!(found, (has_all, bytes(with_all)), "{}", kernel);
            }
        }
    }
}
