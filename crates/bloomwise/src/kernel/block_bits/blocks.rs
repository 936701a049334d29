//! The layouts of blocks, as the parameter `LAYOUT` of [`crate::kernel::Work`].

/// Blocks are whole lines. Keys have a single row and use all bits.
pub(super) const SIMPLE: usize = 0;

/// Blocks are whole lines with reserved bits. Keys have a single row.
pub(super) const ONE_ROW: usize = 1;

/// Blocks are whole lines.
pub(crate) const WHOLE_LINES: usize = 2;

/// Two blocks share a line.
pub(crate) const HALF_LINES: usize = 3;

/// The properties of blocks that follow from the layout.
pub(crate) struct Blocks<const LAYOUT: usize>;

impl<const LAYOUT: usize> Blocks<LAYOUT> {
    /// The distance from one word of a block to the next, which is also the number of blocks on a line.
    pub(crate) const STEP: u32 = if LAYOUT == HALF_LINES { 2 } else { 1 };

    /// Whether keys have a single row.
    pub(super) const ONE_ROW: bool = LAYOUT == SIMPLE || LAYOUT == ONE_ROW;

    /// Whether keys use all bits of a block; `None` if that is known only at run time.
    pub(super) const ALL_BITS: Option<bool> = match LAYOUT {
        SIMPLE => Some(true),
        ONE_ROW => Some(false),
        _ => None,
    };

    /// The number of a block among those on its line. If two blocks share a line, the even one has the even words.
    #[inline(always)]
    pub(super) fn within_line(block: u64) -> u32 {
        block as u32 & (Self::STEP - 1)
    }

    /// The line of a block.
    #[inline(always)]
    pub(crate) fn line_of(block: u64) -> usize {
        (block >> (Self::STEP - 1)) as usize
    }

    /// The word of a line that is the last one of a block.
    #[inline(always)]
    pub(crate) fn last_word(block: u64) -> u32 {
        8 - Self::STEP + Self::within_line(block)
    }
}
