//! Vector code for the instructions of the processor.
//!
//! Two inner loops decide the speed. Each has a version for every set of instructions, and all versions compute the same bits
//! (tests compare them):
//!
//! | kernel | parities of eight columns ([`Vectors::parities`]) | the bits of a key in a line ([`Vectors::has_all`]) |
//! |---|---|---|
//! | portable | folds halves of words onto each other, two words into one | compares one word after another |
//! | avx2 | folds eight words in two registers | compares four words at once |
//! | avx512 | counts the bits of eight words in one register | compares eight words at once |
//! | neon | as portable; the compiler vectorizes it | compares two words at once |
//!
//! [`crate::machine::processor`] chooses one of them for the processor.
//!
//! # Three axes
//!
//! A query takes a few nanoseconds, so everything that all queries of a filter have in common should be a constant in its code: the kernel,
//! the layout of the cells, and the number `k` of functions. A piece of [`Work`], such as a batch of queries, is compiled once for each
//! combination that occurs, and the filter calls the version that matches:
//!
//! ```text
//!                kernel                     LAYOUT                            K
//!                portable avx2              blocks: one row, ..., half lines  0, known at run time
//!                avx512   neon              spread: walk, small, large        4 to 8, 10, 11
//!                   |                       HABF:   full, fast, cache         3, ..., 7
//!                   |                          |                              |
//!                   +-- Run: Kernel ---.       '----- match in the shape -----'
//!   batch, insert --+-- Run: Narrow ---+
//!                   '-- Run: Portable -+--> shape.run(where, work, argument) --> Work::run::<V, LAYOUT, K>(argument)
//!
//!   one key: shape.run(where, QueryFn::choose(), ()) once per filter --> QueryFn, the address of Work::run::<V, LAYOUT, K> of `&Filter`
//! ```
//!
//! - The *kernel* is a type that implements [`Vectors`]. Running work on a [`Kernel`] calls the code that was compiled with its
//!   instructions. Running it on a [`Narrow`] kernel does not use AVX-512, and is not compiled for it. Running it on [`Portable`] inlines the work into the caller, for work so short that a call costs more than better
//!   instructions save.
//! - `LAYOUT` and `K` are const parameters. Each shape has a method `run` with one `match` on its own values, and its module names its
//!   layouts. A family that does not need them uses 0 for both, and a family may give them other meanings: guarded filters pass the numbers of
//!   groups of columns and of single columns.
//! - A single query is work on a reference to its filter. Finding the code at each call would take longer than the query of a
//!   blocked filter, so the filter stores the address of the code, a [`QueryFn`].
//!
//! All functions and closures that the work of a kernel calls must be inlined (`#[inline(always)]`), because code that is not inlined does not have
//! the instructions of the kernel. Work that only runs on [`Portable`] needs no such instructions; `families/spread` keeps it out of line.

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

/// The number of columns that a kernel processes at once.
pub(crate) const LANES: usize = 8;

/// Eight words, little-endian: one of each of eight columns, or a cache line.
pub(crate) type EightWords = [u8; 8 * LANES];

/// Code that is compiled for each kernel, and for each layout and number of functions of a family. The work and its argument are two values,
/// because small values are passed in registers and a struct of both is not.
pub(crate) trait Work {
    /// The argument of the work.
    type Argument;

    /// The result of the work.
    type Output;

    /// Runs the work; always inlined if it runs on a kernel. The family defines the values of `LAYOUT`. `K` is the number of functions, or 0 if it
    /// is known only at run time, unless the family says otherwise.
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
        self,
        argument: Self::Argument,
    ) -> Self::Output;
}

/// Where work runs: with the instructions of a kernel, or inlined into the caller.
pub(crate) trait Run: Copy {
    /// Runs the work.
    fn run<W: Work, const LAYOUT: usize, const K: usize>(
        self,
        work: W,
        argument: W::Argument,
    ) -> W::Output;
}

/// The vector instructions of a kernel.
pub(crate) trait Vectors {
    /// The parities of `low[j] & mask_low ^ high[j] & mask_high` for all columns `j`, one bit each.
    fn parities(low: &EightWords, high: &EightWords, mask_low: u64, mask_high: u64) -> u8;

    /// Whether all bits of a row are set in a line.
    fn has_all(line: &EightWords, row: BitRow) -> bool;

    /// Sets all bits of a row in a line.
    fn set_all(line: &mut EightWords, row: BitRow);

    /// Runs rare work in a function that is not inlined.
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

/// A kernel for work that AVX-512 does not make faster, which is then not compiled for it: work without vector code, because AVX2 has the
/// same other instructions, and single queries that read one cache line, where two registers of AVX2 are faster than one of AVX-512.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Narrow(pub Kernel);

/// Calls the code that was compiled for the kernel, or for AVX2 in place of AVX-512.
impl Run for Narrow {
    #[inline]
    fn run<W: Work, const LAYOUT: usize, const K: usize>(
        self,
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        let kernel = self.0.narrow();
        match kernel.instructions() {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 | Instructions::Avx512 => {
                avx2::run::<W, LAYOUT, K>(kernel, work, argument)
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Instructions::Neon => neon::run::<W, LAYOUT, K>(kernel, work, argument),
            Instructions::Portable => Portable::aside::<W, LAYOUT, K>(work, argument),
        }
    }
}

/// Runs work that needs neither layouts nor numbers of functions.
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
