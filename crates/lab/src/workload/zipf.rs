//! Costs by Zipf's law: the costliest negative costs 1, the one of rank `r` costs `r^-skew`. With skew 0 all cost the same.
//!
//! Ranks are dealt out at random, as the papers do: a shuffle with a seed, so that every run has the same; results are means
//! over some seeds, with their spread. A filter that is blind to costs errs on the same keys whatever they cost, and one that
//! guards the costliest errs on the same of them whichever of them costs most, so that their mean and spread over *all*
//! shuffles follow from plain rates ([`Parts`]). That matters: one negative in 60 makes a Bloom filter err, the costliest
//! may hold a third of the cost, and so nearly all shuffles show a rate far below the mean, and a few one far above it.

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

/// What all orders of costs have in common, if so many of the costliest negatives are dealt with in one way and all others in
/// another: the rate by cost has a mean and a spread that follow from the two rates.
pub struct Parts([Part; 2]);

/// The costs of some negatives, as shares of the cost of all.
struct Part {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Parts {
    /// Of these costs, in any order.
    pub fn new(costs: &[f64], costliest: usize) -> Self {
        let mut sorted = costs.to_vec();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        let total: f64 = sorted.iter().sum();
        let (costliest, rest) = sorted.split_at(costliest.min(sorted.len()));
        Parts([costliest, rest].map(|costs| {
            let shares = costs.iter().map(|cost| cost / total);
            Part {
                count: costs.len() as f64,
                sum: shares.clone().sum(),
                squares: shares.map(|share| share * share).sum(),
            }
        }))
    }

    /// The rate by cost over all orders within both parts, from the rates of the two.
    pub fn rate(&self, rates: [f64; 2]) -> Spread {
        let parts = || self.0.iter().zip(rates);
        // The sum of a sample of costs, drawn without putting back.
        let variance = |(part, rate): (&Part, f64)| {
            // 0 if all costs are equal, but for rounding.
            let uneven = part.squares * part.count - part.sum * part.sum;
            match uneven > 1e-9 * part.sum * part.sum {
                true => rate * (1.0 - rate) * uneven / (part.count - 1.0),
                false => 0.0,
            }
        };
        Spread {
            mean: parts().map(|(part, rate)| rate * part.sum).sum(),
            deviation: parts().map(variance).sum::<f64>().sqrt(),
        }
    }

    /// The standard error of that mean if both rates are shares of negatives that were counted so many times: what is not
    /// met once could have been.
    pub fn error(&self, rates: [f64; 2], times: usize) -> f64 {
        let variance = |(part, rate): (&Part, f64)| {
            let counted = (part.count * times as f64).max(1.0);
            part.sum * part.sum * (rate + 1.0 / counted) / counted
        };
        self.0.iter().zip(rates).map(variance).sum::<f64>().sqrt()
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
    fn all_orders_are_what_many_orders_come_to() {
        // Of ten negatives the three costliest are dealt with in their own way; one of these passes, and two of the rest.
        let drawn = |seed: u64| {
            let order = |count: usize, salt: u64| costs(count, 1.0, 2 * seed + salt);
            // Costs that are drawn serve as ranks.
            let cost = |drawn: f64, first: f64| 1.0 / (first - 1.0 + (1.0 / drawn).round());
            let (costliest, rest) = (order(3, 0), order(7, 1));
            let wrong = cost(costliest[0], 1.0) + cost(rest[2], 4.0) + cost(rest[5], 4.0);
            wrong / (1..=10).map(|rank| 1.0 / f64::from(rank)).sum::<f64>()
        };
        let drawn = Spread::of(&(0..20_000).map(drawn).collect::<Vec<_>>());
        let all = Parts::new(&costs(10, 1.0, 0), 3).rate([1.0 / 3.0, 2.0 / 7.0]);
        for ratio in [drawn.mean / all.mean, drawn.deviation / all.deviation] {
            assert!((ratio - 1.0).abs() < 0.02, "{drawn:?}, {all:?}");
        }
        let equal = Parts::new(&[1.0; 20], 0).rate([0.0, 0.25]);
        assert!((equal.mean - 0.25).abs() < 1e-12 && equal.deviation == 0.0);
    }

    #[test]
    fn what_was_never_met_leaves_doubt() {
        let parts = Parts::new(&costs(1000, 1.0, 0), 100);
        let [once, often] = [1, 100].map(|times| parts.error([0.0, 0.1], times));
        assert!(once > 5.0 * often && often > 0.0, "{once}, {often}");
    }
}
