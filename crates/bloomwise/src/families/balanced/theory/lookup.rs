//! The cost of a lookup: false positives and blocks read.

use super::{Loads, Threshold};
use crate::filter::sizing::occupancy_rate;

/// When a lookup that has not found its key in a block continues to the next block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// If the block's load has reached the level. This is the paper's rule.
    Level,
    /// If the block may have rejected the key, judged by load and coin toss: the load is above the level, or it is at the
    /// level and the key loses the coin toss.
    Coin,
    /// If [`Rule::Coin`] holds and the block has recorded the key's group. This is the rule of [`crate::Balanced`].
    Recorded,
}

/// The mean cost of looking up non-members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookupCost {
    /// The false positive rate.
    pub rate: f64,
    /// The number of blocks read.
    pub reads: f64,
}

/// What becomes of the lookup of a non-member when it reads a block of a table, as a mean over the blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockRead {
    /// The probability that the block answers "yes".
    pub yes: f64,
    /// The probability that the lookup continues to the next block.
    pub continues: f64,
}

impl BlockRead {
    /// The means over blocks with these `loads`. `block_rate(keys)` is the rate of a block with that many keys.
    pub fn new(
        loads: &Loads,
        threshold: Threshold,
        rule: Rule,
        block_rate: impl Fn(usize) -> f64,
    ) -> Self {
        let level = threshold.level;
        let losing_chance = 1.0 - threshold.coin;
        let (at, above) = match rule {
            Rule::Level => (loads.at[0] + loads.at[1], loads.above[0] + loads.above[1]),
            Rule::Coin => (
                (loads.at[0] + loads.at[1]) * losing_chance,
                loads.above[0] + loads.above[1],
            ),
            Rule::Recorded => (loads.at[1] * losing_chance, loads.above[1]),
        };
        BlockRead {
            yes: loads.mean_of(&block_rate),
            continues: at * (1.0 - block_rate(level)) + above * (1.0 - block_rate(level + 1)),
        }
    }

    /// The cost of a lookup that reads this block first. If it continues, it costs `rest` more.
    pub fn then(self, rest: LookupCost) -> LookupCost {
        LookupCost {
            rate: self.yes + self.continues * rest.rate,
            reads: 1.0 + self.continues * rest.reads,
        }
    }
}

/// The mean cost of looking up non-members in a filter with these `loads`, whose keys have `choices` choices.
///
/// All candidates of a key are alike: the lookup finds all bits set with probability `A`, the mean rate of a block, or else
/// continues with probability `C`. So the rate is `A + C (A + C (A + ...))`, with one bracket per choice. `block_rate(keys)`
/// is the rate of a block with that many keys.
///
/// ```
/// use bloomwise::balanced::theory::lookup::{Rule, of_non_members, textbook_rate};
/// use bloomwise::balanced::theory::{Arrivals, Threshold};
///
/// // Blocks of 256 bits, 32 bits per key, 1.2 reads, 3 choices: one of the points of the paper's Figure 4.
/// let threshold = Threshold::solve(1.2, 8.0, 0.0049845);
/// let loads = threshold.loads(&Arrivals::new(9.6), 1);
/// let block_rate = |keys| textbook_rate(252.0, keys, 22);
/// let cost = of_non_members(&loads, threshold, 3, Rule::Level, block_rate);
/// assert!((cost.rate - 2.0e-6).abs() < 5e-8);
/// assert!((cost.reads - 2.29).abs() < 0.01);
/// ```
pub fn of_non_members(
    loads: &Loads,
    threshold: Threshold,
    choices: u32,
    rule: Rule,
    block_rate: impl Fn(usize) -> f64,
) -> LookupCost {
    let read = BlockRead::new(loads, threshold, rule, block_rate);
    (0..choices).fold(LookupCost::default(), |rest, _| read.then(rest))
}

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
    use super::super::{Arrivals, Bound, region};
    use super::*;

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

    #[test]
    fn each_rule_reads_less_than_the_one_before_and_more_than_insertions() {
        for load in [4.0, 8.0, 16.0, 64.0] {
            let threshold = Threshold::solve(1.2, load, region::mht_overflow(1.2, 3));
            let loads = threshold.loads(&Arrivals::new(1.2 * load), 1);
            let reads = [Rule::Level, Rule::Coin, Rule::Recorded]
                .map(|rule| of_non_members(&loads, threshold, 3, rule, |_| 0.0).reads);
            assert!(reads.is_sorted_by(|more, less| more > less), "{reads:?}");
            assert!(
                reads[2] > 1.2 && (2.0..3.0).contains(&reads[0]),
                "{reads:?}"
            );
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
