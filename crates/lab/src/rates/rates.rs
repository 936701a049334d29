//! The rates of a filter: on known negatives by cost, over all orders of the costs and in ten of them, and on unseen keys.

use super::ORDERS;
use super::cost_classes::{CostClasses, Wrong, total};
use crate::prelude::*;
use crate::statistics::student;
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// The rates by cost of ten orders of the costs, as in the papers: of fewer if the filter is too slow to build for each of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orders {
    /// How many orders there are.
    pub count: usize,
    /// The mean, which is what the papers publish.
    pub mean: f64,
    /// The mean without the lowest and the highest, which is what the program of the SSCF paper's authors prints.
    pub trimmed: f64,
    /// The median.
    pub median: f64,
    /// The lowest rate.
    pub low: f64,
    /// The highest rate.
    pub high: f64,
}

impl Orders {
    /// Ten orders, drawn within the classes of the builds in turn.
    pub(crate) fn draw(classes: &CostClasses, builds: &[[Wrong; 2]]) -> Self {
        let mut random = SmallRng::seed_from_u64(1);
        let wrong = builds.iter().cycle().take(ORDERS);
        let drawn = wrong.map(|&wrong| classes.draw(wrong, &mut random));
        Self::of(&drawn.collect::<Vec<_>>())
    }

    fn of(rates: &[f64]) -> Self {
        let mut sorted = rates.to_vec();
        sorted.sort_by(f64::total_cmp);
        let trimmed = match &sorted[..] {
            [_, middle @ .., _] if !middle.is_empty() => middle,
            all => all,
        };
        Orders {
            trimmed: Spread::of(trimmed).mean,
            count: rates.len(),
            mean: Spread::of(rates).mean,
            median: median(rates),
            low: rates.iter().copied().fold(f64::INFINITY, f64::min),
            high: rates.iter().copied().fold(0.0, f64::max),
        }
    }
}

/// The rates of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// The rate on known negatives by cost: the mean over all orders of the costs, and the deviation of a single order. For a filter that
    /// uses costs in detail, the mean over the orders that it was built for.
    pub known: Spread,
    /// The standard error of that mean.
    pub error: f64,
    /// Half of its 95 % interval.
    pub interval: f64,
    /// The rates of ten orders; `None` if all costs are equal.
    pub orders: Option<Orders>,
    /// The rate on known negatives, each counted once.
    pub plain: f64,
    /// The mean rate on unseen keys.
    pub unseen: f64,
    /// The mean size.
    pub bits_per_key: f64,
    negatives: usize,
}

/// A filter that was built for one order of the costs.
pub(crate) struct Built {
    pub(crate) answers: Answers,
    /// The rate by cost.
    pub(crate) weighted: f64,
    /// The size of the top cost class and the false positives of both classes, for a filter that uses costs for nothing else.
    pub(crate) classes: Option<(usize, [Wrong; 2])>,
}

impl Built {
    pub fn new(answers: Answers, top_class: Option<usize>, costs: &[f64]) -> Self {
        Built {
            weighted: answers.weighted(costs),
            classes: top_class.map(|count| (count, answers.classes(costs, count))),
            answers,
        }
    }
}

impl Rates {
    /// The rates of a filter that was built several times, with these costs, the highest first; `None` if it was never built.
    pub(crate) fn of(builds: &[&Built], sorted: &[f64], set: &Set) -> Option<Self> {
        let mean = |of: &dyn Fn(&Built) -> f64| {
            let values: Vec<f64> = builds.iter().map(|built| of(built)).collect();
            Spread::of(&values).mean
        };
        let equal = sorted.first() == sorted.last();
        let classes: Option<Vec<(usize, [Wrong; 2])>> =
            builds.iter().map(|built| built.classes).collect();
        let (known, error, interval, orders) = match classes.as_deref() {
            Some([]) => return None,
            Some(classes @ [(top, _), ..]) => {
                let all = CostClasses::new(sorted, *top);
                let counts: Vec<[Wrong; 2]> = classes.iter().map(|(_, wrong)| *wrong).collect();
                let sum = total(&counts);
                let orders = (!equal).then(|| Orders::draw(&all, &counts));
                let error = if equal { 0.0 } else { all.error(sum) };
                (all.rate(sum), error, 1.96 * error, orders)
            }
            None => {
                let rates: Vec<f64> = builds.iter().map(|built| built.weighted).collect();
                let spread = Spread::of(&rates);
                let error = spread.deviation / (rates.len() as f64).sqrt();
                // With a single order there is no estimate.
                let interval = Some(student(rates.len()) * error).filter(|half| half.is_finite());
                let orders = (!equal).then(|| Orders::of(&rates));
                (spread, error, interval.unwrap_or(0.0), orders)
            }
        };
        Some(Rates {
            known,
            error,
            interval,
            orders,
            plain: mean(&|built| built.answers.known(set)),
            unseen: mean(&|built| built.answers.unseen),
            bits_per_key: mean(&|built| built.answers.bits_per_key),
            negatives: set.negatives.len(),
        })
    }

    /// What a paper would publish: the rate with equal costs, or the mean of ten orders of the costs; and how far chance moves such a number,
    /// as a standard deviation. The orders of the paper are others, and its filter has other false positives. `trimmed` leaves out the lowest
    /// and the highest order.
    pub fn published(&self, trimmed: bool) -> Spread {
        let counted = self.plain / self.negatives.max(1) as f64;
        match self.orders {
            None => Spread {
                mean: self.known.mean,
                deviation: (2.0 * counted).sqrt(),
            },
            Some(orders) => {
                let drawn = 1.0 / orders.count as f64 + 1.0 / ORDERS as f64;
                Spread {
                    mean: if trimmed { orders.trimmed } else { orders.mean },
                    // Orders differ, and so do counts, of which the paper has its own.
                    deviation: (drawn.sqrt() * self.known.deviation)
                        .hypot(2f64.sqrt() * self.error),
                }
            }
        }
    }

    /// The mean over all orders and its standard error. With equal costs, chance is in the count.
    pub fn mean(&self) -> Spread {
        let counted = (self.plain / self.negatives.max(1) as f64).sqrt();
        Spread {
            mean: self.known.mean,
            deviation: if self.orders.is_none() {
                counted
            } else {
                self.error
            },
        }
    }
}
