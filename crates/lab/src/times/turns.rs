//! Timing in turns, so that noise of the machine affects all contenders alike.
//!
//! On a busy machine a single time says little: the next round may take twice as long. But work that runs right after it is slowed down as
//! much, so the ratio of two times within a round is much steadier than either. Ratios are therefore taken within rounds.

use crate::prelude::*;
use crate::statistics::quartiles;
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

/// Times of contenders that take turns. Each work has `PARTS` parts, whose times stand side by side.
#[derive(Clone, Debug)]
pub struct Turns<const PARTS: usize>(Vec<Vec<[f64; PARTS]>>);

impl<const PARTS: usize> Turns<PARTS> {
    /// Calls `work` for the numbers below `count` in turns, for `rounds` rounds. `work` returns the times of its parts.
    pub fn take(
        rounds: usize,
        count: usize,
        mut work: impl FnMut(usize) -> Result<[f64; PARTS]>,
    ) -> Result<Self> {
        let mut times = vec![vec![[0.0; PARTS]; rounds]; count];
        for round in 0..rounds {
            for (number, times) in times.iter_mut().enumerate() {
                times[round] = work(number)?;
            }
        }
        Ok(Turns(times))
    }

    /// One part of a contender's work, in all rounds.
    fn part(&self, number: usize, part: usize) -> Vec<f64> {
        self.0[number].iter().map(|round| round[part]).collect()
    }

    /// The medians of a contender's times.
    pub fn medians(&self, number: usize) -> [f64; PARTS] {
        std::array::from_fn(|part| median(&self.part(number, part)))
    }

    /// The median ratio of two parts of a contender's work.
    pub fn of_parts(&self, number: usize, above: usize, below: usize) -> f64 {
        median_ratio(&self.part(number, above), &self.part(number, below))
    }

    /// The ratios of two contenders' times.
    pub fn ratios(&self, number: usize, to: usize) -> [Ratios; PARTS] {
        std::array::from_fn(|part| Ratios::of(&self.part(number, part), &self.part(to, part)))
    }

    /// The medians of the ratios of two contenders' times.
    pub fn median_ratios(&self, number: usize, to: usize) -> [f64; PARTS] {
        self.ratios(number, to).map(|ratios| ratios.median())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_turns_and_all_rounds_are_returned() {
        let mut order = Vec::new();
        let times = Turns::take(3, 2, |number| {
            order.push(number);
            Ok([order.len() as f64, number as f64])
        });
        assert_eq!(order, [0, 1, 0, 1, 0, 1]);
        let times = times.expect("no error");
        assert_eq!(times.0[0], [[1.0, 0.0], [3.0, 0.0], [5.0, 0.0]]);
        assert_eq!(times.part(1, 0), [2.0, 4.0, 6.0]);
        assert_eq!(times.medians(1), [4.0, 1.0]);
        assert_eq!(times.median_ratios(1, 0), [4.0 / 3.0, f64::INFINITY]);
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
