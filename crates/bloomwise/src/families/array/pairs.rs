//! Positions all over an array, in pairs that share a cache line.
//!
//! # The idea
//!
//! If the `k` positions of a key were independent, a query would read `k` cache lines. Here the second position lies on the cache line of
//! the first, the fourth on that of the third, and so on. A query of 7 functions reads 4 lines. The false positive rate hardly rises:
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
//! - Positions are a function of digest, cells and functions alone, in the same order for each caller.

use crate::error::Result;
use crate::filter::sizing::{Layout, Size, bloom_rate, paired_rate};
use crate::keys::hash::{Digest, reduce};
use crate::machine::prefetch;

/// The bits of a line.
const LINE: u64 = 512;

/// An array of at least this many bits consists of whole cache lines. Rounding down to whole lines then loses less than 1 % of the bits.
const LARGE: u64 = 1 << 16;

/// Where keys are in an array of cells of `2^LOG` bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pairs<const LOG: u32> {
    cells: u64,
    functions: u32,
}

/// Cells, functions, and rate of an array.
pub(super) type ArrayLayout = Layout<fn(u64, u64, u32) -> f64>;

impl<const LOG: u32> Pairs<LOG> {
    /// The cells of a line.
    const CELLS_OF_LINE: u64 = LINE >> LOG;

    /// How many bits a position in a line has.
    const WIDTH: u32 = 9 - LOG;

    /// Positions in this many cells, a multiple of [`Pairs::step`].
    pub(super) fn new(cells: u64, functions: u32) -> Self {
        Pairs { cells, functions }
    }

    /// The number that divides the number of cells, for an array of about `cells` cells.
    pub(super) fn step(cells: u64) -> u64 {
        match cells << LOG < LARGE {
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
        if cells << LOG < LARGE {
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

    /// The share of cells in use, and the false positive rate that follows from the number of cells in use on each line.
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
    fn is_large(self) -> bool {
        self.cells << LOG >= LARGE
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
                true => pair::<true, LOG>(number, self.cells),
                false => pair::<false, LOG>(number, self.cells),
            };
            number = next(number, digest);
            let count = (self.functions - 2 * at).min(2);
            both.into_iter().take(count as usize)
        })
    }

    /// Runs `work`, compiled for this number of functions if the number is common.
    #[inline(always)]
    pub(super) fn apply<W: PairWork<LOG>>(self, work: W) -> W::Output {
        match self.functions {
            _ if !self.is_large() => work.run(Positions::<0, false, LOG>::of(self)),
            4 => work.run(Positions::<4, true, LOG>::of(self)),
            5 => work.run(Positions::<5, true, LOG>::of(self)),
            6 => work.run(Positions::<6, true, LOG>::of(self)),
            7 => work.run(Positions::<7, true, LOG>::of(self)),
            8 => work.run(Positions::<8, true, LOG>::of(self)),
            10 => work.run(Positions::<10, true, LOG>::of(self)),
            11 => work.run(Positions::<11, true, LOG>::of(self)),
            _ => work.run(Positions::<0, true, LOG>::of(self)),
        }
    }
}

/// The two positions that a hashed number stands for.
#[inline(always)]
fn pair<const LARGE: bool, const LOG: u32>(number: u64, cells: u64) -> [usize; 2] {
    let product = u128::from(number) * u128::from(cells);
    let (first, rest) = ((product >> 64) as u64, product as u64);
    let second = match LARGE {
        true => first ^ rest >> (64 - Pairs::<LOG>::WIDTH),
        false => reduce(rest, cells),
    };
    [first as usize, second as usize]
}

/// The hashed number after this one.
#[inline(always)]
fn next(number: u64, digest: Digest) -> u64 {
    number.rotate_left(5).wrapping_add(digest.high)
}

/// Work that is compiled for each common number of functions.
pub(super) trait PairWork<const LOG: u32> {
    /// What it returns.
    type Output;

    /// Runs the work.
    fn run<const K: u32, const LARGE: bool>(
        self,
        positions: Positions<K, LARGE, LOG>,
    ) -> Self::Output;
}

/// The positions of `K` functions. If `K` is 0, the number of functions is known only at run time.
#[derive(Clone, Copy)]
pub(super) struct Positions<const K: u32, const LARGE: bool, const LOG: u32> {
    cells: u64,
    functions: u32,
}

impl<const K: u32, const LARGE: bool, const LOG: u32> Positions<K, LARGE, LOG> {
    /// The positions of these pairs, which must have `K` functions, and be large if `LARGE`.
    #[inline(always)]
    pub(super) fn of(pairs: Pairs<LOG>) -> Self {
        Positions {
            cells: pairs.cells,
            functions: pairs.functions,
        }
    }

    /// Whether the array lies in a core's own cache, so that prefetching would take longer than it saves.
    #[inline(always)]
    pub(super) fn are_near(self) -> bool {
        self.cells << LOG <= prefetch::NEAR
    }

    #[inline(always)]
    fn functions(self) -> u32 {
        if K == 0 { self.functions } else { K }
    }

    /// Calls `act` with each position of a key.
    #[inline(always)]
    pub(super) fn each(self, digest: Digest, mut act: impl FnMut(usize)) {
        let (mut number, mut function) = (digest.low, 0);
        while function < self.functions() {
            let [first, second] = pair::<LARGE, LOG>(number, self.cells);
            act(first);
            if function + 1 < self.functions() {
                act(second);
            }
            number = next(number, digest);
            function += 2;
        }
    }

    /// Calls `act` with a position on each line that a key reads.
    #[inline(always)]
    pub(super) fn each_line(self, digest: Digest, mut act: impl FnMut(usize)) {
        if !LARGE {
            return self.each(digest, act);
        }
        let (mut number, mut function) = (digest.low, 0);
        while function < self.functions() {
            act(pair::<LARGE, LOG>(number, self.cells)[0]);
            number = next(number, digest);
            function += 2;
        }
    }

    /// Whether `test` gives an odd number at all positions of a key. It tests all of them.
    #[inline(always)]
    pub(super) fn all(self, digest: Digest, test: impl Fn(usize) -> u64) -> bool {
        let mut odd = 1;
        self.each(digest, |position| odd &= test(position));
        odd & 1 == 1
    }

    /// Whether `test` gives an odd number at all positions of a key. It stops after the first pair of positions that fails: three
    /// non-members in four fail at the first pair.
    #[inline(always)]
    pub(super) fn all_or_stop(self, digest: Digest, test: impl Fn(usize) -> u64) -> bool {
        let (mut number, mut function) = (digest.low, 0);
        while function < self.functions() {
            let [first, second] = pair::<LARGE, LOG>(number, self.cells);
            let mut odd = test(first);
            if function + 1 < self.functions() {
                odd &= test(second);
            }
            if odd & 1 == 0 {
                return false;
            }
            number = next(number, digest);
            function += 2;
        }
        true
    }
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
        assert_eq!(pair::<true, 0>(0x9C << 56, 2048), [1248, 1248]);
        assert_eq!(pair::<true, 0>(0x9C10 << 48, 2048), [1248, 1248 ^ 256]);
    }

    /// All positions of a key, as work.
    struct All(Digest);

    impl<const LOG: u32> PairWork<LOG> for All {
        type Output = Vec<usize>;

        fn run<const K: u32, const LARGE: bool>(
            self,
            positions: Positions<K, LARGE, LOG>,
        ) -> Vec<usize> {
            let mut all = Vec::new();
            positions.each(self.0, |position| all.push(position));
            let mut lines = Vec::new();
            positions.each_line(self.0, |position| lines.push(position));
            let step = if LARGE { 2 } else { 1 };
            assert!(lines.into_iter().eq(all.iter().copied().step_by(step)));
            let set = |position| u64::from(all.contains(&position));
            assert!(positions.all(self.0, set) && positions.all_or_stop(self.0, set));
            for missing in &all {
                let set = |position| u64::from(position != *missing);
                assert!(!positions.all(self.0, set) && !positions.all_or_stop(self.0, set));
            }
            all
        }
    }

    #[test]
    fn every_form_gives_the_same_positions_and_pairs_share_a_line() {
        for functions in 1..=32 {
            for cells in [64, 1024, LARGE - 64, LARGE, LARGE + 512, 1 << 30] {
                for digest in digests().take(20) {
                    let pairs = Bits::new(cells, functions);
                    let all = pairs.apply(All(digest));
                    assert!(pairs.positions(digest).eq(all.iter().copied()));
                    assert!(all.iter().all(|&position| position < cells as usize));
                    assert_eq!(all.len(), functions as usize);
                    let shared = all
                        .chunks(2)
                        .all(|pair| pair[0] / 512 == pair[pair.len() - 1] / 512);
                    assert!(shared || cells < LARGE);
                    let counters = Counters::new(cells, functions);
                    assert!(counters.positions(digest).eq(counters.apply(All(digest))));
                }
            }
        }
    }

    #[test]
    fn positions_are_even() {
        for cells in [1024, 1000, LARGE / 2] {
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
