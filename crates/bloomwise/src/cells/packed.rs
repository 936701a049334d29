//! An array of cells of a few bits each.
//!
//! A cell has at most 32 bits and starts in some byte, so the eight bytes that start there contain it: one load, one
//! shift, no branch.

use crate::cells::storage::{Storage, eight, eight_mut};
use crate::error::Result;
use crate::machine::prefetch;
use std::fmt;

/// Cells of `width` bits, 1 to 32, without gaps between them.
///
/// ```
/// use bloomwise::unstable::PackedArray;
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut cells = PackedArray::new(10, 4)?;
/// cells.set(3, 9);
/// assert_eq!((cells.get(3), cells.get(4), cells.max()), (9, 0, 15));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PackedArray {
    /// The bytes of as many words as [`PackedArray::words_for`] returns.
    bytes: Storage,
    /// The number of cells.
    len: u64,
    /// The number of bits of a cell.
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

    /// `len` cells that are all 0. A width outside of 1 to 32 is replaced by the nearest valid one.
    pub fn new(len: u64, width: u32) -> Result<Self> {
        let width = width.clamp(1, Self::MAX_WIDTH);
        let bytes = Storage::new(Self::words_for(len, width).saturating_mul(8))?;
        Ok(PackedArray { bytes, len, width })
    }

    /// The cells in these bytes. `None` unless they have as many words as [`PackedArray::words_for`] returns.
    pub(crate) fn over(bytes: Storage, len: u64, width: u32) -> Option<Self> {
        let fits = (1..=Self::MAX_WIDTH).contains(&width)
            && bytes.len() as u64 == Self::words_for(len, width).saturating_mul(8);
        fits.then_some(PackedArray { bytes, len, width })
    }

    /// The bytes of the array.
    pub(crate) fn into_storage(self) -> Storage {
        self.bytes
    }

    /// The bytes of the array, for writing.
    pub(super) fn storage_mut(&mut self) -> &mut Storage {
        &mut self.bytes
    }

    /// The array of bytes that [`PackedArray::into_storage`] returned for an array of the same length and width.
    pub(crate) fn of(bytes: Storage, len: u64, width: u32) -> Self {
        debug_assert_eq!(bytes.len() as u64, 8 * Self::words_for(len, width));
        PackedArray { bytes, len, width }
    }

    /// The bytes of the array.
    pub(crate) fn storage(&self) -> &Storage {
        &self.bytes
    }

    /// The number of 64-bit words that `len` cells take.
    pub fn words_for(len: u64, width: u32) -> u64 {
        len.saturating_mul(u64::from(width)).div_ceil(64)
    }

    /// The number of cells.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the array has no cells.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The size of the array.
    pub fn size_in_bits(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }

    /// The largest value of a cell.
    #[inline]
    pub fn max(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// A view for reading. A query creates it once and then reads several cells.
    #[inline(always)]
    pub fn view(&self) -> PackedView<'_> {
        PackedView {
            bytes: self.bytes.padded(),
            width: self.width,
        }
    }

    /// The value of a cell.
    #[inline]
    pub fn get(&self, cell: usize) -> u64 {
        self.view().get(cell)
    }

    /// Writes the lowest `width` bits of `value` into a cell.
    #[inline]
    pub fn set(&mut self, cell: usize, value: u64) {
        let (byte, shift) = place(cell, self.width);
        let (mask, value) = (self.max(), value & self.max());
        let eight = eight_mut(self.bytes.padded_mut(), byte);
        let changed = u64::from_le_bytes(*eight) & !(mask << shift) | value << shift;
        *eight = changed.to_le_bytes();
    }

    /// The number of cells whose value satisfies `holds`.
    pub fn count(&self, holds: impl Fn(u64) -> bool) -> u64 {
        self.iter().filter(|&value| holds(value)).count() as u64
    }

    /// All values in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.len as usize).map(|cell| self.get(cell))
    }

    /// Copies the words of `other` into this array, starting at word `word`.
    pub fn copy_words(&mut self, word: usize, other: &Self) {
        self.bytes.copy_from(8 * word, &other.bytes);
    }

    /// Prefetches the cache line of a cell.
    #[inline]
    pub fn prefetch(&self, cell: usize) {
        self.view().prefetch(cell);
    }
}

/// A view of a [`PackedArray`] for reading.
#[derive(Clone, Copy)]
pub struct PackedView<'a> {
    /// The bytes of the array with their padding.
    bytes: &'a [u8],
    /// The number of bits of a cell.
    width: u32,
}

impl PackedView<'_> {
    /// The value of a cell.
    #[inline(always)]
    pub fn get(self, cell: usize) -> u64 {
        let (byte, shift) = place(cell, self.width);
        eight(self.bytes, byte) >> shift & ((1 << self.width) - 1)
    }

    /// Prefetches the cache line of a cell.
    #[inline(always)]
    pub fn prefetch(self, cell: usize) {
        prefetch::fetch(self.bytes, place(cell, self.width).0);
    }
}

/// The byte in which a cell starts, and the first bit of the cell in it.
#[inline(always)]
fn place(cell: usize, width: u32) -> (usize, u32) {
    let bit = cell as u64 * u64::from(width);
    ((bit / 8) as usize, (bit % 8) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn array_agrees_with_a_vector(
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
            let again = PackedArray::over(packed.storage().clone(), 50, width);
            prop_assert_eq!(again, Some(packed));
        }
    }

    #[test]
    fn bytes_of_another_length_are_refused() {
        let fits = |words: u64, len, width| {
            let bytes = Storage::new(8 * words).expect("small");
            PackedArray::over(bytes, len, width).is_some()
        };
        assert!(fits(2, 16, 8));
        assert!(!fits(3, 16, 8) && !fits(0, 0, 0) && !fits(0, u64::MAX, 33));
    }
}
