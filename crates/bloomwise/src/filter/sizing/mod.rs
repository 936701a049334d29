//! Sizes and numbers of hash functions: the formulas that relate bits, keys, functions and the false positive rate.
//!
//! # The idea
//!
//! A caller gives the size of a filter in one of three ways: bits, bits per key, or a false positive rate. [`Size`] is
//! that choice. A family describes its cells with a `Layout`: the bits of a cell, the step by which the number of cells
//! grows, and a formula for the rate. `Layout::fit` converts a size into a number of cells and a number of functions.
//!
//! # The formulas
//!
//! All plain filters lead to the same question. Throw `balls` balls at random into `cells` cells. A query looks at `functions`
//! random cells. How likely is it that all of them are occupied? If X is the occupied share of the cells, the answer is
//! the mean of `X^k`. [`occupancy_rate`] computes it from the mean and the variance of X. The textbook formula uses only the mean:
//! `(1 - e^(-kn/m))^k`. For a block of 512 bits at 10 bits per key that is 1.4 % too low.
//!
//! In a blocked filter the number of keys differs from block to block (binomially). Full blocks add more errors than
//! empty ones save. [`blocked_rate`] averages over the blocks: at 10 bits per key and 512-bit blocks the rate is 0.98 %,
//! not 0.86 %. Sizes and numbers of functions are chosen with these formulas, so a filter that is built for a rate
//! meets it when measured.
//!
//! ```
//! use bloomwise::sizing::{blocked_rate, bloom_rate, paired_rate};
//!
//! assert!((bloom_rate(10_000_000, 1_000_000, 7) - 0.00819).abs() < 1e-5);
//! assert!((paired_rate(512, 10_000_000, 1_000_000, 7) - 0.00824).abs() < 1e-5);
//! assert!((blocked_rate(512, 10_000_000, 1_000_000, 6) - 0.00978).abs() < 1e-5);
//! ```

mod size;

pub(crate) use size::expect_bits;
pub use size::{NotOneSize, Size};

use crate::error::{Error, Result};
use crate::filter::bisect::bisect;

/// The largest number of hash functions of a filter. At the optimal fill, 32 functions give one false positive in `2^32`.
pub const MAX_FUNCTIONS: u32 = 32;

/// The largest number of bits of a filter: 2^46, which is 8 TiB. It is lower where a `usize` has fewer than 64 bits.
pub const MAX_BITS: u64 = if usize::BITS < 64 {
    usize::MAX as u64
} else {
    1 << 46
};

/// The smallest false positive rate that [`Size::Rate`] accepts. Below `2^-32` the number of functions stays at
/// [`MAX_FUNCTIONS`], and only more bits lower the rate: a Bloom filter then takes 100 bits per key for 1e-18 instead of 86.
pub const MIN_RATE: f64 = 1e-18;

/// The cells of a family: what [`Layout::fit`] needs to turn a [`Size`] into a number of cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<R> {
    /// The number of bits of a cell.
    pub cell_bits: u64,
    /// The number of cells is a multiple of this.
    pub step: u64,
    /// The predicted false positive rate for (cells, keys, functions).
    pub rate: R,
}

/// The numbers of cells and functions that fit a [`Size`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fit {
    /// The number of cells.
    pub cells: u64,
    /// The number of hash functions.
    pub functions: u32,
}

impl<R: Fn(u64, u64, u32) -> f64> Layout<R> {
    /// The number of cells and of functions for a filter of `size` that holds `keys` keys. Without `functions`, it chooses
    /// the number of functions with the lowest predicted rate.
    ///
    /// # Errors
    ///
    /// Fails if `size` or `functions` is out of range.
    pub fn fit(&self, size: Size, keys: u64, functions: Option<u32>) -> Result<Fit> {
        if let Some(k) = functions
            && !(1..=MAX_FUNCTIONS).contains(&k)
        {
            let expected = format!("a number from 1 to {MAX_FUNCTIONS}");
            return Err(Error::parameter("the number of functions (k)", k, expected));
        }
        let steps = match (size.budget(keys)?, size) {
            (None, Size::Rate(rate)) => self.steps_for_rate(rate, keys, functions)?,
            (budget, _) => self.whole_steps(budget.unwrap_or(0)),
        };
        let cells = steps * self.step;
        let functions = functions.unwrap_or_else(|| self.best(cells, keys).0);
        Ok(Fit { cells, functions })
    }

    /// The number of bits of a step.
    fn step_bits(&self) -> u64 {
        self.cell_bits.saturating_mul(self.step).clamp(1, MAX_BITS)
    }

    /// The number of whole steps that fit into `bits`, at least 1.
    fn whole_steps(&self, bits: u64) -> u64 {
        (bits / self.step_bits()).max(1)
    }

    /// The least number of steps whose predicted rate is at most `rate`. It doubles the number until that is enough, and
    /// bisects the last interval.
    fn steps_for_rate(&self, rate: f64, keys: u64, functions: Option<u32>) -> Result<u64> {
        let enough = |steps: u64| {
            let cells = steps * self.step;
            let predicted = match functions {
                Some(k) => (self.rate)(cells, keys, k),
                None => self.best(cells, keys).1,
            };
            predicted <= rate
        };
        let most = MAX_BITS / self.step_bits();
        let (mut low, mut high) = (0, 1);
        while !enough(high) {
            if high == most {
                let expected = "a higher rate or fewer keys: no filter is large enough";
                return Err(Error::parameter("the false positive rate", rate, expected));
            }
            (low, high) = (high, (2 * high).min(most));
        }
        let (_, least) = bisect((low, high), u64::BITS, u64::midpoint, |n| !enough(n));
        Ok(least)
    }

    /// The number of functions with the lowest rate, and that rate. As the number grows, the rate falls and then rises.
    fn best(&self, cells: u64, keys: u64) -> (u32, f64) {
        let mut best = (1, (self.rate)(cells, keys, 1));
        for k in 2..=MAX_FUNCTIONS {
            let rate = (self.rate)(cells, keys, k);
            if rate >= best.1 {
                break;
            }
            best = (k, rate);
        }
        best
    }
}

/// The probability that `functions` random cells are all occupied after `balls` balls fell at random into `cells` cells.
///
/// ```
/// use bloomwise::sizing::occupancy_rate;
///
/// // One ball occupies one of four cells.
/// assert!((occupancy_rate(4, 1.0, 1) - 0.25).abs() < 1e-12);
/// ```
pub fn occupancy_rate(cells: u64, balls: f64, functions: u32) -> f64 {
    let m = cells as f64;
    let one_empty = (balls * (-1.0 / m).ln_1p()).exp();
    let two_empty = (balls * (-2.0 / m).ln_1p()).exp();
    all_occupied(m, one_empty, two_empty, f64::from(functions))
}

/// The probability that `k` random cells of `m` are all occupied, if one given cell is empty with probability `one_empty` and two
/// given cells are both empty with probability `two_empty`.
///
/// Let `X` be the occupied share of the cells, with mean `x` and variance `v`. The result is the mean of `X^k`: `x` for one
/// cell, `x^2 + v` for two. For more, `X` is `x (1 + e)`, where `e` is nearly normal, and the mean is `x^k` times the mean of
/// `exp(k e - k e^2 / 2)`.
fn all_occupied(m: f64, one_empty: f64, two_empty: f64, k: f64) -> f64 {
    let set = 1.0 - one_empty;
    if set <= 0.0 || k <= 1.0 {
        return set.powf(k);
    }
    let variance = (one_empty / m + (1.0 - 1.0 / m) * two_empty - one_empty * one_empty).max(0.0);
    if k == 2.0 {
        return (set * set + variance).min(1.0);
    }
    let spread = k * variance / (set * set);
    let correction = (0.5 * k * spread / (1.0 + spread)).exp() / (1.0 + spread).sqrt();
    (set.powf(k) * correction).min(1.0)
}

/// The false positive rate of a Bloom filter of `bits` bits and `functions` functions that holds `keys` keys.
///
/// ```
/// use bloomwise::sizing::bloom_rate;
///
/// assert!((bloom_rate(10_000, 1000, 7) - 0.0082).abs() < 1e-4);
/// ```
pub fn bloom_rate(bits: u64, keys: u64, functions: u32) -> f64 {
    occupancy_rate(bits, keys as f64 * f64::from(functions), functions)
}

/// The false positive rate of a Bloom filter of `cells` cells whose positions come in pairs on one line of `line` cells.
///
/// Lines get different numbers of pairs, so a cell is likelier to be occupied if another one of its line is. For each pair this
/// is the probability that two random cells of one line are occupied.
///
/// ```
/// use bloomwise::sizing::{bloom_rate, paired_rate};
///
/// let (paired, spread) = (paired_rate(512, 10_000_000, 1_000_000, 7), bloom_rate(10_000_000, 1_000_000, 7));
/// assert!(paired > spread && paired < 1.01 * spread);
/// ```
pub fn paired_rate(line: u64, cells: u64, keys: u64, functions: u32) -> f64 {
    let (m, line) = (cells as f64, line as f64);
    let (pairs, single) = (f64::from(functions / 2), f64::from(functions % 2));
    // The probabilities that a pair misses one given cell, and two given cells of one line.
    let on_line = line / m;
    let misses = |cells: f64| 1.0 - on_line * (1.0 - (1.0 - cells / line).powi(2));
    let empty = |cells: f64| {
        let of_key = pairs * (misses(cells) - 1.0).ln_1p() + single * (-cells / m).ln_1p();
        (keys as f64 * of_key).exp()
    };
    let of_pair = all_occupied(line, empty(1.0), empty(2.0), 2.0);
    of_pair.powf(pairs) * (1.0 - empty(1.0)).powf(single)
}

/// The false positive rate of a blocked Bloom filter of `bits` bits in blocks of `block_bits` bits: the rate of a block,
/// averaged over the number of keys in it.
///
/// ```
/// use bloomwise::sizing::blocked_rate;
///
/// assert!((blocked_rate(512, 10_000_000, 1_000_000, 6) - 0.00978).abs() < 1e-5);
/// ```
pub fn blocked_rate(block_bits: u64, bits: u64, keys: u64, functions: u32) -> f64 {
    let words = (block_bits / WORD).max(1) as f64;
    mean_over_blocks(bits / block_bits.max(1), keys, |load| {
        words_rate(words, words * WORD as f64, load as f64, functions)
    })
}

/// The false positive rate of a block of `words` words that has `cells` cells and holds `keys` keys.
///
/// `k` functions give a key `k / w` bits in each of `w` words, rounded down, and one more in `k % w` words that start at a random
/// one. The words of a block are nearly independent, so their rates are multiplied.
pub(crate) fn words_rate(words: f64, cells: f64, keys: f64, functions: u32) -> f64 {
    let each = (f64::from(functions) / words).floor();
    let more = f64::from(functions) - words * each;
    let cells_of_word = cells / words;
    // The probability that some given cells of a word stay empty.
    let empty = |given: f64| {
        let share = given / cells_of_word;
        let of_key = each * (-share).ln_1p() + (-share * more / words).ln_1p();
        (keys * of_key).exp()
    };
    let (one_empty, two_empty) = (empty(1.0), empty(2.0));
    let of_word = |bits: f64| all_occupied(cells_of_word, one_empty, two_empty, bits);
    of_word(each).powf(words - more) * of_word(each + 1.0).powf(more)
}

/// The bits of a word.
const WORD: u64 = 64;

/// The mean of `of_load(keys)` over `blocks` blocks into which `keys` keys fall at random. `of_load` must rise with the
/// number of keys, from at least 0 to at most 1.
pub(crate) fn mean_over_blocks(blocks: u64, keys: u64, of_load: impl Fn(u64) -> f64) -> f64 {
    if blocks <= 1 {
        return of_load(keys);
    }
    // If even the emptiest blocks are full, all rates are 1, and the loops below would be long.
    let mean = keys as f64 / blocks as f64;
    let emptiest = (mean - 9.0 * mean.sqrt()).max(0.0);
    if of_load(emptiest as u64) > 1.0 - 1e-9 {
        return 1.0;
    }
    // Binomial weights relative to the mode, outwards from there until they are negligible. Above the mode the rates rise,
    // up to 1, so there a weight is compared with the sum.
    let odds = 1.0 / (blocks - 1) as f64;
    let mode = (keys / blocks).min(keys);
    let negligible = 1e-17;
    let (mut total, mut sum) = (1.0, of_load(mode));
    let (mut weight, mut load) = (1.0, mode);
    while load < keys && weight > negligible * sum {
        weight *= (keys - load) as f64 / (load + 1) as f64 * odds;
        load += 1;
        total += weight;
        sum += weight * of_load(load);
    }
    (weight, load) = (1.0, mode);
    while load > 0 && weight > negligible {
        weight *= load as f64 / ((keys - load + 1) as f64 * odds);
        load -= 1;
        total += weight;
        sum += weight * of_load(load);
    }
    sum / total
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rate = fn(u64, u64, u32) -> f64;

    const BLOOM: Layout<Rate> = Layout {
        cell_bits: 1,
        step: 64,
        rate: bloom_rate,
    };

    /// The rate from the distribution of the number of occupied cells, ball by ball: slow, but obviously right.
    fn exact_occupancy_rate(cells: usize, balls: usize, functions: i32) -> f64 {
        let mut chance = vec![0.0; cells + 1];
        chance[0] = 1.0;
        for _ in 0..balls {
            for set in (0..=cells).rev() {
                let stays = chance[set] * set as f64 / cells as f64;
                let grows = match set {
                    0 => 0.0,
                    _ => chance[set - 1] * (cells - set + 1) as f64 / cells as f64,
                };
                chance[set] = stays + grows;
            }
        }
        let hit = |(set, p): (usize, &f64)| p * (set as f64 / cells as f64).powi(functions);
        chance.iter().enumerate().map(hit).sum()
    }

    #[test]
    fn occupancy_agrees_with_the_exact_distribution() {
        for (cells, balls, k) in [(512, 350, 7), (512, 700, 6), (256, 150, 5), (64, 40, 3)] {
            let exact = exact_occupancy_rate(cells, balls, k);
            let quick = occupancy_rate(cells as u64, balls as f64, k as u32);
            assert!(
                (quick / exact - 1.0).abs() < 0.01,
                "{cells} cells, {balls} balls, k = {k}: {quick} and {exact}"
            );
        }
    }

    #[test]
    fn large_filters_match_the_textbook_formula() {
        for (bits_per_key, k) in [(8, 6), (10, 7), (16, 11)] {
            let textbook = (1.0 - (-f64::from(k) / f64::from(bits_per_key)).exp()).powi(k);
            let ours = bloom_rate(bits_per_key as u64 * 1_000_000, 1_000_000, k as u32);
            assert!(
                (ours / textbook - 1.0).abs() < 1e-3,
                "{ours} and {textbook}"
            );
        }
    }

    #[test]
    fn blocked_rate_is_the_mean_over_block_loads() {
        // Two blocks and five keys: loads 0..=5 have the weights 1, 5, 10, 10, 5, 1.
        let by_hand: f64 = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0]
            .iter()
            .zip(0..)
            .map(|(weight, load)| weight / 32.0 * words_rate(4.0, 256.0, f64::from(load), 4))
            .sum();
        assert!((blocked_rate(256, 512, 5, 4) / by_hand - 1.0).abs() < 1e-12);
    }

    #[test]
    fn blocked_rate_is_fast_for_any_number_of_keys() {
        for keys in [1 << 44, 1 << 52, u64::MAX] {
            assert_eq!(blocked_rate(512, 1 << 20, keys, 3), 1.0);
        }
        assert!((0.0..=1.0).contains(&blocked_rate(0, 0, 5, 3)));
    }

    #[test]
    fn rate_of_blocks_has_one_minimum_over_the_functions() {
        for block_bits in [256, 512] {
            for bits_per_key in 1..100 {
                let rate = |k| blocked_rate(block_bits, bits_per_key * 51_200, 51_200, k);
                let rates: Vec<f64> = (1..=MAX_FUNCTIONS).map(rate).collect();
                let rises = rates.windows(2).skip_while(|pair| pair[1] < pair[0]);
                for pair in rises {
                    assert!(
                        pair[1] >= pair[0],
                        "{block_bits}, {bits_per_key}: {rates:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_rate_gets_the_smallest_size_that_meets_it() {
        for rate in [0.5, 0.1, 0.01, 1e-4, 1e-7] {
            let fit = BLOOM.fit(Size::Rate(rate), 100_000, None).expect("fits");
            assert!(bloom_rate(fit.cells, 100_000, fit.functions) <= rate);
            assert!(BLOOM.best(fit.cells - 64, 100_000).1 > rate);
        }
    }

    #[test]
    fn sizes_stay_within_the_budget_except_the_smallest() {
        let cells = |size, keys| BLOOM.fit(size, keys, Some(3)).map(|fit| fit.cells);
        assert_eq!(cells(Size::Bits(1000), 1).expect("fits"), 960);
        assert_eq!(cells(Size::Bits(1), 1).expect("fits"), 64);
        assert_eq!(cells(Size::BitsPerKey(10.0), 100).expect("fits"), 960);
        assert_eq!(cells(Size::BitsPerKey(10.0), 0).expect("fits"), 64);
        assert_eq!(cells(Size::Rate(0.01), 0).expect("fits"), 64);
    }

    #[test]
    fn every_plain_layout_fits_rates_down_to_the_smallest() {
        let layout = |cell_bits, step, rate| Layout::<Rate> {
            cell_bits,
            step,
            rate,
        };
        let blocked_256: Rate = |bits, keys, k| blocked_rate(256, bits, keys, k);
        let blocked_512: Rate = |bits, keys, k| blocked_rate(512, bits, keys, k);
        // With the most bits per key that a million keys take.
        let layouts = [
            (layout(1, 64, bloom_rate), 101),
            (layout(4, 16, bloom_rate), 4 * 101),
            (layout(1, 512, blocked_512), 690),
            (layout(1, 512, blocked_256), 3870),
        ];
        for (layout, most) in layouts {
            for keys in [1, 1000, 1_000_000] {
                let mut before = 0;
                let mut rate = 0.01;
                while rate > MIN_RATE {
                    rate = (rate / 2.0).max(MIN_RATE);
                    let fit = layout.fit(Size::Rate(rate), keys, None).expect("fits");
                    assert!((layout.rate)(fit.cells, keys, fit.functions) <= rate);
                    assert!(fit.cells >= before, "{keys} keys at {rate}");
                    before = fit.cells;
                }
                let bits = before * layout.cell_bits;
                assert!(bits <= (most * keys).max(512), "{keys} keys: {bits} bits");
            }
            let error = layout.fit(Size::Rate(MIN_RATE / 2.0), 1000, None);
            let text = error.expect_err("too low").to_string();
            assert!(text.contains("a rate from 1e-18 to below 1"), "{text}");
            assert!(layout.fit(Size::Rate(MIN_RATE), 1 << 44, None).is_err());
        }
    }

    #[test]
    fn impossible_sizes_are_errors() {
        let sizes = [
            Size::Bits(0),
            Size::Bits(u64::MAX),
            Size::BitsPerKey(0.0),
            Size::BitsPerKey(-1.0),
            Size::BitsPerKey(f64::NAN),
            Size::BitsPerKey(f64::INFINITY),
            Size::BitsPerKey(1e300),
            Size::Rate(0.0),
            Size::Rate(1.0),
            Size::Rate(-0.1),
            Size::Rate(f64::NAN),
        ];
        for size in sizes {
            assert!(BLOOM.fit(size, 1000, None).is_err(), "{size:?}");
        }
        assert!(BLOOM.fit(Size::Rate(1e-9), u64::MAX, None).is_err());
        assert!(BLOOM.fit(Size::Bits(64), 1, Some(0)).is_err());
        assert!(BLOOM.fit(Size::Bits(64), 1, Some(33)).is_err());
    }
}
