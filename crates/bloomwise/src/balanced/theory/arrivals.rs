//! How many keys come to a block: the Poisson distribution, without cancellation.

/// The largest mean that is worked with; a larger one is brought down to it. No block has so many keys.
const MAX_MEAN: f64 = 10_000.0;

/// The number of keys that come to a block, when many keys choose among many blocks at random.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrivals {
    /// How likely each number is.
    exactly: Vec<f64>,
    /// How likely each number or more are, summed from the far end, where the terms are smallest.
    at_least: Vec<f64>,
}

impl Arrivals {
    /// Arrivals of this mean.
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
        // Fourteen deviations and some more: what is beyond is less than the rounding of what is not.
        let count = (mean + 14.0 * mean.sqrt()) as usize + 40;
        // Relative to the likeliest number, outwards from there, then scaled to a sum of one.
        let mode = mean as usize;
        let mut exactly = vec![1.0; count];
        for number in mode + 1..count {
            exactly[number] = exactly[number - 1] * mean / number as f64;
        }
        for number in (0..mode).rev() {
            exactly[number] = exactly[number + 1] * (number + 1) as f64 / mean;
        }
        let total: f64 = exactly.iter().sum();
        exactly.iter_mut().for_each(|chance| *chance /= total);
        let mut at_least = exactly.clone();
        for number in (0..count - 1).rev() {
            at_least[number] += at_least[number + 1];
        }
        Arrivals { exactly, at_least }
    }

    /// How likely it is that exactly so many come.
    pub fn exactly(&self, number: usize) -> f64 {
        self.exactly.get(number).copied().unwrap_or(0.0)
    }

    /// How likely it is that so many or more come.
    pub fn at_least(&self, number: usize) -> f64 {
        self.at_least.get(number).copied().unwrap_or(0.0)
    }

    /// The numbers that are likely enough to count are below this.
    pub fn end(&self) -> usize {
        self.exactly.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_and_have_the_mean_at_any_load() {
        for mean in [1e-9, 0.5, 1.0, 8.0, 64.0, 200.0, 600.0, 5000.0] {
            let arrivals = Arrivals::new(mean);
            let weighed = |n: usize| n as f64 * arrivals.exactly(n);
            let found: f64 = (0..arrivals.end()).map(weighed).sum();
            assert!((arrivals.at_least(0) - 1.0).abs() < 1e-10, "{mean}");
            assert!((found / mean - 1.0).abs() < 1e-10, "{mean}: {found}");
        }
    }

    #[test]
    fn any_mean_is_taken() {
        assert_eq!(Arrivals::new(-1.0).exactly(0), 1.0);
        assert!(Arrivals::new(f64::INFINITY).end() < 20_000);
    }
}
