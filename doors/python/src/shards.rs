//! Shards of a filter, built apart: on many machines, or in the tasks of Spark.

use crate::capsule::array;
use crate::errors::{Error, detached, raise};
use crate::filter::map;
use crate::keys::{Groups, Keys};
use crate::options::{Options, hashing, keywords};
use crate::pool;
use crate::sets::{Given, too_many};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use bloomwise::format::Check;
use bloomwise::keys::{Digest, Digests, KeySetsBuilder};
use bloomwise::sharded::Sharded;
use bloomwise::{Family, Filter as _, KeySets, Persist, Spec};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Mutex;

/// Builds shard number `shard` of a filter of `shards` shards, and writes it to a file for `join`.
///
/// `positives` and `negatives` are those of the whole set, or of this shard alone: keys of other shards are left out. Give all shards the
/// same arguments. A shard that is built twice has the same bytes. The size is `bits_per_key` or `fpr`; for other arguments, see `build`.
///
/// >>> import bloomwise
/// >>> for shard in range(2):
/// ...     bloomwise.build_shard("guarded", range(1000), shards=2, shard=shard, path=f"part{shard}", bits_per_key=10)
/// >>> bloomwise.join(["part0", "part1"], "joined.bloomwise")
/// >>> bloomwise.open("joined.bloomwise") == bloomwise.build("guarded", range(1000), shards=2, bits_per_key=10)
/// True
#[pyfunction]
#[pyo3(
    signature = (kind, positives, negatives=None, costs=None, *, shards, shard, path, **options),
    text_signature = "(kind, positives, negatives=None, costs=None, *, shards, shard, path, bits_per_key=None, fpr=None, capacity=None, preset=None, seed=None, hash='xxh3', threads=None, **settings)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
pub fn build_shard(
    py: Python<'_>,
    kind: &str,
    positives: &Bound<'_, PyAny>,
    negatives: Option<&Bound<'_, PyAny>>,
    costs: Option<&Bound<'_, PyAny>>,
    shards: u64,
    shard: u64,
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    let job = Job::of(kind, shards, shard, path, &keywords(py, options)?)?;
    let given = Given::of(positives, negatives, costs)?;
    detached(py, || job.build(|| given.read(job.options.hashing)))?;
    Ok(())
}

/// Shard numbers and digests of keys, which must not be null: three numpy arrays of integers. The digests are the two halves of 128 bits. For `bloomwise.spark`.
#[pyfunction]
#[pyo3(signature = (keys, shards, hash, seed))]
pub fn digests<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    shards: u64,
    hash: &str,
    seed: u128,
) -> PyResult<[Bound<'py, PyAny>; 3]> {
    let (keys, hashing) = (Keys::of(keys)?, hashing(Some(hash), Some(seed))?);
    let (numbers, high, low) = detached(py, || {
        let (mut numbers, mut high, mut low) = (Vec::new(), Vec::new(), Vec::new());
        let mut groups = Groups::new(hashing, |digests| {
            numbers.extend(digests.iter().map(|digest| digest.shard(shards) as i32));
            let bits = digests.iter().map(|&digest| u128::from(digest));
            high.extend(bits.clone().map(|bits| (bits >> 64) as i64));
            low.extend(bits.map(|bits| bits as i64));
            Ok(())
        });
        keys.visit(&mut groups)?;
        groups.finish().map_err(raise)?;
        Ok((numbers, high, low))
    })?;
    Ok([
        PyArray1::from_vec(py, numbers).into_any(),
        PyArray1::from_vec(py, high).into_any(),
        PyArray1::from_vec(py, low).into_any(),
    ])
}

/// Builds a shard as `build_shard` does, from digests of its keys that come in pieces. For `bloomwise.spark`.
#[pyclass(frozen, module = "bloomwise._native")]
pub struct ShardBuilder {
    job: Job,
    /// The digests so far, until the shard is built.
    sets: Mutex<Option<KeySetsBuilder>>,
}

#[pymethods]
impl ShardBuilder {
    #[new]
    #[pyo3(signature = (kind, *, shards, shard, path, **options))]
    fn new(
        py: Python<'_>,
        kind: &str,
        shards: u64,
        shard: u64,
        path: PathBuf,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let job = Job::of(kind, shards, shard, path, &keywords(py, options)?)?;
        let sets = Mutex::new(Some(KeySets::builder(job.options.hashing)));
        Ok(ShardBuilder { job, sets })
    }

    /// Adds digests, in Arrow arrays: the halves that `digests` gives, and costs. A null cost is for a key of the set. A null digest is left out.
    fn add(
        &self,
        py: Python<'_>,
        high: &Bound<'_, PyAny>,
        low: &Bound<'_, PyAny>,
        cost: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let wrong = || PyTypeError::new_err("digests are two arrays of int64 and one of float64");
        let (high, low, cost) = (array(high)?, array(low)?, array(cost)?);
        let halves = [&high, &low].map(|half| half.as_primitive_opt::<Int64Type>());
        let [Some(high), Some(low)] = halves else {
            return Err(wrong());
        };
        let costs = cost.as_primitive_opt::<Float64Type>();
        let costs = costs.ok_or_else(wrong)?;
        if high.len() != low.len() || high.len() != costs.len() {
            return Err(wrong());
        }
        let negatives = costs.len() - costs.null_count();
        let hashing = self.job.options.hashing;
        detached(py, || {
            let mut sets = self.sets.lock().map_err(|_| finished())?;
            let sets = sets.as_mut().ok_or_else(finished)?;
            sets.try_reserve(costs.null_count(), negatives)
                .map_err(|_| too_many())?;
            for ((high, low), cost) in high.iter().zip(low).zip(costs) {
                let Some((high, low)) = high.zip(low) else {
                    continue;
                };
                let bits = u128::from(high as u64) << 64 | u128::from(low as u64);
                let one = [Digest::from(bits)];
                let one = Digests::from_raw(hashing, &one[..]);
                match cost {
                    None => sets.positive_digests(one),
                    Some(cost) => sets.negative_digests(&one, &[cost]),
                }
                .map_err(raise)?;
            }
            Ok(())
        })
    }

    /// Builds the shard and saves it. Returns the number of its keys.
    fn finish(&self, py: Python<'_>) -> PyResult<u64> {
        detached(py, || {
            let sets = self.sets.lock().map_err(|_| finished())?.take();
            let sets = sets.ok_or_else(finished)?;
            self.job.build(|| sets.build().map_err(raise))
        })
    }
}

/// The exception for a builder that has built its shard.
fn finished() -> PyErr {
    Error::new_err("the shard is built already; start a new builder")
}

/// Makes a filter of shards that `build_shard` or `bloomwise shard` wrote: each shard once, in any order. The parts are mapped, so the filter may be larger than memory; they must not change meanwhile.
#[pyfunction]
pub fn join(py: Python<'_>, parts: Vec<PathBuf>, path: PathBuf) -> PyResult<()> {
    detached(py, || {
        let open = |path: &PathBuf| map::<Sharded>(path, Check::Whole);
        let parts = parts.iter().map(open).collect::<PyResult<Vec<_>>>()?;
        let filter = Sharded::join(parts).map_err(raise)?;
        filter.save(&path).map_err(raise)
    })
}

/// Which shard to build, and where to.
struct Job {
    spec: Spec,
    options: Options,
    shards: u64,
    shard: u64,
    path: PathBuf,
}

impl Job {
    /// The arguments of a build, checked before keys are read.
    fn of(
        kind: &str,
        shards: u64,
        shard: u64,
        path: PathBuf,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let options = Options::of(options)?;
        if options.random {
            return Err(Error::new_err(
                "siphash needs the same key for all shards; give it as seed",
            ));
        }
        let job = Job {
            spec: options.spec(kind.parse::<Family>().map_err(raise)?)?,
            options,
            shards,
            shard,
            path,
        };
        job.shard_of(&KeySets::empty(job.options.hashing))?;
        Ok(job)
    }

    /// Builds the shard of these sets and saves it. Returns the number of its keys.
    fn build(&self, sets: impl FnOnce() -> PyResult<KeySets> + Send) -> PyResult<u64> {
        pool::run(self.options.threads, || {
            let shards = self.shard_of(&sets()?)?;
            shards.save(&self.path).map_err(raise)?;
            Ok(shards.len())
        })
    }

    fn shard_of(&self, sets: &KeySets) -> PyResult<Sharded> {
        let range = self.shard..self.shard.saturating_add(1);
        let built = self.spec.build_shards(sets, self.shards, range);
        built.map(|(shards, _)| shards).map_err(raise)
    }
}
