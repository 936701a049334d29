//! Rates of a filter, the standard error of their mean, and how far chance can move them from a published rate.

use super::Answers;
use crate::workload::Set;
use crate::workload::zipf::Spread;

/// The rates of a filter over all shuffles of the costs.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// The rate on known negatives, by cost.
    pub known: Spread,
    /// The number of shuffles that the mean is over; `None` if it is over all orders of the costs.
    shuffles: Option<usize>,
    /// The standard error of the mean.
    pub error: f64,
    /// The number of known negatives.
    negatives: usize,
    /// The rate on known negatives, each counted once.
    pub plain: f64,
    /// The mean rate on unseen keys.
    pub unseen: f64,
    /// The mean size.
    pub bits_per_key: f64,
}

/// Published rates are means over this many shuffles.
const PUBLISHED_SHUFFLES: f64 = 10.0;

impl Rates {
    /// Rates with the given rate by cost, for tests.
    #[cfg(test)]
    pub(crate) fn known(mean: f64, deviation: f64, error: f64) -> Self {
        Rates {
            known: Spread { mean, deviation },
            shuffles: None,
            error,
            negatives: 1,
            plain: mean,
            unseen: mean,
            bits_per_key: 8.0,
        }
    }

    /// Rates from the rates by cost of some shuffles.
    pub(super) fn of_shuffles(values: &[f64], set: &Set, answers: &[&Answers]) -> Self {
        let known = Spread::of(values);
        let error = known.deviation / (values.len() as f64).sqrt();
        Self::of(known, Some(values.len()), error, set, answers)
    }

    pub(super) fn of(
        known: Spread,
        shuffles: Option<usize>,
        error: f64,
        set: &Set,
        answers: &[&Answers],
    ) -> Self {
        let mean = |of: &dyn Fn(&Answers) -> f64| {
            answers.iter().map(|answers| of(answers)).sum::<f64>() / answers.len() as f64
        };
        Rates {
            known,
            shuffles,
            error,
            negatives: set.negatives.len(),
            plain: mean(&|answers| answers.known(set)),
            unseen: mean(&|answers| answers.unseen),
            bits_per_key: mean(&|answers| answers.bits_per_key),
        }
    }

    /// How far the rate can differ from the published one by chance, in 95 of 100 cases. The paper used some shuffles,
    /// and so do we unless the mean is over all orders; and both counted false positives.
    pub fn chance(&self, published: f64) -> f64 {
        let of_paper = self.known.deviation.powi(2) / PUBLISHED_SHUFFLES;
        let counted = match self.shuffles {
            // The rates of shuffles already vary with the count.
            Some(_) => 0.0,
            None => published / self.negatives.max(1) as f64,
        };
        self.deviations() * (self.error.powi(2) + of_paper + counted).sqrt()
    }

    /// The number of standard errors that contain the mean in 95 of 100 cases.
    pub fn deviations(&self) -> f64 {
        self.shuffles.map_or(1.96, student)
    }
}

/// The number of standard errors that contain the mean in 95 of 100 cases, if the deviation is estimated from `values`
/// values: Student's distribution.
pub(crate) fn student(values: usize) -> f64 {
    const BY_VALUES: [f64; 11] = [
        f64::INFINITY,
        f64::INFINITY,
        12.71,
        4.30,
        3.18,
        2.78,
        2.57,
        2.45,
        2.36,
        2.31,
        2.26,
    ];
    BY_VALUES.get(values).copied().unwrap_or(2.26)
}
