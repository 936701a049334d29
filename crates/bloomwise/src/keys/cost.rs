//! The distribution of costs over known negatives.
//!
//! Often a few negatives have most of the cost. [`CostCurve`] gives the share of the cost that the cheapest negatives have.
//! It does not sort the costs. It counts them in classes, by the exponent and the first four fraction bits, so costs
//! of one class differ by at most a sixteenth.

use crate::error::{Error, Result};
use crate::keys::cost_sum::CostSum;
use crate::keys::sets::Costed;

/// What has a cost: its name in errors, and the largest cost that it can have.
pub(crate) struct Costly {
    /// Its name in errors.
    pub what: &'static str,
    /// The largest valid cost.
    pub most: f64,
}

/// A known negative: the cost of a false positive on it.
const NEGATIVE: Costly = Costly {
    what: "negative",
    most: f64::MAX,
};

impl Costly {
    /// Returns an error unless the cost is a number from 0 to the largest. `index` is the number of the item in the input.
    #[inline]
    pub fn check(&self, index: usize, cost: f64) -> Result<()> {
        if (0.0..=self.most).contains(&cost) {
            return Ok(());
        }
        Err(Error::Cost {
            what: self.what,
            index,
            cost,
            most: self.most,
        })
    }
}

/// Returns an error unless a false positive can have this cost. `index` is the number of the negative among those that the caller gave.
pub(crate) fn check_cost(index: usize, cost: f64) -> Result<()> {
    NEGATIVE.check(index, cost)
}

/// Returns an error unless false positives can have these costs. They are the costs of the first negatives that the caller gave.
pub(crate) fn check_costs(costs: impl IntoIterator<Item = f64>) -> Result<()> {
    let mut costs = costs.into_iter().enumerate();
    costs.try_for_each(|(index, cost)| check_cost(index, cost))
}

/// A cost's class is given by this many upper bits: the sign, which is 0, 11 bits of the exponent and 4 of the fraction.
const CLASS_BITS: u32 = 16;

/// The share of the cost that the cheapest negatives have, as a function of their share of all negatives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CostCurve {
    /// The factor that scales the largest cost to about 1, so that no sum of costs overflows. It is always finite.
    pub unit: f64,
    /// The sum of all costs.
    pub total: CostSum,
    /// The points of the curve: a share of the negatives, cheapest first, and their share of the cost.
    points: Vec<(f64, f64)>,
}

impl CostCurve {
    /// The curve for the costs of `negatives`.
    pub fn new(negatives: &[Costed]) -> Self {
        Self::of(negatives.iter().map(|negative| negative.cost))
    }

    /// The curve for `costs`, each of which must be finite and at least 0.
    pub fn of(costs: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        let negatives = costs.len() as f64;
        let (least, most) = (costs.clone())
            .fold((f64::MAX, 0.0), |(least, most): (f64, f64), cost| {
                (least.min(cost), most.max(cost))
            });
        let unit = 1.0 / most.max(f64::MIN_POSITIVE);
        let sum = costs.clone().sum();
        if least >= most {
            return CostCurve {
                unit,
                total: sum,
                points: vec![(1.0, 1.0)],
            };
        }
        // For each class, the number of its negatives and the sum of their costs.
        let mut classes: Vec<(u64, f64)> = vec![(0, 0.0); 1 << (CLASS_BITS - 1)];
        for cost in costs {
            let class = &mut classes[(cost.to_bits() >> (64 - CLASS_BITS)) as usize];
            class.0 += 1;
            class.1 += cost * unit;
        }
        let total: f64 = classes.iter().map(|&(_, cost)| cost).sum();
        let (mut count, mut cost) = (0, 0.0);
        let used = classes.iter().filter(|&&(count, _)| count > 0);
        let points = used.map(|&(more, costs)| {
            count += more;
            cost += costs;
            (count as f64 / negatives, cost / total)
        });
        CostCurve {
            unit,
            total: sum,
            points: points.collect(),
        }
    }

    /// The share of the total cost that a sum of costs is; 0 if all costs are 0.
    pub fn share(&self, sum: CostSum) -> f64 {
        sum.share_of(self.total).unwrap_or(0.0)
    }

    /// The classes of costs, cheapest first: the share of the negatives in each class, and their share of the cost.
    pub fn classes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let mut before = (0.0, 0.0);
        self.points.iter().map(move |&(negatives, cost)| {
            let class = (negatives - before.0, cost - before.1);
            before = (negatives, cost);
            class
        })
    }

    /// The share of the cost that the cheapest `share` of the negatives have.
    pub fn of_cheapest(&self, share: f64) -> f64 {
        let next = self
            .points
            .partition_point(|&(negatives, _)| negatives < share);
        let Some(&(negatives, cost)) = self.points.get(next) else {
            return 1.0;
        };
        let (before, cost_before) = match next.checked_sub(1) {
            Some(at) => self.points[at],
            None => (0.0, 0.0),
        };
        // Within a class, all costs count as equal.
        cost_before + (cost - cost_before) * (share - before) / (negatives - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Digest;

    fn curve(costs: impl Iterator<Item = f64>) -> CostCurve {
        let digest = Digest::from(0);
        let negatives: Vec<_> = costs.map(|cost| Costed { digest, cost }).collect();
        CostCurve::new(&negatives)
    }

    #[test]
    fn equal_costs_give_a_straight_line() {
        for cost in [1.0, 1e-300, f64::MAX] {
            let curve = curve((0..10).map(|_| cost));
            for share in [0.0, 0.25, 0.9, 1.0] {
                assert!((curve.of_cheapest(share) - share).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_curve_matches_sorted_costs() {
        let mut costs: Vec<f64> = (1..=10_000).map(|rank| 1.0 / f64::from(rank)).collect();
        let ours = curve(costs.iter().copied());
        costs.sort_by(f64::total_cmp);
        let total: f64 = costs.iter().sum();
        for share in [0.01, 0.3, 0.5, 0.99, 0.9999] {
            let cheapest = &costs[..(share * 1e4) as usize];
            let exact = cheapest.iter().sum::<f64>() / total;
            let error = ours.of_cheapest(share) / exact - 1.0;
            assert!(error.abs() < 0.03, "{share}: {error}");
        }
    }

    #[test]
    fn no_negatives_and_zero_costs_give_a_straight_line() {
        assert_eq!(curve([].into_iter()).of_cheapest(0.5), 0.5);
        let free = curve([0.0, 0.0].into_iter());
        assert_eq!((free.of_cheapest(0.5), free.total.total()), (0.5, 0.0));
    }
}
