//! What a lookup costs: false positives, and blocks read.

use super::{Loads, Threshold};

/// When a lookup that has not found its key in a block goes on to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// When the block's load has reached the level, as in the paper.
    Level,
    /// When the block may have turned the key away, as far as load and coin can tell: a key that wins the coin at a
    /// block whose load is still at the level was not.
    Coin,
    /// The same, and if the block has noted the key's group. This is what [`crate::Balanced`] does.
    Noted,
}

/// What the lookups of keys outside of the set cost, on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lookup {
    /// How often the answer is wrong.
    pub rate: f64,
    /// Blocks read.
    pub reads: f64,
}

/// The cost of looking up strangers in a filter of these loads, whose keys have so many choices.
///
/// All candidates of a key are alike: the block answers "yes" with the mean rate of its load, or else goes on with some
/// chance. So the rate is `A + C (A + C (A + ...))`, one bracket for each choice. `block_rate` is the rate of a block that
/// has so many keys.
///
/// ```
/// use bloomwise::balanced::theory::lookup::{Rule, of_strangers, textbook_rate};
/// use bloomwise::balanced::theory::{Arrivals, Threshold};
///
/// // Blocks of 256 bits, 32 bits per key, 1.2 reads, 3 choices: one of the points of the paper's Figure 4.
/// let threshold = Threshold::solve(1.2, 8.0, 0.0049845);
/// let loads = threshold.loads(&Arrivals::new(9.6), 1);
/// let block_rate = |keys| textbook_rate(252.0, keys, 22);
/// let cost = of_strangers(&loads, threshold, 3, Rule::Level, block_rate);
/// assert!((cost.rate - 2.0e-6).abs() < 5e-8);
/// assert!((cost.reads - 2.29).abs() < 0.01);
/// ```
pub fn of_strangers(
    loads: &Loads,
    threshold: Threshold,
    choices: u32,
    rule: Rule,
    block_rate: impl Fn(usize) -> f64,
) -> Lookup {
    let level = threshold.level;
    let yes = loads.sum(&block_rate);
    let unlucky = 1.0 - threshold.coin;
    let (at, above) = match rule {
        Rule::Level => (loads.at[0] + loads.at[1], loads.above[0] + loads.above[1]),
        Rule::Coin => (
            (loads.at[0] + loads.at[1]) * unlucky,
            loads.above[0] + loads.above[1],
        ),
        Rule::Noted => (loads.at[1] * unlucky, loads.above[1]),
    };
    let on = at * (1.0 - block_rate(level)) + above * (1.0 - block_rate(level + 1));
    let nothing = Lookup {
        rate: 0.0,
        reads: 0.0,
    };
    (0..choices).fold(nothing, |rest, _| Lookup {
        rate: yes + on * rest.rate,
        reads: 1.0 + on * rest.reads,
    })
}

/// The rate of a block of `cells` bits with so many keys, by the textbook: `(1 - e^(-k n / m))^k`.
pub fn textbook_rate(cells: f64, keys: usize, functions: u32) -> f64 {
    let k = f64::from(functions);
    (-(-k * keys as f64 / cells).exp_m1()).powf(k)
}

/// The same with the spread of the fill taken into account, which in a small block makes a third at 32 bits per key.
///
/// The share of set bits is `x (1 + e)` with a nearly normal `e` of variance `v`, so that the mean of its `k`-th power is
/// `x^k` times the mean of `exp(k e - k e^2 / 2)`.
pub fn block_rate(cells: f64, keys: usize, functions: u32) -> f64 {
    if keys == 0 {
        return 0.0;
    }
    let k = f64::from(functions);
    let balls = k * keys as f64;
    let one_empty = (balls * (-1.0 / cells).ln_1p()).exp();
    let two_empty = (balls * (-2.0 / cells).ln_1p()).exp();
    let set = 1.0 - one_empty;
    let variance = one_empty / cells + (1.0 - 1.0 / cells) * two_empty - one_empty * one_empty;
    let spread = k * variance.max(0.0) / (set * set);
    let correction = (0.5 * k * spread / (1.0 + spread)).exp() / (1.0 + spread).sqrt();
    (set.powf(k) * correction).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::{Arrivals, Bound, region};
    use super::*;

    /// Figure 4: block of 256 bits, a list that costs nothing, `k` by the rule for plain Bloom filters.
    fn figure_4(bits_per_key: f64, reads: f64, choices: u32) -> f64 {
        let functions = (bits_per_key * std::f64::consts::LN_2).round() as u32;
        let load = 256.0 / bits_per_key;
        let threshold = Threshold::solve(reads, load, region::mht_overflow(1.2, 3));
        let counter = ((threshold.level + 2) as f64).log2().ceil();
        let loads = threshold.loads(&Arrivals::new(reads * load), 1);
        let rate = |keys| textbook_rate(256.0 - counter, keys, functions);
        of_strangers(&loads, threshold, choices, Rule::Level, rate).rate
    }

    #[test]
    fn figure_4_is_redrawn() {
        let blocked = |bits_per_key: f64| {
            let functions = (bits_per_key * std::f64::consts::LN_2).round() as u32;
            let chance = Bound::new(1.0, 256.0 / bits_per_key, 0.0);
            chance.cost(|keys| textbook_rate(256.0, keys, functions))
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

    #[test]
    fn negatives_read_more_than_insertions_and_each_rule_less_than_the_one_before() {
        for load in [4.0, 8.0, 16.0, 64.0] {
            let threshold = Threshold::solve(1.2, load, region::mht_overflow(1.2, 3));
            let loads = threshold.loads(&Arrivals::new(1.2 * load), 1);
            let reads = [Rule::Level, Rule::Coin, Rule::Noted]
                .map(|rule| of_strangers(&loads, threshold, 3, rule, |_| 0.0).reads);
            assert!(reads.is_sorted_by(|more, less| more > less), "{reads:?}");
            assert!(
                reads[2] > 1.2 && (2.0..3.0).contains(&reads[0]),
                "{reads:?}"
            );
        }
    }

    /// The mean of the k-th power of the share of set cells, ball by ball: slow, and right at a glance.
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
    fn the_rate_of_a_block_is_exact_to_a_percent() {
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
