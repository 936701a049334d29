//! An array of bits.

use super::Words;
use crate::error::Result;
use std::fmt;

/// Bits in 64-bit words.
#[derive(Clone, PartialEq, Eq)]
pub struct BitArray {
    words: Words,
}

impl fmt::Debug for BitArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitArray({} bits)", self.len())
    }
}

impl BitArray {
    /// As many zero bits as asked for, rounded up to whole words.
    pub fn new(bits: u64) -> Result<Self> {
        let words = Words::new(bits.div_ceil(64))?;
        Ok(BitArray { words })
    }

    /// The array that these words hold.
    pub fn from_words(words: impl ExactSizeIterator<Item = u64>) -> Result<Self> {
        let words = Words::of(words)?;
        Ok(BitArray { words })
    }

    /// The words, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.words.iter()
    }

    /// The number of bits.
    #[inline]
    pub fn len(&self) -> u64 {
        self.words.len() * 64
    }

    /// Whether there are no bits at all.
    pub fn is_empty(&self) -> bool {
        self.words.len() == 0
    }

    /// The bit at a position.
    #[inline]
    pub fn get(&self, position: usize) -> bool {
        self.lowest(position) & 1 == 1
    }

    /// A word whose lowest bit is that at a position.
    #[inline]
    pub fn lowest(&self, position: usize) -> u64 {
        self.words.get(position / 64) >> (position % 64)
    }

    /// Sets the bit at a position and tells whether it was set before.
    #[inline]
    pub fn set(&mut self, position: usize) -> bool {
        let word = self.words.get_mut(position / 64);
        let bit = 1 << (position % 64);
        let before = *word & bit != 0;
        *word |= bit;
        before
    }

    /// Clears the bit at a position.
    #[inline]
    pub fn clear(&mut self, position: usize) {
        *self.words.get_mut(position / 64) &= !(1 << (position % 64));
    }

    /// Copies the words of another array here, from this word on.
    pub fn copy_words(&mut self, word: usize, other: &Self) {
        self.words.copy_words(word, &other.words);
    }

    /// Asks for the line that holds a position, ahead of its use.
    #[inline]
    pub fn prefetch(&self, position: usize) {
        self.words.prefetch(position / 64);
    }

    /// The number of bits that are set.
    pub fn ones(&self) -> u64 {
        self.words().map(|w| u64::from(w.count_ones())).sum()
    }

    /// Combines each word with that of another array, as far as that goes.
    pub fn combine(&mut self, other: &BitArray, join: impl Fn(u64, u64) -> u64) {
        for (at, word) in (0..self.words.len() as usize).zip(other.words()) {
            let mine = self.words.get_mut(at);
            *mine = join(*mine, word);
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
            prop_assert_eq!(BitArray::from_words(bits.words()).expect("small"), bits);
        }
    }

    #[test]
    fn words_are_combined_pairwise() {
        let array = |words: [u64; 2]| BitArray::from_words(words.into_iter()).expect("small");
        let mut left = array([0b1100, 1]);
        let right = array([0b1010, 2]);
        left.combine(&right, |a, b| a | b);
        assert_eq!(left, array([0b1110, 3]));
        left.combine(&right, |a, b| a & b);
        assert_eq!(left, array([0b1010, 2]));
    }
}
