//! The numbers that fix where the cells of a key are.
//!
//! ```text
//! a segment   groups of counters ...             modulator words ...
//! a group     word 0 to 3: 64 counts of 4 bits   a word: cells of count-bits and index-bits, as many as fit
//!             word 4: their marks
//!             word 5: their pending bits, adaptive only
//! ```
//!
//! Counts and marks are mostly on the same cache line. A key lives in one *segment*, chosen by the upper half of its
//! digest. That is what lets several threads work at once, see [`super::SharedSeesaw`]. Some segments get more keys than
//! others, which adds `k (k - 1) / 2n` to the rate, in parts of it, with `n` keys in a segment: with 36 bits per key and five
//! functions, a segment of 32 KiB has 7,281 keys, and that is one part in 728.

use crate::hash::{Digest, reduce};
use crate::sizing::MAX_FUNCTIONS;
use std::ops::RangeInclusive;

/// Counters of a group: as many as a word has bits.
pub(super) const GROUP: u64 = 64;

/// Words of a group without pending bits.
pub(super) const PLAIN: usize = 5;

/// Words of a group with pending bits.
pub(super) const ADAPTIVE: usize = 6;

/// The bits that the count of a modulator cell may have.
pub const COUNT_BITS: RangeInclusive<u32> = 1..=8;

/// The bits that the index of a modulator cell may have: two functions in reserve, to sixteen.
pub const INDEX_BITS: RangeInclusive<u32> = 1..=4;

/// The function that names the modulator cell; those after it are the functions in reserve.
const MODULATOR: u32 = MAX_FUNCTIONS;

/// A modulator cell: its word, and its first bit there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub word: usize,
    pub bit: u32,
}

/// Everything but the cells themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Counters of a key; `k` in the paper.
    pub functions: u32,
    /// How many segments there are.
    pub segments: u64,
    /// Groups of counters in a segment, at least one.
    pub groups: u64,
    /// Modulator words in a segment; 0 if there is no modulator.
    pub modulator_words: u64,
    /// Bits of the count in a modulator cell.
    pub count_bits: u32,
    /// Bits of the index in a modulator cell; they name the functions in reserve, also if there is no modulator.
    pub index_bits: u32,
    /// Whether counters have pending bits.
    pub adaptive: bool,
}

impl Shape {
    /// Words of a group.
    pub fn group_words(adaptive: bool) -> u64 {
        let words = if adaptive { ADAPTIVE } else { PLAIN };
        words as u64
    }

    /// All words of counters.
    pub fn counter_words(&self) -> u64 {
        self.segments * self.groups * Self::group_words(self.adaptive)
    }

    /// All words of the modulator.
    pub fn all_modulator_words(&self) -> u64 {
        self.segments * self.modulator_words
    }

    /// The number of counters.
    pub fn counters(&self) -> u64 {
        self.segments * self.groups * GROUP
    }

    /// The number of functions in reserve.
    pub fn backups(&self) -> u32 {
        1 << self.index_bits
    }

    /// Bits of a modulator cell.
    pub fn cell_bits(&self) -> u32 {
        self.count_bits + self.index_bits
    }

    /// Modulator cells in a word.
    pub fn cells_in_word(&self) -> u32 {
        64 / self.cell_bits()
    }

    /// The number of modulator cells.
    pub fn cells(&self) -> u64 {
        self.all_modulator_words() * u64::from(self.cells_in_word())
    }

    /// The segment of a key.
    #[inline]
    pub fn segment(&self, digest: Digest) -> u64 {
        reduce(digest.high, self.segments)
    }

    /// The counter that a function names in a segment.
    #[inline]
    pub fn counter(&self, segment: u64, digest: Digest, function: u32) -> usize {
        let counters = self.groups * GROUP;
        let within = reduce(digest.function(u64::from(function)), counters);
        (segment * counters + within) as usize
    }

    /// The counter that function number `backup` of those in reserve names in a segment.
    #[inline]
    pub fn backup(&self, segment: u64, digest: Digest, backup: u32) -> usize {
        self.counter(segment, digest, MODULATOR + 1 + backup)
    }

    /// The modulator cell of a key.
    #[inline]
    pub fn cell(&self, segment: u64, digest: Digest) -> Cell {
        let hash = digest.function(u64::from(MODULATOR));
        let product = u128::from(hash) * u128::from(self.modulator_words);
        let word = segment * self.modulator_words + (product >> 64) as u64;
        // What is left of the product is as good as a fresh number.
        let cell = reduce(product as u64, u64::from(self.cells_in_word())) as u32;
        Cell {
            word: word as usize,
            bit: cell * self.cell_bits(),
        }
    }

    /// All modulator cells.
    pub fn all_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, in_word) = (self.cell_bits(), self.cells_in_word());
        let words = 0..self.all_modulator_words() as usize;
        words.flat_map(move |word| {
            (0..in_word).map(move |cell| Cell {
                word,
                bit: cell * width,
            })
        })
    }
}
