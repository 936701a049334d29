//! The forms of blocks.

/// A form of the code for blocks and marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// For [`Simple`].
    Simple,
    /// For [`OneRow`].
    OneRow,
    /// For [`Lines`].
    Lines,
    /// For [`HalfLines`].
    HalfLines,
}

/// What is known about blocks at compile time.
pub(crate) trait Blocks {
    /// The distance from one word of a block to the next, which is also the number of blocks on a line.
    const STEP: u32;

    /// Whether keys have a single row.
    const ONE_ROW: bool;

    /// Whether keys use all bits of a block, or not; `None` if that is known only at run time.
    const ALL_BITS: Option<bool>;

    /// The number of a block among those on its line. An even block of every other word has the even words.
    #[inline(always)]
    fn within_line(block: u64) -> u32 {
        block as u32 & (Self::STEP - 1)
    }

    /// The line of a block.
    #[inline(always)]
    fn line_of(block: u64) -> usize {
        (block >> (Self::STEP - 1)) as usize
    }

    /// The word of a line that is the last one of a block.
    #[inline(always)]
    fn last_word(block: u64) -> u32 {
        8 - Self::STEP + Self::within_line(block)
    }
}

/// Blocks are lines, and keys have a single row and use all bits.
pub(crate) struct Simple;

/// Blocks are lines with reserved bits, and keys have a single row.
pub(crate) struct OneRow;

/// Blocks are lines.
pub(crate) struct Lines;

/// Two blocks share a line.
pub(crate) struct HalfLines;

impl Blocks for Simple {
    const STEP: u32 = 1;
    const ONE_ROW: bool = true;
    const ALL_BITS: Option<bool> = Some(true);
}

impl Blocks for OneRow {
    const STEP: u32 = 1;
    const ONE_ROW: bool = true;
    const ALL_BITS: Option<bool> = Some(false);
}

impl Blocks for Lines {
    const STEP: u32 = 1;
    const ONE_ROW: bool = false;
    const ALL_BITS: Option<bool> = None;
}

impl Blocks for HalfLines {
    const STEP: u32 = 2;
    const ONE_ROW: bool = false;
    const ALL_BITS: Option<bool> = None;
}
