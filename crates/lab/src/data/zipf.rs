//! Costs by Zipf's law: the costliest negative costs 1, the one of rank `r` costs `r^-skew`. With skew 0 all costs are equal.
//!
//! Ranks are assigned at random, as in the papers, by a seeded shuffle.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// The costs of `count` negatives, the highest first.
pub fn by_rank(count: usize, skew: f64) -> Vec<f64> {
    (1..=count).map(|rank| (rank as f64).powf(-skew)).collect()
}

/// The costs of `count` negatives, in the order that `seed` gives.
pub fn costs(count: usize, skew: f64, seed: u64) -> Vec<f64> {
    let mut costs = by_rank(count, skew);
    costs.shuffle(&mut SmallRng::seed_from_u64(seed));
    costs
}

/// The costs of `count` negatives in the orders of the seeds below `shuffles`.
pub fn shuffles(count: usize, skew: f64, shuffles: u64) -> Vec<Vec<f64>> {
    (0..shuffles).map(|seed| costs(count, skew, seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_follow_zipf_in_the_order_of_the_seed() {
        let mut one = costs(1000, 1.5, 1);
        assert_eq!(one, costs(1000, 1.5, 1));
        assert_ne!(one, costs(1000, 1.5, 2));
        // The order depends on the seed alone, so that negatives keep their ranks when the skew changes.
        let top = |costs: &[f64]| costs.iter().position(|&cost| cost == 1.0);
        assert_eq!(top(&one), top(&costs(1000, 0.5, 1)));
        one.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(one, by_rank(1000, 1.5));
        assert!(costs(1000, 0.0, 1).iter().all(|&cost| cost == 1.0));
        assert!(costs(0, 1.0, 1).is_empty());
    }
}
