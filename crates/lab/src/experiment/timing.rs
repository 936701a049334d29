//! Work that is timed in turns, so that noise of the machine hits all alike.

use anyhow::Result;
use std::time::Instant;

/// The time of some work, for each of so many, in nanoseconds.
pub fn time<T>(count: usize, work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (
        result,
        start.elapsed().as_nanos() as f64 / count.max(1) as f64,
    )
}

/// The middle of some values; not a number if there are none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The lower quartile of some values, their middle, and the upper one; not numbers if there are none.
pub fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    [last / 4, sorted.len() / 2, last - last / 4]
        .map(|at| sorted.get(at).copied().unwrap_or(f64::NAN))
}

/// Does the work of all numbers in turns, for some rounds: `work` returns the times of its parts. The result has for each
/// number all rounds.
pub fn rounds<const PARTS: usize>(
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

/// The same, but for each number the medians of its parts over the rounds.
pub fn turns<const PARTS: usize>(
    number_of_rounds: usize,
    count: usize,
    work: impl FnMut(usize) -> Result<[f64; PARTS]>,
) -> Result<Vec<[f64; PARTS]>> {
    let times = rounds(number_of_rounds, count, work)?;
    let medians = |rounds: &Vec<[f64; PARTS]>| {
        std::array::from_fn(|part| {
            let of_part: Vec<f64> = rounds.iter().map(|round| round[part]).collect();
            median(&of_part)
        })
    };
    Ok(times.iter().map(medians).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_taken_and_medians_returned() {
        let mut order = Vec::new();
        let medians = turns(3, 2, |number| {
            order.push(number);
            Ok([order.len() as f64, number as f64])
        });
        assert_eq!(order, [0, 1, 0, 1, 0, 1]);
        let [first, second] = medians.expect("no error")[..] else {
            panic!("two are timed");
        };
        assert_eq!((first, second), ([3.0, 0.0], [4.0, 1.0]));
        assert!(median(&[]).is_nan());
        assert_eq!(quartiles(&[5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 3.0, 4.0]);
        assert!(quartiles(&[])[0].is_nan());
    }
}
