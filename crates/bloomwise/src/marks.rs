//! The bits of a key in its block.
//!
//! # The idea
//!
//! A block is a cache line, eight words of 64 bits, or every other word of a line. A key has one bit in each of `k`
//! neighbouring words ([`Row`]). The lower half of the digest chooses the block, by its uppermost bits, and the first of the
//! words, by its lowest ones. The bytes of the upper half choose the bit in each word. A key with more functions than its block
//! has words uses all words in a first row, and functions 1, 2, ... of the digest for the next rows.
//!
//! One bit a word instead of `k` bits anywhere costs one false positive in 200 (0.975 instead of 0.970 % at 10 bits per key), and
//! makes a query ten instructions of vector code. The positions of a key differ, which bits anywhere need not do; but the words
//! of a block are filled less evenly than the bits of a block.
//!
//! # Invariants
//!
//! - The bits of a key are a function of digest and block alone, the same for each kernel.

use crate::cells::Block;
use crate::hash::Digest;
use crate::kernel::{Row, Vectors, Words};

/// The bits of keys in blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Marks {
    /// The distance from one word of a block to the next: 1, or 2 if two blocks share a line.
    step: u32,
    /// The number of rows that have a bit in each word of the block.
    full_rows: u32,
    /// The words of the row after these.
    last: Words,
    /// The topmost bits of the last word of a block, which keys do not use.
    reserved: u32,
}

impl Marks {
    /// The marks of `functions` functions, at least 1, in blocks of `2^width` bits; `width` is 8 or 9.
    pub(crate) fn new(width: u32, functions: u32) -> Self {
        let (words, step) = (1 << (width - 6), 1 << (9 - width));
        let full_rows = functions.saturating_sub(1) / words;
        Marks {
            step,
            full_rows,
            last: Words::new(functions - full_rows * words, step),
            reserved: 0,
        }
    }

    /// These marks in blocks whose last word has topmost bits that keys do not use, fewer than 64.
    pub(crate) fn with_reserved(self, reserved: u32) -> Self {
        Marks { reserved, ..self }
    }

    /// The word of a line that is the last one of a block.
    #[inline(always)]
    pub(crate) fn last_word(&self, block: u64) -> u32 {
        8 - self.step + self.within_line(block)
    }

    /// The number of a block among those on its line.
    #[inline(always)]
    fn within_line(&self, block: u64) -> u32 {
        block as u32 & (self.step - 1)
    }

    /// Whether blocks are lines, keys have one row, and they use all bits. [`Marks::has_all`] and [`Marks::set_all`] have a shorter form for it.
    #[inline(always)]
    pub(crate) fn is_simple(&self) -> bool {
        self.step == 1 && self.full_rows == 0 && self.reserved == 0
    }

    /// The number of blocks on this many lines.
    #[inline(always)]
    pub(crate) fn blocks<const SIMPLE: bool>(&self, lines: u64) -> u64 {
        if SIMPLE {
            lines
        } else {
            lines * u64::from(self.step)
        }
    }

    /// The line of a block.
    #[inline(always)]
    pub(crate) fn line_of<const SIMPLE: bool>(&self, block: u64) -> usize {
        if SIMPLE {
            block as usize
        } else {
            (block >> (self.step - 1)) as usize
        }
    }

    /// Whether all bits of a key are set in its block.
    #[inline(always)]
    pub(crate) fn has_all<V: Vectors, const SIMPLE: bool>(
        &self,
        line: &Block,
        block: u64,
        digest: Digest,
    ) -> bool {
        if SIMPLE {
            let row = self.last.row(digest.high, digest.low as u32 % 8);
            return V::has_all(line.bytes(), row);
        }
        // No branch after a single row: nobody can predict its answer.
        let first = V::has_all(line.bytes(), self.row(0, block, digest));
        if self.full_rows == 0 || !first {
            return first;
        }
        for number in 1..=self.full_rows {
            if !V::has_all(line.bytes(), self.row(number, block, digest)) {
                return false;
            }
        }
        true
    }

    /// Sets all bits of a key in its block.
    #[inline(always)]
    pub(crate) fn set_all<V: Vectors, const SIMPLE: bool>(
        &self,
        line: &mut Block,
        block: u64,
        digest: Digest,
    ) {
        if SIMPLE {
            let row = self.last.row(digest.high, digest.low as u32 % 8);
            return V::set_all(line.bytes_mut(), row);
        }
        for number in 0..=self.full_rows {
            V::set_all(line.bytes_mut(), self.row(number, block, digest));
        }
    }

    /// A row of a key.
    #[inline(always)]
    fn row(&self, number: u32, block: u64, digest: Digest) -> Row {
        let mut bits = match number {
            0 => digest.high,
            _ => digest.function(u64::from(number)),
        };
        if self.reserved > 0 {
            // The byte of the last word is scaled to what is left of it.
            let shift = 8 * self.last_word(block);
            let scaled = ((bits >> shift & 0xFF) * u64::from(64 - self.reserved)) >> 8;
            bits = bits & !(0xFF << shift) | scaled << shift;
        }
        // An even block of every other word has the even words of its line.
        let first = digest.low as u32 % 8 * self.step + self.within_line(block);
        let words = match number < self.full_rows {
            true => Words::new(8 / self.step, self.step),
            false => self.last,
        };
        words.row(bits, first % 8)
    }

    /// The positions of a key in the line of its block.
    #[cfg(test)]
    pub(crate) fn positions(&self, block: u64, digest: Digest) -> impl Iterator<Item = usize> {
        (0..=self.full_rows).flat_map(move |number| self.row(number, block, digest).positions())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Hashing;
    use std::collections::BTreeSet;

    #[test]
    fn keys_do_not_use_reserved_bits_and_use_all_others() {
        for (width, reserved) in [(8, 5), (9, 1), (9, 12)] {
            let marks = Marks::new(width, 20).with_reserved(reserved);
            for block in 0..2 {
                let digests = (0..2000u64).map(|key| Hashing::default().digest(key));
                let positions = digests.flat_map(|digest| marks.positions(block, digest));
                let positions: BTreeSet<_> = positions.collect();
                let last = 64 * marks.last_word(block) as usize;
                let free = last + 64 - reserved as usize;
                assert!(positions.range(free..last + 64).next().is_none());
                assert_eq!(positions.len(), (1 << width) - reserved as usize);
            }
        }
    }

    #[test]
    fn keys_have_as_many_bits_as_functions_in_the_words_of_their_block() {
        for (width, words) in [(8, 4), (9, 8)] {
            for functions in 1..=32 {
                let marks = Marks::new(width, functions);
                for key in 0..100u64 {
                    let digest = Hashing::default().digest(key);
                    let positions: Vec<_> = marks.positions(key, digest).collect();
                    assert_eq!(positions.len(), functions as usize);
                    let mut bits_of_word = [0; 8];
                    positions.iter().for_each(|at| bits_of_word[at / 64] += 1);
                    for (word, bits) in bits_of_word.into_iter().enumerate() {
                        let inside = width == 9 || word % 2 == key as usize % 2;
                        let even = functions / words..=functions.div_ceil(words);
                        assert!(if inside {
                            even.contains(&bits)
                        } else {
                            bits == 0
                        });
                    }
                }
            }
        }
    }
}
