//! The bytes of a filter's cells, owned or borrowed.
//!
//! # The idea
//!
//! Cells are read from bytes in little-endian order, on every machine and at any alignment: bit `p` of an array is bit
//! `p % 8` of byte `p / 8`. So the filter reads the same bytes that a file holds, and it can work on bytes that
//! another owner holds: a mapped file, a block of a cache, a value of a database. [`Storage`] hides the difference.
//!
//! # Invariants
//!
//! - [`Storage::padded`] has at least [`PADDING`] bytes after the last one, so that a cell that starts in the last byte
//!   can be read with one load of eight bytes. Owned bytes have zeros there. In a file, a checksum follows the payload.
//! - Owned bytes start on a cache line. Borrowed bytes start where their owner put them. A block may then span two lines,
//!   which costs time but changes no answer.
//! - Borrowed bytes are never written. The first change copies them.
//! - A copy of unverified bytes keeps their [`Doubt`] until they are verified. A damaged copy keeps its doubt permanently.

use crate::cells::doubt::Doubt;
use crate::error::{Error, Result};
use crate::machine::memory::{Need, reserve};
use bytemuck::allocation::try_zeroed_slice_box;
use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use bytes::Bytes;
use std::fmt;

/// The number of readable bytes after the last one.
pub(crate) const PADDING: usize = 8;

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

/// The number of bytes that are read from a stream before more memory is touched.
const STEP: usize = 1 << 20;

/// A cache line.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; LINE_BYTES]);

/// Bytes, owned or borrowed.
#[derive(Clone)]
pub struct Storage {
    /// Where the bytes are.
    store: Store,
    /// The number of bytes, without padding.
    len: usize,
    /// The doubt about the bytes, or about those they were copied from. Set if these have not been verified or are damaged.
    doubt: Option<Doubt>,
}

#[derive(Clone)]
enum Store {
    /// Lines of the filter's own, with zeros after the last byte.
    Owned(Vec<Line>),
    /// Bytes of another owner, with padding. Boxed because `Bytes` holds an atomic pointer, which would make the compiler reload the fields
    /// of every filter after each probe.
    Borrowed(Box<Bytes>),
}

/// Lines that can be viewed as bytes.
struct LineBytes(Vec<Line>);

impl AsRef<[u8]> for LineBytes {
    fn as_ref(&self) -> &[u8] {
        cast_slice(&self.0)
    }
}

impl Storage {
    /// `len` zeros. They come as zero pages from the allocator, so a large array is not written before it is used.
    pub fn new(len: u64) -> Result<Self> {
        let lines = zero_lines(lines_for(len))?;
        Ok(Storage {
            store: Store::Owned(lines),
            // That many bytes were allocated, so the cast is exact.
            len: len as usize,
            doubt: None,
        })
    }

    /// A copy of these bytes.
    pub fn copy_of(bytes: &[u8]) -> Self {
        Storage {
            store: Store::Owned(copy(bytes)),
            len: bytes.len(),
            doubt: None,
        }
    }

    /// The first `len` of these bytes. Returns `None` unless padding follows them.
    pub fn borrow(bytes: Bytes, len: usize) -> Option<Self> {
        let fits = bytes.len() >= len.checked_add(PADDING)?;
        fits.then_some(Storage {
            store: Store::Borrowed(Box::new(bytes)),
            len,
            doubt: None,
        })
    }

    /// The same bytes with a doubt, for copies of bytes that have this doubt.
    pub fn with_doubt(self, doubt: Option<Doubt>) -> Self {
        Storage { doubt, ..self }
    }

    /// The doubt, if the bytes have not been verified or are damaged.
    pub fn doubt(&self) -> Option<&Doubt> {
        self.doubt.as_ref()
    }

    /// Verifies the bytes. If they are damaged, returns the doubt, for copies to keep.
    pub fn damage(&self) -> Option<Doubt> {
        self.doubt.clone().filter(Doubt::is_damaged)
    }

    /// Verifies the bytes the storage came from, and returns an error if they are damaged.
    pub fn expect_sound(&self) -> Result<()> {
        match self.damage() {
            Some(_) => Err(Error::Damaged),
            None => Ok(()),
        }
    }

    /// Reads `len` bytes by calling `source` for one part after the other. Memory is touched only as bytes arrive.
    pub fn read(len: u64, mut source: impl FnMut(&mut [u8]) -> Result<()>) -> Result<Self> {
        let lines = lines_for(len);
        let mut store = Vec::new();
        reserve(&mut store, lines, Need::Cells)?;
        // That many lines were reserved, so the casts are exact.
        let (len, lines) = (len as usize, lines as usize);
        let mut filled = 0;
        while store.len() < lines {
            let more = (STEP / LINE_BYTES).min(lines - store.len());
            store.resize(store.len() + more, Line::zeroed());
            let bytes: &mut [u8] = cast_slice_mut(&mut store);
            let end = bytes.len().min(len);
            if filled < end {
                source(&mut bytes[filled..end])?;
                filled = end;
            }
        }
        Ok(Storage {
            store: Store::Owned(store),
            len,
            doubt: None,
        })
    }

    /// The bytes in shared form: in place if another owner holds them, else in the owned lines.
    pub fn into_shared(self) -> Bytes {
        let len = self.len;
        match self.store {
            Store::Borrowed(bytes) => bytes.slice(..len),
            Store::Owned(lines) => Bytes::from_owner(LineBytes(lines)).slice(..len),
        }
    }

    /// Whether another owner holds the bytes.
    #[inline]
    pub fn is_borrowed(&self) -> bool {
        matches!(self.store, Store::Borrowed(_))
    }

    /// The bytes.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        &self.padded()[..self.len]
    }

    /// The bytes and at least [`PADDING`] more.
    #[inline(always)]
    pub fn padded(&self) -> &[u8] {
        match &self.store {
            Store::Owned(lines) => cast_slice(lines),
            Store::Borrowed(bytes) => bytes,
        }
    }

    /// The bytes and at least [`PADDING`] more, for writing. The padding must stay zero. Borrowed bytes are copied first.
    #[inline(always)]
    pub fn padded_mut(&mut self) -> &mut [u8] {
        if let Store::Borrowed(_) = &self.store {
            self.own();
        }
        match &mut self.store {
            Store::Owned(lines) => cast_slice_mut(lines),
            // Not reached: `own` has replaced the store above.
            Store::Borrowed(_) => &mut [],
        }
    }

    /// Copies borrowed bytes. Not inlined, because it happens at most once in the life of a filter.
    #[cold]
    #[inline(never)]
    fn own(&mut self) {
        self.doubt = self.damage();
        self.store = Store::Owned(copy(self.bytes()));
    }

    /// The number of bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes as words. Arrays have whole words; bytes that do not fill a word are left out.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        let (words, _) = self.bytes().as_chunks();
        words.iter().map(|&word| u64::from_le_bytes(word))
    }

    /// Copies the bytes of `other` into this storage, starting at byte `start`.
    pub fn copy_from(&mut self, start: usize, other: &Storage) {
        let other = other.bytes();
        self.padded_mut()[start..start + other.len()].copy_from_slice(other);
    }
}

/// The eight bytes that start at `byte`, as a number.
#[inline(always)]
pub(crate) fn eight(bytes: &[u8], byte: usize) -> u64 {
    match bytes[byte..].first_chunk() {
        Some(&eight) => u64::from_le_bytes(eight),
        None => out_of_bounds(byte),
    }
}

/// The eight bytes that start at `byte`, for writing.
#[inline(always)]
pub(crate) fn eight_mut(bytes: &mut [u8], byte: usize) -> &mut [u8; 8] {
    match bytes[byte..].first_chunk_mut() {
        Some(eight) => eight,
        None => out_of_bounds(byte),
    }
}

/// Panics: a family has asked for bytes after the padding, which is a bug.
#[cold]
#[inline(never)]
fn out_of_bounds(byte: usize) -> ! {
    panic!("byte {byte} is outside of its array")
}

impl Default for Storage {
    fn default() -> Self {
        Storage::copy_of(&[])
    }
}

/// Owned lines with a copy of these bytes.
fn copy(bytes: &[u8]) -> Vec<Line> {
    let mut lines = vec![Line::zeroed(); lines_for(bytes.len() as u64) as usize];
    cast_slice_mut(&mut lines)[..bytes.len()].copy_from_slice(bytes);
    lines
}

/// The lines that `bytes` bytes and their padding take.
fn lines_for(bytes: u64) -> u64 {
    bytes
        .saturating_add(PADDING as u64)
        .div_ceil(LINE_BYTES as u64)
}

/// `count` lines of zeros. Returns an error if there is not enough memory.
fn zero_lines(count: u64) -> Result<Vec<Line>> {
    let lines = usize::try_from(count).map_or(Err(()), try_zeroed_slice_box);
    let bytes = count.saturating_mul(LINE_BYTES as u64);
    lines
        .map(Vec::from)
        .map_err(|()| Need::Cells.refused(bytes))
}

impl PartialEq for Storage {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Storage {}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Storage({} bytes)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn borrowed_bytes_are_read_in_place_and_copied_before_a_change() {
        let owner: Vec<u8> = (0..=255).collect();
        // At an odd address, to show that nothing relies on alignment.
        let bytes = Bytes::from_owner(owner).slice(3..);
        let address = bytes.as_ptr();
        let mut storage = Storage::borrow(bytes.clone(), 100).expect("enough bytes");
        assert_eq!(storage.bytes().as_ptr(), address);
        assert_eq!(
            eight(storage.padded(), 0),
            u64::from_le_bytes([3, 4, 5, 6, 7, 8, 9, 10])
        );
        assert!(storage.padded().len() >= 100 + PADDING);
        let before = storage.clone();
        storage.padded_mut()[0] ^= 1;
        assert_ne!(storage.bytes().as_ptr(), address);
        assert_eq!((bytes[0], storage.bytes()[0]), (3, 2));
        assert_eq!(storage.bytes()[1..], before.bytes()[1..]);
        assert_eq!(storage.padded()[100..].iter().max(), Some(&0));
    }

    #[test]
    fn borrowed_bytes_without_padding_are_refused() {
        let bytes = Bytes::from_static(&[0; 20]);
        assert!(Storage::borrow(bytes.clone(), 12).is_some());
        assert!(Storage::borrow(bytes.clone(), 13).is_none());
        assert!(Storage::borrow(bytes, usize::MAX).is_none());
    }

    #[test]
    fn streams_are_read_to_the_last_byte_and_not_further() {
        // Miri takes minutes for a whole step.
        let steps = if cfg!(miri) { 0 } else { 1 };
        for len in [0, 1, 63, 64, 120, steps * (3 * STEP - 1), steps * 2 * STEP] {
            let all: Vec<u8> = (0..len + 10).map(|at| (at % 251) as u8).collect();
            let mut rest = all.as_slice();
            let read = |part: &mut [u8]| rest.read_exact(part).map_err(Error::reading);
            let storage = Storage::read(len as u64, read).expect("enough bytes");
            assert!(storage.bytes() == &all[..len]);
            assert_eq!(rest.len(), 10);
            assert!(storage.padded().len() >= len + PADDING);
        }
    }

    #[test]
    #[cfg_attr(
        miri,
        ignore = "Miri ends at an allocation that the machine cannot make"
    )]
    fn impossible_lengths_are_errors() {
        for len in [u64::MAX, 1 << 62] {
            assert!(matches!(Storage::new(len), Err(Error::OutOfMemory { .. })));
            let never = |_: &mut [u8]| unreachable!("nothing is read without memory");
            assert!(matches!(
                Storage::read(len, never),
                Err(Error::OutOfMemory { .. })
            ));
        }
    }
}
