//! An array of cells of a few bits each, and counters in such cells that never lose count.
//!
//! A cell of `w` bits counts from 0 to `2^w - 1`. At the maximum it *sticks*: it may stand for any number from there
//! on, so it is neither raised nor lowered any more. A counter that is not stuck is exact. Therefore a counter is 0
//! only if as many were taken away as were added, which is what the absence of false negatives rests on.

use super::Words;
use crate::error::Result;
use std::fmt;

/// Cells of `width` bits, 1 to 32, without gaps between them.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedArray {
    /// As many as [`PackedArray::words_for`] says; a cell may reach from one into the next.
    words: Words,
    /// The number of cells.
    len: u64,
    /// Bits of a cell.
    width: u32,
}

impl fmt::Debug for PackedArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedArray({} cells of {} bits)", self.len, self.width)
    }
}

impl PackedArray {
    /// The largest width of a cell.
    pub const MAX_WIDTH: u32 = 32;

    /// Cells that are all 0. A width outside of 1 to 32 is brought to the nearer end.
    pub fn new(len: u64, width: u32) -> Result<Self> {
        let width = width.clamp(1, Self::MAX_WIDTH);
        let words = Words::new(Self::words_for(len, width))?;
        Ok(PackedArray { words, len, width })
    }

    /// The cells that these words hold, or `None` if their number is not that of [`PackedArray::words_for`].
    pub fn from_words(
        words: impl ExactSizeIterator<Item = u64>,
        len: u64,
        width: u32,
    ) -> Result<Option<Self>> {
        let fits = (1..=Self::MAX_WIDTH).contains(&width)
            && words.len() as u64 == Self::words_for(len, width);
        if !fits {
            return Ok(None);
        }
        let words = Words::of(words)?;
        Ok(Some(PackedArray { words, len, width }))
    }

    /// How many words so many cells take.
    pub fn words_for(len: u64, width: u32) -> u64 {
        len.saturating_mul(u64::from(width)).div_ceil(64)
    }

    /// The words, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.words.iter()
    }

    /// The number of cells.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no cells at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The largest value of a cell.
    #[inline]
    pub fn max(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// The value of a cell.
    #[inline]
    pub fn get(&self, cell: usize) -> u64 {
        let (word, shift) = self.place(cell);
        let mut bits = self.words.get(word) >> shift;
        if shift + self.width > 64 {
            bits |= self.words.get(word + 1) << (64 - shift);
        }
        bits & self.max()
    }

    /// Writes a cell; of the value, the lowest bits that a cell can hold.
    #[inline]
    pub fn set(&mut self, cell: usize, value: u64) {
        let (word, shift) = self.place(cell);
        let (mask, value) = (self.max(), value & self.max());
        let first = self.words.get_mut(word);
        *first = *first & !(mask << shift) | value << shift;
        if shift + self.width > 64 {
            let rest = 64 - shift;
            let next = self.words.get_mut(word + 1);
            *next = *next & !(mask >> rest) | value >> rest;
        }
    }

    /// Raises a counter by one, unless it is stuck, and returns its new value.
    #[inline]
    pub fn increment(&mut self, cell: usize) -> u64 {
        let count = self.get(cell);
        if count == self.max() {
            return count;
        }
        self.set(cell, count + 1);
        count + 1
    }

    /// Lowers a counter by one, unless it is stuck. `None` if it was 0 already.
    #[inline]
    pub fn decrement(&mut self, cell: usize) -> Option<u64> {
        let count = self.get(cell);
        if count == self.max() {
            return Some(count);
        }
        let lower = count.checked_sub(1)?;
        self.set(cell, lower);
        Some(lower)
    }

    /// Lowers the counters at these cells. `false`, and nothing is changed, if one of them is 0 when its turn comes.
    pub fn decrement_all(&mut self, cells: impl Iterator<Item = usize> + Clone) -> bool {
        for (done, cell) in cells.clone().enumerate() {
            if self.decrement(cell).is_none() {
                // What was lowered is raised again; counters that are stuck were not lowered and are not raised.
                cells.take(done).for_each(|cell| _ = self.increment(cell));
                return false;
            }
        }
        true
    }

    /// How many cells have a value for which this holds.
    pub fn count(&self, holds: impl Fn(u64) -> bool) -> u64 {
        self.iter().filter(|&value| holds(value)).count() as u64
    }

    /// All values in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.len as usize).map(|cell| self.get(cell))
    }

    /// Copies the words of another array here, from this word on.
    pub fn copy_words(&mut self, word: usize, other: &Self) {
        self.words.copy_words(word, &other.words);
    }

    /// Asks for the line that holds a cell, ahead of its use.
    #[inline]
    pub fn prefetch(&self, cell: usize) {
        self.words.prefetch(self.place(cell).0);
    }

    /// The word in which a cell starts, and its first bit there.
    #[inline]
    fn place(&self, cell: usize) -> (usize, u32) {
        let bit = cell as u64 * u64::from(self.width);
        ((bit / 64) as usize, (bit % 64) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_a_vector(
            width in 1u32..=32,
            writes in prop::collection::vec((0usize..50, any::<u64>()), 0..200),
        ) {
            let mut packed = PackedArray::new(50, width).expect("small");
            let mut plain = vec![0u64; 50];
            for (cell, value) in writes {
                packed.set(cell, value);
                plain[cell] = value & packed.max();
            }
            prop_assert_eq!(packed.iter().collect::<Vec<_>>(), plain);
            let again = PackedArray::from_words(packed.words(), 50, width);
            prop_assert_eq!(again.expect("small"), Some(packed.clone()));
        }

        #[test]
        fn counters_are_exact_below_their_maximum_and_stick_there(
            width in 1u32..=5,
            steps in prop::collection::vec((0usize..4, prop::bool::weighted(0.6)), 0..200),
        ) {
            let mut packed = PackedArray::new(4, width).expect("small");
            let mut counts = [Some(0u64); 4];
            for (cell, up) in steps {
                // `None` is a counter that has been at its maximum once.
                let expected = match (counts[cell], up) {
                    (None, _) => Some(packed.max()),
                    (Some(n), true) => Some(n + 1),
                    (Some(n), false) => n.checked_sub(1),
                };
                let got = if up { Some(packed.increment(cell)) } else { packed.decrement(cell) };
                prop_assert_eq!(got, expected);
                if let (Some(_), Some(n)) = (counts[cell], got) {
                    counts[cell] = (n < packed.max()).then_some(n);
                }
            }
        }
    }

    #[test]
    fn words_of_another_length_are_refused() {
        let fits = |words: u64, len, width| {
            let words = vec![0; words as usize].into_iter();
            let array = PackedArray::from_words(words, len, width);
            array.expect("small").is_some()
        };
        assert!(fits(2, 16, 8));
        assert!(!fits(3, 16, 8) && !fits(0, 0, 0) && !fits(0, u64::MAX, 33));
    }
}
