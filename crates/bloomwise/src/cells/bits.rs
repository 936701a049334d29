//! An array of bits.

use super::zeroed;
use crate::error::Result;
use crate::prefetch;
use std::fmt;

/// Bits in 64-bit words.
#[derive(Clone, PartialEq, Eq)]
pub struct BitArray {
    words: Vec<u64>,
}

impl fmt::Debug for BitArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitArray({} bits)", self.len())
    }
}

impl BitArray {
    /// As many zero bits as asked for, rounded up to whole words.
    pub fn new(bits: u64) -> Result<Self> {
        let words = zeroed(bits.div_ceil(64), 0)?;
        Ok(BitArray { words })
    }

    /// The array that these words hold.
    pub fn from_words(words: Vec<u64>) -> Self {
        BitArray { words }
    }

    /// The words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The number of bits.
    pub fn len(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    /// Whether there are no bits at all.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The bit at a position.
    #[inline]
    pub fn get(&self, position: usize) -> bool {
        self.lowest(position) & 1 == 1
    }

    /// A word whose lowest bit is that at a position.
    #[inline]
    pub fn lowest(&self, position: usize) -> u64 {
        self.words[position / 64] >> (position % 64)
    }

    /// Sets the bit at a position and tells whether it was set before.
    #[inline]
    pub fn set(&mut self, position: usize) -> bool {
        let word = &mut self.words[position / 64];
        let bit = 1 << (position % 64);
        let before = *word & bit != 0;
        *word |= bit;
        before
    }

    /// Asks for the line that holds a position, ahead of its use.
    #[inline]
    pub fn prefetch(&self, position: usize) {
        prefetch::fetch(&self.words, position / 64);
    }

    /// The number of bits that are set.
    pub fn ones(&self) -> u64 {
        self.words.iter().map(|w| u64::from(w.count_ones())).sum()
    }

    /// Combines each word with that of another array, as far as that goes.
    pub fn combine(&mut self, other: &BitArray, join: impl Fn(u64, u64) -> u64) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine = join(*mine, *theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn agrees_with_a_set_of_positions(positions in prop::collection::vec(0usize..200, 0..100)) {
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
            prop_assert_eq!(BitArray::from_words(bits.words().to_vec()), bits);
        }
    }

    #[test]
    fn words_are_combined_pairwise() {
        let mut left = BitArray::from_words(vec![0b1100, 1]);
        let right = BitArray::from_words(vec![0b1010, 2]);
        left.combine(&right, |a, b| a | b);
        assert_eq!(left.words(), [0b1110, 3]);
        left.combine(&right, |a, b| a & b);
        assert_eq!(left.words(), [0b1010, 2]);
    }
}
