//! An array of bits.

use crate::cells::access::AddToCells;
use crate::cells::storage::Storage;
use crate::cells::words::{SharedWord, Word, padded_words, padded_words_mut};
use crate::error::Result;
use crate::machine::prefetch;
use std::cell::Cell;
use std::fmt;

/// An array of bits that fills whole 64-bit words.
///
/// ```
/// use bloomwise::unstable::BitArray;
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut bits = BitArray::new(100)?;
/// assert!(!bits.set(7), "it was not set before");
/// assert_eq!((bits.get(7), bits.ones()), (true, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BitArray {
    /// Bit `p` is bit `p % 8` of byte `p / 8`.
    bytes: Storage,
}

impl fmt::Debug for BitArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitArray({} bits)", self.len())
    }
}

impl BitArray {
    /// `bits` zero bits, rounded up to whole words.
    pub fn new(bits: u64) -> Result<Self> {
        let bytes = Storage::new(bits.div_ceil(64).saturating_mul(8))?;
        Ok(BitArray { bytes })
    }

    /// The array in these bytes, which must be whole words.
    pub(crate) fn over(bytes: Storage) -> Self {
        BitArray { bytes }
    }

    /// The bytes of the array.
    pub(crate) fn into_storage(self) -> Storage {
        self.bytes
    }

    /// The bytes of the array.
    pub(crate) fn storage(&self) -> &Storage {
        &self.bytes
    }

    /// The number of bits.
    #[inline]
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }

    /// Whether the array has no bits.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == 0
    }

    /// A view for reading. A query creates it once and then tests several positions.
    #[inline(always)]
    pub fn view(&self) -> Bits<'_, [u8; 8]> {
        Bits(padded_words(&self.bytes))
    }

    /// A view for writing. An insertion creates it once and then sets several positions.
    #[inline(always)]
    pub fn view_mut(&mut self) -> Bits<'_, Cell<[u8; 8]>> {
        Bits(padded_words_mut(&mut self.bytes))
    }

    /// The bit at a position.
    #[inline]
    pub fn get(&self, position: usize) -> bool {
        self.view().lowest(position) & 1 == 1
    }

    /// Sets the bit at a position and returns whether it was set before.
    #[inline]
    pub fn set(&mut self, position: usize) -> bool {
        self.view_mut().add(position)
    }

    /// Clears the bit at a position.
    #[inline]
    pub fn clear(&mut self, position: usize) {
        self.bytes.padded_mut()[position / 8] &= !(1 << (position % 8));
    }

    /// Copies the words of `other` into this array, starting at word `word`.
    pub fn copy_words(&mut self, word: usize, other: &Self) {
        self.bytes.copy_from(8 * word, &other.bytes);
    }

    /// Prefetches the cache line of a position.
    #[inline]
    pub fn prefetch(&self, position: usize) {
        self.view().prefetch(position);
    }

    /// The number of bits that are set.
    pub fn ones(&self) -> u64 {
        self.bytes
            .words()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Combines each bit with the same bit of `other`, up to the shorter length. `join` combines 64 bits at a time.
    pub fn combine(&mut self, other: &BitArray, join: impl Fn(u64, u64) -> u64) {
        let len = self.bytes.len();
        let (mine, _) = self.bytes.padded_mut()[..len].as_chunks_mut();
        for (mine, word) in mine.iter_mut().zip(other.bytes.words()) {
            *mine = join(u64::from_le_bytes(*mine), word).to_le_bytes();
        }
    }
}

/// Bits in an array of words.
pub struct Bits<'a, W>(pub(crate) &'a [W]);

impl<W> Clone for Bits<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Bits<'_, W> {}

impl<W> Bits<'_, W> {
    /// Prefetches the cache line of a position.
    #[inline(always)]
    pub fn prefetch(self, position: usize) {
        prefetch::fetch(self.0, position / 64);
    }
}

impl<W: Word> Bits<'_, W> {
    /// A number whose lowest bit is the bit at a position.
    #[inline(always)]
    pub fn lowest(self, position: usize) -> u64 {
        self.0[position / 64].get() >> (position % 64)
    }
}

impl<W: SharedWord> Bits<'_, W> {
    /// Sets the bit at a position.
    #[inline(always)]
    pub fn set(self, position: usize) {
        self.0[position / 64].set_bits(1 << (position % 64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn array_agrees_with_a_set_of_positions(positions in prop::collection::vec(0usize..200, 0..100)) {
            let mut bits = BitArray::new(200).expect("small");
            let mut set = BTreeSet::new();
            for position in positions {
                prop_assert_eq!(bits.set(position), !set.insert(position));
            }
            prop_assert_eq!(bits.len(), 256);
            prop_assert_eq!(bits.ones(), set.len() as u64);
            for position in 0..200 {
                prop_assert_eq!(bits.get(position), set.contains(&position));
            }
        }
    }

    #[test]
    fn words_are_combined_pairwise() {
        let array = |positions: &[usize]| {
            let mut bits = BitArray::new(128).expect("small");
            positions
                .iter()
                .for_each(|&position| _ = bits.set(position));
            bits
        };
        let (mut left, right) = (array(&[2, 3, 64]), array(&[1, 3, 65]));
        left.combine(&right, |a, b| a | b);
        assert_eq!(left, array(&[1, 2, 3, 64, 65]));
        left.combine(&right, |a, b| a & b);
        assert_eq!(left, right);
    }
}
