//! Compares all slots of a bucket with a fingerprint at once.
//!
//! The XOR of a bucket with a copy of the fingerprint in every slot has a slot of zeros where the two are equal. Subtracting 1 from each slot
//! then borrows into the highest bit of a slot that is 0, and of no nonzero slot below it:
//!
//! ```text
//! slots           3 0 2 1      (each of a few bits)
//! minus 1 each    2 ! 1 0      the highest bit of the slot that was 0 is set now; it was clear before
//! ```
//!
//! A bucket of fingerprints of up to 16 bits fits one word. Longer fingerprints take two.

/// Compares the slots of a bucket with a fingerprint, or with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    /// Bits of a slot.
    pub bits: u32,
    /// How many pieces of at most 64 bits a bucket has: 1 or 2.
    pub pieces: usize,
    /// The lowest bit of each slot of a piece.
    pub ones: u64,
    /// The highest bit of each slot of a piece.
    tops: u64,
    /// All bits of the slots of a piece.
    pub all: u64,
}

impl Lanes {
    pub fn new(bits: u32) -> Self {
        let pieces = if bits <= 16 { 1 } else { 2 };
        let pair = 1 | 1 << bits;
        let ones = if bits <= 16 {
            pair | pair << (2 * bits)
        } else {
            pair
        };
        Lanes {
            bits,
            pieces,
            ones,
            tops: ones << (bits - 1),
            all: ones * ((1 << bits) - 1),
        }
    }

    /// Sets the highest bit of each slot that is zero. The lowest set bit is right, and some bit is set if and only if some slot is zero.
    /// Bits above the lowest may be wrong.
    #[inline(always)]
    pub fn zeros(self, slots: u64) -> u64 {
        slots.wrapping_sub(self.ones) & !slots & self.tops
    }
}

impl Lanes {
    /// The slot of the lowest set bit of `zeros`.
    #[inline(always)]
    pub fn first(self, zeros: u64) -> usize {
        // Faster than a division.
        let bit = zeros.trailing_zeros();
        let behind = |slots| usize::from(bit >= slots * self.bits);
        behind(1) + behind(2) + behind(3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lowest_zero_is_found(bits in 4u32..=32, values in prop::collection::vec(0u64..4, 4)) {
            let lanes = Lanes::new(bits);
            let count = 4 / lanes.pieces;
            let slots = (0..count).fold(0, |slots, at| slots | values[at] << (at as u32 * bits));
            let expected = values[..count].iter().position(|&value| value == 0);
            let zeros = lanes.zeros(slots);
            let found = (zeros != 0).then(|| lanes.first(zeros));
            prop_assert_eq!(found, expected);
            prop_assert_eq!(lanes.ones.count_ones() as usize, count);
            prop_assert_eq!(lanes.all.count_ones(), count as u32 * bits);
        }
    }
}
