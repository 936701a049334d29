//! The rate by cost over all orders of the costs, from plain rates.
//!
//! A filter that ignores costs has the same false positives whatever they cost. A filter that only separates the costliest negatives from the
//! others errs on the same ones of them, whichever costs most. So for both, the rate by cost over *all* orders of the costs follows from
//! how many negatives of each class are false positives. This matters: one negative in 60 is a false positive of a Bloom filter, and the
//! costliest negative may hold a third of the total cost. Nearly all shuffles then show a rate far below the mean, and a few show one
//! far above it.

use super::Spread;
use rand::rngs::SmallRng;
use rand::seq::index;

/// How many negatives of a class are false positives, and of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrong {
    /// False positives.
    pub wrong: usize,
    /// All negatives of the class, or of several builds together.
    pub of: usize,
}

impl Wrong {
    /// The false positive rate.
    pub fn rate(self) -> f64 {
        self.wrong as f64 / self.of.max(1) as f64
    }

    fn and(self, other: Self) -> Self {
        Wrong {
            wrong: self.wrong + other.wrong,
            of: self.of + other.of,
        }
    }
}

/// The sum of both classes over several builds.
pub fn total(builds: &[[Wrong; 2]]) -> [Wrong; 2] {
    let add = |[a, b]: [Wrong; 2], [c, d]: &[Wrong; 2]| [a.and(*c), b.and(*d)];
    builds.iter().fold([Wrong::default(); 2], add)
}

/// Two cost classes: the costliest negatives, and the others.
pub struct CostClasses([CostClass; 2]);

/// The costs of one class, as shares of the total cost, and their sums.
struct CostClass {
    shares: Vec<f64>,
    sum: f64,
    squares: f64,
}

impl CostClasses {
    /// Splits `sorted` costs, the highest first, into the `costliest` highest ones and the rest.
    pub fn new(sorted: &[f64], costliest: usize) -> Self {
        let total: f64 = sorted.iter().sum();
        let (costliest, rest) = sorted.split_at(costliest.min(sorted.len()));
        CostClasses([costliest, rest].map(|costs| {
            let shares: Vec<f64> = costs.iter().map(|cost| cost / total).collect();
            CostClass {
                sum: shares.iter().sum(),
                squares: shares.iter().map(|share| share * share).sum(),
                shares,
            }
        }))
    }

    /// The rate by cost over all orders within the classes, from the rates of the two, and the deviation of a single order.
    pub fn rate(&self, wrong: [Wrong; 2]) -> Spread {
        let parts = || self.0.iter().zip(wrong.map(Wrong::rate));
        // The variance of the sum of a sample of costs, drawn without replacement.
        let variance = |(class, rate): (&CostClass, f64)| {
            let count = class.shares.len() as f64;
            // This is 0 up to rounding if all costs are equal.
            let uneven = class.squares * count - class.sum * class.sum;
            if uneven > 1e-9 * class.sum * class.sum {
                rate * (1.0 - rate) * uneven / (count - 1.0)
            } else {
                0.0
            }
        };
        Spread {
            mean: parts().map(|(class, rate)| rate * class.sum).sum(),
            deviation: parts().map(variance).sum::<f64>().sqrt(),
        }
    }

    /// The standard error of the mean rate by cost, from what was counted. A count of 0 still leaves an error.
    pub fn error(&self, wrong: [Wrong; 2]) -> f64 {
        let variance = |(class, wrong): (&CostClass, Wrong)| {
            let counted = wrong.of.max(1) as f64;
            class.sum * class.sum * (wrong.rate() + 1.0 / counted) / counted
        };
        self.0.iter().zip(wrong).map(variance).sum::<f64>().sqrt()
    }

    /// The rate by cost of one order of the costs, drawn at random within the classes.
    pub fn draw(&self, wrong: [Wrong; 2], random: &mut SmallRng) -> f64 {
        let parts = self.0.iter().zip(wrong);
        let drawn = parts.map(|(class, wrong)| {
            let count = class.shares.len();
            let chosen = index::sample(random, count, wrong.wrong.min(count));
            chosen.iter().map(|at| class.shares[at]).sum::<f64>()
        });
        drawn.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn harmonic(count: u32) -> Vec<f64> {
        (1..=count).map(|rank| 1.0 / f64::from(rank)).collect()
    }

    #[test]
    fn rate_over_all_orders_matches_many_drawn_orders() {
        // The three costliest of ten negatives form the top class. One of them is a false positive, and two of the others.
        let classes = CostClasses::new(&harmonic(10), 3);
        let wrong = [Wrong { wrong: 1, of: 3 }, Wrong { wrong: 2, of: 7 }];
        let mut random = SmallRng::seed_from_u64(1);
        let drawn = (0..20_000).map(|_| classes.draw(wrong, &mut random));
        let drawn = Spread::of(&drawn.collect::<Vec<_>>());
        let all = classes.rate(wrong);
        for ratio in [drawn.mean / all.mean, drawn.deviation / all.deviation] {
            assert!((ratio - 1.0).abs() < 0.02, "{drawn:?}, {all:?}");
        }
        let quarter = [Wrong::default(), Wrong { wrong: 5, of: 20 }];
        let equal = CostClasses::new(&[1.0; 20], 0).rate(quarter);
        assert!((equal.mean - 0.25).abs() < 1e-12 && equal.deviation == 0.0);
    }

    #[test]
    fn count_of_zero_still_has_an_error() {
        let classes = CostClasses::new(&harmonic(1000), 100);
        let [once, often] = [1, 100].map(|times: usize| {
            let of = |wrong, of| Wrong {
                wrong: wrong * times,
                of: of * times,
            };
            classes.error([of(0, 100), of(90, 900)])
        });
        assert!(once > 5.0 * often && often > 0.0, "{once}, {often}");
    }
}
