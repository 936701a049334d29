//! Positions all over an array, in pairs that share a cache line.
//!
//! # The idea
//!
//! If the `k` positions of a key were independent, a query would read `k` cache lines. Here the second position is on the cache line of
//! the first, the fourth on the line of the third, and so on. A query of 7 functions reads 4 lines. The false positive rate hardly rises:
//! 0.824 instead of 0.819 % at 10 bits per key ([`Pairs::rate`]).
//!
//! Each pair comes from one hashed number `h` and one multiplication, `h * cells`. The upper half of the product is the first
//! position, as in [`crate::keys::hash::reduce`]. The lower half is independent of it, and its uppermost bits choose another cell of
//! the line. The first number is the lower half of the digest. Each following number is the previous one, rotated to the left by 5 bits,
//! plus the upper half of the digest.
//!
//! An example with 2048 bits, which are 4 lines. `h = 0x9C00_0000_...` is 39/64 of `2^64`, so the product is exactly `1248 * 2^64`: the
//! first position is 1248, on line 2, and since the lower half is 0, the second position is the same. `h = 0x9C10_0000_...` gives the
//! same first position and a lower half of `2^63`. Its 9 uppermost bits are 256, so the second position is `1248 XOR 256`, also on line 2.
//!
//! Small arrays fit into the fastest cache, so sharing lines gains nothing. Their size is a multiple of 64 bits instead of 512, and the
//! second position is `reduce(lower half, cells)`, anywhere in the array.
//!
//! # Invariants
//!
//! - All positions are below the number of cells. The first is, because it is the upper half of a product with that number.
//!   The second is on its line, and there are whole lines.
//! - Digest, cells and functions alone determine the positions, in the same order for each caller.

use super::positions::{LARGE, SMALL};
use crate::error::Result;
use crate::filter::sizing::{Layout, Size, bloom_rate, paired_rate};
use crate::keys::hash::{Digest, reduce};

/// The bits of a line.
const LINE_BITS: u64 = 512;

/// An array of at least this many bits consists of whole cache lines. Rounding down to whole lines then loses less than 1 % of the bits.
const WHOLE_LINES: u64 = 1 << 16;

/// The positions of keys in an array of cells of `2^LOG` bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pairs<const LOG: u32> {
    /// The number of cells of the array.
    cells: u64,
    /// The number of positions of a key.
    functions: u32,
}

/// Cells, functions, and rate of an array.
pub(super) type ArrayLayout = Layout<fn(u64, u64, u32) -> f64>;

impl<const LOG: u32> Pairs<LOG> {
    /// The cells of a line.
    const CELLS_OF_LINE: u64 = LINE_BITS >> LOG;

    /// How many bits a position in a line has.
    const WIDTH: u32 = 9 - LOG;

    /// Positions in this many cells, a multiple of [`Pairs::step`].
    pub(super) fn new(cells: u64, functions: u32) -> Self {
        Pairs { cells, functions }
    }

    /// The number that divides the number of cells, for an array of about `cells` cells.
    pub(super) fn step(cells: u64) -> u64 {
        match cells << LOG < WHOLE_LINES {
            true => 64 >> LOG,
            false => Self::CELLS_OF_LINE,
        }
    }

    /// The layout of arrays of this size.
    pub(super) fn layout(size: Size, keys: u64, functions: Option<u32>) -> Result<ArrayLayout> {
        let small = ArrayLayout {
            cell_bits: 1 << LOG,
            step: 64 >> LOG,
            rate: bloom_rate,
        };
        let cells = small.fit(size, keys, functions)?.cells;
        if cells << LOG < WHOLE_LINES {
            return Ok(small);
        }
        Ok(ArrayLayout {
            step: Self::CELLS_OF_LINE,
            rate: |cells, keys, functions| paired_rate(Self::CELLS_OF_LINE, cells, keys, functions),
            ..small
        })
    }

    /// The false positive rate of an array that holds `keys` keys.
    pub(super) fn rate(self, keys: u64) -> f64 {
        match self.is_large() {
            true => paired_rate(Self::CELLS_OF_LINE, self.cells, keys, self.functions),
            false => bloom_rate(self.cells, keys, self.functions),
        }
    }

    /// The share of cells in use, and the false positive rate computed from the number of cells in use on each line.
    /// `used` is the number of cells in use in each word.
    pub(super) fn fill_and_rate(self, used: impl Iterator<Item = u32>) -> (f64, f64) {
        let (mut all, mut line, mut squares) = (0.0, 0.0, 0.0);
        let square = |used: f64| (used / Self::CELLS_OF_LINE as f64).powi(2);
        for (word, used) in used.enumerate() {
            line += f64::from(used);
            if word % 8 == 7 {
                (all, squares, line) = (all + line, squares + square(line), 0.0);
            }
        }
        let lines = (self.cells / Self::CELLS_OF_LINE) as f64;
        let fill = (all + line) / self.cells as f64;
        let of_pair = if self.is_large() {
            squares / lines
        } else {
            fill * fill
        };
        let (pairs, single) = (self.functions as i32 / 2, self.functions as i32 % 2);
        (fill, of_pair.powi(pairs) * fill.powi(single))
    }

    /// The number of cells.
    pub(super) fn cells(self) -> u64 {
        self.cells
    }

    /// The number of positions of a key.
    #[inline(always)]
    pub(super) fn functions(self) -> u32 {
        self.functions
    }

    /// Whether pairs share a line.
    #[inline(always)]
    pub(super) fn is_large(self) -> bool {
        self.cells << LOG >= WHOLE_LINES
    }

    /// The number of cache lines that a key reads.
    pub(super) fn lines(self) -> u32 {
        match self.is_large() {
            true => self.functions.div_ceil(2),
            false => self.functions,
        }
    }

    /// The positions of a key.
    pub(super) fn positions(
        self,
        digest: Digest,
    ) -> impl Iterator<Item = usize> + Clone + use<LOG> {
        let mut number = digest.low;
        (0..self.functions.div_ceil(2)).flat_map(move |at| {
            let both = match self.is_large() {
                true => pair::<LARGE, LOG>(number, self.cells),
                false => pair::<SMALL, LOG>(number, self.cells),
            };
            number = next(number, digest);
            let count = (self.functions - 2 * at).min(2);
            both.into_iter().take(count as usize)
        })
    }
}

/// The two positions that a hashed number stands for.
#[inline(always)]
pub(super) fn pair<const LAYOUT: usize, const LOG: u32>(number: u64, cells: u64) -> [usize; 2] {
    let product = u128::from(number) * u128::from(cells);
    let (first, rest) = ((product >> 64) as u64, product as u64);
    let second = match LAYOUT {
        LARGE => first ^ rest >> (64 - Pairs::<LOG>::WIDTH),
        _ => reduce(rest, cells),
    };
    [first as usize, second as usize]
}

/// The hashed number after this one.
#[inline(always)]
pub(super) fn next(number: u64, digest: Digest) -> u64 {
    number.rotate_left(5).wrapping_add(digest.high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::probe::tests::check_even;
    use crate::keys::hash::Hashing;

    type Bits = Pairs<0>;
    type Counters = Pairs<2>;

    fn digests() -> impl Iterator<Item = Digest> {
        (0..200_000u64).map(|key| Hashing::default().digest(key))
    }

    #[test]
    fn example_of_the_page() {
        assert_eq!(pair::<LARGE, 0>(0x9C << 56, 2048), [1248, 1248]);
        assert_eq!(pair::<LARGE, 0>(0x9C10 << 48, 2048), [1248, 1248 ^ 256]);
    }

    #[test]
    fn positions_are_even() {
        for cells in [1024, 1000, WHOLE_LINES / 2] {
            let pairs = Bits::new(cells, 7);
            let positions = digests().flat_map(|digest| pairs.positions(digest));
            check_even(cells as usize, positions);
        }
        // Large arrays have too many cells; here positions are counted by line and by place in the line.
        let pairs = Counters::new(1000 * 128, 9);
        let all = || digests().flat_map(|digest| pairs.positions(digest));
        check_even(1000, all().map(|position| position / 128));
        check_even(128, all().map(|position| position % 128));
    }

    #[test]
    fn any_two_positions_are_independent() {
        for cells in [1 << 10, 1 << 20] {
            let pairs = Bits::new(cells, 10);
            for (i, j) in (0..10).flat_map(|j| (0..j).map(move |i| (i, j))) {
                let joint = |digest: Digest| {
                    let positions: Vec<_> = pairs.positions(digest).collect();
                    // The positions of a pair share a line, so only their places in the line are independent.
                    let small = |position: usize| match cells == 1 << 20 && i / 2 == j / 2 {
                        true => position % 512 / 16,
                        false => position / (cells as usize / 32),
                    };
                    small(positions[i]) * 32 + small(positions[j])
                };
                check_even(1024, digests().map(joint));
            }
        }
    }
}
