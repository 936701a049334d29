//! Theorems 3, 4 and 5: which arrivals a block must accept to have the loads of the bound.

use super::{Arrivals, Bound, last_share};

/// The rule by which a block accepts arrivals. It accepts its first `level` arrivals. Then it accepts each arrival with
/// probability `coin`, until it has accepted one more. Then it rejects all others.
///
/// ```
/// use bloomwise::balanced::theory::{Threshold, region};
///
/// // 1.2 reads per key, 8 keys per block, 3 choices.
/// let threshold = Threshold::solve(1.2, 8.0, region::mht_overflow(1.2, 3));
/// assert_eq!(threshold.level, 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// The load from which a block rejects keys; `h` in the paper.
    pub level: usize,
    /// The probability that a block at load `level` accepts an arrival; `p` in the paper.
    pub coin: f64,
}

impl Threshold {
    /// The threshold that reaches [`Bound`] for this `reads`, `load` and `overflow`, if the scheme uses exactly those reads
    /// and that overflow.
    ///
    /// As `coin` rises from 0 to 1, the share of blocks that stay at `level` falls: from all blocks with at least `level`
    /// arrivals to the blocks with exactly `level`. The bound's share is between these, so exactly one coin gives it.
    pub fn solve(reads: f64, load: f64, overflow: f64) -> Self {
        let bound = Bound::new(reads, load, overflow);
        let arrivals = Arrivals::new(reads * load);
        let (level, wanted) = (bound.level, bound.loads[bound.level]);
        let coin = last_share(|coin| staying(&arrivals, level, coin) > wanted);
        Threshold { level, coin }
    }

    /// The loads of blocks after these `arrivals`, if each block records which of `groups` groups it has rejected.
    pub fn loads(self, arrivals: &Arrivals, groups: u32) -> Loads {
        let Threshold { level, coin } = self;
        let lost = 1.0 - coin;
        // The probability that a rejected key belongs to another group than the key that is looked up.
        let other = 1.0 - 1.0 / f64::from(groups.max(1));
        let stays = staying(arrivals, level, coin);
        let rises = (arrivals.at_least(level) - stays).max(0.0);
        // No rejected key has the group: all arrivals after the level are of other groups; above the level, all but the
        // accepted one.
        let stays_unrecorded = staying(arrivals, level, 1.0 - lost * other);
        let rises_unrecorded = staying(arrivals, level + 1, 1.0 - other)
            - lost * staying(arrivals, level + 1, 1.0 - lost * other);
        let (stays_unrecorded, rises_unrecorded) = (
            stays_unrecorded.clamp(0.0, stays),
            rises_unrecorded.clamp(0.0, rises),
        );
        Loads {
            below: (0..level).map(|load| arrivals.exactly(load)).collect(),
            at: [stays_unrecorded, stays - stays_unrecorded],
            above: [rises_unrecorded, rises - rises_unrecorded],
        }
    }

    /// The probability that a block rejects the next arrival, after these `arrivals`.
    pub fn rejection_chance(self, arrivals: &Arrivals) -> f64 {
        let stays = staying(arrivals, self.level, self.coin);
        (arrivals.at_least(self.level) - self.coin * stays).clamp(0.0, 1.0)
    }
}

/// The share of blocks whose load is `level`: all arrivals after the first `level` have lost the coin toss.
///
/// This is the paper's `e^(-p r) / (1-p)^h - ...` as a sum of positive terms.
fn staying(arrivals: &Arrivals, level: usize, coin: f64) -> f64 {
    let mut lost = 1.0;
    let mut share = 0.0;
    for number in level..arrivals.end() {
        let term = arrivals.exactly(number) * lost;
        share += term;
        lost *= 1.0 - coin;
        if term < 1e-17 * share {
            break;
        }
    }
    share
}

/// The share of blocks with each load.
///
/// In `at` and `above` the first number counts blocks that have not recorded the group of a given non-member, the second
/// number blocks that have.
///
/// ```
/// use bloomwise::balanced::theory::{Arrivals, Threshold, region};
///
/// let threshold = Threshold::solve(1.2, 8.0, region::mht_overflow(1.2, 3));
/// let loads = threshold.loads(&Arrivals::new(1.2 * 8.0), 1);
/// assert!((loads.mean() - 8.0).abs() < 0.1, "of 9.6 arrivals, blocks reject 1.6");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Loads {
    /// The shares of the loads below the level, where blocks reject no key.
    pub below: Vec<f64>,
    /// The share at the level, without and with the record.
    pub at: [f64; 2],
    /// The share one above the level, without and with the record.
    pub above: [f64; 2],
}

impl Loads {
    /// The mean load.
    pub fn mean(&self) -> f64 {
        self.mean_of(|load| load as f64)
    }

    /// The variance of the load.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.mean_of(|load| (load as f64 - mean).powi(2))
    }

    /// The mean of `of_load(load)` over all blocks.
    pub fn mean_of(&self, of_load: impl Fn(usize) -> f64) -> f64 {
        let level = self.below.len();
        let below = self.below.iter().enumerate();
        let below: f64 = below.map(|(load, share)| share * of_load(load)).sum();
        let (at, above) = (self.at[0] + self.at[1], self.above[0] + self.above[1]);
        below + at * of_load(level) + above * of_load(level + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_and_coin_have_the_known_values() {
        for (reads, overflow, level, coin) in [
            (1.2, 0.004_984_471_9, 8, 0.53381),
            (1.1, 7.687_6e-4, 9, 0.43927),
            (1.3, 0.014_106, 8, 0.12384),
        ] {
            let found = Threshold::solve(reads, 8.0, overflow);
            assert_eq!(found.level, level);
            assert!((found.coin - coin).abs() < 1e-5, "{reads}: {found:?}");
        }
    }

    #[test]
    fn loads_meet_the_bound() {
        for load in [1.0, 2.5, 8.0, 30.0, 64.0, 150.0, 200.0] {
            for (reads, overflow) in [(1.0, 0.005), (1.1, 0.001), (1.2, 0.005), (2.0, 0.01)] {
                let threshold = Threshold::solve(reads, load, overflow);
                let loads = threshold.loads(&Arrivals::new(reads * load), 1);
                let bound = Bound::new(reads, load, overflow);
                let kept = load * (1.0 - overflow);
                assert!((loads.mean() / kept - 1.0).abs() < 1e-9, "{reads} {load}");
                let above = loads.above[0] + loads.above[1];
                assert!((above - bound.loads[bound.level + 1]).abs() < 1e-9);
                assert!((0.0..=1.0).contains(&threshold.coin));
            }
        }
    }

    #[test]
    fn staying_equals_the_closed_form_where_that_is_exact() {
        // e^(-p r) / (1-p)^h - e^(-r) / (1-p)^h * sum of (r (1-p))^i / i! for i below h.
        let (mean, level, coin) = (9.6f64, 8, 0.5f64);
        let mut term = 1.0;
        let mut sum = 0.0;
        for i in 0..level {
            sum += term;
            term *= mean * (1.0 - coin) / f64::from(i + 1);
        }
        let scale = (1.0 - coin).powi(-level);
        let closed = scale * ((-coin * mean).exp() - (-mean).exp() * sum);
        let ours = staying(&Arrivals::new(mean), level as usize, coin);
        assert!((ours / closed - 1.0).abs() < 1e-10, "{ours} {closed}");
    }

    #[test]
    fn recorded_shares_equal_the_sum_over_all_arrivals() {
        let (arrivals, threshold) = (
            Arrivals::new(9.6),
            Threshold {
                level: 8,
                coin: 0.53,
            },
        );
        for groups in [1, 2, 5, 12] {
            // A block that has rejected `t` keys has recorded a given group with probability 1 - (1 - 1/g)^t.
            let recorded = |t: usize| 1.0 - (1.0 - 1.0 / f64::from(groups)).powi(t as i32);
            let lost = |t: usize| (1.0 - threshold.coin).powi(t as i32);
            let (mut at, mut above) = (0.0, 0.0);
            for t in 0..60 {
                at += arrivals.exactly(8 + t) * lost(t) * recorded(t);
                above += arrivals.exactly(9 + t) * (1.0 - lost(t + 1)) * recorded(t);
            }
            let loads = threshold.loads(&arrivals, groups);
            assert!(
                (loads.at[1] - at).abs() < 1e-12,
                "{groups}: {} {at}",
                loads.at[1]
            );
            assert!((loads.above[1] - above).abs() < 1e-12, "{groups}");
        }
    }

    #[test]
    fn rejected_and_kept_keys_sum_to_all_arrivals() {
        let threshold = Threshold {
            level: 8,
            coin: 0.5,
        };
        let mean = 9.6;
        let steps = 2000;
        let width = mean / f64::from(steps);
        let middle =
            |step| threshold.rejection_chance(&Arrivals::new((f64::from(step) + 0.5) * width));
        let rejected: f64 = (0..steps).map(middle).sum::<f64>() * width;
        let kept = threshold.loads(&Arrivals::new(mean), 1).mean();
        assert!((rejected + kept - mean).abs() < 1e-5, "{rejected} {kept}");
    }
}
