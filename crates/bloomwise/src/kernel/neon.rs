//! NEON, which nearly every 64-bit ARM processor has: registers of two words.

#![expect(
    unsafe_code,
    reason = "a call of vector code needs proof that the processor has it"
)]

use super::{BitRow, EightWords, Portable, QueryFn, Vectors, Work};
use crate::keys::hash::Digest;
use crate::machine::processor::{Instructions, Kernel};
use std::arch::aarch64::*;

/// Runs the work with this kernel's instructions.
#[inline(always)]
pub(super) fn run<W: Work, const LAYOUT: usize, const K: usize>(
    kernel: Kernel,
    work: W,
    argument: W::Argument,
) -> W::Output {
    assert_eq!(kernel.instructions(), Instructions::Neon);
    // SAFETY: a kernel exists only if the processor has its instructions.
    unsafe { with_neon::<W, LAYOUT, K>(work, argument) }
}

/// Work with the instructions of [`Neon`].
#[inline(never)]
#[target_feature(enable = "neon")]
fn with_neon<W: Work, const LAYOUT: usize, const K: usize>(
    work: W,
    argument: W::Argument,
) -> W::Output {
    work.run::<Neon, LAYOUT, K>(argument)
}

/// A query with the instructions of [`Neon`].
#[target_feature(enable = "neon")]
fn query<F, const LAYOUT: usize, const K: usize>(filter: &F, digest: Digest) -> bool
where
    for<'a> &'a F: Work<Argument = Digest, Output = bool>,
{
    filter.run::<Neon, LAYOUT, K>(digest)
}

/// Only [`with_neon`] and [`query`] name this kernel, so its methods run on processors that have NEON.
struct Neon;

impl Vectors for Neon {
    #[inline(always)]
    fn parities(low: &EightWords, high: &EightWords, mask_low: u64, mask_high: u64) -> u8 {
        Portable::parities(low, high, mask_low, mask_high)
    }

    #[inline(always)]
    fn has_all(line: &EightWords, row: BitRow) -> bool {
        // SAFETY: only functions with its instructions name this kernel; the loads read the 64 bytes of the line.
        unsafe {
            let [a, b, c, d] = masks(row);
            let line: *const u64 = line.as_ptr().cast();
            let first = vorrq_u64(
                vbicq_u64(a, vld1q_u64(line)),
                vbicq_u64(b, vld1q_u64(line.add(2))),
            );
            let second = vorrq_u64(
                vbicq_u64(c, vld1q_u64(line.add(4))),
                vbicq_u64(d, vld1q_u64(line.add(6))),
            );
            // The largest 32 bits are 0 only if no bit is missing.
            vmaxvq_u32(vreinterpretq_u32_u64(vorrq_u64(first, second))) == 0
        }
    }

    #[inline(always)]
    fn set_all(line: &mut EightWords, row: BitRow) {
        // SAFETY: only functions with its instructions name this kernel; loads and stores stay within the 64 bytes of the line.
        unsafe {
            let line: *mut u64 = line.as_mut_ptr().cast();
            for (pair, mask) in masks(row).into_iter().enumerate() {
                let words = line.add(2 * pair);
                vst1q_u64(words, vorrq_u64(vld1q_u64(words), mask));
            }
        }
    }

    #[inline(always)]
    fn aside<W: Work, const LAYOUT: usize, const K: usize>(
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        // SAFETY: only functions with its instructions name this kernel.
        unsafe { with_neon::<W, LAYOUT, K>(work, argument) }
    }

    #[inline(always)]
    fn query_fn<F, const LAYOUT: usize, const K: usize>() -> QueryFn<F>
    where
        for<'a> &'a F: Work<Argument = Digest, Output = bool>,
    {
        QueryFn(query::<F, LAYOUT, K>)
    }
}

/// The bits of a row in its line, two words in each register.
///
/// # Safety
///
/// The processor must have NEON.
#[inline(always)]
unsafe fn masks(row: BitRow) -> [uint64x2_t; 4] {
    // SAFETY: the caller guarantees it; the loads read the eight ones.
    unsafe {
        let bytes = vand_u8(vcreate_u8(row.bits), vdup_n_u8(63));
        let words = vmovl_u8(bytes);
        let (low, high) = (vmovl_u16(vget_low_u16(words)), vmovl_high_u16(words));
        let ones = row.ones().as_ptr();
        let shift = |pair: usize, by: uint64x2_t| {
            vshlq_u64(vld1q_u64(ones.add(2 * pair)), vreinterpretq_s64_u64(by))
        };
        [
            shift(0, vmovl_u32(vget_low_u32(low))),
            shift(1, vmovl_high_u32(low)),
            shift(2, vmovl_u32(vget_low_u32(high))),
            shift(3, vmovl_high_u32(high)),
        ]
    }
}
