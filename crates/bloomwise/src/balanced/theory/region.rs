//! How large the list must be: the optimality regions of Theorems 4 and 5, and the sizes of the subtables.

use super::{ALL_DIGITS, Arrivals, Threshold, bisect};

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
pub fn sequential_overflow(reads: f64, choices: u32, load: f64) -> f64 {
    let listed = |overflow: f64| {
        let threshold = Threshold::solve(reads, load, overflow);
        let of_mean = |mean: f64| {
            let refused = threshold.refusal(mean);
            let all = refused.powi(choices as i32);
            // Keys for each read, times the chance of the list. At a refusal of one both ends of the first vanish.
            match 1.0 - refused {
                left if left < 1e-12 => 1.0 / f64::from(choices),
                left => all * left / (1.0 - all),
            }
        };
        // Nobody is refused long before the blocks reach their level.
        let level = threshold.level as f64;
        let start = (level - 6.0 * level.sqrt()).clamp(0.0, reads * load);
        simpson(start, reads * load, of_mean) / load
    };
    // A key in the list has been refused by all its choices, and all refusals together are reads - 1 + overflow.
    let most = (reads - 1.0) / f64::from(choices.max(2) - 1);
    // Four or five digits of the share: each step takes some thousand terms.
    bisect(0.0, most.min(1.0), 18, |overflow| {
        listed(overflow) > overflow
    })
}

/// The variance of the number of keys in the list, when keys that a table has turned away go to the next one. The tables
/// have these numbers of blocks, and blocks see arrivals of this `mean`.
///
/// A table that `n` keys come to keeps some number of them that varies with how they fall: for each block by
/// `variance of the load - mean (1 - f)^2`, where `f` is how likely the next key is refused. And of each key more or less
/// that comes to it, it hands on `f`. Small as the list is, it inherits what chance did to all tables before: with four
/// of them its deviation is some times the root of its length.
pub fn overflow_variance(threshold: Threshold, mean: f64, tables: &[f64]) -> f64 {
    let refused = threshold.refusal(mean);
    let loads = threshold.loads(&Arrivals::new(mean), 1);
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

/// The integral of a smooth function, by Simpson's rule.
fn simpson(start: f64, end: f64, of: impl Fn(f64) -> f64) -> f64 {
    const PANELS: u32 = 32;
    let width = (end - start) / f64::from(PANELS);
    let weighed = |i: u32| {
        let weight = match i {
            0 | PANELS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * of(start + f64::from(i) * width)
    };
    (0..=PANELS).map(weighed).sum::<f64>() * width / 3.0
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
}
