//! The words under bits and packed cells: any number of them, from the start of a cache line on.

#![expect(
    unsafe_code,
    reason = "lines as plain words have no safe form, and two indices instead of one cost a query a fifth of its time"
)]

use super::{Block, zeroed};
use crate::error::Result;
use crate::prefetch;
use std::slice;

/// 64-bit words on cache lines, so that eight of them that start at a multiple of eight are one line.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Words {
    /// The lines; what the last one has beyond the length is 0.
    lines: Vec<Block>,
    /// The number of words.
    len: usize,
}

impl Words {
    /// Words that are all 0.
    pub fn new(len: u64) -> Result<Self> {
        let lines = zeroed(len.div_ceil(8), Block::default())?;
        // As many words have been given out, so their number is a size.
        let len = len as usize;
        Ok(Words { lines, len })
    }

    /// These words.
    pub fn of(words: impl ExactSizeIterator<Item = u64>) -> Result<Self> {
        let mut all = Self::new(words.len() as u64)?;
        for (mine, word) in all.flat_mut().iter_mut().zip(words) {
            *mine = word;
        }
        Ok(all)
    }

    /// The number of words.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len as u64
    }

    /// A word.
    #[inline]
    pub fn get(&self, at: usize) -> u64 {
        self.flat()[at]
    }

    /// A word, to change it.
    #[inline]
    pub fn get_mut(&mut self, at: usize) -> &mut u64 {
        &mut self.flat_mut()[at]
    }

    /// All words in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.flat()[..self.len].iter().copied()
    }

    /// Copies words here, from this one on.
    pub fn copy_words(&mut self, at: usize, words: &Words) {
        let words = words.iter();
        for (mine, word) in self.flat_mut()[at..].iter_mut().zip(words) {
            *mine = word;
        }
    }

    /// Asks for the line that holds a word, ahead of its use.
    #[inline]
    pub fn prefetch(&self, at: usize) {
        prefetch::fetch(self.flat(), at);
    }

    #[inline]
    fn flat(&self) -> &[u64] {
        let words = self.lines.as_ptr().cast();
        // SAFETY: a block is eight words and nothing else, so that many blocks are eight times as many words; they live
        // and stay as they are as long as `self` is borrowed.
        unsafe { slice::from_raw_parts(words, 8 * self.lines.len()) }
    }

    #[inline]
    fn flat_mut(&mut self) -> &mut [u64] {
        let words = self.lines.as_mut_ptr().cast();
        // SAFETY: as above; `self` is borrowed alone, and every word is a sound block of one.
        unsafe { slice::from_raw_parts_mut(words, 8 * self.lines.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_start_on_a_line_and_stay_in_order() {
        for len in [0u64, 1, 7, 8, 9, 1000] {
            let mut words = Words::of(vec![3; len as usize].into_iter()).expect("small");
            assert_eq!(words.flat().as_ptr() as usize % 64, 0);
            assert!(words.iter().eq((0..len).map(|_| 3)));
            if let Some(last) = len.checked_sub(1) {
                *words.get_mut(last as usize) = 7;
                assert_eq!(words.get(last as usize), 7);
            }
            assert_eq!(words.clone().len(), len);
        }
    }
}
