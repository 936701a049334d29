//! The cost of a lookup: false positives and blocks read.

use super::{Loads, Threshold};

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

/// The mean result of looking up a non-member at a block of a table.
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
/// use bloomwise::balanced::theory::lookup::{Rule, of_non_members};
/// use bloomwise::balanced::theory::{Arrivals, Threshold};
///
/// // Blocks of 256 bits, 32 bits per key, 1.2 reads, 3 choices: one of the points of the paper's Figure 4.
/// let threshold = Threshold::solve(1.2, 8.0, 0.0049845);
/// let loads = threshold.loads(&Arrivals::new(9.6), 1);
/// let block_rate = |keys: usize| (1.0 - (-22.0 * keys as f64 / 252.0).exp()).powi(22);
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

#[cfg(test)]
mod tests {
    use super::super::{Arrivals, region};
    use super::*;

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
}
