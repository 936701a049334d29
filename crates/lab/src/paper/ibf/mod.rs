//! The evaluation of the paper on item-personalized Bloom filters, its section 4, with enough trials to be significant.
//!
//! A trial is that of the paper: `m` random integers are inserted into a personalized filter and into a Bloom filter
//! with the same number of slots. Both are queried for as many integers, one in ten of which was inserted. The filter
//! with fewer false positives wins. The paper ran ten trials per ratio; here it is a thousand times as many. For the
//! winners, both filters have the number of functions that is best for the ratio (`winners.rs`); Figures 6 and 7 vary
//! it (`figures.rs`). `walks.rs` has the paper's own walk, which differs from this library's.
//!
//! A walk starts at the slot of the first function, and so does a Bloom filter: the two filters of a trial share the
//! first slot of every key. This correlates them within a trial, which makes a difference easier to see, and changes
//! the rate of neither.

mod figures;
mod walks;
mod winners;

pub use figures::{figure_6, figure_7};
pub use walks::walks;
pub use winners::winners;

use crate::prelude::*;
use bloomwise::{Bloom, Insert};
use std::ops::Range;

/// Trials per ratio at full size.
const TRIALS: u64 = 10_000;

/// Keys per trial.
const KEYS: u64 = 1024;

/// False positives of both filters in a trial, and the number of queried non-members.
struct Trial {
    personalized: u64,
    bloom: u64,
    queries: u64,
}

impl Trial {
    fn run(ratio: u64, functions: u32, number: u64) -> Result<Self> {
        let hashing = Hashing::Xxh3 { seed: number };
        let size = Size::Bits(ratio * KEYS);
        let plain = Bloom::builder(size).functions(functions).capacity(KEYS);
        let plain = plain.hashing(hashing);
        let (mut bloom, mut personalized) = (plain.create()?, plain.personalized().create()?);
        let digests = |numbers: Range<u64>| {
            let integer = |n: u64| u64::number(number * 2 * KEYS + n);
            Digests::of(hashing, numbers.map(integer))
        };
        let found = |filter: &Bloom, digests: &Digests<'_>| -> Result<u64> {
            let answers = filter.contains_digests(digests)?;
            Ok(answers.into_iter().map(u64::from).sum())
        };
        let members = digests(0..KEYS);
        for filter in [&mut bloom, &mut personalized] {
            filter.insert_digests(&members)?;
            ensure!(
                found(filter, &members)? == KEYS,
                "a filter does not find a key of its set"
            );
        }
        let non_members = digests(KEYS..2 * KEYS - KEYS / 10);
        Ok(Trial {
            personalized: found(&personalized, &non_members)?,
            bloom: found(&bloom, &non_members)?,
            queries: non_members.len() as u64,
        })
    }

    /// 1 if the personalized filter wins, -1 if the Bloom filter wins, 0 for a draw.
    fn lead(&self) -> i64 {
        (self.bloom as i64 - self.personalized as i64).signum()
    }
}

/// Runs `count` trials. No other ratio or number of functions uses the same keys and functions. If they did, all their
/// results would deviate in the same direction, and one random draw would look like a law.
fn trials(ratio: u64, functions: u32, count: u64) -> Result<Vec<Trial>> {
    let first = (ratio * 16 + u64::from(functions)) << 32;
    let numbers = (first..first + count).into_par_iter();
    numbers
        .map(|number| Trial::run(ratio, functions, number))
        .collect()
}

/// The rates over all trials, of the personalized filter and of the Bloom filter.
fn rates(trials: &[Trial]) -> [f64; 2] {
    let queries: u64 = trials.iter().map(|trial| trial.queries).sum();
    let sum = |of: fn(&Trial) -> u64| trials.iter().map(of).sum::<u64>() as f64 / queries as f64;
    [sum(|trial| trial.personalized), sum(|trial| trial.bloom)]
}

/// The relative difference of the personalized filter's rate to the Bloom filter's. Trials are compared one by one.
fn difference(trials: &[Trial]) -> Spread {
    let more = |trial: &Trial| trial.personalized as f64 - trial.bloom as f64;
    let more = Spread::of_mean(&trials.iter().map(more).collect::<Vec<_>>());
    let bloom = trials.iter().map(|trial| trial.bloom).sum::<u64>() as f64;
    more.by(bloom / trials.len() as f64)
}

/// Half of a 95 % interval.
fn half(estimate: Spread) -> f64 {
    1.96 * estimate.deviation
}

/// An estimate in percent, with its 95 % interval.
fn shown(estimate: Spread) -> String {
    let [mean, half] = [estimate.mean, half(estimate)].map(|share| 100.0 * share);
    format!("{mean:+.2} ± {half:.2} %")
}

/// The rate of the personalized filter as a multiple of the Bloom filter's.
fn ratio(difference: Spread) -> Spread {
    Spread {
        mean: 1.0 + difference.mean,
        ..difference
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_equal_with_one_function() {
        let trials = trials(2, 1, 5).expect("no false negative");
        let draw = |trial: &Trial| trial.lead() == 0 && trial.bloom > 0;
        assert!(trials.iter().all(draw));
        assert_eq!(difference(&trials).mean, 0.0);
    }
}
