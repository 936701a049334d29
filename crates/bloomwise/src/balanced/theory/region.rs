//! How large the list must be: the optimality regions of Theorems 4 and 5, and the sizes of the subtables.

use super::{ALL_DIGITS, Arrivals, Bound, Threshold, bisect};

/// The share of its arrivals that each subtable of MHT turns away, `q`: the solution of `(1 - q^d) / (1 - q) = a`.
///
/// The share of keys that read a first, second, third block is 1, q, q²; the reads sum to `a`.
pub fn turned_away(reads: f64, choices: u32) -> f64 {
    let sum = |q: f64| (0..choices).map(|i| q.powi(i as i32)).sum::<f64>();
    bisect(0.0, 1.0, ALL_DIGITS, |q| sum(q) < reads)
}

/// The least share of keys in the list with which MHT is optimal: those that all subtables have turned away.
///
/// ```
/// use bloomwise::balanced::theory::region;
///
/// assert!((region::mht_overflow(1.1, 3) - 7.688e-4).abs() < 1e-7);
/// ```
pub fn mht_overflow(reads: f64, choices: u32) -> f64 {
    turned_away(reads, choices).powi(choices as i32)
}

/// The shares of the blocks that the subtables of MHT have: each is `turned_away` of the one before.
pub fn mht_shares(turned_away: f64, choices: u32) -> Vec<f64> {
    let powers: Vec<f64> = (0..choices).map(|i| turned_away.powi(i as i32)).collect();
    let total: f64 = powers.iter().sum();
    powers.iter().map(|power| power / total).collect()
}

/// The least share of keys in the list with which SEQUENTIAL is optimal.
///
/// All blocks fill at the same time, so that at first hardly a key is turned away and at last most are. A key that
/// comes while a read is refused with chance `f` makes `(1 - f^d) / (1 - f)` reads on average, and ends in the list with
/// chance `f^d`; that is summed up over the reads. A larger list lowers the threshold, which refuses more: the list that
/// takes just what is refused is the one that is looked for.
///
/// Right to a part in a thousand where the share is above 1e-4, in five hundred above 1e-6, in fifty below.
pub fn sequential_overflow(reads: f64, choices: u32, load: f64) -> f64 {
    // A key in the list has been refused by all its choices, and all refusals together are reads - 1 + overflow.
    let most = ((reads - 1.0) / f64::from(choices.max(2) - 1)).min(1.0);
    if most <= 0.0 {
        return 0.0;
    }
    // Nobody is refused long before the blocks reach their level, which is lowest with the longest list.
    let level = Bound::new(reads, load, most).level as f64;
    let start = (level - 6.0 * level.sqrt()).clamp(0.0, reads * load);
    // What came until then is the same for lists of any length, and takes most of the time.
    let reads_so_far = Simpson::new(start, reads * load, Arrivals::new);
    let listed = |overflow: f64| {
        let threshold = Threshold::solve(reads, load, overflow);
        let of_arrivals = |arrivals: &Arrivals| {
            let refused = threshold.refusal(arrivals);
            let all = refused.powi(choices as i32);
            // Keys for each read, times the chance of the list. At a refusal of one both ends of the first vanish.
            match 1.0 - refused {
                left if left < 1e-12 => 1.0 / f64::from(choices),
                left => all * left / (1.0 - all),
            }
        };
        reads_so_far.integral(of_arrivals) / load
    };
    // By logarithms, so that small shares have as many digits as large ones. MHT needs a shorter list, so that the share
    // is not below the least that is looked at.
    let least = (0.5 * mht_overflow(reads, choices)).clamp(f64::MIN_POSITIVE, 0.5 * most);
    let excess = |logarithm: f64| {
        let listed = listed(logarithm.exp()).max(f64::MIN_POSITIVE);
        listed.ln() - logarithm
    };
    crossing(least.ln(), most.ln(), excess).exp()
}

/// Where a falling function is zero, to six digits behind the point; the nearer end if it is not between these two.
///
/// The rule of false position, with the value of an end that stays halved (the Illinois method): some seven values, where
/// halving the interval takes twenty.
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
        // The end that moved before this one stays for a second time if the value has the same sign again.
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

/// The variance of the number of keys in the list, when keys that a table has turned away go to the next one. The tables
/// have these numbers of blocks, and blocks see arrivals of this `mean`.
///
/// A table that `n` keys come to keeps some number of them that varies with how they fall: for each block by
/// `variance of the load - mean (1 - f)^2`, where `f` is how likely the next key is refused. And of each key more or less
/// that comes to it, it hands on `f`. Small as the list is, it inherits what chance did to all tables before: with four
/// of them its deviation is some times the root of its length.
pub fn overflow_variance(threshold: Threshold, mean: f64, tables: &[f64]) -> f64 {
    let arrivals = Arrivals::new(mean);
    let refused = threshold.refusal(&arrivals);
    let loads = threshold.loads(&arrivals, 1);
    let own = (loads.variance() - mean * (1.0 - refused).powi(2)).max(0.0);
    let handed_on = |before: f64, blocks: &f64| refused * refused * before + blocks * own;
    tables.iter().fold(0.0, handed_on)
}

/// The same for SEQUENTIAL, whose keys try again among the same `blocks` blocks: a share of `overflow` is listed.
///
/// An estimate. Each key of the list is there by chance, which is a variance of their number; and if one read in a hundred
/// more than expected is refused, then so many in a hundred more are refused by all `choices`, times their number.
pub fn sequential_variance(
    threshold: Threshold,
    mean: f64,
    blocks: f64,
    choices: u32,
    overflow: f64,
) -> f64 {
    let kept = threshold.loads(&Arrivals::new(mean), 1).mean();
    let listed = overflow / (1.0 - overflow) * kept * blocks;
    let refusals = (mean - kept).max(f64::MIN_POSITIVE) * blocks;
    let share = f64::from(choices) * listed / refusals;
    listed + share * share * overflow_variance(threshold, mean, &[blocks])
}

/// Simpson's rule, for the integrals of many smooth functions of the same something.
struct Simpson<T> {
    /// The something at points that are equally far from each other, and how much each of them weighs.
    points: Vec<(T, f64)>,
}

impl<T> Simpson<T> {
    /// Between these ends.
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

    /// The integral of a function.
    fn integral(&self, of: impl Fn(&T) -> f64) -> f64 {
        let weighed = |(at, weight): &(T, f64)| weight * of(at);
        self.points.iter().map(weighed).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_values() {
        for (reads, share) in [(1.2, 0.170_820), (1.1, 0.091_608), (1.3, 0.241_620)] {
            assert!((turned_away(reads, 3) - share).abs() < 1e-6, "{reads}");
        }
        assert!((mht_overflow(1.2, 3) - 0.004_984_5).abs() < 1e-7);
    }

    #[test]
    fn the_first_subtable_has_one_block_in_as_many_as_there_are_reads() {
        for (reads, choices) in [(1.1, 2), (1.2, 3), (1.7, 4), (3.0, 8)] {
            let shares = mht_shares(turned_away(reads, choices), choices);
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
        // For MHT the load is nothing to the list, for SEQUENTIAL the list grows with it.
        let of_load = [2.0, 8.0, 32.0, 128.0].map(|load| sequential_overflow(1.2, 3, load));
        assert!(of_load.is_sorted(), "{of_load:?}");
    }

    #[test]
    fn the_list_of_sequential_takes_what_is_refused_however_small_it_is() {
        // Worked out with two thousand panels over all reads.
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
