//! AVX-512: a register holds a cache line.

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
    assert_eq!(kernel.instructions(), Instructions::Avx512);
    // SAFETY: a kernel exists only if the processor has its instructions.
    unsafe { with_avx512::<W, LAYOUT, K>(work, argument) }
}

/// Work with the instructions of [`Avx512`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt,bmi1,bmi2")]
fn with_avx512<W: Work, const LAYOUT: usize, const K: usize>(
    work: W,
    argument: W::Argument,
) -> W::Output {
    work.run::<Avx512, LAYOUT, K>(argument)
}

/// A query with the instructions of [`Avx512`].
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt,bmi1,bmi2")]
fn query<F, const LAYOUT: usize, const K: usize>(filter: &F, digest: Digest) -> bool
where
    for<'a> &'a F: Work<Argument = Digest, Output = bool>,
{
    filter.run::<Avx512, LAYOUT, K>(digest)
}

/// Only [`with_avx512`] and [`query`] name this kernel, so its methods run on processors that have AVX-512.
struct Avx512;

impl Vectors for Avx512 {
    #[inline(always)]
    fn parities(low: &EightWords, high: &EightWords, mask_low: u64, mask_high: u64) -> u8 {
        let [a, b, c, d, e, f, g, h] = selected(low, high, mask_low, mask_high).map(|w| w as i64);
        // SAFETY: only functions with its instructions name this kernel.
        unsafe {
            let words = _mm512_set_epi64(h, g, f, e, d, c, b, a);
            _mm512_test_epi64_mask(_mm512_popcnt_epi64(words), _mm512_set1_epi64(1))
        }
    }

    #[inline(always)]
    fn has_all(line: &EightWords, row: BitRow) -> bool {
        // SAFETY: only functions with its instructions name this kernel; the load reads the 64 bytes of the line.
        unsafe {
            let line = _mm512_loadu_si512(line.as_ptr().cast());
            let missing = _mm512_andnot_si512(line, bits(row));
            _mm512_mask_test_epi64_mask(row.mask_of_words(), missing, missing) == 0
        }
    }

    #[inline(always)]
    fn set_all(line: &mut EightWords, row: BitRow) {
        // SAFETY: only functions with its instructions name this kernel; load and store stay within the 64 bytes of the line.
        unsafe {
            let line: *mut __m512i = line.as_mut_ptr().cast();
            let before = _mm512_loadu_si512(line);
            let after = _mm512_mask_or_epi64(before, row.mask_of_words(), before, bits(row));
            _mm512_storeu_si512(line, after);
        }
    }

    #[inline(always)]
    fn aside<W: Work, const LAYOUT: usize, const K: usize>(
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        // SAFETY: only functions with its instructions name this kernel.
        unsafe { with_avx512::<W, LAYOUT, K>(work, argument) }
    }

    #[inline(always)]
    fn query_fn<F, const LAYOUT: usize, const K: usize>() -> QueryFn<F>
    where
        for<'a> &'a F: Work<Argument = Digest, Output = bool>,
    {
        QueryFn(query::<F, LAYOUT, K>)
    }
}

/// The bits that the row would have if it had one in every word.
///
/// # Safety
///
/// The processor must have AVX-512.
#[inline(always)]
unsafe fn bits(row: BitRow) -> __m512i {
    // SAFETY: the caller guarantees it.
    unsafe {
        let bytes = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(row.bits as i64));
        // A rotation uses only the lowest six bits.
        _mm512_rolv_epi64(_mm512_set1_epi64(1), bytes)
    }
}
