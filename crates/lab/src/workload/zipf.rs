//! Costs by Zipf's law: the costliest negative costs 1, the one of rank `r` costs `r^-skew`. With skew 0 all cost the same.
//!
//! Ranks are dealt out at random, as the papers do: a shuffle with a seed, so that every run has the same; results are means
//! over some seeds, with their spread. A filter that is blind to costs errs on the same keys whatever they cost, so that its
//! mean and spread over *all* shuffles are known without any ([`Spread::of_all_shuffles`]). That matters: one negative
//! in 60 makes a Bloom filter err, the costliest may hold a third of the cost, and so nearly all shuffles show a rate far below
//! the mean, and a few one far above it.

use bloomwise::Digest;
use bloomwise::hash::reduce;

/// The costs of so many negatives, in the order of this seed.
pub fn costs(count: usize, skew: f64, seed: u64) -> Vec<f64> {
    let mut costs: Vec<f64> = (1..=count).map(|rank| (rank as f64).powf(-skew)).collect();
    // The shuffle of Fisher and Yates.
    let random = Digest {
        high: !seed,
        low: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EED,
    };
    for last in (1..count).rev() {
        let other = reduce(random.function(last as u64), last as u64 + 1);
        costs.swap(last, other as usize);
    }
    costs
}

/// A mean, and the standard deviation of what it is the mean of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation; 0 of a single value.
    pub deviation: f64,
}

impl Spread {
    /// Of these values, of which there is at least one.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Spread {
            mean,
            deviation: (squares / (count - 1.0).max(1.0)).sqrt(),
        }
    }
}

impl Spread {
    /// Of the rate by cost if so many of the negatives are false positives, whatever they cost: the sum of a sample of their
    /// costs, drawn without putting back.
    pub fn of_all_shuffles(wrong: usize, costs: &[f64]) -> Self {
        let (wrong, count) = (wrong as f64, costs.len() as f64);
        let total: f64 = costs.iter().sum();
        let squares: f64 = costs.iter().map(|cost| (cost / total).powi(2)).sum();
        // How uneven costs are: 0 if all are equal, but for rounding.
        let uneven = (squares * count - 1.0).max(0.0);
        let uneven = if uneven < 1e-9 { 0.0 } else { uneven };
        let variance = wrong / count * (1.0 - wrong / count) * uneven / (count - 1.0);
        Spread {
            mean: wrong / count,
            deviation: variance.sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_follow_the_law_in_an_order_that_the_seed_decides() {
        let mut one = costs(1000, 1.5, 1);
        assert_eq!(one, costs(1000, 1.5, 1));
        assert_ne!(one, costs(1000, 1.5, 2));
        one.sort_by(|a, b| b.total_cmp(a));
        for (rank, cost) in (1..).map(f64::from).zip(one) {
            assert!((cost - rank.powf(-1.5)).abs() < 1e-12);
        }
        assert!(costs(1000, 0.0, 1).iter().all(|&cost| cost == 1.0));
        assert!(costs(0, 1.0, 1).is_empty());
    }

    #[test]
    fn every_place_is_as_likely_as_the_others() {
        // The costliest of ten, over 5000 seeds: 500 times at each place, give or take 5 deviations of 21.
        let mut places = [0u32; 10];
        for seed in 0..5000 {
            let costs = costs(10, 1.0, seed);
            places[costs
                .iter()
                .position(|&cost| cost == 1.0)
                .expect("is there")] += 1;
        }
        assert!(
            places.iter().all(|&count| count.abs_diff(500) < 107),
            "{places:?}"
        );
    }

    #[test]
    fn spreads_are_standard_deviations() {
        let spread = Spread::of(&[1.0, 2.0, 3.0]);
        assert_eq!(
            spread,
            Spread {
                mean: 2.0,
                deviation: 1.0
            }
        );
        assert_eq!(Spread::of(&[4.0]).deviation, 0.0);
    }

    #[test]
    fn all_shuffles_are_what_many_shuffles_come_to() {
        let places = [3, 7];
        let rate = |seed: u64| {
            let costs = costs(9, 1.3, seed);
            places.iter().map(|&at| costs[at]).sum::<f64>() / costs.iter().sum::<f64>()
        };
        let drawn = Spread::of(&(0..20_000).map(rate).collect::<Vec<_>>());
        let all = Spread::of_all_shuffles(places.len(), &costs(9, 1.3, 0));
        assert!(
            (drawn.mean / all.mean - 1.0).abs() < 0.02,
            "{drawn:?}, {all:?}"
        );
        assert!(
            (drawn.deviation / all.deviation - 1.0).abs() < 0.03,
            "{drawn:?}, {all:?}"
        );
        let equal = Spread::of_all_shuffles(5, &[1.0; 20]);
        assert!(equal.mean == 0.25 && equal.deviation == 0.0);
    }
}
