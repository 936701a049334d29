//! A filter's answers with one shuffle of the costs, and the rates that several shuffles give.
//!
//! Some filters treat the costliest negatives as one class and the others as a second. For them, one shuffle tells more
//! than its own rate by cost: all orders of the costs within both classes are equally likely, so the mean over all
//! orders follows from the false positive rates of the two classes. The mean over a few shuffles would nearly always be
//! too low, since hardly any shuffle makes the costliest negative of all a false positive.

use super::{Answers, Rates};
use crate::workload::Set;
use crate::workload::zipf::CostClasses;

/// A filter's answers with one shuffle of the costs.
pub(crate) struct Shuffled {
    answers: Answers,
    /// The rate by cost.
    weighted: f64,
    /// The size of the top cost class and the rates of both classes, for a filter that uses costs for nothing else.
    classes: Option<(usize, [f64; 2])>,
}

impl Shuffled {
    /// The answers with `costs`. `top_class` is the size of the top cost class, if the filter has one.
    pub fn new(answers: Answers, top_class: Option<usize>, costs: &[f64]) -> Self {
        Shuffled {
            weighted: answers.weighted(costs),
            classes: top_class.map(|count| (count, answers.class_rates(costs, count))),
            answers,
        }
    }

    /// The rate by cost: over all orders of the costs if that is known, otherwise of this shuffle.
    pub fn rate(&self, costs: &[f64]) -> f64 {
        match self.classes {
            Some((count, rates)) => CostClasses::new(costs, count).rate(rates).mean,
            None => self.weighted,
        }
    }

    /// Combines shuffles of the same costs into rates; `None` if there are none.
    pub fn join(shuffles: &[Self], costs: &[f64], set: &Set) -> Option<Rates> {
        let answers: Vec<&Answers> = shuffles.iter().map(|one| &one.answers).collect();
        let classes: Option<Vec<_>> = shuffles.iter().map(|one| one.classes).collect();
        let (count, _) = match classes.as_deref() {
            Some([first, ..]) => *first,
            Some([]) => return None,
            None => {
                let values: Vec<f64> = shuffles.iter().map(|one| one.weighted).collect();
                return Some(Rates::of_shuffles(&values, set, &answers));
            }
        };
        let all_orders = CostClasses::new(costs, count);
        let mean = |class: usize| {
            let rates = classes.iter().flatten().map(|(_, rates)| rates[class]);
            rates.sum::<f64>() / shuffles.len() as f64
        };
        let rates = [mean(0), mean(1)];
        let error = all_orders.error(rates, shuffles.len());
        Some(Rates::of(
            all_orders.rate(rates),
            None,
            error,
            set,
            &answers,
        ))
    }
}
