//! How long the list must be: the optimality regions of Theorems 4 and 5, and the sizes of the tables of MHT.

use super::{Arrivals, Bound, Threshold, last_share};

/// The share `q` of its arrivals that each table of MHT rejects: the solution of `(1 - q^d) / (1 - q) = a`, where `a` is
/// `reads` and `d` is `choices`.
///
/// The shares of keys that read a first, second, third block are 1, q, q². They sum to `a`.
///
/// ```
/// use bloomwise::balanced::theory::region;
///
/// let share = region::rejected_share(1.2, 3);
/// assert!((1.0 + share + share * share - 1.2).abs() < 1e-9);
/// ```
pub fn rejected_share(reads: f64, choices: u32) -> f64 {
    let sum = |q: f64| (0..choices).map(|i| q.powi(i as i32)).sum::<f64>();
    last_share(|q| sum(q) < reads)
}

/// The least share of keys in the list with which MHT is optimal: the keys that all tables reject.
///
/// ```
/// use bloomwise::balanced::theory::region;
///
/// assert!((region::mht_overflow(1.1, 3) - 7.688e-4).abs() < 1e-7);
/// ```
pub fn mht_overflow(reads: f64, choices: u32) -> f64 {
    rejected_share(reads, choices).powi(choices as i32)
}

/// The share of the blocks in each table of MHT. Each table has `rejected_share` times the blocks of the one before.
///
/// ```
/// use bloomwise::balanced::theory::region;
///
/// let shares = region::mht_shares(0.5, 3);
/// assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
/// assert!((shares[1] / shares[0] - 0.5).abs() < 1e-12);
/// ```
pub fn mht_shares(rejected_share: f64, choices: u32) -> Vec<f64> {
    let powers: Vec<f64> = (0..choices)
        .map(|i| rejected_share.powi(i as i32))
        .collect();
    let total: f64 = powers.iter().sum();
    powers.iter().map(|power| power / total).collect()
}

/// The least share of keys in the list with which SEQUENTIAL is optimal.
///
/// All blocks fill at the same time, so blocks reject few keys at first and most keys at the end. While a block rejects a
/// key with probability `f`, an insertion reads `(1 - f^d) / (1 - f)` blocks on average and ends in the list with
/// probability `f^d`, where `d` is `choices`. The function integrates this over the reads. A longer list lowers the
/// threshold, and then blocks reject more. The result is the list that holds exactly the keys that all choices reject.
///
/// The relative error is at most 1/1000 for shares above 1e-4, 1/500 above 1e-6, and 1/50 below.
///
/// ```
/// use bloomwise::balanced::theory::region;
///
/// // More choices leave fewer keys to the list.
/// assert!(region::sequential_overflow(1.2, 4, 8.0) < region::sequential_overflow(1.2, 3, 8.0));
/// ```
pub fn sequential_overflow(reads: f64, choices: u32, load: f64) -> f64 {
    // All choices rejected each key in the list, and there are `reads - 1 + overflow` rejections per key in total.
    let most = ((reads - 1.0) / f64::from(choices.max(2) - 1)).min(1.0);
    if most <= 0.0 {
        return 0.0;
    }
    // Long before blocks reach the level they reject no key. The level is lowest with the longest list.
    let level = Bound::new(reads, load, most).level as f64;
    let start = (level - 6.0 * level.sqrt()).clamp(0.0, reads * load);
    // The arrivals do not depend on the length of the list, and computing them takes most of the time.
    let reads_so_far = Simpson::new(start, reads * load, Arrivals::new);
    let listed = |overflow: f64| {
        let threshold = Threshold::solve(reads, load, overflow);
        let of_arrivals = |arrivals: &Arrivals| {
            let rejected = threshold.rejection_chance(arrivals);
            let all = rejected.powi(choices as i32);
            // Keys per read, times the probability that a key is listed. If blocks reject everything, numerator and
            // denominator both vanish; use the limit.
            match 1.0 - rejected {
                left if left < 1e-12 => 1.0 / f64::from(choices),
                left => all * left / (1.0 - all),
            }
        };
        reads_so_far.integral(of_arrivals) / load
    };
    // Logarithms, so that small shares have as many digits as large ones. MHT needs a shorter list, so the search starts
    // below the share.
    let least = (0.5 * mht_overflow(reads, choices)).clamp(f64::MIN_POSITIVE, 0.5 * most);
    let excess = |logarithm: f64| {
        let listed = listed(logarithm.exp()).max(f64::MIN_POSITIVE);
        listed.ln() - logarithm
    };
    crossing(least.ln(), most.ln(), excess).exp()
}

/// The zero of a falling function between `low` and `high`, to six decimals; the nearer end if the zero is outside.
///
/// The Illinois method: false position that halves the value at an end that stays twice. It takes about seven evaluations
/// where bisection takes twenty.
fn crossing(mut low: f64, mut high: f64, of: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (of(low), of(high));
    if at_low <= 0.0 {
        return low;
    }
    if at_high >= 0.0 {
        return high;
    }
    let mut last = low;
    for _ in 0..60 {
        let next = low + (high - low) * at_low / (at_low - at_high);
        if (next - last).abs() < 1e-6 {
            return next;
        }
        let found = of(next);
        // If the value has the same sign as before, the other end stays for a second time.
        if found > 0.0 {
            at_high = if last == low { 0.5 * at_high } else { at_high };
            (low, at_low) = (next, found);
        } else {
            at_low = if last == high { 0.5 * at_low } else { at_low };
            (high, at_high) = (next, found);
        }
        last = next;
    }
    last
}

/// The variance of the number of keys in the list, if keys that one table rejects go to the next. `tables` has the number
/// of blocks of each table, and `mean` is the mean number of arrivals at a block.
///
/// The number of keys that a table accepts varies with where they fall. Given the number of its arrivals, the variance per
/// block is `variance of the load - mean (1 - f)^2`, where `f` is the probability that the table rejects the next key. And
/// each additional arrival adds `f` rejected keys on average. So the list, short as it is, inherits the variance of all
/// tables: with four tables its standard deviation is a few times the square root of its length.
pub fn overflow_variance(threshold: Threshold, mean: f64, tables: &[f64]) -> f64 {
    let arrivals = Arrivals::new(mean);
    let rejected = threshold.rejection_chance(&arrivals);
    let loads = threshold.loads(&arrivals, 1);
    let own = (loads.variance() - mean * (1.0 - rejected).powi(2)).max(0.0);
    let passed_on = |before: f64, blocks: &f64| rejected * rejected * before + blocks * own;
    tables.iter().fold(0.0, passed_on)
}

/// The estimated variance of the number of keys in the list of SEQUENTIAL, whose keys try several of the same `blocks`
/// blocks. `mean` is the mean number of arrivals at a block, and a share `overflow` of the keys is listed.
///
/// The estimate has two terms. Each key is listed by chance, which gives a variance equal to the number of listed keys.
/// And if blocks reject 1 % more reads than expected, then about `choices` % more keys are rejected by all their choices.
pub fn sequential_variance(
    threshold: Threshold,
    mean: f64,
    blocks: f64,
    choices: u32,
    overflow: f64,
) -> f64 {
    let kept = threshold.loads(&Arrivals::new(mean), 1).mean();
    let listed = overflow / (1.0 - overflow) * kept * blocks;
    let rejections = (mean - kept).max(f64::MIN_POSITIVE) * blocks;
    let share = f64::from(choices) * listed / rejections;
    listed + share * share * overflow_variance(threshold, mean, &[blocks])
}

/// Simpson's rule for many functions of the same expensive value, which is computed once per point.
struct Simpson<T> {
    /// The value at equidistant points, and the weight of each point.
    points: Vec<(T, f64)>,
}

impl<T> Simpson<T> {
    /// Computes the value `at` equidistant points from `start` to `end`.
    fn new(start: f64, end: f64, at: impl Fn(f64) -> T) -> Self {
        const PANELS: u32 = 48;
        let width = (end - start) / f64::from(PANELS);
        let point = |i: u32| {
            let weight = match i {
                0 | PANELS => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            (at(start + f64::from(i) * width), weight * width / 3.0)
        };
        Simpson {
            points: (0..=PANELS).map(point).collect(),
        }
    }

    /// The integral of the function `of` the value.
    fn integral(&self, of: impl Fn(&T) -> f64) -> f64 {
        let weighed = |(at, weight): &(T, f64)| weight * of(at);
        self.points.iter().map(weighed).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_share_and_overflow_have_the_known_values() {
        for (reads, share) in [(1.2, 0.170_820), (1.1, 0.091_608), (1.3, 0.241_620)] {
            assert!((rejected_share(reads, 3) - share).abs() < 1e-6, "{reads}");
        }
        assert!((mht_overflow(1.2, 3) - 0.004_984_5).abs() < 1e-7);
    }

    #[test]
    fn the_first_table_has_the_share_one_over_reads() {
        for (reads, choices) in [(1.1, 2), (1.2, 3), (1.7, 4), (3.0, 8)] {
            let shares = mht_shares(rejected_share(reads, choices), choices);
            assert!((shares[0] - 1.0 / reads).abs() < 1e-9);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(shares.is_sorted_by(|first, second| first > second));
        }
    }

    #[test]
    fn sequential_needs_a_longer_list_than_mht_as_in_figure_3() {
        for load in [1.0, 4.0, 8.0, 32.0, 128.0, 200.0] {
            for reads in [1.05, 1.1, 1.2, 1.4] {
                let (longer, shorter) =
                    (sequential_overflow(reads, 3, load), mht_overflow(reads, 3));
                assert!(longer > shorter, "{reads} {load}: {longer} {shorter}");
            }
        }
        // The list of MHT does not depend on the load; the list of SEQUENTIAL grows with it.
        let of_load = [2.0, 8.0, 32.0, 128.0].map(|load| sequential_overflow(1.2, 3, load));
        assert!(of_load.is_sorted(), "{of_load:?}");
    }

    #[test]
    fn sequential_overflow_is_accurate_for_small_shares() {
        // Computed with two thousand panels over all reads.
        for (reads, choices, load, share, slack) in [
            (1.2, 3, 8.0, 2.621_082e-2, 1e-4),
            (1.01, 4, 30.0, 4.515_277e-6, 2e-3),
            (1.01, 8, 100.0, 1.070_657e-8, 2e-2),
        ] {
            let found = sequential_overflow(reads, choices, load);
            assert!((found / share - 1.0).abs() < slack, "{found} {share}");
        }
        assert_eq!(sequential_overflow(1.0, 1, 8.0), 0.0);
    }
}
