//! All cells of a filter: its counters, and its modulator if it has one.

use super::groups::{CounterStats, Groups};
use super::modulator::Modulator;
use super::shape::Shape;
use crate::cells::words::Word;
use crate::error::{Error, Result};
use crate::keys::hash::Digest;

/// The groups that [`Cells::marked_share`] reads at most. A share of 5 % then has a standard deviation of 3.4 % of itself.
const SAMPLE: usize = 256;

/// The cells in the words of a filter.
pub struct Cells<'a, W> {
    /// Where the cells of a key are.
    pub(super) shape: &'a Shape,
    /// Counts and marks: the groups of all segments, one after the other.
    pub(super) groups: Groups<'a, W>,
    /// The words of the groups, then the words of the modulator.
    words: &'a [W],
}

/// Numbers of cells in each state.
pub struct CellStats {
    /// Numbers of counters in each state.
    pub counters: CounterStats,
    /// The number of modulator cells in use, and of stuck ones among them, if there is a modulator.
    pub modulator: Option<(u64, u64)>,
}

impl<'a, W: Word> Cells<'a, W> {
    /// The cells in these words. Words after the last cell are ignored.
    #[inline]
    pub fn new(words: &'a [W], shape: &'a Shape) -> Self {
        Cells {
            shape,
            groups: Groups::new(words, shape),
            words,
        }
    }

    /// Prefetches the cache lines of a key's home counters.
    #[inline]
    pub fn prefetch(&self, digest: Digest) {
        let segment = self.shape.segment(digest);
        for function in 0..self.shape.functions {
            let counter = self.shape.counter(segment, digest, function);
            self.groups.prefetch(counter);
        }
    }

    /// Reads all cells and returns their numbers by state.
    pub fn stats(&self) -> CellStats {
        let modulator = self.modulator();
        CellStats {
            counters: self.groups.stats(),
            modulator: modulator.map(|modulator| modulator.stats(self.shape)),
        }
    }

    /// The share of counters that are marked, in a sample of a fixed size.
    pub fn marked_share(&self) -> f64 {
        self.groups.marked_share(SAMPLE)
    }

    /// The modulator, if there is one.
    #[inline]
    pub(super) fn modulator(&self) -> Option<Modulator<'a, W>> {
        let has_modulator = self.shape.modulator_words != 0;
        has_modulator.then(|| {
            let words = &self.words[self.shape.counter_words() as usize..];
            let count = self.shape.all_modulator_words() as usize;
            Modulator::new(&words[..count], self.shape)
        })
    }

    /// Returns an error if the cells hold values that no filter writes.
    pub fn check(&self) -> Result<()> {
        if self.groups.has_invalid_pending() {
            let expected = "a counter in use without a mark";
            return Err(Error::field(
                "the counter of a pending bit",
                "empty or marked",
                expected,
            ));
        }
        let Some(modulator) = self.modulator() else {
            return Ok(());
        };
        if modulator.has_padding(self.shape) {
            return Err(Error::field(
                "the padding of a modulator word",
                "not 0",
                "0",
            ));
        }
        if modulator.has_stale_index(self.shape) {
            return Err(Error::field(
                "the index of an empty modulator cell",
                "not 0",
                "0",
            ));
        }
        Ok(())
    }
}
