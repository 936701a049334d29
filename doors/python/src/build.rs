//! `build`: from keys to a filter, in the ways that the command line has: in memory, streaming into an empty filter, or large.

use crate::errors::{Error, detached, raise};
use crate::filter::Filter;
use crate::keys::{Groups, Keys};
use crate::options::{Costs, Options, keywords, take};
use crate::pool;
use crate::sets::{Given, Spill};
use bloomwise::info::Report;
use bloomwise::keys::Digests;
use bloomwise::large::LargeBuilder;
use bloomwise::planner::{Advice, Planner};
use bloomwise::{AnyFilter, Family, Filter as _, KeySets, Operation, Spec, Workload};
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
    options.size()?;
    let given = Given::of(positives, negatives, costs)?;
    let job = Job {
        options: &options,
        shards,
        given,
    };
    let streams = options.capacity.is_some() && job.given.negatives.is_none() && shards.is_none();
    let (filter, report) = detached(py, || {
        pool::run(options.threads, || match (spec, memory) {
            (Some(spec), Some(memory)) => job.large(spec, memory),
            (Some(spec), None) if streams => job.streaming(&spec),
            (spec, _) => job.in_memory(spec),
        })
    })?;
    Ok(Filter::new(filter, Some(report)))
}

/// What to build, and from what.
struct Job<'a> {
    options: &'a Options,
    shards: Option<u64>,
    given: Given,
}

impl Job<'_> {
    /// Holds the digests of all keys in memory.
    fn in_memory(self, spec: Option<Spec>) -> PyResult<(AnyFilter, Value)> {
        let known = self.given.negatives.is_some();
        let sets = self.given.read(self.options.hashing)?;
        let spec = match spec {
            Some(spec) => spec,
            None => {
                let advice = advise(self.options, &sets)?;
                self.options.spec(advice.recommended)?
            }
        };
        let built = match self.shards {
            Some(shards) => spec.build_sharded(&sets, shards),
            None => spec.build_and_report(&sets),
        };
        let (filter, report) = built.map_err(raise)?;
        let counts = Counts {
            keys: sets.positives().len() as u64,
            duplicates: Some(sets.duplicates()),
            negatives: known.then_some((sets.negatives().len() as u64, sets.overlap())),
        };
        let report = counts.json(&filter, &report);
        Ok((filter, report))
    }

    /// Inserts keys into an empty filter as they come.
    fn streaming(self, spec: &Spec) -> PyResult<(AnyFilter, Value)> {
        let mut filter = spec.create().map_err(raise)?;
        let (hashing, mut keys) = (filter.hashing(), 0);
        let mut groups = Groups::new(hashing, |digests| {
            keys += digests.len() as u64;
            filter.insert_digests(&Digests::from_raw(hashing, digests))
        });
        self.given.positives.visit(&mut groups)?;
        groups.finish().map_err(raise)?;
        let counts = Counts {
            keys,
            duplicates: None,
            negatives: None,
        };
        let report = counts.json(&filter, &filter.report());
        Ok((filter, report))
    }

    /// Keeps digests in temporary files, and builds shard by shard.
    fn large(self, spec: Spec, memory: u64) -> PyResult<(AnyFilter, Value)> {
        let folder = std::env::temp_dir();
        let build = LargeBuilder::new(spec, memory, self.shards, &folder).map_err(raise)?;
        let mut spill = Spill::new(build);
        self.given.positives.visit(&mut spill)?;
        let known = self.given.negatives.is_some();
        if let Some((keys, costs)) = self.given.negatives {
            spill_negatives(keys, costs, &mut spill)?;
        }
        let built = spill.finish()?.finish(|_, _| {}).map_err(raise)?;
        let counts = Counts {
            keys: built.keys,
            duplicates: Some(built.duplicates),
            negatives: known.then_some((built.negatives, built.overlap)),
        };
        let report = counts.json(&built.filter, &built.report);
        Ok((built.filter, report))
    }
}

/// Passes negatives on with their costs.
fn spill_negatives(mut keys: Keys, mut costs: Costs, spill: &mut Spill) -> PyResult<()> {
    while let Some(chunk) = keys.next()? {
        spill.costs = Some(costs.next(&chunk)?.into_iter());
        chunk.visit(spill)?;
    }
    costs.expect_end()
}

/// The kind that is recommended for these keys.
fn advise(options: &Options, sets: &KeySets) -> PyResult<Advice> {
    let workload = Workload::of(sets);
    let mut planner = Planner::new(&workload, options.size()?);
    // A capacity is for keys that come later.
    if options.capacity.is_some() {
        planner = planner.needs(Operation::Insert);
    }
    planner.advise().map_err(raise)
}

/// How many keys a filter was built from.
struct Counts {
    keys: u64,
    duplicates: Option<u64>,
    /// The known negatives, and how many were left out because they are keys.
    negatives: Option<(u64, u64)>,
}

impl Counts {
    /// What the build did, with the names that `bloomwise build --json` has.
    fn json(&self, filter: &AnyFilter, report: &Report) -> Value {
        let wrong = report.wrong;
        let facts = report.named().into_iter();
        let facts = facts.map(|(name, value)| match value {
            bloomwise::info::Value::Whole(number) => (name.to_string(), json!(number)),
            bloomwise::info::Value::Real(number) => (name.to_string(), json!(number)),
            bloomwise::info::Value::Word(word) => (name.to_string(), json!(word)),
        });
        json!({
            "kind": filter.family().name(),
            "keys": self.keys,
            "duplicates": self.duplicates,
            "known_negatives": self.negatives.map(|(known, _)| known),
            "overlap": self.negatives.map(|(_, overlap)| overlap),
            "guarded": report.guarded,
            "exact": wrong.map(|wrong| wrong == 0),
            "wrong": wrong,
            "shards": filter.shards(),
            "facts": facts.collect::<serde_json::Map<_, _>>(),
        })
    }
}
