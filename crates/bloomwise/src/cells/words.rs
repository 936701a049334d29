//! Words that queries read and changes write, in several forms: bytes of the filter or of another owner, and atomic words that threads share.
//!
//! | trait | what it does | bytes | bytes in a [`Cell`] | atomic |
//! |---|---|---|---|---|
//! | [`Word`] | reads | x | x | x |
//! | [`WordMut`] | writes, as the only writer | | x | x |
//! | [`SharedWord`] | atomic read-modify-write; other threads may write | | x | x |
//!
//! All operations on atomic words are relaxed. [`WordMut`] only loads and stores them. On common processors this costs as much as plain
//! words, and it makes a read during a change well defined. The reader must detect such a read with a
//! [`crate::threads::segment_lock::SegmentLock`].

use crate::cells::storage::{Storage, eight};
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

/// A word that may have several writers.
pub trait SharedWord: Word {
    /// Sets bits.
    fn set_bits(&self, bits: u64);

    /// Replaces the word by the result of `change`, and returns the previous word.
    fn update(&self, change: impl Fn(u64) -> u64) -> u64;
}

/// A word of bytes.
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

impl SharedWord for Cell<[u8; 8]> {
    #[inline(always)]
    fn set_bits(&self, bits: u64) {
        WordMut::set(self, Word::get(self) | bits);
    }

    #[inline(always)]
    fn update(&self, change: impl Fn(u64) -> u64) -> u64 {
        let before = Word::get(self);
        WordMut::set(self, change(before));
        before
    }
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }
}

impl WordMut for AtomicU64 {
    #[inline(always)]
    fn set(&self, bits: u64) {
        self.store(bits, Ordering::Relaxed);
    }
}

impl SharedWord for AtomicU64 {
    #[inline(always)]
    fn set_bits(&self, bits: u64) {
        self.fetch_or(bits, Ordering::Relaxed);
    }

    #[inline(always)]
    fn update(&self, change: impl Fn(u64) -> u64) -> u64 {
        // A word that does not change is not written.
        let change = |bits| Some(change(bits)).filter(|&changed| changed != bits);
        let (Ok(before) | Err(before)) =
            self.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
        before
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
