//! Means, deviations and quartiles.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::{Data, OrderStatistics, Statistics};

/// A mean and a standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation; 0 for a single value.
    pub deviation: f64,
}

/// A number without deviation.
impl From<f64> for Spread {
    fn from(mean: f64) -> Self {
        let deviation = 0.0;
        Spread { mean, deviation }
    }
}

impl Spread {
    /// The mean of `values` and their deviation.
    pub fn of(values: &[f64]) -> Self {
        let deviation = match values.len() {
            0 | 1 => 0.0,
            _ => values.std_dev(),
        };
        Spread {
            mean: values.mean(),
            deviation,
        }
    }

    /// The mean of `values` and its standard error.
    pub fn of_mean(values: &[f64]) -> Self {
        let spread = Self::of(values);
        Spread {
            deviation: spread.deviation / (values.len() as f64).sqrt(),
            ..spread
        }
    }

    /// This estimate as a multiple of a number.
    pub fn by(self, number: f64) -> Self {
        Spread {
            mean: self.mean / number,
            deviation: self.deviation / number,
        }
    }

    /// This estimate as a multiple of `other`, which is taken to be at least its own deviation. The ratio of two numbers that are both chance
    /// may be anything.
    pub fn over(self, other: Spread) -> Self {
        let mean = self.mean / other.mean.max(other.deviation);
        let relative = (other.deviation / other.mean).hypot(self.deviation / self.mean);
        let relative = if relative.is_finite() { relative } else { 1.0 };
        let deviation = mean * relative;
        Spread { mean, deviation }
    }

    /// The mean of independent estimates.
    pub fn pooled(all: &[Spread]) -> Self {
        let count = all.len() as f64;
        let squares = all.iter().map(|one| one.deviation.powi(2));
        Spread {
            mean: all.iter().map(|one| one.mean).sum::<f64>() / count,
            deviation: squares.sum::<f64>().sqrt() / count,
        }
    }
}

/// Half of the 95 % interval of a mean, in standard errors that were estimated from `values` values; infinite for a single value.
pub fn student(values: usize) -> f64 {
    let freedom = values.saturating_sub(1) as f64;
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |law| law.inverse_cdf(0.975))
}

/// The lower quartile, the median and the upper quartile of `values`; NaN if there are none.
pub fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut data = Data::new(values.to_vec());
    [data.lower_quartile(), data.median(), data.upper_quartile()]
}

/// The median of `values`; NaN if there are none.
pub fn median(values: &[f64]) -> f64 {
    Data::new(values.to_vec()).median()
}

/// The geometric mean of `values`.
pub fn geometric_mean(values: &[f64]) -> f64 {
    values.geometric_mean()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_single_values_are_no_special_case_for_callers() {
        assert_eq!(Spread::of(&[4.0]).deviation, 0.0);
        assert!(Spread::of(&[]).mean.is_nan() && median(&[]).is_nan());
        assert!(quartiles(&[])[0].is_nan());
        assert!(student(1).is_infinite() && (student(10) - 2.262).abs() < 1e-3);
    }

    #[test]
    fn pooled_estimates_have_a_smaller_error() {
        let one = Spread::of_mean(&[1.0, 2.0, 3.0, 4.0]);
        assert!((one.deviation - (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        let pooled = Spread::pooled(&[one; 4]);
        assert_eq!(pooled.mean, 2.5);
        assert!((pooled.deviation - one.deviation / 2.0).abs() < 1e-12);
    }
}
