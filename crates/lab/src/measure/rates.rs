//! What answers come to: rates, how well their mean is known, and what chance makes of a difference to a published one.

use super::Answers;
use crate::workload::Set;
use crate::workload::zipf::Spread;

/// What a filter answered over all shuffles of the costs.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// On known negatives, by cost.
    pub known: Spread,
    /// Shuffles of which this is the mean; nothing if it is that of all there are.
    shuffles: Option<usize>,
    /// The standard error of the mean.
    pub error: f64,
    /// How many known negatives there are.
    negatives: usize,
    /// On known negatives, each as much as another.
    pub plain: f64,
    /// On unseen keys, the mean.
    pub unseen: f64,
    /// The size, the mean.
    pub bits_per_key: f64,
}

/// The published rates are means of so many shuffles.
const PUBLISHED_SHUFFLES: f64 = 10.0;

impl Rates {
    /// A rate by cost and nothing else, for tests of what is made of rates.
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

    /// From the rates by cost of shuffles that were drawn.
    pub(super) fn drawn(values: &[f64], set: &Set, answers: &[&Answers]) -> Self {
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

    /// By how much the rate can differ from this published one by chance, in 95 of 100 cases: the paper drew shuffles, and so
    /// did we unless all are known, and both counted false positives.
    pub fn chance(&self, published: f64) -> f64 {
        let of_paper = self.known.deviation.powi(2) / PUBLISHED_SHUFFLES;
        let counted = match self.shuffles {
            // Drawn rates vary with what was counted, too.
            Some(_) => 0.0,
            None => published / self.negatives.max(1) as f64,
        };
        self.deviations() * (self.error.powi(2) + of_paper + counted).sqrt()
    }

    /// Standard errors within which the mean is in 95 of 100 cases.
    pub fn deviations(&self) -> f64 {
        self.shuffles.map_or(1.96, student)
    }
}

/// Deviations, as estimated from so many values, within which 95 of 100 means are: Student's distribution.
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
