//! Where a key's bits and chain cells are.
//!
//! The upper half of the digest chooses a segment. All bits and cells of a key are in that segment, so that segments
//! can be built separately. Sorted digests are also sorted by segment. Within a segment, function `i` of the pool gives
//! one bit and one cell. The three kinds differ only in how:
//!
//! | kind | bit of function `i` | cell after function `i` |
//! |---|---|---|
//! | full | anywhere, function `i` of the digest | anywhere, function `65 + i` |
//! | fast | anywhere, `a + i b`, where `a` and `b` are functions 0 and 1 | anywhere, `c + (i + 1) d`, functions 2 and 3 |
//! | cache | in one block of 512 bits, a slice of 9 bits of function 0 | in one line of 128 cells, a slice of 7 bits of function 64 |
//!
//! The chain starts at the cell of function 64 (full), at `c` (fast), or at the first slice (cache). A word holds seven
//! slices of 9 bits or eight slices of 7 bits. A cell of 4 bits names seven functions, so one multiplication gives all
//! bits of a key. A filter without cells may have more functions; they take their slices from functions 1, 2, and so
//! on.

use crate::cells::Block;
use crate::filter::family::Family;
use crate::kernel::{Run, Work};
use crate::keys::hash::{Digest, reduce};
use std::ops::Range;

/// The function that gives the first cell of a chain; the functions after it give the other cells.
const FIRST_CELL: u64 = 64;

/// The function that gives the line of a key's cells.
const CELL_LINE: u64 = 63;

/// Cells per cache line in [`Kind::Cache`]: 512 bits in cells of [`DEFAULT_CELL_BITS`].
pub(super) const LINE_CELLS: u64 = 128;

/// Bits per cell in [`Kind::Cache`], where a line must hold a whole number of cells. Filters without cells record this
/// width too.
pub(super) const DEFAULT_CELL_BITS: u32 = 4;

/// Slices of 9 bits in a word.
const SLICES: u64 = 7;

/// How a key finds its bits and cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// HABF: independent functions.
    #[default]
    Full,
    /// f-HABF: double hashing.
    Fast,
    /// c-HABF: all bits on one cache line, all cells on another.
    Cache,
}

/// [`Kind::Full`] as a const parameter.
pub(super) const FULL: usize = Kind::Full as usize;

/// [`Kind::Fast`] as a const parameter.
pub(super) const FAST: usize = Kind::Fast as usize;

/// [`Kind::Cache`] as a const parameter.
pub(super) const CACHE: usize = Kind::Cache as usize;

impl Kind {
    /// The kind of a family of this module; [`Kind::Full`] for any other family.
    pub fn of(family: Family) -> Self {
        match family {
            Family::HabfFast => Kind::Fast,
            Family::HabfCache => Kind::Cache,
            _ => Kind::Full,
        }
    }

    /// The family of filters of this kind.
    pub fn family(self) -> Family {
        match self {
            Kind::Full => Family::Habf,
            Kind::Fast => Family::HabfFast,
            Kind::Cache => Family::HabfCache,
        }
    }

    /// The number of bits per segment is a multiple of this.
    pub fn bit_step(self) -> u64 {
        match self {
            Kind::Full | Kind::Fast => 64,
            Kind::Cache => Block::BITS,
        }
    }

    /// The number of cells per segment is a multiple of this, so that each segment starts at a word.
    pub fn cell_step(self) -> u64 {
        match self {
            Kind::Full | Kind::Fast => 64,
            Kind::Cache => LINE_CELLS,
        }
    }
}

/// The numbers that determine where the bits and cells of each key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// How a key finds its bits and cells.
    pub kind: Kind,
    /// Functions per key (`k`).
    pub functions: u32,
    /// Bits per chain cell.
    pub cell_bits: u32,
    /// The number of segments.
    pub segments: u64,
    /// Bits per segment.
    pub bits: u64,
    /// Chain cells per segment; with 0 the filter is a plain Bloom filter.
    pub cells: u64,
    /// Whether the second round is strict: it accepts only chains that a positive may have stored.
    pub strict: bool,
}

impl Shape {
    /// Functions per key: `K`, or if that is 0, a number that is known only at run time.
    #[inline(always)]
    pub fn functions<const K: usize>(&self) -> u32 {
        if K == 0 { self.functions } else { K as u32 }
    }

    /// Does the work for this kind, compiled for the number of functions if the number is a usual one.
    #[inline(always)]
    pub fn run<W: Work>(&self, place: impl Run, work: W, argument: W::Argument) -> W::Output {
        match self.kind {
            Kind::Full => self.run_kind::<W, FULL>(place, work, argument),
            Kind::Fast => self.run_kind::<W, FAST>(place, work, argument),
            Kind::Cache => self.run_kind::<W, CACHE>(place, work, argument),
        }
    }

    /// Does the work for a kind that the compiler knows.
    #[inline(always)]
    pub fn run_kind<W: Work, const KIND: usize>(
        &self,
        place: impl Run,
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        match self.functions {
            3 => place.run::<W, KIND, 3>(work, argument),
            4 => place.run::<W, KIND, 4>(work, argument),
            5 => place.run::<W, KIND, 5>(work, argument),
            6 => place.run::<W, KIND, 6>(work, argument),
            7 => place.run::<W, KIND, 7>(work, argument),
            _ => place.run::<W, KIND, 0>(work, argument),
        }
    }

    /// The number of functions that a key can choose from: all values of a cell's name but 0, which means empty.
    #[inline]
    pub fn pool(&self) -> u32 {
        (1 << (self.cell_bits - 1)) - 1
    }

    /// The set of initial functions, used by every key that was not adjusted.
    #[inline(always)]
    pub fn initial(&self) -> u32 {
        ((1u64 << self.functions) - 1) as u32
    }

    /// Whether the answer is certainly "no", given the set `zeros` of initial functions whose bits are known to be 0.
    #[inline(always)]
    pub fn is_no(&self, zeros: u32) -> bool {
        let several = zeros & zeros.wrapping_sub(1) != 0;
        // No branch: the processor could not predict it.
        (zeros != 0) & ((self.cells == 0) | several & self.strict)
    }

    /// The segment of a key.
    #[inline(always)]
    pub fn segment(&self, digest: Digest) -> usize {
        reduce(digest.high, self.segments) as usize
    }

    /// The size of all bits and cells.
    pub fn size_in_bits(&self) -> u64 {
        self.segments * (self.bits + self.cells * u64::from(self.cell_bits))
    }

    /// The shape of a filter that consists of one of these segments.
    pub fn single_segment(self) -> Self {
        Shape {
            segments: 1,
            ..self
        }
    }

    /// This shape without cells, so that queries have no second round.
    pub fn without_second_round(self) -> Self {
        Shape { cells: 0, ..self }
    }

    /// Where the bits and cells of a key are.
    #[inline(always)]
    pub fn places<const KIND: usize>(&self, digest: Digest) -> Places<KIND> {
        let segment = self.segment(digest);
        let (start, step) = match KIND {
            FAST => (digest.function(0), digest.function(1) | 1),
            CACHE => (digest.function(0), 0),
            _ => (0, 0),
        };
        let mut first_bit = segment * self.bits as usize;
        if KIND == CACHE {
            let block = reduce(digest.low, self.bits / Block::BITS);
            first_bit += (block * Block::BITS) as usize;
        }
        Places {
            digest,
            start,
            step,
            first_bit,
            bits: self.bits,
            first_cell: segment * self.cells as usize,
            cells: self.cells,
        }
    }
}

/// Where the bits and cells of one key are. The kind is a const parameter: a query that branches on it at every bit
/// takes 1.5 times as long.
#[derive(Clone, Copy)]
pub(super) struct Places<const KIND: usize> {
    /// The digest of the key.
    digest: Digest,
    /// Where double hashing starts, or the word that holds the slices.
    start: u64,
    /// The step of double hashing.
    step: u64,
    /// The first bit of the segment, or of the key's block.
    first_bit: usize,
    /// Bits per segment.
    bits: u64,
    /// The first cell of the segment.
    first_cell: usize,
    /// Cells per segment.
    cells: u64,
}

impl<const KIND: usize> Places<KIND> {
    /// The bit of a function.
    #[inline(always)]
    pub fn bit(&self, function: u32) -> usize {
        let i = u64::from(function);
        let bit = match KIND {
            FAST => reduce(
                self.start.wrapping_add(i.wrapping_mul(self.step)),
                self.bits,
            ),
            CACHE if i < SLICES => self.start >> (9 * i) & 511,
            CACHE => self.digest.function(i / SLICES) >> (9 * (i % SLICES)) & 511,
            _ => reduce(self.digest.function(i), self.bits),
        };
        self.first_bit + bit as usize
    }

    /// The bits of a range of functions.
    #[inline]
    pub fn each_bit(
        &self,
        functions: Range<u32>,
    ) -> impl Iterator<Item = usize> + Clone + use<KIND> {
        let places = *self;
        functions.map(move |function| places.bit(function))
    }

    /// A bit on each cache line that these functions lead to, if no two of them happen to lead to one.
    #[inline]
    pub fn each_line(
        &self,
        functions: Range<u32>,
    ) -> impl Iterator<Item = usize> + Clone + use<KIND> {
        // In c-HABF all bits of a key are on one line.
        let lines = if KIND == CACHE { 1 } else { usize::MAX };
        self.each_bit(functions).take(lines)
    }

    /// The bits of a set of functions.
    pub fn bits_of(&self, functions: u32) -> impl Iterator<Item = usize> + Clone + use<KIND> {
        let (places, mut rest) = (*self, functions);
        std::iter::from_fn(move || {
            let function = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (function < u32::BITS).then(|| places.bit(function))
        })
    }

    /// The first cell of the key's chain.
    #[inline]
    pub fn chain_start(&self) -> usize {
        self.cell(0)
    }

    /// The cell that follows a cell that names `function`.
    #[inline]
    pub fn cell_after(&self, function: u32) -> usize {
        self.cell(1 + u64::from(function))
    }

    /// The first cell of the chain for step 0; the cell after one that names function `step - 1` for other steps.
    #[inline]
    fn cell(&self, step: u64) -> usize {
        let function = |i: u64| self.digest.function(i);
        let cell = match KIND {
            FAST => {
                let (start, stride) = (function(2), function(3) | 1);
                reduce(start.wrapping_add(step.wrapping_mul(stride)), self.cells)
            }
            CACHE => {
                let line = reduce(function(CELL_LINE), self.cells / LINE_CELLS);
                line * LINE_CELLS + (function(FIRST_CELL) >> (7 * step) & 127)
            }
            _ => reduce(function(FIRST_CELL + step), self.cells),
        };
        self.first_cell + cell as usize
    }
}
