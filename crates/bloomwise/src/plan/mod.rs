//! Which filter to take, before there is one.
//!
//! A [`Planner`] asks every family for its [`Forecast`], puts the information limit beside them, and recommends one. What it
//! knows is what the models know: rates, bits and cache lines. Time it does not know; `bloomwise compare` measures it.
//!
//! # The choice
//!
//! Families that cannot do what is needed ([`Planner::needs`]), read too much ([`Planner::lines`]), cannot be as small as
//! is asked for, or have nothing to do because no negatives are known, are left out. Where keys are to be inserted later, hash
//! adaptive filters are taken for plain ones: every key more undoes a part of what was repaired. Of those that are left the one
//! with the least cost wins,
//!
//! ```text
//! cost = mu * (rate on unseen keys) + (1 - mu) * (rate by cost on known negatives)
//! ```
//!
//! where `mu` is the share of the cost that unseen keys have: 0.1 where negatives are known, unless the caller knows better, and 1
//! where none are. Where a rate was asked for instead of a size, the smallest filter wins, or, if negatives are known, the one with
//! the least cost among those that are at most 15 % larger. A family must be better by a
//! tenth than a simpler one, or the simpler one is taken; the simplest is [`crate::Bloom`], and the order is that of
//! [`Family::ALL`].
//!
//! ```
//! use bloomwise::{Family, Operation, Planner, Size, Workload};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let workload = Workload::new(1_000_000, 1_000_000);
//! let advice = Planner::new(&workload, Size::BitsPerKey(10.0)).advise()?;
//! assert_eq!(advice.recommended, Family::Guarded);
//! // Keys that are inserted later, and nothing known about others: the plain filter is best.
//! let workload = Workload::new(1_000_000, 0);
//! let growing = Planner::new(&workload, Size::BitsPerKey(10.0)).needs(Operation::Insert);
//! assert_eq!(growing.advise()?.recommended, Family::Bloom);
//! # Ok(())
//! # }
//! ```

mod why;

use crate::error::{Error, Result};
use crate::family::{Family, Operation};
use crate::forecast::{Forecast, UNSEEN_SHARE, Workload};
use crate::guarded::theory::{Limit, limit_cost, limit_rate};
use crate::sizing::Size;
use crate::spec::{Setting, Spec};

/// A family must have this share of the cost of a simpler one, or less, to be taken instead.
const WORTH: f64 = 0.9;

/// Where a rate was asked for and negatives are known, a filter may be so many times as large as the smallest.
const LARGER: f64 = 1.15;

/// What is to be planned for.
#[derive(Clone, Debug)]
pub struct Planner<'a> {
    workload: &'a Workload,
    size: Size,
    unseen_share: Option<f64>,
    needs: Vec<Operation>,
    lines: f64,
}

/// One family in a plan.
#[derive(Debug)]
pub struct Row {
    /// The family.
    pub family: Family,
    /// What it will do; or why it cannot have this size.
    pub forecast: Result<Forecast>,
    /// Why it is not for this task, if it is not.
    pub unfit: Option<String>,
}

/// What came out.
#[derive(Debug)]
pub struct Advice {
    /// All families.
    pub rows: Vec<Row>,
    /// The lowest rate on unseen keys that a filter of the size of the recommended one can have without an error on known
    /// negatives. Where none can be without, the rates with the least cost.
    pub limit: Limit,
    /// The family to take.
    pub recommended: Family,
    /// Why, in a sentence or two.
    pub why: String,
}

impl<'a> Planner<'a> {
    /// A plan for such keys and this size.
    pub fn new(workload: &'a Workload, size: Size) -> Self {
        Planner {
            workload,
            size,
            unseen_share: None,
            needs: Vec::new(),
            lines: f64::INFINITY,
        }
    }

    /// The share of the cost of false positives that unseen keys have, 0 to 1.
    pub fn unseen_share(mut self, share: f64) -> Self {
        self.unseen_share = Some(share);
        self
    }

    /// What the filter must be able to do once it is built.
    pub fn needs(mut self, operation: Operation) -> Self {
        self.needs.push(operation);
        self
    }

    /// The most cache lines that the lookup of a key of the set may read, on average.
    pub fn lines(mut self, most: f64) -> Self {
        self.lines = most;
        self
    }

    /// Forecasts of all families, and one of them recommended.
    ///
    /// # Errors
    ///
    /// A size that no family can have, needs that none meets, a share that is none.
    pub fn advise(&self) -> Result<Advice> {
        let share = self.share()?;
        if self.lines.is_nan() || self.lines <= 0.0 {
            let expected = "a number above zero";
            return Err(Error::parameter(
                "the number of cache lines",
                self.lines,
                expected,
            ));
        }
        let rows: Vec<Row> = Family::ALL.map(|family| self.row(family, share)).into();
        let fitting = rows.iter().filter(|row| row.unfit.is_none());
        let fitting = fitting.filter_map(|row| Some((row.family, row.forecast.as_ref().ok()?)));
        // Sizes that were asked for are kept; those that follow a rate are compared.
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
        let best = fitting.reduce(|best, next| match price(next.1) < WORTH * price(best.1) {
            true => next,
            false => best,
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
            // Known negatives that are not there have no cost.
            _ if self.workload.negatives() == 0 => Ok(1.0),
            share => Ok(share.unwrap_or(UNSEEN_SHARE)),
        }
    }

    fn row(&self, family: Family, share: f64) -> Row {
        let forecast = Spec::new(family.name()).and_then(|spec| {
            let spec = spec.size(self.size);
            let weighs = |setting: &Setting| setting.name == "unseen-share";
            let spec = match Setting::of(family).iter().any(weighs) {
                true => spec.set("unseen-share", &share.to_string())?,
                false => spec,
            };
            let mut forecast = spec.forecast(self.workload)?;
            if hash_adaptive(family) && self.needs.contains(&Operation::Insert) {
                forecast.known = forecast.unseen;
            }
            Ok(forecast)
        });
        let cannot = self.needs.iter().find_map(|&need| family.check(need).err());
        let cannot = cannot.map(|error| match error {
            Error::Unsupported { operation, .. } => format!("it cannot {operation}"),
            error => error.to_string(),
        });
        let unfit = cannot.or_else(|| {
            let &Forecast { lines, bits, .. } = forecast.as_ref().ok()?;
            if lines > self.lines {
                return Some(format!("it reads {lines:.2} cache lines for a lookup"));
            }
            if bits > self.budget() {
                return Some(format!("it takes {bits} bits at least"));
            }
            let idle = self.workload.negatives() == 0 && for_known_negatives(family);
            idle.then(|| "it is a plain filter where no negatives are known".to_string())
        });
        Row {
            family,
            forecast,
            unfit,
        }
    }

    /// The most bits a filter may have; no filter has less than a word.
    fn budget(&self) -> u64 {
        match self.size {
            Size::Bits(bits) => bits.max(64),
            Size::BitsPerKey(bits) => ((bits * self.workload.keys() as f64) as u64).max(64),
            Size::Rate(_) => u64::MAX,
        }
    }

    /// What is to be small.
    fn price(&self, forecast: &Forecast, share: f64) -> f64 {
        match self.size {
            Size::Rate(_) if self.workload.negatives() == 0 => forecast.bits as f64,
            _ => forecast.cost(share),
        }
    }

    fn limit(&self, forecast: &Forecast, share: f64) -> Limit {
        let bits_per_key = forecast.bits as f64 / self.workload.keys().max(1) as f64;
        match limit_rate(bits_per_key, self.workload.negatives_per_key()) {
            Some(unseen) => Limit { unseen, known: 0.0 },
            None => limit_cost(bits_per_key, self.workload, share),
        }
    }

    /// The error where no family is left.
    fn nothing_fits(&self, rows: Vec<Row>) -> Error {
        // A size that no family can have is wrong in the eyes of the first one already.
        let mut rows = rows.into_iter().filter(|row| row.unfit.is_none());
        match rows.find_map(|row| row.forecast.err()) {
            Some(error) => error,
            None => Error::parameter(
                "what is needed",
                "more than any kind can do",
                "fewer operations, or more cache lines for each lookup",
            ),
        }
    }
}

/// Whether a family changes the functions of some keys.
fn hash_adaptive(family: Family) -> bool {
    matches!(family, Family::Habf | Family::HabfFast | Family::HabfCache)
}

/// Whether all that a family has beyond simpler ones is for known negatives, from the start.
fn for_known_negatives(family: Family) -> bool {
    hash_adaptive(family) || family == Family::Seesaw
}
