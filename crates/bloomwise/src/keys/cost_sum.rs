//! Sums of costs that do not overflow.

use std::iter::Sum;
use std::ops::Add;

/// A sum of costs, each a finite number of at least 0. A share of a sum is a number from 0 to 1, even if the costs are so large that their sum
/// overflows.
///
/// ```
/// use bloomwise::keys::CostSum;
///
/// let all: CostSum = [f64::MAX, f64::MAX, 0.0].into_iter().sum();
/// let wrong: CostSum = [f64::MAX].into_iter().sum();
/// assert_eq!(wrong.share_of(all), Some(0.5));
/// assert_eq!(wrong.share_of(CostSum::default()), None, "all costs are 0");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostSum {
    /// The sum, infinite if it overflows.
    sum: f64,
    /// The sum in units of `1 / UNIT`, used only if `sum` is infinite: small costs lose digits in it.
    scaled: f64,
}

/// In this unit, even the sum of `2^64` costs is finite.
const UNIT: f64 = 1.0 / (1u128 << 64) as f64;

impl CostSum {
    /// The sum, or the largest finite number if the sum overflows.
    pub fn total(self) -> f64 {
        self.sum.min(f64::MAX)
    }

    /// This sum as a share of `all`, where `all` contains its costs; `None` if `all` is 0.
    pub fn share_of(self, all: CostSum) -> Option<f64> {
        let share = match all.sum.is_finite() {
            true => self.sum / all.sum,
            false => self.scaled / all.scaled,
        };
        // Rounding depends on the order of additions, so a sum of some costs may exceed the sum of all.
        (all.sum > 0.0).then(|| share.min(1.0))
    }

    /// A share of this sum.
    pub(crate) fn times(self, share: f64) -> Self {
        CostSum {
            sum: self.sum * share,
            scaled: self.scaled * share,
        }
    }
}

impl From<f64> for CostSum {
    fn from(cost: f64) -> Self {
        CostSum {
            sum: cost,
            scaled: cost * UNIT,
        }
    }
}

impl Add for CostSum {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        CostSum {
            sum: self.sum + other.sum,
            scaled: self.scaled + other.scaled,
        }
    }
}

impl Sum for CostSum {
    fn sum<I: Iterator<Item = Self>>(sums: I) -> Self {
        sums.fold(CostSum::default(), Add::add)
    }
}

impl Sum<f64> for CostSum {
    fn sum<I: Iterator<Item = f64>>(costs: I) -> Self {
        costs.map(CostSum::from).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shares_are_those_of_costs_that_are_scaled_down(
            costs in prop::collection::vec((0u32..1000, any::<bool>()), 1..50),
            exponent in -1000i32..1014,
        ) {
            let sum = |wanted: &dyn Fn(bool) -> bool, unit: f64| -> CostSum {
                let costs = costs.iter().filter(|(_, wrong)| wanted(*wrong));
                costs.map(|&(cost, _)| f64::from(cost) * unit).sum()
            };
            let share = |unit| sum(&|wrong| wrong, unit).share_of(sum(&|_| true, unit));
            prop_assert_eq!(share(2f64.powi(exponent)), share(1.0));
        }
    }

    #[test]
    fn share_of_shards_is_the_share_of_the_whole() {
        let shard: CostSum = [f64::MAX; 4].into_iter().sum();
        let wrong = shard.times(0.25) + shard.times(0.0);
        assert_eq!(wrong.share_of(shard + shard), Some(0.125));
        assert_eq!(shard.total(), f64::MAX);
    }
}
