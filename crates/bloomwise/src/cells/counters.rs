//! Counters of 4 bits, sixteen in a word: functions of a word of counters, and counters in an array of words. They never count too low.
//!
//! A counter counts from 0 to 15. At 15 it *sticks*: it may stand for any larger number, so it is neither raised nor lowered any more. A
//! counter that is not stuck is exact. So a counter is 0 only if it was lowered as often as it was raised. The absence of false negatives
//! relies on that.
//!
//! A counter never crosses a word, so one aligned load and a constant shift suffice.

use super::PackedArray;
use super::words::{SharedWord, Word, padded_words, padded_words_mut};
use crate::machine::prefetch;
use std::cell::Cell;

/// The largest value of a counter, at which it sticks.
pub const MAX: u64 = 15;

/// The lowest bit of each counter of a word.
const LOWEST: u64 = 0x1111_1111_1111_1111;

/// The first bit of a counter in its word.
#[inline(always)]
fn shift(counter: usize) -> usize {
    4 * (counter % 16)
}

/// The value of a counter in its word. Like all these functions, it uses only the lowest 4 bits of the number of the counter.
#[inline(always)]
pub fn value(word: u64, counter: usize) -> u64 {
    word >> shift(counter) & MAX
}

/// The word with a counter raised by one, unless that is stuck.
#[inline(always)]
pub fn raised(word: u64, counter: usize) -> u64 {
    // No branch: this adds 0 to a counter at its maximum.
    word + (u64::from(value(word, counter) != MAX) << shift(counter))
}

/// The word with a counter lowered by one, unless that is stuck or 0.
#[inline(always)]
pub fn lowered(word: u64, counter: usize) -> u64 {
    // No branch: this subtracts 0 from a counter that is 0 or at its maximum. One comparison tests for both, because 0 wraps around to the
    // largest number.
    let falls = value(word, counter).wrapping_sub(1) < MAX - 1;
    word - (u64::from(falls) << shift(counter))
}

/// The lowest bit of each counter of a word that is not 0.
#[inline]
fn lowest_of_used(word: u64) -> u64 {
    let pairs = word | word >> 1;
    (pairs | pairs >> 2) & LOWEST
}

/// The number of counters of a word that are not 0.
#[inline]
pub fn used_in(word: u64) -> u32 {
    lowest_of_used(word).count_ones()
}

/// The counters of a word that are not 0: bit `i` stands for counter `i`.
#[inline]
pub fn used(word: u64) -> u64 {
    let mut used = lowest_of_used(word);
    // Moves every fourth bit to the low end, first in pairs, then in fours, eights and sixteens.
    used = (used | used >> 3) & 0x0303_0303_0303_0303;
    used = (used | used >> 6) & 0x000F_000F_000F_000F;
    used = (used | used >> 12) & 0x0000_00FF_0000_00FF;
    (used | used >> 24) & 0xFFFF
}

/// The number of counters of a word that are stuck.
#[inline]
pub fn stuck_in(word: u64) -> u32 {
    let pairs = word & word >> 1;
    (pairs & pairs >> 2 & LOWEST).count_ones()
}

/// The sums of the counters of two words. A sum that reaches the maximum sticks, and so does a counter that is stuck in either word.
fn sums(word: u64, other: u64) -> u64 {
    let sum = |counter| (value(word, counter) + value(other, counter)).min(MAX) << shift(counter);
    (0..16).fold(0, |sums, counter| sums | sum(counter))
}

/// Counters in an array of words.
pub struct Counters<'a, W>(pub &'a [W]);

impl<W> Clone for Counters<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Counters<'_, W> {}

impl PackedArray {
    /// The counters of an array of 4 bits per cell.
    #[inline(always)]
    pub fn counters(&self) -> Counters<'_, [u8; 8]> {
        debug_assert_eq!(self.max(), MAX);
        Counters(padded_words(self.storage()))
    }

    /// The counters of an array of 4 bits per cell, for writing.
    #[inline(always)]
    pub fn counters_mut(&mut self) -> Counters<'_, Cell<[u8; 8]>> {
        debug_assert_eq!(self.max(), MAX);
        Counters(padded_words_mut(self.storage_mut()))
    }

    /// Adds to each counter of 4 bits the counter of `other` at the same place. A sum that reaches the maximum sticks, and so does a
    /// counter that is stuck in either array.
    pub fn add_counters(&mut self, other: &PackedArray) {
        let words = self.counters_mut().0.iter().zip(other.storage().words());
        words.for_each(|(mine, word)| _ = SharedWord::update(mine, |before| sums(before, word)));
    }
}

impl<W> Counters<'_, W> {
    /// Prefetches the cache line of a counter.
    #[inline(always)]
    pub fn prefetch(self, counter: usize) {
        prefetch::fetch(self.0, counter / 16);
    }
}

impl<W: Word> Counters<'_, W> {
    /// The value of a counter.
    #[inline(always)]
    pub fn get(self, counter: usize) -> u64 {
        value(self.0[counter / 16].get(), counter)
    }
}

impl<W: SharedWord> Counters<'_, W> {
    /// Raises a counter by one, unless it is stuck, and returns its value before.
    #[inline(always)]
    pub fn raise(self, counter: usize) -> u64 {
        let before = self.0[counter / 16].update(|word| raised(word, counter));
        value(before, counter)
    }

    /// Lowers a counter by one, unless it is stuck. If it is 0, it returns `false` and changes nothing.
    #[inline(always)]
    pub fn lower(self, counter: usize) -> bool {
        let before = self.0[counter / 16].update(|word| lowered(word, counter));
        value(before, counter) != 0
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
                    prop_assert_eq!(array.counters_mut().raise(cell), before);
                    naive[cell] = (before + 1).min(MAX);
                } else {
                    prop_assert_eq!(array.counters_mut().lower(cell), before > 0);
                    naive[cell] = if before == MAX { MAX } else { before.saturating_sub(1) };
                }
            }
            prop_assert!(array.iter().eq(naive));
            prop_assert!((0..48).all(|cell| array.counters().get(cell) == naive[cell]));
        }
    }

    #[test]
    fn sums_of_counters_stick_at_the_maximum() {
        let array = |values: [u64; 4]| {
            let mut packed = PackedArray::new(4, 4).expect("small");
            values
                .iter()
                .enumerate()
                .for_each(|(cell, &value)| packed.set(cell, value));
            packed
        };
        let mut left = array([0, 3, 9, 15]);
        left.add_counters(&array([0, 4, 9, 0]));
        assert_eq!(left, array([0, 7, 15, 15]));
    }

    #[test]
    fn counters_of_a_word_are_counted() {
        for word in [0, 1, 0x8421, 0xF0F0_1234_0000_FFFF, u64::MAX] {
            let counters = (0..16).map(|at| word >> (4 * at) & 15);
            assert_eq!(
                used_in(word) as usize,
                counters.clone().filter(|&n| n > 0).count()
            );
            let bits = counters.clone().enumerate();
            assert_eq!(
                used(word),
                bits.map(|(at, n)| u64::from(n > 0) << at).sum::<u64>()
            );
            assert_eq!(
                stuck_in(word) as usize,
                counters.filter(|&n| n == 15).count()
            );
        }
    }
}
