//! Words that queries read and changes write, in several forms: bytes of the filter or of another owner, and atomic words that threads share.
//!
//! Many threads may read atomic words while one thread changes them. They are only loaded and stored, with relaxed ordering. On
//! common processors this costs as much as plain words, and it makes a read during a change well defined. The reader must detect such a
//! read with a [`crate::threads::segment_lock::SegmentLock`]. A filter that is not shared is borrowed exclusively while it changes.
//!
//! Bytes, such as those of a mapped file, are read in place. [`Words`] makes queries generic over both, without a test per word.

use crate::cells::doubt::Doubt;
use crate::cells::storage::{Storage, eight, zeroed};
use crate::error::Result;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// A word that can be read.
pub trait Word: Sized {
    /// The bits of the word.
    fn get(&self) -> u64;

    /// The 64 bits of `words` that start at bit `bit`. The last of them may be in the next word.
    #[inline(always)]
    fn at_bit(words: &[Self], bit: usize) -> u64 {
        let (word, shift) = (bit / 64, bit % 64);
        let next = words[word + 1].get() << 1 << (63 - shift);
        words[word].get() >> shift | next
    }

    /// At least 57 bits of `words`, starting at bit `bit`. It is 64 bits if `bit` is the first of a byte.
    #[inline(always)]
    fn near_bit(words: &[Self], bit: usize) -> u64 {
        Self::at_bit(words, bit)
    }
}

/// A word that can be changed. The caller must be the only thread that writes.
pub trait WordMut: Word {
    /// Replaces the bits.
    fn set(&self, bits: u64);
}

/// An array of words that can be read.
pub trait Words {
    /// The type of a word.
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

    // One load from any byte.
    #[inline(always)]
    fn near_bit(words: &[Self], bit: usize) -> u64 {
        eight(words.as_flattened(), bit / 8) >> (bit % 8)
    }
}

/// A word of bytes that one thread changes.
impl Word for Cell<[u8; 8]> {
    #[inline]
    fn get(&self) -> u64 {
        u64::from_le_bytes(Cell::get(self))
    }
}

impl WordMut for Cell<[u8; 8]> {
    #[inline]
    fn set(&self, bits: u64) {
        Cell::set(self, bits.to_le_bytes());
    }
}

/// The words of an array, and at least one more, for reading.
#[inline(always)]
pub fn padded_words(storage: &Storage) -> &[[u8; 8]] {
    storage.padded().as_chunks().0
}

/// The words of an array, and at least one more, for writing. Borrowed bytes are copied first.
#[inline(always)]
pub fn padded_words_mut(storage: &mut Storage) -> &[Cell<[u8; 8]>] {
    let (words, _) = storage.padded_mut().as_chunks_mut();
    Cell::from_mut(words).as_slice_of_cells()
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

impl WordMut for AtomicWord {
    #[inline]
    fn set(&self, bits: u64) {
        self.0.store(bits, Ordering::Relaxed);
    }
}

/// An array of atomic words that the filter owns.
#[derive(Clone, Debug)]
pub struct AtomicWords {
    /// The words in order.
    words: Vec<AtomicWord>,
    /// The doubt of the words they were copied from, if those are damaged.
    doubt: Option<Doubt>,
}

impl Words for AtomicWords {
    type Word = AtomicWord;

    #[inline]
    fn as_words(&self) -> &[AtomicWord] {
        &self.words
    }
}

impl From<Vec<AtomicWord>> for AtomicWords {
    fn from(words: Vec<AtomicWord>) -> Self {
        AtomicWords { words, doubt: None }
    }
}

impl AtomicWords {
    /// An array of `len` zeros.
    pub fn new(len: u64) -> Result<Self> {
        zeroed(len, AtomicWord::default()).map(AtomicWords::from)
    }

    /// A copy of borrowed words.
    pub fn copy_of(words: &Storage) -> Self {
        AtomicWords {
            words: words.words().map(AtomicWord::from).collect(),
            doubt: words.damage(),
        }
    }

    /// The same words with a doubt, for copies of words that have this doubt.
    pub fn with_doubt(self, doubt: Option<&Doubt>) -> Self {
        AtomicWords {
            doubt: doubt.cloned(),
            ..self
        }
    }

    /// The doubt, if the words are a copy of damaged ones.
    pub fn doubt(&self) -> Option<&Doubt> {
        self.doubt.as_ref()
    }
}
