//! An array of slots of a few bits, and which slots a key has.
//!
//! # Slots of a key
//!
//! An array knows 64 bits of a key: its hash. The upper bits choose where the key's window starts, and the lower bits are
//! its fingerprint. A key has `arity` slots, 3 or 4. Its window consists of `arity` segments of `2^segment_bits` slots each,
//! and the key has one slot in each segment. Window starts are uniform over the array:
//!
//! ```text
//! array   |.........................................................|
//! window            |....x...|x.......|......x.|...x....|              start, then one of 8 slots in each of 4 segments
//! ```
//!
//! In a binary fuse filter, windows start at multiples of the segment length. Here they start anywhere, so an array can
//! have any number of slots. Few keys reach the ends of the array, so peeling starts there ([`super::peel`]). For that,
//! windows must be much shorter than the array, but long enough to mix.
//!
//! # Widths
//!
//! The number of bits need not be a multiple of the number of slots: slots below `narrow` have `width` bits, and the
//! others have one more. A key uses the extra bit if all its slots have it. Its first slot is its lowest, so one
//! comparison decides. A width of 0 is valid: the answer for a key whose first slot has no bit is always "yes".
//!
//! # Reading
//!
//! Slots lie in bytes without gaps. A slot has at most 33 bits and starts within the first 8 bits of its byte, so it ends
//! within 8 bytes. Reading a slot is one load and one shift, without a branch.

use crate::codec::Payload;
use crate::error::Result;
use crate::hash::reduce;
use crate::prefetch;
use crate::sizing::MAX_BITS;
use crate::storage::{Storage, eight};
use std::fmt;

/// The largest number of bits of a narrow slot.
pub(super) const MAX_WIDTH: u64 = 32;

/// The largest segment has `2^16` slots: four offsets of 16 bits fit into one word.
pub(super) const MAX_SEGMENT_BITS: u32 = 16;

/// Where the slots of an array lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The number of slots of a key, 3 or 4.
    pub arity: u32,
    /// The number of slots, at least as many as a window has.
    pub slots: u64,
    /// A segment has `2^segment_bits` slots.
    pub segment_bits: u32,
    /// The number of bits of the array.
    pub bits: u64,
    /// The number of bits of a narrow slot: `bits / slots`, rounded down.
    pub width: u64,
    /// The number of narrow slots. They come first.
    pub narrow: u64,
}

/// The equation of a positive: in the columns of `columns`, the XOR of its slots is its fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equation<const ARITY: usize> {
    /// The slots of the key, ascending.
    pub slots: [usize; ARITY],
    /// The columns that all its slots have, as a mask.
    pub columns: u64,
    /// Its fingerprint, in the lowest bits. The bits outside of `columns` are meaningless.
    pub fingerprint: u64,
}

impl Shape {
    /// The shape of an array of `slots` slots in `bits` bits; `None` if a parameter is out of range.
    pub fn new(arity: u32, slots: u64, segment_bits: u32, bits: u64) -> Option<Self> {
        let valid = (3..=4).contains(&arity)
            && segment_bits <= MAX_SEGMENT_BITS
            && (u64::from(arity) << segment_bits..=MAX_BITS).contains(&slots)
            && bits / slots <= MAX_WIDTH;
        valid.then(|| Shape {
            arity,
            slots,
            segment_bits,
            bits,
            width: bits / slots,
            narrow: slots - bits % slots,
        })
    }

    /// The number of 64-bit words that the array takes.
    pub fn words(&self) -> u64 {
        self.bits.div_ceil(64)
    }

    /// The number of slots where a window can start.
    pub fn starts(&self) -> u64 {
        self.slots + 1 - self.window()
    }

    /// The number of slots in a window.
    pub fn window(&self) -> u64 {
        u64::from(self.arity) << self.segment_bits
    }

    /// The start of the window for `hash`. It never decreases as the hash grows.
    #[inline]
    pub fn start(&self, hash: u64) -> u64 {
        reduce(hash, self.starts())
    }

    /// The equation of the key with this hash.
    #[inline]
    pub fn equation<const ARITY: usize>(&self, hash: u64) -> Equation<ARITY> {
        let start = self.start(hash);
        let product = u128::from(hash) * 0x9E37_79B9_7F4A_7C15;
        let offsets = product as u64 ^ (product >> 64) as u64;
        let offset = (1 << self.segment_bits) - 1;
        let slots = std::array::from_fn(|j| {
            let segment = start + ((j as u64) << self.segment_bits);
            (segment + (offsets >> (16 * j) & offset)) as usize
        });
        let extra = u64::from(slots[0] as u64 >= self.narrow);
        Equation {
            slots,
            columns: (1 << (self.width + extra)) - 1,
            fingerprint: hash,
        }
    }

    /// The share of keys that use the extra bit.
    pub fn wide_share(&self) -> f64 {
        let starts = self.starts() as f64;
        let segment = f64::from(1u32 << self.segment_bits);
        // For an offset `o` the share is (starts - narrow + o) / starts, clamped to 0..=1. The result is the mean over all offsets.
        let low = (starts - self.narrow as f64) / starts;
        let high = low + segment / starts;
        let integral = |x: f64| x.clamp(0.0, 1.0).powi(2) / 2.0 + (x - 1.0).max(0.0);
        (integral(high) - integral(low)) / (high - low)
    }
}

/// The slots with their bits.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Array {
    /// Where the slots lie.
    pub shape: Shape,
    /// The bits in whole words. A read of 8 bytes at any slot stays inside of the storage and its padding.
    bytes: Storage,
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({:?})", self.shape)
    }
}

impl Array {
    /// An array whose slots are all 0.
    pub fn new(shape: Shape) -> Result<Self> {
        let bytes = Storage::new(shape.words() * 8)?;
        Ok(Array { shape, bytes })
    }

    /// Reads an array of this shape from a payload.
    pub fn read(shape: Shape, payload: &mut Payload<'_>) -> Result<Self> {
        let bytes = payload.storage(shape.words(), "the slots")?;
        Ok(Array { shape, bytes })
    }

    /// The bytes of the array.
    pub fn storage(&self) -> &Storage {
        &self.bytes
    }

    /// Whether the key with this hash satisfies its equation in all columns.
    #[inline]
    pub fn contains<const ARITY: usize>(&self, hash: u64) -> bool {
        self.satisfies(&self.shape.equation::<ARITY>(hash), u64::MAX)
    }

    /// Whether the slots satisfy an equation in the columns of the mask `columns`.
    #[inline]
    pub fn satisfies<const ARITY: usize>(&self, equation: &Equation<ARITY>, columns: u64) -> bool {
        (self.xor(equation) ^ equation.fingerprint) & equation.columns & columns == 0
    }

    /// Changes the slot `pivot` of a key so that the XOR of its slots becomes `wanted` in the columns of the mask `columns`.
    #[inline]
    pub fn assign<const ARITY: usize>(
        &mut self,
        equation: &Equation<ARITY>,
        pivot: usize,
        wanted: u64,
        columns: u64,
    ) {
        let change = (self.xor(equation) ^ wanted) & equation.columns & columns;
        let (byte, shift) = self.locate(equation.slots[pivot]);
        let changed = self.bytes.eight(byte) ^ change << shift;
        self.bytes.padded_mut()[byte..byte + 8].copy_from_slice(&changed.to_le_bytes());
    }

    /// Prefetches the slots of a key.
    #[inline]
    pub fn prefetch<const ARITY: usize>(&self, equation: &Equation<ARITY>) {
        let bytes = self.bytes.padded();
        for slot in equation.slots {
            prefetch::fetch(bytes, self.locate(slot).0);
        }
    }

    /// The number of slots that are not 0.
    pub fn nonzero_slots(&self) -> u64 {
        let nonzero = |slot: &usize| {
            let (byte, shift) = self.locate(*slot);
            let extra = u64::from(*slot as u64 >= self.shape.narrow);
            self.bytes.eight(byte) >> shift & ((1 << (self.shape.width + extra)) - 1) != 0
        };
        // A file may claim any number of slots of width 0, so those are skipped.
        let first = if self.shape.width > 0 {
            0
        } else {
            self.shape.narrow
        };
        let slots = first as usize..self.shape.slots as usize;
        slots.into_iter().filter(nonzero).count() as u64
    }

    /// The XOR of a key's slots. The bits outside of the key's columns are meaningless.
    #[inline]
    fn xor<const ARITY: usize>(&self, equation: &Equation<ARITY>) -> u64 {
        let bytes = self.bytes.padded();
        equation.slots.iter().fold(0, |xor, &slot| {
            let (byte, shift) = self.locate(slot);
            xor ^ eight(bytes, byte) >> shift
        })
    }

    /// The byte in which a slot starts, and the slot's first bit in that byte.
    #[inline]
    fn locate(&self, slot: usize) -> (usize, u32) {
        let slot = slot as u64;
        let bit = slot * self.shape.width + slot.saturating_sub(self.shape.narrow);
        ((bit / 8) as usize, (bit % 8) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape() -> impl Strategy<Value = Shape> {
        (3u32..=4, 0u32..5, 0u64..500, 0u64..20_000).prop_filter_map(
            "too wide",
            |(arity, segment_bits, more, bits)| {
                let slots = (u64::from(arity) << segment_bits) + more;
                Shape::new(arity, slots, segment_bits, bits)
            },
        )
    }

    proptest! {
        #[test]
        fn slots_ascend_within_the_array_and_use_all_bits(shape in shape(), hash in any::<u64>()) {
            let slots = shape.equation::<4>(hash).slots;
            let slots = &slots[..shape.arity as usize];
            prop_assert!(slots.is_sorted_by(|a, b| a < b));
            prop_assert!(slots.iter().all(|&slot| (slot as u64) < shape.slots));
            prop_assert_eq!(shape.slots * shape.width + shape.slots - shape.narrow, shape.bits);
        }

        #[test]
        fn assigning_changes_one_slot_to_the_wanted_value(
            shape in shape(),
            hash in any::<u64>(),
            wanted in any::<u64>(),
            pivot in 0usize..3,
        ) {
            let mut array = Array::new(shape).expect("small");
            let equation = shape.equation::<3>(hash);
            array.assign(&equation, pivot, wanted, u64::MAX);
            prop_assert_eq!(array.xor(&equation) & equation.columns, wanted & equation.columns);
            prop_assert!(array.nonzero_slots() <= 1);
            let ones = array.storage().words().map(u64::count_ones).sum::<u32>();
            prop_assert_eq!(ones, (wanted & equation.columns).count_ones());
        }
    }

    #[test]
    fn wide_share_matches_a_count() {
        for (slots, bits) in [
            (1000, 3500),
            (1000, 3990),
            (1000, 3020),
            (64, 100),
            (70, 10),
        ] {
            let shape = Shape::new(4, slots, 4, bits).expect("valid");
            let hash = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let wide = |n: &u64| shape.equation::<4>(hash(*n)).columns >> shape.width == 1;
            let share = (0..100_000).filter(wide).count() as f64 / 1e5;
            // Rounding may move the border by one slot.
            let slack = 1.0 / shape.starts() as f64 + 0.01;
            assert!(
                (share - shape.wide_share()).abs() < slack,
                "{shape:?}: {share}"
            );
        }
    }
}
