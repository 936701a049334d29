//! `plan`: predicted rates of every kind, without building one.

use crate::errors::{Error, detached, raise};
use crate::filter::to_python;
use crate::options::{keywords, no_size, numbers, take, take_size};
use crate::pool;
use crate::sets::Given;
use bloomwise::planner::Planner;
use bloomwise::{Hashing, Operation, Workload};
use bloomwise_compare::advice;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList};

/// Predicts the rates of every kind, and recommends one, as `bloomwise plan --json` does.
///
/// `positives` is the number of keys, or the keys. `negatives` is the number of known negatives, or these, as for `build`. With a number, `costs` is a
/// sample of what they cost. The size is one of `bits_per_key`, `bytes` and `fpr`. `needs` lists what the filter must be able to do once it is built: "insert",
/// "remove", "guard", "union". `lines` is the most cache lines that a query reads, `unseen_share` the share of the cost that falls on unseen keys.
///
/// >>> import bloomwise
/// >>> advice = bloomwise.plan(1_000_000, 1_000_000, bits_per_key=10)
/// >>> advice["recommended"]
/// 'guarded'
/// >>> bloomwise.plan(1_000_000, fpr=0.01, needs=["insert"])["recommended"]
/// 'bloom'
#[pyfunction]
#[pyo3(
    signature = (positives, negatives=None, costs=None, **options),
    text_signature = "(positives, negatives=None, costs=None, *, bits_per_key=None, bytes=None, fpr=None, needs=(), lines=None, unseen_share=None)"
)]
pub fn plan<'py>(
    py: Python<'py>,
    positives: &Bound<'py, PyAny>,
    negatives: Option<&Bound<'py, PyAny>>,
    costs: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let rest = keywords(py, options)?;
    let needs: Option<Vec<String>> = take(&rest, "needs")?;
    let (lines, unseen_share): (Option<f64>, Option<f64>) =
        (take(&rest, "lines")?, take(&rest, "unseen_share")?);
    let size = take_size(&rest)?.ok_or_else(no_size)?;
    if let Some((name, _)) = rest.iter().next() {
        return Err(PyTypeError::new_err(format!("plan has no argument {name}")));
    }
    let needs = needs.unwrap_or_default();
    let needs = needs.iter().map(|name| name.parse::<Operation>());
    let needs = needs.collect::<Result<Vec<_>, _>>().map_err(raise)?;
    let given = Amounts::of(positives, negatives, costs)?;
    let result = detached(py, || {
        pool::run(None, || {
            let workload = given.workload()?;
            let mut planner = Planner::new(&workload, size);
            if let Some(share) = unseen_share {
                planner = planner.unseen_share(share);
            }
            if let Some(lines) = lines {
                planner = planner.lines(lines);
            }
            let planner = needs.into_iter().fold(planner, Planner::needs);
            Ok(advice(&planner.advise().map_err(raise)?, &workload))
        })
    })?;
    to_python(py, &result)
}

/// How many keys and negatives there are, or the keys themselves.
enum Amounts {
    /// Keys and negatives.
    Keys(Given),
    /// The number of keys, and negatives.
    Negatives(u64, Given),
    /// The number of keys, and costs of negatives: all of them, or a sample of this many.
    Costs(u64, Vec<f64>, Option<u64>),
    /// Both numbers.
    Numbers(u64, u64),
}

impl Amounts {
    fn of(
        positives: &Bound<'_, PyAny>,
        negatives: Option<&Bound<'_, PyAny>>,
        costs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let is_number = |object: &&Bound<'_, PyAny>| object.is_instance_of::<PyInt>();
        let number = negatives.filter(is_number);
        let number: Option<u64> = number.map(PyAnyMethods::extract).transpose()?;
        if !is_number(&positives) {
            if number.is_some() {
                return Err(Error::new_err(
                    "positives are keys and negatives a number; give keys for both, or numbers for both",
                ));
            }
            return Given::of(positives, negatives, costs).map(Amounts::Keys);
        }
        let keys: u64 = positives.extract()?;
        match (negatives, number, costs) {
            (None, _, None) => Ok(Amounts::Numbers(keys, 0)),
            (_, Some(number), None) => Ok(Amounts::Numbers(keys, number)),
            (_, Some(_), Some(costs)) | (None, None, Some(costs)) => {
                Ok(Amounts::Costs(keys, numbers(costs)?, number))
            }
            (Some(_), None, costs) => {
                let none = PyList::empty(positives.py());
                let given = Given::of(&none, negatives, costs)?;
                Ok(Amounts::Negatives(keys, given))
            }
        }
    }

    fn workload(self) -> PyResult<Workload> {
        match self {
            Amounts::Keys(given) => Ok(Workload::of(&given.read(Hashing::default())?)),
            Amounts::Numbers(keys, negatives) => Ok(Workload::new(keys, negatives)),
            Amounts::Negatives(keys, given) => {
                let sets = given.read(Hashing::default())?;
                let costs: Vec<f64> = sets.negatives().iter().map(|known| known.cost).collect();
                Workload::with_costs(keys, &costs).map_err(raise)
            }
            Amounts::Costs(keys, costs, number) => {
                let workload = Workload::with_costs(keys, &costs).map_err(raise)?;
                Ok(match number {
                    Some(number) => workload.sampled_from(number),
                    None => workload,
                })
            }
        }
    }
}
