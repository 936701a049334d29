//! A filter with one shuffle of the costs, and what several of them come to.
//!
//! If all that a filter makes of costs is to deal with the costliest in one way and with the others in another, a shuffle says
//! more than its own rate by cost: all orders of the costs within both parts are as likely, and their mean follows from the
//! shares of both parts that are false positives. Without that, the mean over a few shuffles is nearly always too low, since
//! nearly no shuffle meets the rare case that the costliest negative of all is one of them.

use super::{Answers, Rates};
use crate::workload::Set;
use crate::workload::zipf::Parts;

/// What a filter answered with one shuffle.
pub(crate) struct Drawn {
    answers: Answers,
    /// The rate by cost.
    weighted: f64,
    /// How many of the costliest it deals with alike, if that is all that it makes of costs, and the rates of both parts.
    parts: Option<(usize, [f64; 2])>,
}

impl Drawn {
    /// With these costs.
    pub fn new(answers: Answers, alike: Option<usize>, costs: &[f64]) -> Self {
        Drawn {
            weighted: answers.weighted(costs),
            parts: alike.map(|count| (count, answers.parts(costs, count))),
            answers,
        }
    }

    /// The rate by cost: of all orders, if that is known.
    pub fn rate(&self, costs: &[f64]) -> f64 {
        match self.parts {
            Some((count, rates)) => Parts::new(costs, count).rate(rates).mean,
            None => self.weighted,
        }
    }

    /// What shuffles of the same costs come to; nothing if there are none.
    pub fn join(drawn: &[Self], costs: &[f64], set: &Set) -> Option<Rates> {
        let answers: Vec<&Answers> = drawn.iter().map(|drawn| &drawn.answers).collect();
        let parts: Option<Vec<_>> = drawn.iter().map(|drawn| drawn.parts).collect();
        let (count, _) = match parts.as_deref() {
            Some([first, ..]) => *first,
            Some([]) => return None,
            None => {
                let values: Vec<f64> = drawn.iter().map(|drawn| drawn.weighted).collect();
                return Some(Rates::drawn(&values, set, &answers));
            }
        };
        let of = Parts::new(costs, count);
        let mean = |part: usize| {
            let rates = parts.iter().flatten().map(|(_, rates)| rates[part]);
            rates.sum::<f64>() / drawn.len() as f64
        };
        let rates = [mean(0), mean(1)];
        let error = of.error(rates, drawn.len());
        Some(Rates::of(of.rate(rates), None, error, set, &answers))
    }
}
