//! The rate of a block in the paper on balanced filters, and one that includes the variation of its fill.

use bloomwise::sizing::occupancy_rate;

/// The false positive rate of a block of `cells` bits with `keys` keys, by the textbook formula `(1 - e^(-k n / m))^k`.
pub fn textbook_rate(cells: f64, keys: usize, functions: u32) -> f64 {
    let k = f64::from(functions);
    (-(-k * keys as f64 / cells).exp_m1()).powf(k)
}

/// The false positive rate of a block of `cells` bits with `keys` keys whose bits are anywhere in the block. It accounts for
/// the variance of the fill: in a block of 256 bits at 32 bits per key it is a third higher than [`textbook_rate`].
pub fn block_rate(cells: f64, keys: usize, functions: u32) -> f64 {
    occupancy_rate(cells as u64, f64::from(functions) * keys as f64, functions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::balanced::theory::lookup::{Rule, of_non_members};
    use bloomwise::balanced::theory::{Arrivals, Bound, Threshold, region};

    /// Figure 4: blocks of 256 bits, a list that costs no bits, and `k` by the rule for plain Bloom filters.
    fn figure_4(bits_per_key: f64, reads: f64, choices: u32) -> f64 {
        let functions = (bits_per_key * std::f64::consts::LN_2).round() as u32;
        let load = 256.0 / bits_per_key;
        let threshold = Threshold::solve(reads, load, region::mht_overflow(1.2, 3));
        let counter = ((threshold.level + 2) as f64).log2().ceil();
        let loads = threshold.loads(&Arrivals::new(reads * load), 1);
        let rate = |keys| textbook_rate(256.0 - counter, keys, functions);
        of_non_members(&loads, threshold, choices, Rule::Level, rate).rate
    }

    #[test]
    fn rates_match_figure_4_of_the_paper() {
        let blocked = |bits_per_key: f64| {
            let functions = (bits_per_key * std::f64::consts::LN_2).round() as u32;
            let poisson = Bound::new(1.0, 256.0 / bits_per_key, 0.0);
            poisson.cost(|keys| textbook_rate(256.0, keys, functions))
        };
        for (bits_per_key, plain, single, mht) in [
            (10.0, 1.1e-2, 1.15e-2, 2.25e-2),
            (24.0, 2.0e-4, 1.5e-4, 4.7e-5),
            (32.0, 5.0e-5, 2.6e-5, 2.0e-6),
        ] {
            for (found, expected) in [
                (blocked(bits_per_key), plain),
                (figure_4(bits_per_key, 1.0, 1), single),
                (figure_4(bits_per_key, 1.2, 3), mht),
            ] {
                assert!((found / expected - 1.0).abs() < 0.025, "{found} {expected}");
            }
        }
    }

    /// The mean of the k-th power of the share of set cells, ball by ball: slow but obviously right.
    fn exact(cells: usize, keys: usize, functions: u32) -> f64 {
        let mut chance = vec![0.0; cells + 1];
        chance[0] = 1.0;
        for _ in 0..keys * functions as usize {
            for set in (0..=cells).rev() {
                let share = set as f64 / cells as f64;
                let lower = if set == 0 { 0.0 } else { chance[set - 1] };
                chance[set] = chance[set] * share + lower * (1.0 - share + 1.0 / cells as f64);
            }
        }
        let hit = |(set, p): (usize, &f64)| p * (set as f64 / cells as f64).powi(functions as i32);
        chance.iter().enumerate().map(hit).sum()
    }

    #[test]
    fn block_rate_is_within_two_percent_of_the_exact_rate() {
        for (cells, keys, functions) in [
            (252, 8, 22),
            (252, 9, 20),
            (251, 16, 10),
            (250, 32, 5),
            (507, 16, 22),
            (506, 32, 11),
            (506, 80, 4),
            (252, 4, 32),
        ] {
            let (quick, slow) = (
                block_rate(cells as f64, keys, functions),
                exact(cells, keys, functions),
            );
            assert!(
                (quick / slow - 1.0).abs() < 0.02,
                "{cells} cells, {keys} keys, k = {functions}: {quick} and {slow}"
            );
        }
    }
}
