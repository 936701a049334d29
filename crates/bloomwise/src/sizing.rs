//! How large, and how many functions: the formulas that join bits, keys, functions and the false positive rate.
//!
//! # The idea
//!
//! A caller thinks in one of three ways, and [`Size`] has them all: so many bits, so many bits for each key, or a rate
//! to stay under. A family describes itself by a [`Layout`]: how many bits a cell takes, in which steps the number of
//! cells can grow, and which rate it predicts. [`Layout::fit`] turns a size into a number of cells and of functions.
//!
//! # The formulas
//!
//! All plain filters come down to one question. `balls` positions were set at random among `cells`; a query looks at
//! `functions` random cells; how often are all of them set? With X the share that is set, the answer is the mean of
//! `X^k`, which [`occupancy_rate`] gives from mean and variance of X. The textbook takes the mean alone, `(1 -
//! e^(-kn/m))^k`; in a block of 512 bits with 10 bits per key that is 1.4 % too low.
//!
//! In a blocked filter the number of keys differs from block to block (binomially), and crowded blocks err more than
//! empty ones save. [`blocked_rate`] averages over it: at 10 bits per key and 512-bit blocks 0.97 % instead of 0.86 %.
//! Sizes and numbers of functions are chosen with that, so that a rate that was asked for is met in measurement.
//!
//! ```
//! use bloomwise::sizing::{blocked_rate, bloom_rate};
//!
//! assert!((bloom_rate(10_000_000, 1_000_000, 7) - 0.00819).abs() < 1e-5);
//! assert!((blocked_rate(512, 10_000_000, 1_000_000, 6) - 0.00967).abs() < 1e-5);
//! ```

use crate::error::{Error, Result};

/// The largest number of functions a filter can have. Thirty-two make one false positive in four thousand million.
pub const MAX_FUNCTIONS: u32 = 32;

/// The largest number of bits a filter can have: 2^46, which is 8 TiB; less where a position would not fit a `usize`.
pub const MAX_BITS: u64 = if usize::BITS < 64 {
    usize::MAX as u64
} else {
    1 << 46
};

/// The smallest rate that can be asked for.
pub const MIN_RATE: f64 = 1e-9;

/// How large a filter shall be. It is the whole size: everything the filter needs to answer, without the header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// So many bits; the filter takes at most that, but for the least it can work with.
    Bits(u64),
    /// So many bits for each key of the capacity.
    BitsPerKey(f64),
    /// As few bits as keep the false positive rate at or under this once the filter holds its capacity.
    Rate(f64),
}

/// What a family tells about its cells, so that sizes can be worked out for it.
#[derive(Clone, Copy, Debug)]
pub struct Layout<R> {
    /// Bits that one cell takes.
    pub cell_bits: u64,
    /// The number of cells is a multiple of this.
    pub step: u64,
    /// The predicted false positive rate for (cells, keys, functions).
    pub rate: R,
}

/// A size worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The number of cells.
    pub cells: u64,
    /// The number of hash functions.
    pub functions: u32,
}

impl<R: Fn(u64, u64, u32) -> f64> Layout<R> {
    /// The number of cells for a size, and of functions: those that were asked for, or the best.
    ///
    /// # Errors
    ///
    /// A size or a number of functions that no filter can have.
    pub fn fit(&self, size: Size, keys: u64, functions: Option<u32>) -> Result<Fit> {
        if let Some(k) = functions
            && !(1..=MAX_FUNCTIONS).contains(&k)
        {
            let expected = format!("a number from 1 to {MAX_FUNCTIONS}");
            return Err(Error::parameter("the number of functions (k)", k, expected));
        }
        let steps = match size {
            Size::Bits(0) => return Err(Error::parameter("the size", "0 bits", "at least 1 bit")),
            Size::Bits(bits) => self.whole_steps(bits)?,
            Size::BitsPerKey(b) if b.is_finite() && b > 0.0 => {
                self.whole_steps((b * keys as f64) as u64)?
            }
            Size::BitsPerKey(b) => {
                let expected = "a finite number above zero";
                return Err(Error::parameter("bits per key", b, expected));
            }
            Size::Rate(rate) if (MIN_RATE..1.0).contains(&rate) => {
                self.steps_for_rate(rate, keys, functions)?
            }
            Size::Rate(rate) => {
                let expected = format!("a rate from {MIN_RATE} to below 1");
                return Err(Error::parameter("the false positive rate", rate, expected));
            }
        };
        let cells = steps * self.step;
        let functions = functions.unwrap_or_else(|| self.best(cells, keys).0);
        Ok(Fit { cells, functions })
    }

    /// The bits of a step.
    fn step_bits(&self) -> u64 {
        self.cell_bits.saturating_mul(self.step).clamp(1, MAX_BITS)
    }

    /// The whole steps that fit into a number of bits, at least one.
    fn whole_steps(&self, bits: u64) -> Result<u64> {
        if bits > MAX_BITS {
            let expected = format!("at most {MAX_BITS} bits");
            return Err(Error::parameter(
                "the size",
                format!("{bits} bits"),
                expected,
            ));
        }
        Ok((bits / self.step_bits()).max(1))
    }

    /// The least number of steps that keeps the rate, by doubling and then halving the interval.
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
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            (low, high) = if enough(middle) {
                (low, middle)
            } else {
                (middle, high)
            };
        }
        Ok(high)
    }

    /// The number of functions with the lowest rate, and that rate. The rate falls and then rises with their number.
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

/// The rate at which `functions` random cells are all set, after `balls` settings of random cells among `cells`.
///
/// With `X` the share of set cells, of mean `x` and variance `v`, this is the mean of `X^k` to second order:
/// `x^k + k(k-1)/2 x^(k-2) v`.
pub fn occupancy_rate(cells: u64, balls: f64, functions: u32) -> f64 {
    let m = cells as f64;
    let k = f64::from(functions);
    // ln(1 - 1/m) and ln(1 - 2/m), each times the balls: how likely one cell, and two given cells, stay empty.
    let one_empty = (balls * (-1.0 / m).ln_1p()).exp();
    let two_empty = (balls * (-2.0 / m).ln_1p()).exp();
    let set = 1.0 - one_empty;
    let variance = (one_empty / m + (1.0 - 1.0 / m) * two_empty - one_empty * one_empty).max(0.0);
    let correction = 0.5 * k * (k - 1.0) * set.powf(k - 2.0) * variance;
    let rate = set.powf(k)
        + if correction.is_finite() {
            correction
        } else {
            0.0
        };
    rate.min(1.0)
}

/// The false positive rate of a Bloom filter of `bits` cells with `keys` keys.
pub fn bloom_rate(bits: u64, keys: u64, functions: u32) -> f64 {
    occupancy_rate(bits, keys as f64 * f64::from(functions), functions)
}

/// The false positive rate of a blocked Bloom filter: [`occupancy_rate`] of one block, averaged over how many of the
/// keys fall into it.
pub fn blocked_rate(block_bits: u64, bits: u64, keys: u64, functions: u32) -> f64 {
    let block_bits = block_bits.max(1);
    let blocks = (bits / block_bits).max(1);
    let of_load = |load: u64| bloom_rate(block_bits, load, functions);
    if blocks == 1 {
        return of_load(keys);
    }
    // Where even the emptiest blocks are full there is nothing to average, and the loops would be long.
    let mean = keys as f64 / blocks as f64;
    let emptiest = (mean - 9.0 * mean.sqrt()).max(0.0);
    if of_load(emptiest as u64) > 1.0 - 1e-9 {
        return 1.0;
    }
    // Binomial weights relative to the mode, from there outwards until they no longer count.
    let odds = 1.0 / (blocks - 1) as f64;
    let mode = (keys / blocks).min(keys);
    let negligible = 1e-17;
    let (mut total, mut sum) = (1.0, of_load(mode));
    let (mut weight, mut load) = (1.0, mode);
    while load < keys && weight > negligible {
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

    const BLOOM: Layout<fn(u64, u64, u32) -> f64> = Layout {
        cell_bits: 1,
        step: 64,
        rate: bloom_rate,
    };

    /// The distribution of the number of set cells, ball by ball: slow, and right at a glance.
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
    fn large_filters_follow_the_textbook() {
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
    fn the_rate_of_blocks_is_the_mean_over_their_loads() {
        // Two blocks and five keys: the loads 0..=5 have the weights 1, 5, 10, 10, 5, 1.
        let by_hand: f64 = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0]
            .iter()
            .zip(0..)
            .map(|(weight, load)| weight / 32.0 * bloom_rate(256, load, 4))
            .sum();
        assert!((blocked_rate(256, 512, 5, 4) / by_hand - 1.0).abs() < 1e-12);
    }

    #[test]
    fn any_number_of_keys_has_a_rate_at_once() {
        for keys in [1 << 44, 1 << 52, u64::MAX] {
            assert_eq!(blocked_rate(512, 1 << 20, keys, 3), 1.0);
        }
        assert!(blocked_rate(0, 0, 5, 3) > 0.9);
    }

    #[test]
    fn a_rate_gets_the_least_size_that_keeps_it() {
        for rate in [0.5, 0.1, 0.01, 1e-4, 1e-7] {
            let fit = BLOOM.fit(Size::Rate(rate), 100_000, None).expect("fits");
            assert!(bloom_rate(fit.cells, 100_000, fit.functions) <= rate);
            assert!(BLOOM.best(fit.cells - 64, 100_000).1 > rate);
        }
    }

    #[test]
    fn sizes_stay_in_the_budget_but_for_the_first_step() {
        let cells = |size, keys| BLOOM.fit(size, keys, Some(3)).map(|fit| fit.cells);
        assert_eq!(cells(Size::Bits(1000), 1).expect("fits"), 960);
        assert_eq!(cells(Size::Bits(1), 1).expect("fits"), 64);
        assert_eq!(cells(Size::BitsPerKey(10.0), 100).expect("fits"), 960);
        assert_eq!(cells(Size::BitsPerKey(10.0), 0).expect("fits"), 64);
        assert_eq!(cells(Size::Rate(0.01), 0).expect("fits"), 64);
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
