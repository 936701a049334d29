//! The modulator: which of the functions in reserve the keys of a cell use, and how many keys that are.
//!
//! Every key has one cell. A key that meets a mark counts in its cell; the first one to come chooses the index, and the
//! others have to take it as it is until all of them are gone. So the index stands still while a key depends on it. Counts
//! stick at their maximum, as those of the counters do, and the index then stands still for ever.
//!
//! The filter works without: the first function in reserve that leads to an unmarked counter can be found again from
//! the marks alone ([`super::footprint`]). What a modulator adds is one more place where a stranger can be told from a key
//! of the set. What it takes is room for counters; [`super::plan`] weighs the two.

use super::shape::{Cell, Shape};
use super::words::Words;
use crate::error::Result;

/// The modulator cells of all segments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Modulator {
    /// The cells: the count in the lower bits, the index in the upper ones.
    pub words: Words,
    count_bits: u32,
    count_mask: u64,
    cell_mask: u64,
}

impl Modulator {
    /// Cells without keys.
    pub fn new(shape: &Shape) -> Result<Self> {
        Words::new(shape.all_modulator_words()).map(|words| Self::of(words, shape))
    }

    /// The cells in these words.
    pub fn of(words: Words, shape: &Shape) -> Self {
        Modulator {
            words,
            count_bits: shape.count_bits,
            count_mask: (1 << shape.count_bits) - 1,
            cell_mask: (1 << shape.cell_bits()) - 1,
        }
    }

    /// The index in a cell, or `None` if no key uses it.
    #[inline]
    pub fn index(&self, cell: Cell) -> Option<u32> {
        let (count, index) = self.read(cell);
        (count != 0).then_some(index)
    }

    /// Counts a key in; `index` is what the cell shall hold if the key is the first, and what it holds is returned.
    pub fn enter(&self, cell: Cell, index: impl FnOnce() -> u32) -> u32 {
        let (count, held) = self.read(cell);
        let held = if count == 0 { index() } else { held };
        self.write(cell, count + u64::from(count != self.count_mask), held);
        held
    }

    /// Counts a key out, which is there. The last one takes the index along.
    pub fn leave(&self, cell: Cell) {
        let (count, index) = self.read(cell);
        if count == self.count_mask {
            return;
        }
        let left = count.saturating_sub(1);
        self.write(cell, left, if left == 0 { 0 } else { index });
    }

    /// How many cells have keys, and how many of these are stuck.
    pub fn census(&self, shape: &Shape) -> (u64, u64) {
        let counts = shape.all_cells().map(|cell| self.read(cell).0);
        counts.fold((0, 0), |(used, stuck), count| {
            let (is_used, is_stuck) = (count != 0, count == self.count_mask);
            (used + u64::from(is_used), stuck + u64::from(is_stuck))
        })
    }

    /// Count and index.
    #[inline]
    pub fn read(&self, cell: Cell) -> (u64, u32) {
        let bits = self.words.at(cell.word).get() >> cell.bit & self.cell_mask;
        (bits & self.count_mask, (bits >> self.count_bits) as u32)
    }

    fn write(&self, cell: Cell, count: u64, index: u32) {
        let bits = count | u64::from(index) << self.count_bits;
        let word = self.words.at(cell.word);
        word.set(word.get() & !(self.cell_mask << cell.bit) | bits << cell.bit);
    }
}
