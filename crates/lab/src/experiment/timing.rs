//! Timing in turns, so that noise of the machine affects all contenders alike.
//!
//! On a busy machine a single time says little: the next round may take twice as long. But work that runs right after
//! it is slowed down as much, so the ratio of two times within a round is much steadier than either. Ratios are
//! therefore taken within rounds, and [`Quartiles`] over the rounds show how steady they are.

use anyhow::Result;
use std::time::Instant;

/// Runs `work`. Returns its result and the nanoseconds per item, for `count` items.
pub fn time<T>(count: usize, work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (
        result,
        start.elapsed().as_nanos() as f64 / count.max(1) as f64,
    )
}

/// The median of `values`; NaN if there are none.
pub fn median(values: &[f64]) -> f64 {
    quartiles(values)[1]
}

/// The lower quartile, the median and the upper quartile of `values`; NaN if there are none.
pub fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    [last / 4, sorted.len() / 2, last - last / 4]
        .map(|at| sorted.get(at).copied().unwrap_or(f64::NAN))
}

/// The median of `above / below`, round by round; NaN if there are no rounds.
pub fn median_ratio(above: &[f64], below: &[f64]) -> f64 {
    Quartiles::of_ratios(above, below).middle
}

/// The quartiles of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    /// The lower quartile.
    pub low: f64,
    /// The median.
    pub middle: f64,
    /// The upper quartile.
    pub high: f64,
}

impl Quartiles {
    /// The quartiles of `above / below`, round by round.
    pub fn of_ratios(above: &[f64], below: &[f64]) -> Self {
        let pairs = above.iter().zip(below);
        let ratios: Vec<f64> = pairs.map(|(above, below)| above / below).collect();
        let [low, middle, high] = quartiles(&ratios);
        Quartiles { low, middle, high }
    }

    /// Half the distance between the quartiles: the possible error of the median.
    pub fn spread(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Calls `work` for the numbers below `count` in turns, for `rounds` rounds. `work` returns the times of its parts. The
/// result holds all rounds of each number.
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
        let of_first = [[1.0, 0.0], [3.0, 0.0], [5.0, 0.0]];
        let of_second = [[2.0, 1.0], [4.0, 1.0], [6.0, 1.0]];
        assert_eq!(times.expect("no error"), [of_first, of_second]);
    }

    #[test]
    fn quartiles_are_ordered_and_nan_for_no_values() {
        assert_eq!(quartiles(&[5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 3.0, 4.0]);
        assert!(quartiles(&[])[0].is_nan() && median(&[]).is_nan());
    }

    #[test]
    fn ratios_are_taken_within_a_round() {
        // The machine is three times slower in the last round, for both.
        let found = Quartiles::of_ratios(&[2.0, 2.5, 1.5, 2.5, 6.0], &[1.0, 1.0, 1.0, 1.0, 3.0]);
        let (low, middle, high) = (found.low, found.middle, found.high);
        assert_eq!((low, middle, high), (2.0, 2.0, 2.5));
        assert_eq!(found.spread(), 0.25);
    }
}
