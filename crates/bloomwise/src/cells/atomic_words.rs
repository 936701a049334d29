//! The words of a filter that many threads share. A filter of one thread has a [`Storage`] instead.

use crate::cells::doubt::Doubt;
use crate::cells::storage::Storage;
use crate::cells::words::{Word, WordMut, padded_words_mut};
use crate::error::Result;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

/// The number of words of a cache line.
const LINE_WORDS: usize = 8;

/// Words that start on a cache line. Nothing else is on their lines.
#[derive(Debug)]
pub struct AtomicWords {
    /// Zeros up to the start of a cache line, then the words. The vector never grows, so its memory stays in place.
    words: Vec<AtomicU64>,
    /// The number of zeros before the words.
    start: usize,
    /// The doubt of the cells they were copied from, if those are damaged.
    doubt: Option<Doubt>,
}

impl AtomicWords {
    /// A copy of these cells.
    pub fn copy_of(cells: &Storage) -> Self {
        let copied = cells.words();
        let mut words = Vec::<AtomicU64>::with_capacity(
            copied.len().next_multiple_of(LINE_WORDS) + LINE_WORDS - 1,
        );
        let start = (words.as_ptr().addr() / size_of::<AtomicU64>()).wrapping_neg() % LINE_WORDS;
        let zeros = std::iter::repeat_n(0, start);
        words.extend(zeros.chain(copied).map(AtomicU64::new));
        AtomicWords {
            words,
            start,
            doubt: cells.damage(),
        }
    }

    /// The words in order.
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        &self.words[self.start..]
    }

    /// A copy of the current words.
    pub fn copy(&self) -> Result<Storage> {
        let mut copy = self.zeros()?;
        self.copy_part(0..self.words().len(), &mut copy);
        Ok(copy)
    }

    /// Zeros, as many as there are words, for [`AtomicWords::copy_part`].
    pub fn zeros(&self) -> Result<Storage> {
        let zeros = Storage::new(8 * self.words().len() as u64)?;
        Ok(zeros.with_doubt(self.doubt.clone()))
    }

    /// Copies some of the words to their places in `copy`.
    pub fn copy_part(&self, part: Range<usize>, copy: &mut Storage) {
        let copy = &padded_words_mut(copy)[part.clone()];
        for (to, from) in copy.iter().zip(&self.words()[part]) {
            WordMut::set(to, Word::get(from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_start_on_a_cache_line_and_are_copied_back() {
        for count in [0, 1, 7, 8, 9, 1000] {
            let bytes: Vec<u8> = (0..8 * count).map(|at| (at % 251) as u8).collect();
            let cells = Storage::copy_of(&bytes);
            let shared = AtomicWords::copy_of(&cells);
            let words = shared.words();
            assert!(words.is_empty() || words.as_ptr().addr().is_multiple_of(64));
            assert!(words.iter().map(Word::get).eq(cells.words()));
            assert_eq!(shared.copy().expect("small"), cells);
            let mut last = shared.zeros().expect("small");
            shared.copy_part(count / 2..count, &mut last);
            assert_eq!(last.bytes()[8 * (count / 2)..], bytes[8 * (count / 2)..]);
            assert!(
                last.bytes()[..8 * (count / 2)]
                    .iter()
                    .all(|&byte| byte == 0)
            );
        }
    }
}
