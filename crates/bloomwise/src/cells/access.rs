//! The operations of families on arrays of cells: bits or counters, for one thread or for many.

use crate::cells::{BitView, BitViewMut, Nibbles, NibblesMut};

/// Cells in memory.
pub(crate) trait Cells {
    /// Prefetches the cache line of a cell.
    fn prefetch(&self, position: usize);
}

/// Cells that can be tested.
pub(crate) trait UsedCells: Cells + Copy {
    /// A number whose lowest bit is 1 if the cell is used. For a `bool`, the compiler would branch after each test.
    fn used(self, position: usize) -> u64;
}

/// Cells that can be marked as used.
pub(crate) trait AddToCells: Cells {
    /// Uses a cell once more and returns whether it was used before.
    fn add(&mut self, position: usize) -> bool;

    /// Like [`AddToCells::add`], for callers that ignore the answer.
    #[inline(always)]
    fn add_silently(&mut self, position: usize) {
        self.add(position);
    }
}

impl Cells for BitView<'_> {
    #[inline(always)]
    fn prefetch(&self, position: usize) {
        BitView::prefetch(*self, position);
    }
}

impl UsedCells for BitView<'_> {
    #[inline(always)]
    fn used(self, position: usize) -> u64 {
        self.lowest(position)
    }
}

impl Cells for BitViewMut<'_> {
    #[inline(always)]
    fn prefetch(&self, position: usize) {
        BitViewMut::prefetch(self, position);
    }
}

impl AddToCells for BitViewMut<'_> {
    #[inline(always)]
    fn add(&mut self, position: usize) -> bool {
        self.set(position)
    }
}

impl Cells for Nibbles<'_> {
    #[inline(always)]
    fn prefetch(&self, position: usize) {
        Nibbles::prefetch(*self, position);
    }
}

impl UsedCells for Nibbles<'_> {
    #[inline(always)]
    fn used(self, position: usize) -> u64 {
        u64::from(self.get(position) != 0)
    }
}

impl Cells for NibblesMut<'_> {
    #[inline(always)]
    fn prefetch(&self, position: usize) {
        NibblesMut::prefetch(self, position);
    }
}

impl AddToCells for NibblesMut<'_> {
    #[inline(always)]
    fn add(&mut self, position: usize) -> bool {
        self.raise(position) != 0
    }
}
