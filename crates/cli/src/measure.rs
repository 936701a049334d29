//! How often a filter is wrong, and how long it takes to answer.
//!
//! Keys are in memory and asked for one at a time, hashing included. Every measurement runs three times after a first
//! pass that counts the answers and warms the caches; the median stands ([`Pace`]).

use crate::key_list::KeyList;
use crate::pace::Pace;
use crate::progress;
use crate::samples::Negatives;
use crate::text::per;
use bloomwise::{AnyFilter, Filter};
use std::hint::black_box;

/// The answers for keys of the set.
pub struct Members {
    /// How many were asked for.
    pub count: u64,
    /// How many were denied; any is one too many.
    pub denied: u64,
    /// The first of those.
    pub first_denied: Option<Vec<u8>>,
    /// The time of a query.
    pub pace: Option<Pace>,
}

/// The answers for keys outside of the set.
pub struct Mistakes {
    /// How many were asked for.
    pub count: u64,
    /// How many were taken for members.
    pub false_positives: u64,
    /// Their share.
    pub rate: Option<f64>,
    /// Their share of all costs.
    pub weighted_rate: Option<f64>,
    /// The time of a query.
    pub pace: Option<Pace>,
}

/// Asks for keys that should all be there.
pub fn members(filter: &AnyFilter, keys: &KeyList) -> Members {
    progress::during("asking for positives", || {
        let mut denied = keys.iter().filter(|key| !filter.contains(key)).peekable();
        let first_denied = denied.peek().map(|key| key.to_vec());
        Members {
            count: keys.len() as u64,
            denied: denied.count() as u64,
            first_denied,
            pace: pace(filter, keys),
        }
    })
}

/// Asks for keys of which none should be there.
pub fn mistakes(filter: &AnyFilter, negatives: &Negatives) -> Mistakes {
    progress::during("asking for negatives", || {
        let costed = negatives.keys.iter().zip(&negatives.costs);
        let wrong = costed.filter(|(key, _)| filter.contains(key));
        let costs: Vec<f64> = wrong.map(|(_, &cost)| cost).collect();
        let (count, false_positives) = (negatives.keys.len() as u64, costs.len() as u64);
        let (cost, all_costs) = (total(costs), negatives.cost());
        Mistakes {
            count,
            false_positives,
            rate: per(false_positives as f64, count),
            // Costs that add up to nothing, or to more than a number can hold, have no shares.
            weighted_rate: (all_costs > 0.0 && all_costs.is_finite()).then(|| cost / all_costs),
            pace: pace(filter, &negatives.keys),
        }
    })
}

/// The sum of costs. Sums of numbers with a point depend on their order, which must not be that of the lines of a file.
fn total(mut costs: Vec<f64>) -> f64 {
    costs.sort_unstable_by(f64::total_cmp);
    // A sum of nothing is negative zero.
    costs.iter().sum::<f64>() + 0.0
}

impl Negatives {
    /// What a mistake on every key would cost.
    pub fn cost(&self) -> f64 {
        total(self.costs.clone())
    }
}

/// The time of one query.
fn pace(filter: &AnyFilter, keys: &KeyList) -> Option<Pace> {
    Pace::of(keys.len() as u64, || {
        for key in keys.iter() {
            black_box(filter.contains(black_box(key)));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_does_not_depend_on_the_order() {
        let costs: Vec<f64> = (1..1000).map(|rank| 1e6 / f64::from(rank)).collect();
        let backwards: Vec<f64> = costs.iter().rev().copied().collect();
        let naive = |costs: &[f64]| costs.iter().sum::<f64>();
        assert_ne!(naive(&costs), naive(&backwards), "or this shows nothing");
        assert_eq!(total(costs), total(backwards));
        assert!(total(Vec::new()).is_sign_positive());
    }
}
