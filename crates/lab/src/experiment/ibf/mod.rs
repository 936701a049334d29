//! The evaluation of the paper on item-personalized Bloom filters, its section 4, with enough trials to tell.
//!
//! A trial is one of the paper's: `m` random integers are inserted into a personalized filter and into a Bloom filter of
//! the same number of slots, and both are asked for as many, one in ten of them inserted. Whoever has fewer false
//! positives wins. The paper ran ten trials for each ratio, here it is a thousand times as many. For the winners the same
//! number of functions, the best for the ratio, serves both (`winners.rs`); Figures 6 and 7 change it (`figures.rs`).
//!
//! A walk starts at the slot that the first function gives, and so does a Bloom filter: the two filters of a trial share the first
//! slot of every key. That makes them alike in each trial, which helps to see a difference, and changes neither's rate.

mod figures;
mod winners;

pub use figures::{figure_6, figure_7};
pub use winners::winners;

use crate::workload::Key;
use anyhow::{Result, ensure};
use bloomwise::{Bloom, Filter, Hashing, Size};
use rayon::prelude::*;

/// Trials for each ratio at full size.
const TRIALS: u64 = 10_000;

/// Keys of a trial.
const KEYS: u64 = 1024;

/// False positives of the personalized and of the Bloom filter in a trial, and how many could have been.
struct Trial {
    personalized: u64,
    bloom: u64,
    asked: u64,
}

impl Trial {
    fn run(ratio: u64, functions: u32, number: u64) -> Result<Self> {
        let hashing = Hashing::Xxh3 { seed: number };
        let size = Size::Bits(ratio * KEYS);
        let plain = || {
            Bloom::builder(KEYS, size)
                .functions(functions)
                .hashing(hashing)
        };
        let (mut personalized, mut bloom) = (plain().personalized().build()?, plain().build()?);
        let integer = |n: u64| u64::number(number * 2 * KEYS + n).to_le_bytes();
        let digests: Vec<_> = (0..KEYS).map(|n| hashing.digest(&integer(n))).collect();
        personalized.insert_digests(&digests);
        bloom.insert_digests(&digests);
        for &member in &digests {
            let found = personalized.contains_digest(member) && bloom.contains_digest(member);
            ensure!(found, "a member is denied");
        }
        let strangers = KEYS..2 * KEYS - KEYS / 10;
        let mut trial = Trial {
            personalized: 0,
            bloom: 0,
            asked: strangers.end - strangers.start,
        };
        for digest in strangers.map(|n| hashing.digest(&integer(n))) {
            trial.personalized += u64::from(personalized.contains_digest(digest));
            trial.bloom += u64::from(bloom.contains_digest(digest));
        }
        Ok(trial)
    }

    /// 1 if the personalized filter wins, -1 if the Bloom filter does, 0 for a draw.
    fn lead(&self) -> i64 {
        (self.bloom as i64 - self.personalized as i64).signum()
    }
}

/// So many trials, with keys and functions that no other ratio and number of functions has: rates that share them would
/// differ from each other's filter in the same direction, which looks like a law and is one draw.
fn trials(ratio: u64, functions: u32, count: u64) -> Result<Vec<Trial>> {
    let first = (ratio * 16 + u64::from(functions)) << 32;
    let numbers = (first..first + count).into_par_iter();
    numbers
        .map(|number| Trial::run(ratio, functions, number))
        .collect()
}

/// The rates over all trials: of the personalized and of the Bloom filter.
fn rates(trials: &[Trial]) -> [f64; 2] {
    let asked: u64 = trials.iter().map(|trial| trial.asked).sum();
    let sum = |of: fn(&Trial) -> u64| trials.iter().map(of).sum::<u64>() as f64 / asked as f64;
    [sum(|trial| trial.personalized), sum(|trial| trial.bloom)]
}

/// A number and its standard error.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    value: f64,
    error: f64,
}

impl Estimate {
    /// The mean of these.
    fn mean(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.collect();
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let squares = values.iter().map(|of| (of - value).powi(2));
        let variance = squares.sum::<f64>() / (count - 1.0).max(1.0);
        Estimate {
            value,
            error: (variance / count).sqrt(),
        }
    }

    /// By how much the personalized filter's rate is above the Bloom filter's, as a share of it; trials are compared one by one.
    fn difference(trials: &[Trial]) -> Self {
        let more = |trial: &Trial| trial.personalized as f64 - trial.bloom as f64;
        let of = Self::mean(trials.iter().map(more));
        let bloom = trials.iter().map(|trial| trial.bloom).sum::<u64>() as f64;
        let bloom = bloom / trials.len() as f64;
        Estimate {
            value: of.value / bloom,
            error: of.error / bloom,
        }
    }

    /// The mean of estimates that know nothing of each other.
    fn pooled(all: &[Estimate]) -> Self {
        let count = all.len() as f64;
        let squares = all.iter().map(|of| of.error * of.error);
        Estimate {
            value: all.iter().map(|of| of.value).sum::<f64>() / count,
            error: squares.sum::<f64>().sqrt() / count,
        }
    }

    /// The half of the 95 % interval.
    fn half(self) -> f64 {
        1.96 * self.error
    }

    /// In percent, with its 95 % interval.
    fn percent(self) -> String {
        format!("{:+.2} ± {:.2} %", 100.0 * self.value, 100.0 * self.half())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_the_textbook_and_shrink_when_pooled() {
        let one = Estimate::mean([1.0, 2.0, 3.0, 4.0].into_iter());
        assert_eq!(one.value, 2.5);
        assert!((one.error - (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        let pooled = Estimate::pooled(&[one; 4]);
        assert_eq!(pooled.value, 2.5);
        assert!((pooled.error - one.error / 2.0).abs() < 1e-12);
    }

    #[test]
    fn with_one_function_both_are_the_same_filter() {
        let trials = trials(2, 1, 5).expect("no member is denied");
        assert!(
            trials
                .iter()
                .all(|trial| trial.lead() == 0 && trial.bloom > 0)
        );
        assert_eq!(Estimate::difference(&trials).value, 0.0);
    }
}
