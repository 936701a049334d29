//! Theorem 1: the best loads for a given number of reads.

use super::Arrivals;

/// The distribution of loads that no scheme can beat, for any cost that is a convex function of the load.
///
/// Let every read put a key into its block. Then remove keys from the fullest blocks until only the keys that must be kept
/// are left. This cuts the loads off at `level` or one above it. Loads below `level` keep their Poisson distribution.
///
/// ```
/// use bloomwise::balanced::theory::Bound;
///
/// let bound = Bound::new(1.2, 8.0, 0.0);
/// assert_eq!(bound.level, 8);
/// assert!((bound.loads[8] - 0.1856).abs() < 1e-4);
/// assert!((bound.loads[9] - 0.5559).abs() < 1e-4);
/// // The mean square of the loads. Perfect balance has 64; one read per key has 72.
/// assert!((bound.cost(|load| (load * load) as f64) - 66.15).abs() < 0.01);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The load at which the distribution is cut off; `k0` in the paper.
    pub level: usize,
    /// The share of blocks with each load from 0 to `level + 1`; `P_LB` in the paper.
    pub loads: Vec<f64>,
}

impl Bound {
    /// The limit for a mean of `reads` blocks read per key, `load` keys per block, and a share `overflow` of the keys left
    /// to the list.
    pub fn new(reads: f64, load: f64, overflow: f64) -> Self {
        let arrivals = Arrivals::new(reads * load);
        let kept = load * (1.0 - overflow);
        // If no block keeps more than `level` keys, the mean load is the sum of `at_least(1)` to `at_least(level)`. With one
        // read and no overflow it never reaches `kept`; then nothing is cut off.
        let (mut level, mut mean) = (0, 0.0);
        while mean + arrivals.at_least(level + 1) < kept && level + 2 < arrivals.end() {
            level += 1;
            mean += arrivals.at_least(level);
        }
        let above = (kept - mean).clamp(0.0, arrivals.at_least(level + 1));
        let mut loads: Vec<f64> = (0..level).map(|load| arrivals.exactly(load)).collect();
        loads.extend([arrivals.at_least(level) - above, above]);
        Bound { level, loads }
    }

    /// The mean cost of a block, if a block with a load costs `of_load(load)`.
    pub fn cost(&self, of_load: impl Fn(usize) -> f64) -> f64 {
        let loads = self.loads.iter().enumerate();
        loads.map(|(load, share)| share * of_load(load)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_but_the_overflow_are_kept_at_every_load() {
        for load in [1.0, 2.0, 8.0, 33.3, 64.0, 120.0, 200.0] {
            for (reads, overflow) in [
                (1.0, 0.01),
                (1.1, 0.0),
                (1.2, 0.005),
                (1.5, 0.0),
                (3.0, 0.1),
            ] {
                let bound = Bound::new(reads, load, overflow);
                let total: f64 = bound.loads.iter().sum();
                let mean = bound.cost(|load| load as f64);
                assert!((total - 1.0).abs() < 1e-11, "{reads} {load}: {total}");
                let kept = load * (1.0 - overflow);
                assert!((mean / kept - 1.0).abs() < 1e-10, "{reads} {load}: {mean}");
                assert!(bound.loads.iter().all(|share| (0.0..=1.0).contains(share)));
            }
        }
    }

    #[test]
    fn one_read_without_overflow_gives_the_poisson_distribution() {
        let bound = Bound::new(1.0, 8.0, 0.0);
        let arrivals = Arrivals::new(8.0);
        for (load, share) in bound.loads.iter().enumerate().take(40) {
            assert!((share - arrivals.exactly(load)).abs() < 1e-14, "{load}");
        }
    }

    #[test]
    fn more_reads_never_cost_more() {
        let cost = |reads| Bound::new(reads, 8.0, 0.0).cost(|load| 1.5f64.powi(load as i32));
        let costs = [1.0, 1.05, 1.1, 1.2, 1.5, 2.0].map(cost);
        assert!(costs.is_sorted_by(|more, less| more > less), "{costs:?}");
    }
}
