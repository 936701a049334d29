//! Where a key's bits and chain cells are.
//!
//! A segment is chosen by the upper half of the digest; all bits and cells of a key lie in it, so that segments can be
//! built one by one. Sorted digests are sorted by segment too. In a segment, function `i` of the pool gives one bit and
//! one cell. The three kinds differ in nothing but this:
//!
//! | kind | bit of function `i` | cell after function `i` |
//! |---|---|---|
//! | full | anywhere, function `i` of the digest | anywhere, function `65 + i` |
//! | fast | anywhere, `a + i b`, where `a` and `b` are functions 0 and 1 | anywhere, `c + (i + 1) d`, functions 2 and 3 |
//! | cache | in one block of 512 bits, a slice of 9 bits of function 0 | in one line of 128 cells, a slice of 7 bits of function 64 |
//!
//! The chain starts at the cell of function 64 (full), at `c` (fast), at the first slice (cache). Seven slices of 9 bits
//! and eight of 7 fit into a word: a cell of four bits names seven functions, so one multiplication gives all bits of a
//! key. A plain filter may have more functions; they take their slices from function 1, 2, and so on.

use crate::cells::Block;
use crate::codec::Reader;
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::Value;
use crate::hash::{Digest, reduce};
use crate::sizing::MAX_BITS;
use std::ops::Range;

/// The function that gives the first cell of a chain; those after it give the others.
const FIRST_CELL: u64 = 64;

/// The function that gives the line of a key's cells.
const CELL_LINE: u64 = 63;

/// Cells of a line in the kind that stays in one: 512 bits in cells of four.
pub(super) const LINE_CELLS: u64 = 128;

/// The bits of a cell where there are none, and where a line is to hold a round number of them.
const PLAIN_CELL: u64 = 4;

/// Slices of 9 bits in a word.
const SLICES: u64 = 7;

/// How a key finds its bits and cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Full,
    Fast,
    Cache,
}

/// [`Kind::Full`], where the kind is known when it is compiled.
pub(super) const FULL: u8 = Kind::Full as u8;

/// [`Kind::Fast`] likewise.
pub(super) const FAST: u8 = Kind::Fast as u8;

/// [`Kind::Cache`] likewise.
pub(super) const CACHE: u8 = Kind::Cache as u8;

impl Kind {
    /// The kind of a family; full for all that are not of this module.
    pub fn of(family: Family) -> Self {
        match family {
            Family::HabfFast => Kind::Fast,
            Family::HabfCache => Kind::Cache,
            _ => Kind::Full,
        }
    }

    /// The number of bits of a segment is a multiple of this.
    pub fn bit_step(self) -> u64 {
        match self {
            Kind::Full | Kind::Fast => 64,
            Kind::Cache => Block::BITS,
        }
    }

    /// The number of cells of a segment is a multiple of this, so that segments begin with a word of their own.
    pub fn cell_step(self) -> u64 {
        match self {
            Kind::Full | Kind::Fast => 64,
            Kind::Cache => LINE_CELLS,
        }
    }
}

/// The numbers that fix where everything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub kind: Kind,
    /// Functions of a key.
    pub functions: u32,
    /// Bits of a chain cell.
    pub cell_bits: u32,
    /// How many segments there are.
    pub segments: u64,
    /// Bits of a segment.
    pub bits: u64,
    /// Chain cells of a segment; 0 makes it a plain filter.
    pub cells: u64,
    /// Whether the second round believes only chains that can have been stored.
    pub strict: bool,
}

impl Shape {
    /// Reads the shape of a filter in a file.
    pub fn read(kind: Kind, parameters: &mut Reader<'_>) -> Result<Self> {
        let functions = parameters.functions()?;
        let bits = parameters.word_of(kind.bit_step(), "the bits of a segment")?;
        let segments = parameters.word_in(1..=MAX_BITS / bits, "the segments")?;
        let cells = parameters.word_in(0..=MAX_BITS / segments, "the cells of a segment")?;
        if !cells.is_multiple_of(kind.cell_step()) {
            let expected = format!("a multiple of {}", kind.cell_step());
            return Err(Error::field("the cells of a segment", cells, expected));
        }
        let widths = match kind {
            Kind::Full | Kind::Fast if cells > 0 => 3..=6,
            _ => PLAIN_CELL..=PLAIN_CELL,
        };
        let cell_bits = parameters.word_in(widths, "the bits of a cell")? as u32;
        let strict = parameters.word_in(0..=1, "the second round")? == 1;
        let shape = Shape {
            kind,
            functions,
            cell_bits,
            segments,
            bits,
            cells,
            strict,
        };
        if cells > 0 && functions >= shape.pool() {
            let expected = format!("fewer than the {} that cells name", shape.pool());
            return Err(Error::field("the number of functions", functions, expected));
        }
        Ok(shape)
    }

    /// The functions a key can have: as many as a cell has numbers, one of which means that it is empty.
    #[inline]
    pub fn pool(&self) -> u32 {
        (1 << (self.cell_bits - 1)) - 1
    }

    /// The functions a key has unless it was adjusted, as a set.
    #[inline]
    pub fn initial(&self) -> u32 {
        ((1u64 << self.functions) - 1) as u32
    }

    /// Whether the answer is "no" once these initial functions have led to bits that are 0.
    #[inline]
    pub fn is_no(&self, zeros: u32) -> bool {
        let several = zeros & zeros.wrapping_sub(1) != 0;
        zeros != 0 && (self.cells == 0 || several && self.strict)
    }

    /// The segment of a key.
    #[inline]
    pub fn segment(&self, digest: Digest) -> usize {
        reduce(digest.high, self.segments) as usize
    }

    /// The bits and cells of all segments together.
    pub fn size_in_bits(&self) -> u64 {
        self.segments * (self.bits + self.cells * u64::from(self.cell_bits))
    }

    /// What there is to tell about it: name and value.
    pub fn told(&self) -> Vec<(&'static str, Value)> {
        let second_round = if self.strict { "strict" } else { "plain" };
        vec![
            ("bits", Value::Whole(self.segments * self.bits)),
            ("k", Value::Whole(u64::from(self.functions))),
            ("cells", Value::Whole(self.segments * self.cells)),
            ("cell_bits", Value::Whole(u64::from(self.cell_bits))),
            ("segments", Value::Whole(self.segments)),
            ("second_round", Value::Word(second_round)),
        ]
    }

    /// The same for one segment on its own.
    pub fn of_segment(self) -> Self {
        Shape {
            segments: 1,
            ..self
        }
    }

    /// The same without a second round.
    pub fn first_round(self) -> Self {
        Shape { cells: 0, ..self }
    }

    /// The places of a key.
    #[inline]
    pub fn places<const KIND: u8>(&self, digest: Digest) -> Places<KIND> {
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

/// The places of one key. What kind of filter it is of is known when it is compiled: a query that asks for it at every
/// bit takes half as long again.
#[derive(Clone, Copy)]
pub(super) struct Places<const KIND: u8> {
    digest: Digest,
    /// Where double hashing starts, or the word that slices are cut from.
    start: u64,
    /// The step of double hashing.
    step: u64,
    /// The bits of the segment, or of the key's block, are those from here on.
    first_bit: usize,
    bits: u64,
    /// The cells of the segment are those from here on.
    first_cell: usize,
    cells: u64,
}

impl<const KIND: u8> Places<KIND> {
    /// The bit of a function.
    #[inline]
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

    /// The bits of some functions.
    #[inline]
    pub fn each_bit(
        &self,
        functions: Range<u32>,
    ) -> impl Iterator<Item = usize> + Clone + use<KIND> {
        let places = *self;
        functions.map(move |function| places.bit(function))
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

    /// The cell that follows one that names this function.
    #[inline]
    pub fn cell_after(&self, function: u32) -> usize {
        self.cell(1 + u64::from(function))
    }

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
