//! NEON, which every 64-bit ARM processor has: registers of two words.

use super::{Lanes, Portable, Row, Vectors, Work};
use std::arch::aarch64::*;

/// Registers of two words.
pub(super) struct Neon;

impl Vectors for Neon {
    #[inline(always)]
    fn parities(low: &Lanes, high: &Lanes, mask_low: u64, mask_high: u64) -> u8 {
        Portable::parities(low, high, mask_low, mask_high)
    }

    #[inline(always)]
    fn has_all(line: &Lanes, row: Row) -> bool {
        let (pairs, _) = line.as_chunks::<16>();
        let masks = masks(row);
        let missing = |pair: usize| vbicq_u64(masks[pair], load(&pairs[pair]));
        let low = vorrq_u64(missing(0), missing(1));
        let high = vorrq_u64(missing(2), missing(3));
        // The largest 32 bits are 0 only if nothing is missing.
        vmaxvq_u32(vreinterpretq_u32_u64(vorrq_u64(low, high))) == 0
    }

    #[inline(always)]
    fn set_all(line: &mut Lanes, row: Row) {
        let (pairs, _) = line.as_chunks_mut::<16>();
        for (pair, mask) in pairs.iter_mut().zip(masks(row)) {
            let with_all = vorrq_u64(load(pair), mask);
            let words = [vgetq_lane_u64::<0>(with_all), vgetq_lane_u64::<1>(with_all)];
            let (halves, _) = pair.as_chunks_mut();
            halves.copy_from_slice(&words.map(u64::to_le_bytes));
        }
    }

    #[inline(never)]
    fn aside<W: Work>(work: W, argument: W::Argument) -> W::Output {
        work.run::<Self>(argument)
    }
}

/// Two words.
#[inline(always)]
fn load(pair: &[u8; 16]) -> uint64x2_t {
    let (halves, _) = pair.as_chunks();
    let word = |half: usize| vcreate_u64(u64::from_le_bytes(halves[half]));
    vcombine_u64(word(0), word(1))
}

/// The bits of a row in its line, two words in each register.
#[inline(always)]
fn masks(row: Row) -> [uint64x2_t; 4] {
    let bytes = vand_u8(vcreate_u8(row.bits), vdup_n_u8(63));
    let words = vmovl_u8(bytes);
    let (low, high) = (vmovl_u16(vget_low_u16(words)), vmovl_high_u16(words));
    let by = [
        vmovl_u32(vget_low_u32(low)),
        vmovl_high_u32(low),
        vmovl_u32(vget_low_u32(high)),
        vmovl_high_u32(high),
    ];
    let (ones, _) = row.ones().as_chunks::<2>();
    std::array::from_fn(|pair| {
        let ones = vcombine_u64(vcreate_u64(ones[pair][0]), vcreate_u64(ones[pair][1]));
        vshlq_u64(ones, vreinterpretq_s64_u64(by[pair]))
    })
}
