//! AVX2: registers of four words.

#![expect(
    unsafe_code,
    reason = "a call of vector code needs proof that the processor has it"
)]

use super::{BitRow, EightWords, QueryFn, Vectors, Work, selected};
use crate::keys::hash::Digest;
use crate::machine::processor::{Instructions, Kernel};
use std::arch::x86_64::*;

/// Runs the work with this kernel's instructions.
#[inline(always)]
pub(super) fn run<W: Work, const LAYOUT: usize, const K: usize>(
    kernel: Kernel,
    work: W,
    argument: W::Argument,
) -> W::Output {
    assert_eq!(kernel.instructions(), Instructions::Avx2);
    // SAFETY: a kernel exists only if the processor has its instructions.
    unsafe { with_avx2::<W, LAYOUT, K>(work, argument) }
}

/// Work with the instructions of [`Avx2`].
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn with_avx2<W: Work, const LAYOUT: usize, const K: usize>(
    work: W,
    argument: W::Argument,
) -> W::Output {
    work.run::<Avx2, LAYOUT, K>(argument)
}

/// A query with the instructions of [`Avx2`].
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn query<F, const LAYOUT: usize, const K: usize>(filter: &F, digest: Digest) -> bool
where
    for<'a> &'a F: Work<Argument = Digest, Output = bool>,
{
    filter.run::<Avx2, LAYOUT, K>(digest)
}

/// Only [`with_avx2`] and [`query`] name this kernel, so its methods run on processors that have AVX2.
struct Avx2;

impl Vectors for Avx2 {
    #[inline(always)]
    fn parities(low: &EightWords, high: &EightWords, mask_low: u64, mask_high: u64) -> u8 {
        let [a, b, c, d, e, f, g, h] = selected(low, high, mask_low, mask_high).map(|w| w as i64);
        // SAFETY: only functions with its instructions name this kernel.
        unsafe {
            let first = _mm256_set_epi64x(d, c, b, a);
            let second = _mm256_set_epi64x(h, g, f, e);
            let first = _mm256_xor_si256(first, _mm256_srli_epi64::<32>(first));
            let second = _mm256_xor_si256(second, _mm256_slli_epi64::<32>(second));
            // Columns 0 and 4 share a word, then 1 and 5, and so on. They are put in order later.
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
    fn has_all(line: &EightWords, row: BitRow) -> bool {
        // SAFETY: only functions with its instructions name this kernel; the loads read the 64 bytes of the line.
        unsafe {
            let [low, high] = masks(row);
            let line: *const __m256i = line.as_ptr().cast();
            let no_low = _mm256_andnot_si256(_mm256_loadu_si256(line), low);
            let no_high = _mm256_andnot_si256(_mm256_loadu_si256(line.add(1)), high);
            let missing = _mm256_or_si256(no_low, no_high);
            _mm256_testz_si256(missing, missing) == 1
        }
    }

    #[inline(always)]
    fn set_all(line: &mut EightWords, row: BitRow) {
        // SAFETY: only functions with its instructions name this kernel; loads and stores stay within the 64 bytes of the line.
        unsafe {
            let [low, high] = masks(row);
            let line: *mut __m256i = line.as_mut_ptr().cast();
            let with_low = _mm256_or_si256(_mm256_loadu_si256(line), low);
            let with_high = _mm256_or_si256(_mm256_loadu_si256(line.add(1)), high);
            _mm256_storeu_si256(line, with_low);
            _mm256_storeu_si256(line.add(1), with_high);
        }
    }

    #[inline(always)]
    fn aside<W: Work, const LAYOUT: usize, const K: usize>(
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        // SAFETY: only functions with its instructions name this kernel.
        unsafe { with_avx2::<W, LAYOUT, K>(work, argument) }
    }

    #[inline(always)]
    fn query_fn<F, const LAYOUT: usize, const K: usize>() -> QueryFn<F>
    where
        for<'a> &'a F: Work<Argument = Digest, Output = bool>,
    {
        QueryFn(query::<F, LAYOUT, K>)
    }
}

/// The bits of a row in the lower and in the upper half of its line.
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn masks(row: BitRow) -> [__m256i; 2] {
    // SAFETY: the caller guarantees it.
    unsafe {
        let bytes = _mm_and_si128(_mm_cvtsi64_si128(row.bits as i64), _mm_set1_epi8(63));
        let ones: *const __m256i = row.ones().as_ptr().cast();
        let low = _mm256_cvtepu8_epi64(bytes);
        let high = _mm256_cvtepu8_epi64(_mm_srli_si128::<4>(bytes));
        [
            _mm256_sllv_epi64(_mm256_loadu_si256(ones), low),
            _mm256_sllv_epi64(_mm256_loadu_si256(ones.add(1)), high),
        ]
    }
}
