//! `build`: from keys to a filter, in the ways that the command line has: in memory, streaming into an empty filter, or large.

use crate::errors::{Error, detached, raise};
use crate::filter::Filter;
use crate::options::{Options, keywords, take};
use crate::pool;
use crate::sets::Given;
use bloomwise::construction::{Built, Construction};
use bloomwise::{Family, Filter as _};
use bloomwise_compare::report::json::facts;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use serde_json::{Value, json};

/// Builds a filter of the keys in `positives`.
///
/// `kind` is one of bloom, blocked, growing, cuckoo, counting, habf, habf-fast, habf-cache, seesaw, seesaw-adaptive, balanced, guarded,
/// personalized, personalized-counting, personalized-rejecting, or auto for the one that `plan` recommends.
///
/// `negatives` are known keys outside of the set, and `costs` what a false positive on each costs: one number, or one for each (1
/// by default). A dict from key to cost works too. Kinds that take them are right on most or all of them.
///
/// The size is one of `bits_per_key`, `bytes` (of the whole filter) and `fpr` (the false positive rate on unseen keys).
/// All other arguments are optional:
///
///   capacity   number of keys to plan for, if keys are added later
///   shards     number of shards
///   memory     most bytes of memory; digests wait in temporary files, and shards are built one by one
///   preset     named group of settings: habf kinds have "paper"
///   seed       seed of the hash function, 64 bits for xxh3 (0 by default), 128 for siphash (random)
///   hash       "xxh3", or "siphash" if people you do not trust choose keys
///   threads    number of threads (one per core); it does not change the filter
///   settings   settings of the kind, such as k=5; `bloomwise build --help` lists them
///
/// The same keys and settings give the same bytes as `bloomwise build`, in whatever order the keys come.
///
/// >>> import bloomwise
/// >>> popular = {"bank.example": 900, "news.example": 100}
/// >>> filter = bloomwise.build("guarded", ["ads.example", "malware.example"], popular, bits_per_key=12)
/// >>> "ads.example" in filter, "bank.example" in filter
/// (True, False)
/// >>> filter.report["wrong"]
/// 0
#[pyfunction]
#[pyo3(
    signature = (kind, positives, negatives=None, costs=None, **options),
    text_signature = "(kind, positives, negatives=None, costs=None, *, bits_per_key=None, bytes=None, fpr=None, capacity=None, shards=None, memory=None, preset=None, seed=None, hash='xxh3', threads=None, **settings)"
)]
pub fn build(
    py: Python<'_>,
    kind: &str,
    positives: &Bound<'_, PyAny>,
    negatives: Option<&Bound<'_, PyAny>>,
    costs: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Filter> {
    let rest = keywords(py, options)?;
    let (shards, memory): (Option<u64>, Option<u64>) =
        (take(&rest, "shards")?, take(&rest, "memory")?);
    let options = Options::of(&rest)?;
    let spec = match kind {
        "auto" => None,
        kind => Some(options.spec(kind.parse::<Family>().map_err(raise)?)?),
    };
    if spec.is_none() && (options.has_settings() || memory.is_some()) {
        return Err(Error::new_err(
            "auto takes no settings, preset or memory; call plan and build the kind that it recommends",
        ));
    }
    let size = options.size()?;
    let given = Given::of(positives, negatives, costs)?;
    let (filter, report) = detached(py, || {
        pool::run(options.threads, || {
            let known = given.negatives.is_some();
            let construction = match (spec, memory) {
                (Some(spec), Some(memory)) => {
                    Construction::within(spec, shards, known, memory, &std::env::temp_dir())
                }
                (Some(spec), None) => Construction::new(spec, shards, known),
                (None, _) => {
                    let (capacity, hashing) = (options.capacity, options.hashing);
                    Ok(Construction::advised(
                        size, capacity, hashing, shards, known,
                    ))
                }
            };
            let mut construction = construction.map_err(raise)?;
            given.pass_to(&mut construction)?;
            let built = construction.finish(|_, _| {}).map_err(raise)?;
            let report = report(&built);
            Ok((built.filter, report))
        })
    })?;
    Ok(Filter::new(filter, Some(report)))
}

/// What the build did, with the names that `bloomwise build --json` has.
fn report(built: &Built) -> Value {
    let report = &built.report;
    json!({
        "kind": built.filter.family().name(),
        "keys": built.keys,
        "duplicates": built.duplicates,
        "known_negatives": built.known_negatives,
        "overlap": built.overlap,
        "guarded": report.guarded,
        "exact": report.wrong.map(|wrong| wrong == 0),
        "wrong": report.wrong,
        "shards": built.filter.shards(),
        "facts": facts(report.named()),
    })
}
