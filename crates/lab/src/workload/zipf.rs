//! Costs by Zipf's law: the costliest negative costs 1, the one of rank `r` costs `r^-skew`. With skew 0 all costs are
//! equal.
//!
//! Ranks are assigned at random, as in the papers, by a seeded shuffle. Results are means over several seeds, with
//! their spread. A filter that ignores costs has the same false positives whatever they cost. A filter that guards the
//! costliest negatives errs on the same ones of them, whichever costs most. So for both, the mean and spread over *all*
//! shuffles follow from plain rates ([`CostClasses`]). This matters: one negative in 60 is a false positive of a Bloom
//! filter, and the costliest negative may hold a third of the total cost. Nearly all shuffles then show a rate far
//! below the mean, and a few show one far above it.

use super::digest_of;
use bloomwise::unstable::reduce;

/// The costs of `count` negatives, in the order that `seed` gives.
pub fn costs(count: usize, skew: f64, seed: u64) -> Vec<f64> {
    let mut costs: Vec<f64> = (1..=count).map(|rank| (rank as f64).powf(-skew)).collect();
    // The Fisher-Yates shuffle.
    let random = digest_of(!seed, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EED);
    for last in (1..count).rev() {
        let other = reduce(random.function(last as u64), last as u64 + 1);
        costs.swap(last, other as usize);
    }
    costs
}

/// The costs of `count` negatives in the orders of the seeds below `shuffles`.
pub fn shuffles(count: usize, skew: f64, shuffles: u64) -> Vec<Vec<f64>> {
    (0..shuffles).map(|seed| costs(count, skew, seed)).collect()
}

/// The mean and standard deviation of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation; 0 for a single value.
    pub deviation: f64,
}

impl Spread {
    /// The spread of `values`, which must not be empty.
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

/// Two cost classes: the costliest negatives, and the others. If a filter treats all negatives of a class alike, the
/// mean and spread of its rate by cost over all orders of the costs follow from its rates on the two classes.
pub struct CostClasses([CostClass; 2]);

/// The costs of one class, as shares of the total cost.
struct CostClass {
    count: f64,
    sum: f64,
    squares: f64,
}

impl CostClasses {
    /// Splits `costs`, in any order, into the `costliest` highest ones and the rest.
    pub fn new(costs: &[f64], costliest: usize) -> Self {
        let mut sorted = costs.to_vec();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        let total: f64 = sorted.iter().sum();
        let (costliest, rest) = sorted.split_at(costliest.min(sorted.len()));
        CostClasses([costliest, rest].map(|costs| {
            let shares = costs.iter().map(|cost| cost / total);
            CostClass {
                count: costs.len() as f64,
                sum: shares.clone().sum(),
                squares: shares.map(|share| share * share).sum(),
            }
        }))
    }

    /// The rate by cost over all orders within the classes, from the rates of the two.
    pub fn rate(&self, rates: [f64; 2]) -> Spread {
        let parts = || self.0.iter().zip(rates);
        // The variance of the sum of a sample of costs, drawn without replacement.
        let variance = |(part, rate): (&CostClass, f64)| {
            // This is 0 up to rounding if all costs are equal.
            let uneven = part.squares * part.count - part.sum * part.sum;
            if uneven > 1e-9 * part.sum * part.sum {
                rate * (1.0 - rate) * uneven / (part.count - 1.0)
            } else {
                0.0
            }
        };
        Spread {
            mean: parts().map(|(part, rate)| rate * part.sum).sum(),
            deviation: parts().map(variance).sum::<f64>().sqrt(),
        }
    }

    /// The standard error of the mean rate by cost, if both rates are shares of negatives counted `times` times. A
    /// count of 0 still leaves an error.
    pub fn error(&self, rates: [f64; 2], times: usize) -> f64 {
        let variance = |(part, rate): (&CostClass, f64)| {
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
    fn costs_follow_zipf_in_the_order_of_the_seed() {
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
    fn every_position_is_equally_likely() {
        // The costliest of ten over 5000 seeds: 500 times at each place, within 5 standard deviations of 21.
        let mut places = [0u32; 10];
        for seed in 0..5000 {
            let costs = costs(10, 1.0, seed);
            places[costs.iter().position(|&cost| cost == 1.0).expect("exists")] += 1;
        }
        assert!(
            places.iter().all(|&count| count.abs_diff(500) < 107),
            "{places:?}"
        );
    }

    #[test]
    fn spread_is_the_sample_standard_deviation() {
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
    fn rate_over_all_orders_matches_many_shuffles() {
        // The three costliest of ten negatives form the top class. One of them is a false positive, and two of the
        // others.
        let drawn = |seed: u64| {
            let order = |count: usize, salt: u64| costs(count, 1.0, 2 * seed + salt);
            // Shuffled costs give the ranks.
            let cost = |drawn: f64, first: f64| 1.0 / (first - 1.0 + (1.0 / drawn).round());
            let (costliest, rest) = (order(3, 0), order(7, 1));
            let wrong = cost(costliest[0], 1.0) + cost(rest[2], 4.0) + cost(rest[5], 4.0);
            wrong / (1..=10).map(|rank| 1.0 / f64::from(rank)).sum::<f64>()
        };
        let drawn = Spread::of(&(0..20_000).map(drawn).collect::<Vec<_>>());
        let all = CostClasses::new(&costs(10, 1.0, 0), 3).rate([1.0 / 3.0, 2.0 / 7.0]);
        for ratio in [drawn.mean / all.mean, drawn.deviation / all.deviation] {
            assert!((ratio - 1.0).abs() < 0.02, "{drawn:?}, {all:?}");
        }
        let equal = CostClasses::new(&[1.0; 20], 0).rate([0.0, 0.25]);
        assert!((equal.mean - 0.25).abs() < 1e-12 && equal.deviation == 0.0);
    }

    #[test]
    fn count_of_zero_still_has_an_error() {
        let parts = CostClasses::new(&costs(1000, 1.0, 0), 100);
        let [once, often] = [1, 100].map(|times| parts.error([0.0, 0.1], times));
        assert!(once > 5.0 * often && often > 0.0, "{once}, {often}");
    }
}
