//! Timing in turns, so that noise of the machine affects all contenders alike.
//!
//! On a busy machine a single time says little: the next round may take twice as long. But work that runs right after it is slowed down as
//! much, so the ratio of two times within a round is much steadier than either. Ratios are therefore taken within rounds.

use super::statistics::{Spread, median, quartiles};
use anyhow::Result;
use std::time::Instant;

/// Runs `work`. Returns its result and the nanoseconds per item, for `count` items.
pub fn time<T>(count: usize, work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    let taken = start.elapsed().as_nanos() as f64;
    (result, taken / count.max(1) as f64)
}

/// Ratios of two times, round by round.
#[derive(Clone, Debug)]
pub struct Ratios(Vec<f64>);

impl Ratios {
    /// The ratios of `above` to `below`.
    pub fn of(above: &[f64], below: &[f64]) -> Self {
        let pairs = above.iter().zip(below);
        Ratios(pairs.map(|(above, below)| above / below).collect())
    }

    /// The median.
    pub fn median(&self) -> f64 {
        median(&self.0)
    }

    /// The mean without the lowest and the highest, and its standard error.
    pub fn trimmed(&self) -> Spread {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        match &sorted[..] {
            [_, middle @ .., _] if !middle.is_empty() => Spread::of_mean(middle),
            all => Spread::of_mean(all),
        }
    }

    /// The median and the quartiles as text.
    pub fn shown(&self) -> String {
        let [low, middle, high] = quartiles(&self.0);
        format!("{middle:.2} ({low:.2} to {high:.2})")
    }
}

/// The median of `above / below`, round by round; NaN if there are no rounds.
pub fn median_ratio(above: &[f64], below: &[f64]) -> f64 {
    Ratios::of(above, below).median()
}

/// One part of the times of all rounds.
pub fn part<const PARTS: usize>(rounds: &[[f64; PARTS]], part: usize) -> Vec<f64> {
    rounds.iter().map(|round| round[part]).collect()
}

/// Calls `work` for the numbers below `count` in turns, for `rounds` rounds. `work` returns the times of its parts. The result holds all
/// rounds of each number.
pub fn in_turns<const PARTS: usize>(
    rounds: usize,
    count: usize,
    mut work: impl FnMut(usize) -> Result<[f64; PARTS]>,
) -> Result<Vec<Vec<[f64; PARTS]>>> {
    let mut times = vec![vec![[0.0; PARTS]; rounds]; count];
    for round in 0..rounds {
        for (number, times) in times.iter_mut().enumerate() {
            times[round] = work(number)?;
        }
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_turns_and_all_rounds_are_returned() {
        let mut order = Vec::new();
        let times = in_turns(3, 2, |number| {
            order.push(number);
            Ok([order.len() as f64, number as f64])
        });
        assert_eq!(order, [0, 1, 0, 1, 0, 1]);
        let times = times.expect("no error");
        assert_eq!(times[0], [[1.0, 0.0], [3.0, 0.0], [5.0, 0.0]]);
        assert_eq!(part(&times[1], 0), [2.0, 4.0, 6.0]);
    }

    #[test]
    fn ratios_are_taken_within_a_round() {
        // The machine is three times slower in the last round, for both.
        let found = Ratios::of(&[2.0, 2.5, 1.5, 2.5, 6.0], &[1.0, 1.0, 1.0, 1.0, 3.0]);
        assert_eq!(found.median(), 2.0);
        let trimmed = found.trimmed();
        assert!((trimmed.mean - 6.5 / 3.0).abs() < 1e-12, "{trimmed:?}");
    }
}
