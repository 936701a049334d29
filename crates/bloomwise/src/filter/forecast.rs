//! Predicts what a filter will do before it is built: the [`Forecast`] of a [`Workload`].

use crate::error::Result;
use crate::filter::info::Parameter;
use crate::filter::sizing::Fit;
use crate::keys::cost::{CostCurve, check_costs};
use crate::keys::sets::KeySets;
use std::fmt;

/// The default share of the cost of false positives that unseen keys cause, if there are known negatives.
pub(crate) const DEFAULT_UNSEEN_SHARE: f64 = 0.1;

/// What a filter is for: numbers of keys and known negatives, and the distribution of costs.
///
/// ```
/// use bloomwise::Workload;
///
/// # fn main() -> bloomwise::Result<()> {
/// let workload = Workload::with_costs(1000, &[5.0, 1.0, 1.0])?.sampled_from(3000);
/// assert_eq!((workload.keys(), workload.negatives()), (1000, 3000));
/// assert_eq!(workload.negatives_per_key(), 3.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Workload {
    /// The number of keys in the set.
    pub(crate) keys: u64,
    /// The number of known negatives.
    pub(crate) negatives: u64,
    /// The distribution of their costs.
    pub(crate) costs: CostCurve,
}

/// One line: the numbers of keys and negatives, without the distribution of costs.
impl fmt::Debug for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workload")
            .field("keys", &self.keys)
            .field("negatives", &self.negatives)
            .finish()
    }
}

impl Workload {
    /// `keys` keys and `negatives` known negatives that all cost the same.
    pub fn new(keys: u64, negatives: u64) -> Self {
        Workload {
            keys,
            negatives,
            costs: CostCurve::new(&[]),
        }
    }

    /// `keys` keys, and one known negative for each of these costs.
    ///
    /// # Errors
    ///
    /// A cost is negative, infinite or not a number; the error names its index.
    pub fn with_costs(keys: u64, costs: &[f64]) -> Result<Self> {
        check_costs(costs.iter().copied())?;
        Ok(Workload {
            keys,
            negatives: costs.len() as u64,
            // -0.0 is the same cost as 0.0.
            costs: CostCurve::of(costs.iter().map(|cost| cost + 0.0)),
        })
    }

    /// This workload with `negatives` known negatives. The given costs are a sample of their costs.
    pub fn sampled_from(mut self, negatives: u64) -> Self {
        self.negatives = negatives;
        self
    }

    /// The workload of key sets.
    pub fn of(sets: &KeySets) -> Self {
        Workload {
            keys: sets.positives().len() as u64,
            negatives: sets.negatives().len() as u64,
            costs: CostCurve::new(sets.negatives()),
        }
    }

    /// The number of keys in the set.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// The number of known negatives.
    pub fn negatives(&self) -> u64 {
        self.negatives
    }

    /// The number of known negatives per key.
    pub fn negatives_per_key(&self) -> f64 {
        self.per_key(self.negatives)
    }

    /// How many of `count` things, such as bits, there are per key.
    pub(crate) fn per_key(&self, count: u64) -> f64 {
        count as f64 / self.keys.max(1) as f64
    }

    /// The same workload with `keys` keys.
    pub(crate) fn grown_to(&self, keys: u64) -> Self {
        Workload {
            keys,
            ..self.clone()
        }
    }
}

/// A prediction of what a filter does once it holds its keys, made before it is built.
///
/// A [`Workload`] describes the use of a filter in numbers: how many keys, how many known negatives, and how their costs
/// are distributed. Every family computes a [`Forecast`] from it with the same model that its builder uses, so the forecast is for
/// the filter that would be built. A forecast for a billion keys takes no more time or memory than one for ten.
///
/// Measured with 100,000 keys and as many negatives of equal cost (`tests/planner.rs`), rates on unseen keys are within 8 % of
/// the forecast. Rates on known negatives are within a factor of 1.6 for HABF and within chance for all others. With
/// the paper's parameters (`habf --preset paper`), rates on unseen keys are up to a fifth higher than predicted. If a few
/// negatives carry most of the cost, the forecast for known negatives is only an average over chance.
///
/// ```
/// use bloomwise::{Family, Size, Spec, Workload};
///
/// # fn main() -> bloomwise::Result<()> {
/// // A million keys, and as many known negatives. One of these has half of the cost.
/// let mut costs = vec![1.0; 1_000_000];
/// costs[0] = 1e6;
/// let workload = Workload::with_costs(1_000_000, &costs)?;
/// let forecast = Spec::new(Family::Habf).size(Size::BitsPerKey(8.0)).forecast(&workload)?;
/// assert!(forecast.known < 1e-3 && forecast.unseen > 0.01);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Forecast {
    /// The size in bits of everything the filter needs to answer.
    pub bits: u64,
    /// The parameters that the filter would be built with, named as in [`crate::info::Info::parameters`].
    pub parameters: Vec<Parameter>,
    /// The false positive rate on unseen keys.
    pub unseen: f64,
    /// The false positive rate on known negatives, weighted by cost. For families that ignore negatives, this is the rate on unseen keys.
    pub known: f64,
    /// How many known negatives will be false positives, if the family predicts it. 0 is a guarantee; any other number is an estimate.
    pub wrong: Option<u64>,
    /// The mean number of cache lines that a query for a key of the set reads, in a filter of many lines.
    pub lines: f64,
}

impl Forecast {
    /// The forecast for a filter that ignores negatives. `cells` is the name of its cells. A query reads one cache line for
    /// each function.
    pub(crate) fn plain(fit: Fit, cells: &'static str, cell_bits: u64, rate: f64) -> Self {
        Forecast {
            bits: fit.cells * cell_bits,
            parameters: vec![
                Parameter::total(cells, fit.cells),
                Parameter::setting("k", u64::from(fit.functions)),
            ],
            unseen: rate,
            known: rate,
            wrong: None,
            lines: f64::from(fit.functions),
        }
    }

    /// The share of the total cost that false positives still cause, if unseen keys have `unseen_share` of the cost.
    pub fn cost(&self, unseen_share: f64) -> f64 {
        unseen_share * self.unseen + (1.0 - unseen_share) * self.known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn impossible_costs_are_errors_that_name_the_index() {
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            let error = Workload::with_costs(5, &[1.0, 0.0, wrong]).expect_err("no cost");
            assert!(matches!(error, Error::Cost { index: 2, .. }), "{error}");
        }
    }

    #[test]
    fn equal_costs_and_no_costs_are_the_same_workload() {
        let counted = Workload::new(5, 3);
        let costed = Workload::with_costs(5, &[7.0; 3]).expect("costs");
        assert_eq!(counted.negatives_per_key(), costed.negatives_per_key());
        for share in [0.0, 0.4, 1.0] {
            let of = |workload: &Workload| workload.costs.of_cheapest(share);
            assert!((of(&counted) - of(&costed)).abs() < 1e-12);
        }
    }
}
