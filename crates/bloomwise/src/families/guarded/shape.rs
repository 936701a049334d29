//! The shape of a layer: how many rows, how many columns, and where each bit is.
//!
//! Rows are grouped in blocks of 64. In a block, each column is one word: bit `k` of word `j` is row `k` in column `j`. So a window
//! of 64 rows is in at most two neighbouring blocks, and a column of it in two words.
//!
//! The bits need not be a multiple of the rows: block number `narrow` and all later ones have one more column. A key uses the extra
//! column if its window starts in such a block.
//!
//! The rows need not be a multiple of 64 either. The last block may be short; its columns are then side by side, without
//! gaps, after the whole blocks.
//!
//! ```text
//! 200 rows, width 2, narrow 1        block 0   column 0, column 1
//!                                    block 1   column 0, column 1, column 2
//!                                    block 2   column 0, column 1, column 2
//!                                    block 3   8 bits of column 0, 8 of column 1, 8 of column 2
//! ```

use super::equation::{Equation, WINDOW, value};
use crate::cells::storage::{eight, eight_mut};
use crate::filter::sizing::MAX_BITS;
use crate::keys::hash::{Digest, reduce};

/// The most columns of a layer: a value has that many bits.
pub(super) const MAX_COLUMNS: u64 = 32;

/// Rows and columns of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::families) struct Shape {
    /// The number of rows, at least 1.
    pub rows: u64,
    /// The number of columns of a narrow block.
    pub width: u64,
    /// The number of narrow blocks. They come first.
    pub narrow: u64,
}

impl Shape {
    /// The shape with these numbers; `None` if they are out of range.
    pub fn new(rows: u64, width: u64, narrow: u64) -> Option<Self> {
        let blocks = rows.div_ceil(WINDOW);
        let widest = width.saturating_add(u64::from(narrow < blocks));
        let valid = (1..=MAX_BITS).contains(&rows) && narrow <= blocks && widest <= MAX_COLUMNS;
        // A row has at most 32 bits, so the product cannot overflow.
        let fits = valid && rows * widest <= MAX_BITS;
        fits.then_some(Shape {
            rows,
            width,
            narrow,
        })
    }

    /// The shape of `rows` rows that uses as many of `bits` bits as it can.
    pub fn within(rows: u64, bits: u64) -> Option<Self> {
        let (blocks, tail) = (rows.div_ceil(WINDOW), rows % WINDOW);
        let width = (bits / rows).min(MAX_COLUMNS);
        let mut left = bits - width * rows;
        if width == MAX_COLUMNS {
            left = 0;
        }
        // The last block comes first to get the extra column. It is cheaper if it is short.
        let last = if tail == 0 { WINDOW } else { tail };
        let wide = match left.checked_sub(last) {
            Some(left) => 1 + left / WINDOW,
            None => 0,
        };
        Self::new(rows, width, blocks - wide.min(blocks))
    }

    /// The number of whole blocks.
    #[inline(always)]
    pub fn whole_blocks(&self) -> u64 {
        self.rows / WINDOW
    }

    /// The number of rows where a window can start.
    pub fn starts(&self) -> u64 {
        self.rows.saturating_sub(WINDOW - 1).max(1)
    }

    /// The number of columns of a block.
    #[inline(always)]
    pub fn columns(&self, block: u64) -> u64 {
        self.width + u64::from(block >= self.narrow)
    }

    /// The word at which a block starts.
    #[inline(always)]
    pub fn block_start(&self, block: u64) -> u64 {
        block * self.width + block.saturating_sub(self.narrow)
    }

    /// The number of bits that all rows take.
    #[inline(always)]
    pub fn bits(&self) -> u64 {
        let (blocks, tail) = (self.whole_blocks(), self.rows % WINDOW);
        self.block_start(blocks) * 64 + tail * self.columns(blocks)
    }

    /// The equation of the key with this digest in the layer.
    #[inline(always)]
    pub fn equation(&self, digest: Digest) -> Equation {
        let within = u64::MAX >> (64 - self.rows.min(WINDOW));
        Equation {
            start: reduce(digest.high, self.starts()),
            coefficients: (digest.low | 1) & within,
            value: value(digest),
        }
    }

    /// The first bit of a column of a block, and how many rows the block has; `None` after the last block.
    fn column(&self, block: u64, column: u64) -> Option<(u64, u64)> {
        let (blocks, tail) = (self.whole_blocks(), self.rows % WINDOW);
        let start = self.block_start(block.min(blocks)) * 64;
        if block < blocks {
            Some((start + column * WINDOW, WINDOW))
        } else if block == blocks && tail > 0 {
            Some((start + column * tail, tail))
        } else {
            None
        }
    }

    /// A column of a block, one bit for each row. The layer starts at bit `first` of `bytes`.
    pub fn word(&self, bytes: &[u8], first: u64, block: u64, column: u64) -> u64 {
        let Some((bit, rows)) = self.column(block, column) else {
            return 0;
        };
        let (byte, shift) = locate(first + bit);
        let mut word = eight(bytes, byte) >> shift;
        if shift + rows > 64 {
            word |= eight(bytes, byte + 8) << (64 - shift);
        }
        word & (u64::MAX >> (64 - rows))
    }

    /// Sets a column of a block, whose bits are 0.
    pub fn set_word(&self, bytes: &mut [u8], first: u64, (block, column): (u64, u64), word: u64) {
        let Some((bit, rows)) = self.column(block, column) else {
            return;
        };
        let (byte, shift) = locate(first + bit);
        let word = word & (u64::MAX >> (64 - rows));
        let mut add = |byte: usize, bits: u64| {
            let eight = eight_mut(bytes, byte);
            *eight = (u64::from_le_bytes(*eight) | bits).to_le_bytes();
        };
        add(byte, word << shift);
        if shift + rows > 64 {
            add(byte + 8, word >> (64 - shift));
        }
    }

    /// Whether the rows satisfy an equation in the columns of the mask `columns`: the plain form, for every layer and block.
    pub fn satisfies(&self, bytes: &[u8], first: u64, equation: &Equation, columns: u32) -> bool {
        let (block, shift) = (equation.start / WINDOW, equation.start % WINDOW);
        let low = equation.coefficients << shift;
        let high = (equation.coefficients >> 1) >> (63 - shift);
        (0..self.columns(block)).all(|column| {
            let bits = self.word(bytes, first, block, column) & low;
            let more = match high {
                0 => 0,
                _ => self.word(bytes, first, block + 1, column) & high,
            };
            let found = (bits ^ more).count_ones() ^ equation.value >> column;
            found & 1 == 0 || columns >> column & 1 == 0
        })
    }

    /// The share of non-members that satisfy their equation by chance.
    pub fn rate(&self) -> f64 {
        let starts = self.starts() as f64;
        let narrow = ((self.narrow * WINDOW) as f64 / starts).min(1.0);
        0.5f64.powi(self.width as i32) * (narrow + 0.5 * (1.0 - narrow))
    }
}

/// The byte where the word of a bit starts, and the bit in that word.
#[inline]
fn locate(bit: u64) -> (usize, u64) {
    ((bit / 64 * 8) as usize, bit % 64)
}
