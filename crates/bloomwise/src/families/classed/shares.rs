//! How the cost of false positives on unseen keys is divided among classes.
//!
//! Held-out negatives stand for unseen keys: the rule was made without them. A class has the share of their cost that falls on it. So that no class is
//! taken for free because few keys were held out, each gets half an average negative more.
//!
//! A few negatives may have most of the cost. They are known and never wrong, and chance has decided whether one of them was held out. So a
//! cost above [`MOST`] times the mean counts as that.

use crate::keys::classes::is_held_out;
use crate::keys::sets::{Costed, KeySets};

/// The costliest negative counts as this many average ones.
const MOST: f64 = 10.0;

/// The share of each class, from the keys of each class; `None` if no negative with a cost was held out.
pub(super) fn shares(classes: &[KeySets]) -> Option<Vec<f64>> {
    let held_out = |sets: &KeySets| -> Vec<Costed> {
        let negatives = sets.negatives().iter().copied();
        negatives.filter(|one| is_held_out(one.digest)).collect()
    };
    let classes: Vec<Vec<Costed>> = classes.iter().map(held_out).collect();
    let count = classes.iter().map(Vec::len).sum::<usize>() as f64;
    // Costs may be so large that their sum overflows.
    let costs = || classes.iter().flatten().map(|one| one.cost);
    let unit = costs().fold(0.0, f64::max);
    let mean = costs().map(|cost| cost / unit).sum::<f64>() / count;
    if mean <= 0.0 || mean.is_nan() {
        return None;
    }
    let weights = classes.iter().map(|class| {
        let costs = class.iter().map(|one| one.cost / unit);
        0.5 * mean + costs.map(|cost| cost.min(MOST * mean)).sum::<f64>()
    });
    let weights: Vec<f64> = weights.collect();
    let total: f64 = weights.iter().sum();
    Some(weights.iter().map(|weight| weight / total).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(negatives: std::ops::Range<u64>, cost: f64) -> KeySets {
        let positives: [u64; 0] = [];
        KeySets::new(positives, negatives.map(|key| (key, cost))).expect("sound costs")
    }

    #[test]
    fn share_is_that_of_the_cost() {
        let even = shares(&[sets(0..30_000, 1.0), sets(30_000..40_000, 1.0)]).expect("some");
        assert!((even[0] - 0.75).abs() < 0.02, "{even:?}");
        let costly = shares(&[sets(0..30_000, 1.0), sets(30_000..40_000, 3.0)]).expect("some");
        assert!((costly[0] - 0.5).abs() < 0.02, "{costly:?}");
        let huge = shares(&[sets(0..30_000, f64::MAX), sets(30_000..40_000, f64::MAX)]);
        assert_eq!(huge, Some(even));
    }

    #[test]
    fn class_without_held_out_negatives_has_a_small_share() {
        let shares = shares(&[sets(0..1000, 1.0), sets(0..0, 1.0)]).expect("some");
        assert!(shares[1] > 0.0 && shares[1] < 0.02, "{shares:?}");
    }

    #[test]
    fn nothing_is_known_without_costs() {
        assert_eq!(shares(&[sets(0..0, 1.0), sets(0..0, 1.0)]), None);
        assert_eq!(shares(&[sets(0..1000, 0.0)]), None);
    }
}
