//! The number of keys that arrive at a block: the Poisson distribution, without cancellation.

/// The largest mean; a larger one is clamped to it. No block has that many keys.
const MAX_MEAN: f64 = 10_000.0;

/// The distribution of the number of keys that arrive at a block, if many keys choose among many blocks at random.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrivals {
    /// The probability of each number.
    exactly: Vec<f64>,
    /// The probability of each number or more, summed from the far end, where the terms are smallest.
    at_least: Vec<f64>,
}

impl Arrivals {
    /// Arrivals with this `mean`. It is clamped to 0 at least and 10,000 at most.
    ///
    /// ```
    /// use bloomwise::balanced::theory::Arrivals;
    ///
    /// let arrivals = Arrivals::new(2.0);
    /// assert!((arrivals.exactly(0) - (-2f64).exp()).abs() < 1e-15);
    /// assert!((arrivals.at_least(1) - (1.0 - (-2f64).exp())).abs() < 1e-15);
    /// ```
    pub fn new(mean: f64) -> Self {
        let mean = mean.clamp(0.0, MAX_MEAN);
        // Fourteen standard deviations and a few more: the rest is less than the rounding errors.
        let count = (mean + 14.0 * mean.sqrt()) as usize + 40;
        // Start at the likeliest number with a weight of one, go outwards, then scale to a sum of one.
        let mode = mean as usize;
        let mut exactly = vec![1.0; count];
        for number in mode + 1..count {
            exactly[number] = exactly[number - 1] * mean / number as f64;
        }
        for number in (0..mode).rev() {
            exactly[number] = exactly[number + 1] * (number + 1) as f64 / mean;
        }
        let total: f64 = exactly.iter().sum();
        exactly
            .iter_mut()
            .for_each(|probability| *probability /= total);
        let mut at_least = exactly.clone();
        for number in (0..count - 1).rev() {
            at_least[number] += at_least[number + 1];
        }
        Arrivals { exactly, at_least }
    }

    /// The probability of exactly `number` arrivals.
    pub fn exactly(&self, number: usize) -> f64 {
        self.exactly.get(number).copied().unwrap_or(0.0)
    }

    /// The probability of `number` or more arrivals.
    pub fn at_least(&self, number: usize) -> f64 {
        self.at_least.get(number).copied().unwrap_or(0.0)
    }

    /// The end of the distribution: this number and larger ones have probability 0.
    pub fn end(&self) -> usize {
        self.exactly.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_and_have_the_given_mean() {
        for mean in [1e-9, 0.5, 1.0, 8.0, 64.0, 200.0, 600.0, 5000.0] {
            let arrivals = Arrivals::new(mean);
            let weighed = |n: usize| n as f64 * arrivals.exactly(n);
            let found: f64 = (0..arrivals.end()).map(weighed).sum();
            assert!((arrivals.at_least(0) - 1.0).abs() < 1e-10, "{mean}");
            assert!((found / mean - 1.0).abs() < 1e-10, "{mean}: {found}");
        }
    }

    #[test]
    fn negative_and_infinite_means_are_clamped() {
        assert_eq!(Arrivals::new(-1.0).exactly(0), 1.0);
        assert!(Arrivals::new(f64::INFINITY).end() < 20_000);
    }
}
