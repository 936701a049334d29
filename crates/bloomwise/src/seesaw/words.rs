//! Words that several threads may read while one changes them.
//!
//! They are atomic, and only ever loaded and stored, with no order asked for: on common processors that is what plain
//! words cost. It makes a read at the time of a change a defined thing; whoever reads then has to find out that it was one
//! ([`super::SharedSeesaw`]). A filter that is not shared is borrowed alone while it is changed.

use crate::cells::zeroed;
use crate::error::Result;
use crate::prefetch;
use std::sync::atomic::{AtomicU64, Ordering};

/// A word.
#[derive(Debug, Default)]
pub(super) struct Word(AtomicU64);

impl Clone for Word {
    fn clone(&self) -> Self {
        Word(AtomicU64::new(self.get()))
    }
}

impl Word {
    /// Its bits.
    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Replaces its bits. Whoever calls this is the only one to do so.
    #[inline]
    pub fn set(&self, bits: u64) {
        self.0.store(bits, Ordering::Relaxed);
    }
}

/// Words in a row.
#[derive(Clone, Debug)]
pub(super) struct Words(Vec<Word>);

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Words {
    /// So many zeros.
    pub fn new(words: u64) -> Result<Self> {
        zeroed(words, Word::default()).map(Words)
    }

    /// These words.
    pub fn of(words: impl ExactSizeIterator<Item = u64>) -> Result<Self> {
        let all = Self::new(words.len() as u64)?;
        for (mine, word) in all.0.iter().zip(words) {
            mine.set(word);
        }
        Ok(all)
    }

    /// Copies one of so many equal parts from others.
    pub fn copy_part(&self, others: &Words, part: usize, parts: u64) {
        let size = self.len() / parts as usize;
        let part = part * size..(part + 1) * size;
        for (mine, other) in self.0[part.clone()].iter().zip(&others.0[part]) {
            mine.set(other.get());
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().map(Word::get)
    }

    /// One of them.
    #[inline]
    pub fn at(&self, word: usize) -> &Word {
        &self.0[word]
    }

    /// All in groups of so many.
    #[inline]
    pub fn groups<const SIZE: usize>(&self) -> &[[Word; SIZE]] {
        self.0.as_chunks().0
    }

    /// Asks for the line that holds a word, ahead of its use.
    #[inline]
    pub fn prefetch(&self, word: usize) {
        prefetch::fetch(&self.0, word);
    }
}
