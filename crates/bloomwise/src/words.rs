//! The words under the cells: atomic words that the filter owns, or bytes that someone else holds.
//!
//! Owned words are atomic, so that many threads may read them while one thread changes them. They are only loaded and stored, with
//! relaxed ordering. On common processors this costs as much as plain words. It makes a read during a change well defined. The
//! reader must detect such a read by itself; [`crate::seesaw::SharedSeesaw`] does so with versions. A filter that is not shared is
//! borrowed exclusively while it changes.
//!
//! Borrowed bytes, such as those of a mapped file, are read in place and never written. [`Words`] lets queries read both without a
//! test per word.

use crate::error::Result;
use crate::storage::{Storage, zeroed};
use std::sync::atomic::{AtomicU64, Ordering};

/// A word that can be read.
pub trait Word {
    /// The bits of the word.
    fn get(&self) -> u64;
}

/// An array of words that can be read.
pub trait Words {
    /// How a word is held.
    type Word: Word;

    /// The words in order.
    fn as_words(&self) -> &[Self::Word];
}

/// A word of borrowed bytes.
impl Word for [u8; 8] {
    #[inline]
    fn get(&self) -> u64 {
        u64::from_le_bytes(*self)
    }
}

impl Words for Storage {
    type Word = [u8; 8];

    #[inline]
    fn as_words(&self) -> &[[u8; 8]] {
        self.bytes().as_chunks().0
    }
}

/// A word that one thread may change while others read it.
#[derive(Debug, Default)]
pub struct AtomicWord(AtomicU64);

impl Clone for AtomicWord {
    fn clone(&self) -> Self {
        AtomicWord::from(self.get())
    }
}

impl From<u64> for AtomicWord {
    fn from(bits: u64) -> Self {
        AtomicWord(AtomicU64::new(bits))
    }
}

impl Word for AtomicWord {
    #[inline]
    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl AtomicWord {
    /// Replaces the bits. The caller must be the only writer.
    #[inline]
    pub fn set(&self, bits: u64) {
        self.0.store(bits, Ordering::Relaxed);
    }
}

/// An array of words that the filter owns.
#[derive(Clone, Debug)]
pub struct AtomicWords(Vec<AtomicWord>);

impl Words for AtomicWords {
    type Word = AtomicWord;

    #[inline]
    fn as_words(&self) -> &[AtomicWord] {
        &self.0
    }
}

impl From<Vec<AtomicWord>> for AtomicWords {
    fn from(words: Vec<AtomicWord>) -> Self {
        AtomicWords(words)
    }
}

impl AtomicWords {
    /// An array of `len` zeros.
    pub fn new(len: u64) -> Result<Self> {
        zeroed(len, AtomicWord::default()).map(AtomicWords)
    }

    /// A copy of borrowed words.
    pub fn copy_of(words: &Storage) -> Self {
        AtomicWords(words.words().map(AtomicWord::from).collect())
    }
}
