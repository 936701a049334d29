//! The modulator: which backup function the keys of a cell use, and how many keys use it.
//!
//! Each key has one cell. A member with a marked counter counts in its cell. The first such member chooses the index; later ones use
//! that index until all of them are removed. So the index does not change while a member depends on it. Counts stick at
//! their maximum, as the counts of the counters do. After that, the index never changes.
//!
//! The modulator is optional: the marks alone determine the first backup function that leads to an unmarked counter
//! ([`super::footprint`]). A modulator gives a query one more chance to reject a non-member. It takes space from the counters. The
//! plan weighs the two ([`crate::seesaw::Plan`]).

use super::shape::{ModulatorCell, Shape};
use crate::cells::words::{Word, WordMut};

/// The modulator cells of all segments.
pub struct Modulator<'a, W> {
    /// The words that hold the cells. The count is in the lower bits of a cell, the index in the upper bits.
    words: &'a [W],
    /// Bits of a count.
    count_bits: u32,
    /// The lowest `count_bits` bits; also the maximum count.
    count_mask: u64,
    /// As many low bits as a cell has.
    cell_mask: u64,
}

impl<'a, W: Word> Modulator<'a, W> {
    /// The modulator whose cells are in `words`.
    #[inline]
    pub fn new(words: &'a [W], shape: &Shape) -> Self {
        Modulator {
            words,
            count_bits: shape.count_bits,
            count_mask: (1 << shape.count_bits) - 1,
            cell_mask: (1 << shape.cell_bits()) - 1,
        }
    }

    /// The index in a cell, or `None` if no key uses the cell.
    #[inline]
    pub fn index(&self, cell: ModulatorCell) -> Option<u32> {
        let (count, index) = self.read(cell);
        (count != 0).then_some(index)
    }

    /// The number of cells in use, and the number of stuck cells among them.
    pub fn stats(&self, shape: &Shape) -> (u64, u64) {
        let counts = shape.all_cells().map(|cell| self.read(cell).0);
        counts.fold((0, 0), |(used, stuck), count| {
            let (is_used, is_stuck) = (count != 0, count == self.count_mask);
            (used + u64::from(is_used), stuck + u64::from(is_stuck))
        })
    }

    /// Whether a word has a bit above its cells. No filter sets one.
    pub fn has_padding(&self, shape: &Shape) -> bool {
        let used_bits = shape.cells_in_word() * shape.cell_bits();
        let padding = |word: &W| word.get().checked_shr(used_bits).unwrap_or(0);
        self.words.iter().any(|word| padding(word) != 0)
    }

    /// Whether a cell without keys has an index. No filter leaves one there.
    pub fn has_stale_index(&self, shape: &Shape) -> bool {
        let mut cells = shape.all_cells();
        cells.any(|cell| matches!(self.read(cell), (0, 1..)))
    }

    /// The count and the index of a cell.
    #[inline]
    fn read(&self, cell: ModulatorCell) -> (u64, u32) {
        let bits = self.words[cell.word].get() >> cell.bit & self.cell_mask;
        (bits & self.count_mask, (bits >> self.count_bits) as u32)
    }
}

impl<W: WordMut> Modulator<'_, W> {
    /// Counts a key in a cell, and returns the index of the cell. If the cell was empty, `index` chooses that index.
    pub fn add_key(&self, cell: ModulatorCell, index: impl FnOnce() -> u32) -> u32 {
        let (count, held) = self.read(cell);
        let held = if count == 0 { index() } else { held };
        self.write(cell, count + u64::from(count != self.count_mask), held);
        held
    }

    /// Removes a key that the cell counts. The index becomes 0 when the last key is removed.
    pub fn remove_key(&self, cell: ModulatorCell) {
        let (count, index) = self.read(cell);
        if count == self.count_mask {
            return;
        }
        let left = count.saturating_sub(1);
        self.write(cell, left, if left == 0 { 0 } else { index });
    }

    fn write(&self, cell: ModulatorCell, count: u64, index: u32) {
        let bits = count | u64::from(index) << self.count_bits;
        let word = &self.words[cell.word];
        word.set(word.get() & !(self.cell_mask << cell.bit) | bits << cell.bit);
    }
}
