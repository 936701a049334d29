//! Counters of 4 bits, sixteen in a word. They are views of a [`PackedArray`] of that width for queries and insertions. A counter never crosses a
//! word, so one aligned load and a shift suffice.

use super::PackedArray;
use crate::machine::prefetch;

/// The largest value of a counter, at which it sticks.
const MAX: u64 = 15;

/// A view of counters for reading.
#[derive(Clone, Copy)]
pub struct Nibbles<'a> {
    /// Words of sixteen counters each.
    words: &'a [[u8; 8]],
}

/// A view of counters for writing.
pub struct NibblesMut<'a> {
    /// Words of sixteen counters each.
    words: &'a mut [[u8; 8]],
}

impl PackedArray {
    /// The counters of an array of 4 bits per cell.
    #[inline(always)]
    pub fn nibbles(&self) -> Nibbles<'_> {
        debug_assert_eq!(self.max(), MAX);
        Nibbles {
            words: self.storage().padded().as_chunks().0,
        }
    }

    /// The counters of an array of 4 bits per cell, for writing.
    #[inline(always)]
    pub fn nibbles_mut(&mut self) -> NibblesMut<'_> {
        debug_assert_eq!(self.max(), MAX);
        NibblesMut {
            words: self.storage_mut().padded_mut().as_chunks_mut().0,
        }
    }
}

impl Nibbles<'_> {
    /// The value of a counter.
    #[inline(always)]
    pub fn get(self, cell: usize) -> u64 {
        u64::from_le_bytes(self.words[cell / 16]) >> (4 * (cell % 16)) & MAX
    }

    /// Prefetches the cache line of a counter.
    #[inline(always)]
    pub fn prefetch(self, cell: usize) {
        prefetch::fetch(self.words, cell / 16);
    }
}

impl NibblesMut<'_> {
    /// Raises a counter by one, unless it is stuck, and returns its value before.
    #[inline(always)]
    pub fn raise(&mut self, cell: usize) -> u64 {
        let word = &mut self.words[cell / 16];
        let (bits, shift) = (u64::from_le_bytes(*word), 4 * (cell % 16));
        let count = bits >> shift & MAX;
        // No branch: this adds 0 to a counter at its maximum.
        *word = (bits + (u64::from(count != MAX) << shift)).to_le_bytes();
        count
    }

    /// Lowers a counter by one, unless it is stuck. If it is 0, it returns `false` and changes nothing.
    #[inline(always)]
    pub fn lower(&mut self, cell: usize) -> bool {
        let word = &mut self.words[cell / 16];
        let (bits, shift) = (u64::from_le_bytes(*word), 4 * (cell % 16));
        let count = bits >> shift & MAX;
        // No branch: this subtracts 0 from a counter that is 0 or at its maximum.
        *word = (bits - (u64::from(count != 0 && count != MAX) << shift)).to_le_bytes();
        count != 0
    }

    /// Prefetches the cache line of a counter.
    #[inline(always)]
    pub fn prefetch(&self, cell: usize) {
        prefetch::fetch(self.words, cell / 16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counters_are_those_of_the_array(
            steps in prop::collection::vec((0usize..40, prop::bool::weighted(0.7)), 0..900),
        ) {
            let mut array = PackedArray::new(48, 4).expect("small");
            let mut naive = [0u64; 48];
            for (cell, raised) in steps {
                let before = naive[cell];
                if raised {
                    prop_assert_eq!(array.nibbles_mut().raise(cell), before);
                    naive[cell] = (before + 1).min(MAX);
                } else {
                    prop_assert_eq!(array.nibbles_mut().lower(cell), before > 0);
                    naive[cell] = if before == MAX { MAX } else { before.saturating_sub(1) };
                }
            }
            prop_assert!(array.iter().eq(naive));
            prop_assert!((0..48).all(|cell| array.nibbles().get(cell) == naive[cell]));
        }
    }
}
