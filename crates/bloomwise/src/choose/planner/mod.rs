//! Recommends a family before anything is built.
//!
//! A [`Planner`] computes the [`Forecast`] of every family, compares it with the information limit, and recommends one. It
//! knows what the models predict: rates, bits and cache lines. It does not know times; `bloomwise compare` measures those.
//!
//! # The choice
//!
//! The planner excludes a family if
//!
//! - it lacks a required operation ([`Planner::needs`]),
//! - it reads too many cache lines ([`Planner::lines`]),
//! - its smallest filter is larger than the size, or
//! - it only improves on known negatives, and there are none.
//!
//! If keys will be inserted later, the planner rates hash adaptive filters like plain ones, because every insertion undoes
//! some of their repairs. Of the remaining families, the one with the lowest cost wins:
//!
//! ```text
//! cost = mu * (rate on unseen keys) + (1 - mu) * (rate by cost on known negatives)
//! ```
//!
//! Here `mu` is the share of the cost that unseen keys cause: 0.1 by default, and 1 if there are no known negatives.
//!
//! If the caller gives a rate instead of a size, the smallest filter wins. If there are known negatives too, the filter with the
//! lowest cost wins among those that are at most 15 % larger than the smallest.
//!
//! A family must be better by a tenth than one that comes before it in [`Family::ALL`]; otherwise the earlier one is chosen. That list has the order
//! of the tags in files. It starts with the simplest family, [`crate::Bloom`].
//!
//! ```
//! use bloomwise::planner::Planner;
//! use bloomwise::{Family, Operation, Size, Workload};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let workload = Workload::new(1_000_000, 1_000_000);
//! let advice = Planner::new(&workload, Size::BitsPerKey(10.0)).advise()?;
//! assert_eq!(advice.recommended, Family::Guarded);
//! // Keys are inserted later and there are no known negatives: the plain filter is best.
//! let workload = Workload::new(1_000_000, 0);
//! let growing = Planner::new(&workload, Size::BitsPerKey(10.0)).needs(Operation::Insert);
//! assert_eq!(growing.advise()?.recommended, Family::Bloom);
//! # Ok(())
//! # }
//! ```

mod why;

use crate::choose::spec::Spec;
use crate::error::{Error, Result};
use crate::filter::family::{Family, Negatives, Operation};
use crate::filter::forecast::{DEFAULT_UNSEEN_SHARE, Forecast, Workload};
use crate::filter::limit::{Limit, limit_cost, limit_rate};
use crate::filter::setting::Setting;
use crate::filter::sizing::Size;

/// A family replaces an earlier one of [`Family::ALL`] if its cost is below this share of the cost of the earlier one.
const WORTH: f64 = 0.9;

/// If a rate is given and there are known negatives, a filter may be at most this many times as large as the smallest.
const LARGER: f64 = 1.15;

/// Compares the forecasts of all families for one workload and recommends a family.
///
/// ```
/// use bloomwise::planner::Planner;
/// use bloomwise::{Family, Operation, Size, Workload};
///
/// # fn main() -> bloomwise::Result<()> {
/// let workload = Workload::new(1_000_000, 0);
/// let planner = Planner::new(&workload, Size::Rate(0.01));
/// let advice = planner.needs(Operation::Insert).needs(Operation::Remove).advise()?;
/// assert_eq!(advice.recommended, Family::Cuckoo);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Planner<'a> {
    /// The keys, the known negatives and their costs.
    workload: &'a Workload,
    /// The size of the filter.
    size: Size,
    /// The share of the cost that unseen keys cause, if the caller gave one.
    unseen_share: Option<f64>,
    /// The operations that the filter must support.
    needs: Vec<Operation>,
    /// The most cache lines that a query may read.
    lines: f64,
}

/// The forecast of one family, and whether the planner may recommend the family.
///
/// ```
/// use bloomwise::planner::Planner;
/// use bloomwise::{Operation, Size, Workload};
///
/// # fn main() -> bloomwise::Result<()> {
/// let workload = Workload::new(1000, 0);
/// let advice = Planner::new(&workload, Size::BitsPerKey(10.0)).needs(Operation::Remove).advise()?;
/// let fit = advice.rows.iter().filter(|row| row.unfit.is_none() && row.forecast.is_ok());
/// assert!(fit.map(|row| row.family).all(|family| family.can(Operation::Remove)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Row {
    /// The family.
    pub family: Family,
    /// The forecast, or the error if the family has no filter of this size.
    pub forecast: Result<Forecast>,
    /// Why the planner excludes the family; `None` if it does not, or if only the forecast is an error.
    pub unfit: Option<String>,
}

/// The recommendation of a [`Planner`].
///
/// ```
/// use bloomwise::planner::Planner;
/// use bloomwise::{Family, Size, Workload};
///
/// # fn main() -> bloomwise::Result<()> {
/// let workload = Workload::new(1_000_000, 1_000_000);
/// let advice = Planner::new(&workload, Size::BitsPerKey(10.0)).advise()?;
/// assert_eq!(advice.rows.len(), Family::ALL.len());
/// let chosen = advice.rows.iter().find(|row| row.family == advice.recommended).unwrap();
/// assert!(chosen.unfit.is_none() && chosen.forecast.is_ok());
/// assert!(!advice.why.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Advice {
    /// One row for each family, in the order of [`Family::ALL`].
    pub rows: Vec<Row>,
    /// The information limit for the size of the recommended filter: the lowest rate on unseen keys without a false positive on
    /// known negatives. If every filter of that size has some, the rates with the lowest cost.
    pub limit: Limit,
    /// The recommended family.
    pub recommended: Family,
    /// The reason, in a few sentences.
    pub why: String,
}

impl<'a> Planner<'a> {
    /// A planner for a filter of `size` that holds the keys of `workload`.
    pub fn new(workload: &'a Workload, size: Size) -> Self {
        Planner {
            workload,
            size,
            unseen_share: None,
            needs: Vec::new(),
            lines: f64::INFINITY,
        }
    }

    /// The share of the cost of false positives that unseen keys cause, 0 to 1. The default is 0.1 if there are known negatives.
    pub fn unseen_share(mut self, share: f64) -> Self {
        self.unseen_share = Some(share);
        self
    }

    /// Requires an operation that the filter must support after it is built. Can be called several times.
    pub fn needs(mut self, operation: Operation) -> Self {
        self.needs.push(operation);
        self
    }

    /// The most cache lines that a query for a key of the set may read, on average. There is no limit by default.
    pub fn lines(mut self, most: f64) -> Self {
        self.lines = most;
        self
    }

    /// Forecasts every family and recommends one.
    ///
    /// # Errors
    ///
    /// The size, the share of unseen keys or the number of cache lines is out of range, or no family fits.
    pub fn advise(&self) -> Result<Advice> {
        let share = self.share()?;
        let budget = self.budget()?;
        if self.lines.is_nan() || self.lines <= 0.0 {
            let expected = "a number above zero";
            return Err(Error::parameter(
                "the number of cache lines",
                self.lines,
                expected,
            ));
        }
        let rows: Vec<Row> = Family::ALL
            .map(|family| self.row(family, share, budget))
            .into();
        let fitting = rows.iter().filter(|row| row.unfit.is_none());
        let fitting = fitting.filter_map(|row| Some((row.family, row.forecast.as_ref().ok()?)));
        // Sizes that follow from a rate differ between families, so the limit is checked here.
        let most = match self.size {
            Size::Rate(_) => {
                let bits = fitting.clone().map(|(_, forecast)| forecast.bits);
                bits.min()
                    .map_or(f64::INFINITY, |bits| LARGER * bits as f64)
            }
            _ => f64::INFINITY,
        };
        let fitting = fitting.filter(|(_, forecast)| forecast.bits as f64 <= most);
        let price = |forecast| self.price(forecast, share);
        let best = fitting.reduce(|best, next| {
            if price(next.1) < WORTH * price(best.1) {
                next
            } else {
                best
            }
        });
        let Some((recommended, forecast)) = best else {
            return Err(self.nothing_fits(rows));
        };
        let limit = self.limit(forecast, share);
        let why = why::why(self, share, (recommended, forecast), &rows, &limit);
        Ok(Advice {
            limit,
            recommended,
            why,
            rows,
        })
    }

    /// The share of the cost that unseen keys cause.
    fn share(&self) -> Result<f64> {
        match self.unseen_share {
            Some(share) if !(0.0..=1.0).contains(&share) => {
                let expected = "a share from 0 to 1";
                Err(Error::parameter(
                    "the share of unseen keys",
                    share,
                    expected,
                ))
            }
            // Without known negatives, unseen keys cause all of the cost.
            _ if self.workload.negatives() == 0 => Ok(1.0),
            share => Ok(share.unwrap_or(DEFAULT_UNSEEN_SHARE)),
        }
    }

    /// The forecast of `family`, and the reason if it is excluded, for example because it does not fit into `budget` bits.
    fn row(&self, family: Family, share: f64, budget: u64) -> Row {
        let forecast = self.forecast(family, share);
        let cannot = self.needs.iter().find_map(|&need| family.check(need).err());
        let cannot = cannot.map(|error| match error {
            Error::Unsupported { operation, .. } => format!("it cannot {operation}"),
            error => error.to_string(),
        });
        let unfit = cannot.or_else(|| {
            let &Forecast { lines, bits, .. } = forecast.as_ref().ok()?;
            if lines > self.lines {
                return Some(format!("it reads {lines:.2} cache lines per lookup"));
            }
            if bits > budget {
                return Some(format!("it takes at least {bits} bits"));
            }
            let idle = self.workload.negatives() == 0
                && matches!(family.negatives(), Negatives::Repaired | Negatives::Built);
            idle.then(|| "it is a plain filter if no negatives are known".to_string())
        });
        Row {
            family,
            forecast,
            unfit,
        }
    }

    /// The forecast of `family`.
    fn forecast(&self, family: Family, share: f64) -> Result<Forecast> {
        let mut spec = Spec::new(family).size(self.size);
        if Setting::of(family).any(|setting| setting.name == "unseen-share") {
            spec = spec.set("unseen-share", share)?;
        }
        let mut forecast = spec.forecast(self.workload)?;
        if family.negatives() == Negatives::Repaired && self.needs.contains(&Operation::Insert) {
            forecast.known = forecast.unseen;
        }
        Ok(forecast)
    }

    /// The most bits that a filter may have. Every filter has at least one word of 64 bits.
    fn budget(&self) -> Result<u64> {
        let budget = self.size.budget(self.workload.keys())?;
        Ok(budget.map_or(u64::MAX, |bits| bits.max(64)))
    }

    /// The value to minimize: the bits if only a rate is given, and the cost otherwise.
    fn price(&self, forecast: &Forecast, share: f64) -> f64 {
        match self.size {
            Size::Rate(_) if self.workload.negatives() == 0 => forecast.bits as f64,
            _ => forecast.cost(share),
        }
    }

    /// The information limit for the size of a forecast.
    fn limit(&self, forecast: &Forecast, share: f64) -> Limit {
        let bits_per_key = self.workload.per_key(forecast.bits);
        match limit_rate(bits_per_key, self.workload.negatives_per_key()) {
            Some(unseen) => Limit { unseen, known: 0.0 },
            None => limit_cost(bits_per_key, self.workload, share),
        }
    }

    /// The error if no family fits.
    fn nothing_fits(&self, rows: Vec<Row>) -> Error {
        // A size that is out of range for all families gives the same error for each, so the first one is enough.
        let mut rows = rows.into_iter().filter(|row| row.unfit.is_none());
        match rows.find_map(|row| row.forecast.err()) {
            Some(error) => error,
            None => Error::parameter(
                "the request",
                "more than any kind can do",
                "fewer operations or more cache lines per lookup",
            ),
        }
    }
}
