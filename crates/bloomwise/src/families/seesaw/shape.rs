//! Where the cells of a key are.
//!
//! ```text
//! a segment   groups of counters ...             modulator words ...
//! a group     word 0 to 3: 64 counts of 4 bits   a word: cells of count-bits and index-bits, as many as fit
//!             word 4: their marks
//!             word 5: their pending bits, adaptive only
//! ```
//!
//! The count and the mark of a counter are mostly on the same cache line. Each key belongs to one *segment*, chosen by the upper
//! half of its digest. Segments let several threads work at once, see [`super::SharedSeesaw`]. Some segments get more keys than
//! others. With `n` keys in a segment, this raises the rate by a relative `k (k - 1) / 2n`. For example, with 36 bits per key and
//! five functions, a segment of 32 KiB has 7,281 keys, and the rate rises by one part in 728.

use crate::filter::family::Family;
use crate::filter::sizing::MAX_FUNCTIONS;
use crate::keys::hash::{Digest, reduce};
use std::ops::{Range, RangeInclusive};

/// Counters in a group: as many as a word has bits.
pub(super) const GROUP_COUNTERS: u64 = 64;

/// Words in a group without pending bits.
pub(super) const PLAIN_WORDS: usize = 5;

/// Words in a group with pending bits.
pub(super) const ADAPTIVE_WORDS: usize = 6;

/// The valid numbers of bits for the count of a modulator cell.
pub const COUNT_BITS: RangeInclusive<u32> = 1..=8;

/// The valid numbers of bits for the index of a modulator cell: 2 to 16 backup functions.
pub const INDEX_BITS: RangeInclusive<u32> = 1..=4;

/// The number of the function that chooses the modulator cell. The backup functions follow it.
const MODULATOR_FUNCTION: u32 = MAX_FUNCTIONS;

/// The place of a modulator cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ModulatorCell {
    /// The word that holds the cell.
    pub word: usize,
    /// The lowest bit of the cell in that word.
    pub bit: u32,
}

/// The parameters that fix where the cells of a key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Hash functions per key; `k` in the paper.
    pub functions: u32,
    /// The number of segments.
    pub segments: u64,
    /// Groups of counters in a segment, at least 1.
    pub groups: u64,
    /// Modulator words in a segment; 0 if there is no modulator.
    pub modulator_words: u64,
    /// Bits of the count in a modulator cell.
    pub count_bits: u32,
    /// Bits of the index in a modulator cell. They fix the number of backup functions, with or without a modulator.
    pub index_bits: u32,
    /// Whether counters have pending bits.
    pub adaptive: bool,
}

impl Shape {
    /// The family of a filter of this shape.
    pub fn family(&self) -> Family {
        if self.adaptive {
            Family::SeesawAdaptive
        } else {
            Family::Seesaw
        }
    }

    /// The number of words in a group.
    pub fn group_words(adaptive: bool) -> u64 {
        let words = if adaptive {
            ADAPTIVE_WORDS
        } else {
            PLAIN_WORDS
        };
        words as u64
    }

    /// The number of words with counters, in all segments.
    pub fn counter_words(&self) -> u64 {
        self.segments * self.groups * Self::group_words(self.adaptive)
    }

    /// The number of words of the modulator, in all segments.
    pub fn all_modulator_words(&self) -> u64 {
        self.segments * self.modulator_words
    }

    /// The number of words of all cells.
    pub fn words(&self) -> u64 {
        self.counter_words() + self.all_modulator_words()
    }

    /// The size of all cells in bits.
    pub fn bits(&self) -> u64 {
        64 * self.words()
    }

    /// The number of counters, in all segments.
    pub fn counters(&self) -> u64 {
        self.segments * self.groups * GROUP_COUNTERS
    }

    /// The number of backup functions.
    pub fn backups(&self) -> u32 {
        1 << self.index_bits
    }

    /// The number of bits of a modulator cell.
    pub fn cell_bits(&self) -> u32 {
        self.count_bits + self.index_bits
    }

    /// The number of modulator cells in a word.
    pub fn cells_in_word(&self) -> u32 {
        64 / self.cell_bits()
    }

    /// The number of modulator cells, in all segments.
    pub fn cells(&self) -> u64 {
        self.all_modulator_words() * u64::from(self.cells_in_word())
    }

    /// Where the words of a segment are: the words of its counters, and the words of its modulator.
    pub fn words_of_segment(&self, segment: usize) -> [Range<usize>; 2] {
        let counters = (self.groups * Self::group_words(self.adaptive)) as usize;
        let (start, modulator) = (self.counter_words() as usize, self.modulator_words as usize);
        [(0, counters), (start, modulator)]
            .map(|(start, size)| start + segment * size..start + (segment + 1) * size)
    }

    /// The segment of a key.
    #[inline]
    pub fn segment(&self, digest: Digest) -> u64 {
        reduce(digest.high, self.segments)
    }

    /// The counter to which a function leads in a segment.
    #[inline]
    pub fn counter(&self, segment: u64, digest: Digest, function: u32) -> usize {
        let counters = self.groups * GROUP_COUNTERS;
        let within = reduce(digest.function(u64::from(function)), counters);
        (segment * counters + within) as usize
    }

    /// The counter to which backup function number `backup` leads in a segment.
    #[inline]
    pub fn backup(&self, segment: u64, digest: Digest, backup: u32) -> usize {
        self.counter(segment, digest, MODULATOR_FUNCTION + 1 + backup)
    }

    /// The modulator cell of a key.
    #[inline]
    pub fn cell(&self, segment: u64, digest: Digest) -> ModulatorCell {
        let hash = digest.function(u64::from(MODULATOR_FUNCTION));
        let product = u128::from(hash) * u128::from(self.modulator_words);
        let word = segment * self.modulator_words + (product >> 64) as u64;
        // The lower half of the product is uniform, so it serves as another hash.
        let cell = reduce(product as u64, u64::from(self.cells_in_word())) as u32;
        ModulatorCell {
            word: word as usize,
            bit: cell * self.cell_bits(),
        }
    }

    /// All modulator cells.
    pub fn all_cells(&self) -> impl Iterator<Item = ModulatorCell> + use<> {
        let (width, in_word) = (self.cell_bits(), self.cells_in_word());
        let words = 0..self.all_modulator_words() as usize;
        words.flat_map(move |word| {
            (0..in_word).map(move |cell| ModulatorCell {
                word,
                bit: cell * width,
            })
        })
    }
}
