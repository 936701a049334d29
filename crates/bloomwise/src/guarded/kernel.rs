//! Vector code: the parities of eight columns at once, in the form that suits the processor.
//!
//! A query takes a word of each column from two neighbouring blocks, keeps the bits of its equation, and asks whether
//! their number is odd. There are three forms, which give the same bits (a test compares them):
//!
//! | kernel | how |
//! |---|---|
//! | portable | halves of words are folded onto each other, two words into one, until one byte is left for each column |
//! | avx2 | folds eight words in two registers |
//! | avx512 | counts the bits of eight words in one register |
//!
//! [`crate::processor`] chooses one of them, by what the processor has. On ARM the compiler makes vector code of the portable form.
//!
//! A call costs more than a form saves. So whole pieces of [`Work`], such as a batch of queries, are compiled once for each
//! kernel, and [`run`] calls the one for the processor. All that the work calls must be inlined, and closures are not:
//! what is not inlined does not have the instructions of the kernel.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a call of vector code needs proof that the processor has it"
    )
)]

use crate::processor::{Instructions, Kernel};

/// The number of columns that a kernel handles at once.
pub(super) const LANES: usize = 8;

/// The words of eight columns, little-endian.
pub(super) type Lanes = [u8; 8 * LANES];

/// Something that is compiled for each kernel. It and its argument are two values, because a small one is passed in
/// registers and a structure of both is not.
pub(super) trait Work {
    /// What it takes.
    type Argument;

    /// What it returns.
    type Output;

    /// Does it; always inlined.
    fn run<P: Parities>(self, argument: Self::Argument) -> Self::Output;
}

/// A kernel.
pub(super) trait Parities {
    /// The parities of `low[j] & mask_low ^ high[j] & mask_high` for all columns `j`, one bit each.
    fn parities(low: &Lanes, high: &Lanes, mask_low: u64, mask_high: u64) -> u8;

    /// Does rare work out of line.
    fn aside<W: Work>(work: W, argument: W::Argument) -> W::Output;
}

/// Does the work in the form for this kernel.
#[inline]
pub(super) fn run<W: Work>(kernel: Kernel, work: W, argument: W::Argument) -> W::Output {
    match kernel.instructions() {
        Instructions::Portable => Portable::aside(work, argument),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a kernel is only made if the processor has its instructions.
        Instructions::Avx2 => unsafe { x86::with_avx2(work, argument) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Instructions::Avx512 => unsafe { x86::with_avx512(work, argument) },
    }
}

/// The bits of an equation in the words of eight columns.
#[inline(always)]
fn selected(low: &Lanes, high: &Lanes, mask_low: u64, mask_high: u64) -> [u64; LANES] {
    let words = |lanes: &Lanes| {
        let (words, _) = lanes.as_chunks::<8>();
        std::array::from_fn::<u64, LANES, _>(|j| u64::from_le_bytes(words[j]))
    };
    let (low, high) = (words(low), words(high));
    std::array::from_fn(|j| low[j] & mask_low ^ high[j] & mask_high)
}

/// The form that every machine has.
pub(super) struct Portable;

impl Parities for Portable {
    #[inline(always)]
    fn parities(low: &Lanes, high: &Lanes, mask_low: u64, mask_high: u64) -> u8 {
        /// Folds both words to half their width: `a` into the lower halves of groups of `2 * BITS` bits, `b` into the upper.
        #[inline(always)]
        fn fold<const BITS: u32>(a: u64, b: u64) -> u64 {
            let lower = u64::MAX / ((1 << BITS) + 1);
            (a ^ a >> BITS) & lower | (b ^ b << BITS) & !lower
        }
        let x = selected(low, high, mask_low, mask_high);
        let x: [u64; 4] = std::array::from_fn(|j| fold::<32>(x[j], x[j + 4]));
        let x: [u64; 2] = std::array::from_fn(|j| fold::<16>(x[j], x[j + 2]));
        // Byte `j` has what is left of column `j`.
        let mut x = fold::<8>(x[0], x[1]);
        x ^= x >> 4;
        x ^= x >> 2;
        x ^= x >> 1;
        // Moves the lowest bit of byte `j` to bit `56 + j`.
        ((x & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }

    #[inline(never)]
    fn aside<W: Work>(work: W, argument: W::Argument) -> W::Output {
        work.run::<Self>(argument)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Lanes, Parities, Work, selected};
    use std::arch::x86_64::*;

    /// Work with the instructions of [`Avx2`].
    #[inline(never)]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    pub(super) fn with_avx2<W: Work>(work: W, argument: W::Argument) -> W::Output {
        work.run::<Avx2>(argument)
    }

    /// Work with the instructions of [`Avx512`].
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt,bmi1,bmi2")]
    pub(super) fn with_avx512<W: Work>(work: W, argument: W::Argument) -> W::Output {
        work.run::<Avx512>(argument)
    }

    /// Folds eight words in two registers.
    struct Avx2;

    impl Parities for Avx2 {
        #[inline(always)]
        fn parities(low: &Lanes, high: &Lanes, mask_low: u64, mask_high: u64) -> u8 {
            let [a, b, c, d, e, f, g, h] =
                selected(low, high, mask_low, mask_high).map(|w| w as i64);
            // SAFETY: only `with_avx2` names this kernel.
            unsafe {
                let first = _mm256_set_epi64x(d, c, b, a);
                let second = _mm256_set_epi64x(h, g, f, e);
                let first = _mm256_xor_si256(first, _mm256_srli_epi64::<32>(first));
                let second = _mm256_xor_si256(second, _mm256_slli_epi64::<32>(second));
                // Columns 0 and 4 share a word, 1 and 5, and so on; then they are put in order.
                let x = _mm256_blend_epi32::<0b1010_1010>(first, second);
                let order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
                let mut x = _mm256_permutevar8x32_epi32(x, order);
                x = _mm256_xor_si256(x, _mm256_slli_epi32::<16>(x));
                x = _mm256_xor_si256(x, _mm256_slli_epi32::<8>(x));
                x = _mm256_xor_si256(x, _mm256_slli_epi32::<4>(x));
                x = _mm256_xor_si256(x, _mm256_slli_epi32::<2>(x));
                x = _mm256_xor_si256(x, _mm256_slli_epi32::<1>(x));
                // The uppermost bit of each half is its parity.
                _mm256_movemask_ps(_mm256_castsi256_ps(x)) as u8
            }
        }

        #[inline(always)]
        fn aside<W: Work>(work: W, argument: W::Argument) -> W::Output {
            // SAFETY: only `with_avx2` names this kernel.
            unsafe { with_avx2(work, argument) }
        }
    }

    /// Counts the bits of eight words in one register.
    struct Avx512;

    impl Parities for Avx512 {
        #[inline(always)]
        fn parities(low: &Lanes, high: &Lanes, mask_low: u64, mask_high: u64) -> u8 {
            let [a, b, c, d, e, f, g, h] =
                selected(low, high, mask_low, mask_high).map(|w| w as i64);
            // SAFETY: only `with_avx512` names this kernel.
            unsafe {
                let words = _mm512_set_epi64(h, g, f, e, d, c, b, a);
                _mm512_test_epi64_mask(_mm512_popcnt_epi64(words), _mm512_set1_epi64(1))
            }
        }

        #[inline(always)]
        fn aside<W: Work>(work: W, argument: W::Argument) -> W::Output {
            // SAFETY: only `with_avx512` names this kernel.
            unsafe { with_avx512(work, argument) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parities of the argument.
    struct Test;

    impl Work for Test {
        type Argument = (Lanes, Lanes, u64, u64);
        type Output = u8;

        #[inline(always)]
        fn run<P: Parities>(self, (low, high, mask_low, mask_high): Self::Argument) -> u8 {
            P::parities(&low, &high, mask_low, mask_high)
        }
    }

    #[test]
    fn all_kernels_give_the_parity_of_each_column() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            state ^ state >> 29
        };
        for _ in 0..if cfg!(miri) { 20 } else { 10_000 } {
            let [low, high]: [[u64; LANES]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let (mask_low, mask_high) = (random(), random());
            let naive = (0..LANES).map(|column| {
                let bits = low[column] & mask_low ^ high[column] & mask_high;
                u8::from(bits.count_ones() % 2 == 1) << column
            });
            let naive = naive.fold(0, |all, bit| all | bit);
            let [low, high] = [low, high].map(|words| {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                Lanes::try_from(bytes).expect("eight words")
            });
            for kernel in Kernel::available() {
                let found = run(kernel, Test, (low, high, mask_low, mask_high));
                assert_eq!(found, naive, "{kernel}");
            }
        }
    }
}
