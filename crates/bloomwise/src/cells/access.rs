//! The operations of families on arrays of cells: bits or counters, for one thread or for many.

use crate::cells::Bits;
use crate::cells::counters::Counters;
use crate::cells::words::{SharedWord, Word};

/// Cells in memory.
pub(crate) trait PrefetchCells {
    /// Prefetches the cache line of a cell.
    fn prefetch(&self, position: usize);
}

/// Cells that can be tested.
pub(crate) trait UsedCells: PrefetchCells + Copy {
    /// A number whose lowest bit is 1 if the cell is used. For a `bool`, the compiler would branch after each test.
    fn used(self, position: usize) -> u64;
}

/// Cells that can be marked as used.
pub(crate) trait AddToCells: PrefetchCells {
    /// Uses a cell once more and returns whether it was used before.
    fn add(&mut self, position: usize) -> bool;

    /// Like [`AddToCells::add`], for callers that ignore the answer.
    #[inline(always)]
    fn add_silently(&mut self, position: usize) {
        self.add(position);
    }
}

impl<W> PrefetchCells for Bits<'_, W> {
    #[inline(always)]
    fn prefetch(&self, position: usize) {
        Bits::prefetch(*self, position);
    }
}

impl<W: Word> UsedCells for Bits<'_, W> {
    #[inline(always)]
    fn used(self, position: usize) -> u64 {
        self.lowest(position)
    }
}

impl<W: SharedWord> AddToCells for Bits<'_, W> {
    #[inline(always)]
    fn add(&mut self, position: usize) -> bool {
        // An atomic change that returns the previous bits would be slower.
        let was_set = self.lowest(position) & 1 == 1;
        self.set(position);
        was_set
    }

    #[inline(always)]
    fn add_silently(&mut self, position: usize) {
        self.set(position);
    }
}

impl<W> PrefetchCells for Counters<'_, W> {
    #[inline(always)]
    fn prefetch(&self, position: usize) {
        Counters::prefetch(*self, position);
    }
}

impl<W: Word> UsedCells for Counters<'_, W> {
    #[inline(always)]
    fn used(self, position: usize) -> u64 {
        u64::from(self.get(position) != 0)
    }
}

impl<W: SharedWord> AddToCells for Counters<'_, W> {
    #[inline(always)]
    fn add(&mut self, position: usize) -> bool {
        self.raise(position) != 0
    }
}
