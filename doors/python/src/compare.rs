//! `compare`: all kinds in equal space on the user's own keys, measured as the command line does.

use crate::errors::{Error, detached, raise_compared};
use crate::filter::to_python;
use crate::keys::{Keys, Visitor};
use crate::options::{Costs, Options, keywords, take};
use crate::pool;
use crate::sets::Given;
use bloomwise::{Family, Hashing, Key};
use bloomwise_compare::{
    self as compared, Comparison, Negatives, Positives, Quiet, Samples, Setup, default_kinds, page,
};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::vec;

/// Builds all kinds in equal space, and measures how often they are wrong, what that costs, and how fast they are.
///
/// `negatives` and `costs` are as for `build`. `unseen` are keys outside of the set that no build sees; without them, a share of the negatives is held
/// out (`holdout`, 0.2 by default). `kinds` are the kinds to compare (all that make sense in equal space), `bits_per_key` the sizes (8, 10 and 12). `html` is a
/// file that a page with charts is written to. `seed`, `hash`, `threads` and settings are as for `build`.
///
/// Returns a row for each size and kind, as a dict: `pandas.DataFrame(rows)` and `polars.DataFrame(rows)` make tables of them.
///
/// >>> import bloomwise
/// >>> rows = bloomwise.compare(range(1000), range(5000, 9000), kinds=("bloom", "guarded"), bits_per_key=(12,))
/// >>> [(row["kind"], row["false_negatives"], row["known_false_positives"] > 0) for row in rows]
/// [('bloom', 0, True), ('guarded', 0, False)]
#[pyfunction]
#[pyo3(
    signature = (positives, negatives, costs=None, **options),
    text_signature = "(positives, negatives, costs=None, *, unseen=None, holdout=0.2, kinds=None, bits_per_key=(8, 10, 12), html=None, seed=None, hash='xxh3', threads=None, **settings)"
)]
pub fn compare<'py>(
    py: Python<'py>,
    positives: &Bound<'py, PyAny>,
    negatives: &Bound<'py, PyAny>,
    costs: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let rest = keywords(py, options)?;
    let html: Option<PathBuf> = take(&rest, "html")?;
    let unseen: Option<Bound<'_, PyAny>> = take(&rest, "unseen")?;
    let unseen = unseen.map(|unseen| Keys::of(&unseen)).transpose()?;
    let share: f64 = take(&rest, "holdout")?.unwrap_or(0.2);
    if !(share > 0.0 && share < 1.0) {
        let text = format!("holdout is {share}, expected more than 0 and less than 1");
        return Err(Error::new_err(text));
    }
    let kinds: Option<Vec<String>> = take(&rest, "kinds")?;
    let budgets: Option<Vec<f64>> = take(&rest, "bits_per_key")?;
    let options = Options::of(&rest)?;
    if options.has_shape() {
        return Err(PyTypeError::new_err(
            "compare takes no bytes, fpr, capacity or preset; give bits_per_key",
        ));
    }
    let threads = options.threads;
    let choice = choice(kinds, budgets, options)?;
    let given = Given::of(positives, Some(negatives), costs)?;
    let rows = detached(py, || {
        pool::run(threads, || {
            let seed = choice.hashing.seed().unwrap_or(0);
            let samples = samples(given, unseen, share, seed)?;
            let comparison = Comparison::run(&choice, &samples, &Quiet).map_err(raise_compared)?;
            if let Some(path) = html {
                let page = page(&setup(&choice, &samples), &comparison);
                std::fs::write(&path, page)
                    .map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
            }
            Ok(comparison.json()["rows"].take())
        })
    })?;
    to_python(py, &rows)
}

/// What to compare.
fn choice(
    kinds: Option<Vec<String>>,
    budgets: Option<Vec<f64>>,
    options: Options,
) -> PyResult<compared::Options> {
    let mut budgets = budgets.unwrap_or_else(|| vec![8.0, 10.0, 12.0]);
    if let Some(wrong) = budgets
        .iter()
        .find(|bits| !(**bits > 0.0 && bits.is_finite()))
    {
        let text = format!("bits_per_key has {wrong}, expected numbers above 0");
        return Err(Error::new_err(text));
    }
    budgets.sort_by(f64::total_cmp);
    budgets.dedup();
    let mut chosen: Vec<Family> = Vec::new();
    for name in kinds.unwrap_or_default() {
        let kind = name.parse().map_err(crate::errors::raise)?;
        if !chosen.contains(&kind) {
            chosen.push(kind);
        }
    }
    if chosen.is_empty() {
        chosen = default_kinds();
    }
    let choice = compared::Options {
        kinds: chosen,
        budgets,
        hashing: options.hashing,
        settings: options.settings,
    };
    choice.check().map_err(raise_compared)?;
    Ok(choice)
}

/// The keys that filters are measured on.
fn samples(given: Given, unseen: Option<Keys>, share: f64, seed: u64) -> PyResult<Samples> {
    let mut positives = Positives::default();
    pass_on(given.positives, None, |key, _| positives.push(key))?;
    let read = |keys: Keys, costs: Costs| -> PyResult<Negatives> {
        let mut negatives = positives.negatives();
        pass_on(keys, Some(costs), |key, cost| negatives.push(key, cost))?;
        negatives.finish().map_err(raise_compared)
    };
    let known = given.negatives.map(|(keys, costs)| read(keys, costs));
    let (known, unseen) = (
        known.transpose()?,
        unseen.map(|keys| read(keys, Costs::One(1.0))).transpose()?,
    );
    if known.as_ref().is_none_or(|known| known.costs.is_empty()) {
        return Err(Error::new_err(
            "there are no negatives, apart from positives; give keys outside of the set",
        ));
    }
    let held_out = unseen.is_none();
    let mut samples = Samples {
        known,
        unseen,
        ..positives.into_samples()
    };
    if samples.positives.is_empty() {
        return Err(Error::new_err(
            "there are no positives; give the keys of the set",
        ));
    }
    match held_out {
        true => samples.hold_out(share, seed),
        false => samples.remove_known().map(|_| ()),
    }
    .map_err(raise_compared)?;
    Ok(samples)
}

/// Passes keys on with their costs, 1 by default.
fn pass_on(
    mut keys: Keys,
    mut costs: Option<Costs>,
    mut push: impl FnMut(&[u8], f64) -> compared::Result<()>,
) -> PyResult<()> {
    while let Some(chunk) = keys.next()? {
        let costs = costs.as_mut().map(|costs| costs.next(&chunk)).transpose()?;
        let mut each = Each {
            costs: costs.unwrap_or_default().into_iter(),
            push: &mut push,
            result: Ok(()),
        };
        chunk.visit(&mut each)?;
        each.result.map_err(raise_compared)?;
    }
    costs.map_or(Ok(()), |costs| costs.expect_end())
}

/// Passes on the bytes of keys.
struct Each<F> {
    costs: vec::IntoIter<f64>,
    push: F,
    result: compared::Result<()>,
}

impl<F: FnMut(&[u8], f64) -> compared::Result<()>> Visitor for Each<F> {
    fn key<K: Key>(&mut self, key: K) {
        let cost = self.costs.next().unwrap_or(1.0);
        if self.result.is_ok() {
            self.result = key.with_bytes(|bytes| (self.push)(bytes, cost));
        }
    }

    fn null(&mut self) {}
}

/// What the page says beside the numbers.
fn setup(choice: &compared::Options, samples: &Samples) -> Setup {
    let hash = match choice.hashing {
        Hashing::Xxh3 { seed: 0 } => String::new(),
        Hashing::Xxh3 { seed } => format!(", seed={seed}"),
        _ => ", hash=\"siphash\"".to_string(),
    };
    Setup {
        title: "Which filter for these keys".to_string(),
        introduction: Vec::new(),
        settings: vec![
            (
                "negatives that are also positives",
                samples.overlap().to_string(),
            ),
            ("hash", choice.hashing.to_string()),
        ],
        command: Box::new(move |kind, budget| {
            let kind = kind.name();
            format!(
                "bloomwise.build(\"{kind}\", positives, negatives, costs, bits_per_key={budget}{hash})"
            )
        }),
    }
}
