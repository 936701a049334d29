//! The class `Filter`.

use crate::answers;
use crate::errors::{Error, detached, raise};
use crate::key::{self, OneKey, Work};
use crate::keys::{Groups, Keys};
use crate::options::costs_of;
use crate::patch::Patch;
use crate::shared::Shared;
use bloomwise::format::{Check, MapFile};
use bloomwise::keys::Digests;
use bloomwise::{AnyFilter, Filter as _, Key, Persist};
use bloomwise_compare::describe;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyTuple};
use std::path::{Path, PathBuf};

/// A set of keys that may accept a key it does not hold, and never denies one it does.
///
/// `bloomwise.build` makes one, `bloomwise.open` and `bloomwise.load_bytes` read one. A key is a str (its UTF-8 bytes), bytes, or an int
/// (8 bytes, little-endian). Methods that take keys take one, or many: a list or any iterable, a numpy array of integers,
/// strings or bytes, an array or a chunked array of pyarrow, a series of polars or pandas. Nulls are no keys.
///
/// Threads can share a filter. Work on many keys runs without the interpreter lock.
///
/// >>> import bloomwise
/// >>> filter = bloomwise.build("blocked", ["ant", "bee"], bits_per_key=12)
/// >>> "ant" in filter, len(filter)
/// (True, 2)
/// >>> filter.contains(["bee", "cow", None])
/// [True, False, None]
#[pyclass(frozen, module = "bloomwise", weakref)]
pub struct Filter {
    inner: Shared<AnyFilter>,
    /// What the build did, if the filter was built here.
    report: Option<serde_json::Value>,
}

impl Filter {
    /// A filter of the library, and what its build did.
    pub fn new(filter: AnyFilter, report: Option<serde_json::Value>) -> Self {
        Filter {
            inner: Shared::new(filter),
            report,
        }
    }

    /// Reads the filter. The caller must not hold the interpreter lock.
    pub fn read<T>(&self, work: impl FnOnce(&AnyFilter) -> PyResult<T>) -> PyResult<T> {
        self.inner.read(work)
    }

    /// Changes the filter without the interpreter lock.
    fn write<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut AnyFilter) -> bloomwise::Result<T> + Send,
    ) -> PyResult<T> {
        let change = self.inner.announce(py);
        detached(py, || {
            Shared::write(&change, |filter| work(filter).map_err(raise))
        })
    }

    /// A copy of the filter as it is now.
    pub fn snapshot(&self, py: Python<'_>) -> PyResult<AnyFilter> {
        detached(py, || self.read(|filter| Ok(filter.clone())))
    }
}

/// Whether a filter accepts a key.
struct Contains<'a, 'py> {
    filter: &'a Filter,
    py: Python<'py>,
}

impl Work for Contains<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn with<K: Key + Send>(self, key: K) -> PyResult<bool> {
        self.filter
            .inner
            .glance(self.py, |filter| filter.contains(key))
    }
}

#[pymethods]
impl Filter {
    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        key::with(key, Contains { filter: self, py })
    }

    /// Whether a key may be in the set; for many keys, the answer for each.
    ///
    /// Answers have the form of the keys: a list for a list, numpy booleans for a numpy array, Arrow booleans for Arrow, a series for a
    /// series. A null is answered by null.
    ///
    /// >>> import bloomwise, numpy
    /// >>> filter = bloomwise.build("bloom", range(1000), fpr=0.001)
    /// >>> filter.contains(7)
    /// True
    /// >>> filter.contains(numpy.array([7, 1_000_007]))
    /// array([ True, False])
    fn contains<'py>(
        &self,
        py: Python<'py>,
        keys: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(key) = OneKey::maybe(keys)? {
            let answer = self.inner.glance(py, |filter| filter.contains(key))?;
            return Ok(PyBool::new(py, answer).to_owned().into_any());
        }
        answers::contains(py, self, Keys::of(keys)?)
    }

    /// Adds a key and returns whether it is new; or adds many keys.
    ///
    /// Kinds with a fixed set cannot add keys. If there is no room for a key, those before it were added. A growing filter grows to at
    /// most `memory` bytes; `None` allows 64 bytes per key, at least 16 MiB, and that the filter doubles.
    ///
    /// >>> import bloomwise
    /// >>> seen = bloomwise.build("bloom", [], capacity=1000, fpr=0.01)
    /// >>> seen.add("ant"), seen.add("ant")
    /// (True, False)
    /// >>> seen.add(["bee", "cow"])
    #[pyo3(signature = (keys, *, memory=None))]
    fn add(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        memory: Option<u64>,
    ) -> PyResult<Option<bool>> {
        if let Some(key) = OneKey::maybe(keys)? {
            let added = self.write(py, |filter| filter.insert_within(key, memory));
            return added.map(Some);
        }
        let keys = Keys::of(keys)?;
        self.change(py, keys, |filter, digests| {
            filter.insert_digests_within(digests, memory)
        })?;
        Ok(None)
    }

    /// Removes a key and returns False if the filter can tell that it was not in the set; or removes many keys and returns how many it removed.
    ///
    /// Remove only keys that were added: otherwise other keys may be denied.
    ///
    /// >>> import bloomwise
    /// >>> filter = bloomwise.build("cuckoo", ["ant", "bee"], bits_per_key=16)
    /// >>> filter.remove("ant"), "ant" in filter
    /// (True, False)
    fn remove<'py>(
        &self,
        py: Python<'py>,
        keys: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(key) = OneKey::maybe(keys)? {
            let removed = self.write(py, |filter| filter.remove(key))?;
            return Ok(PyBool::new(py, removed).to_owned().into_any());
        }
        let (keys, mut removed) = (Keys::of(keys)?, 0);
        self.change(py, keys, |filter, digests| {
            removed += filter.remove_digests(digests)?;
            Ok(())
        })?;
        Ok(removed.into_pyobject(py)?.into_any())
    }

    /// Protects a key outside of the set, or many, from being a false positive.
    ///
    /// `cost` is what a false positive costs: one number, or one for each key. A cuckoo filter denies the keys from now on, the costliest
    /// if there is no room for all, so they must not be in the set.
    ///
    /// >>> import bloomwise
    /// >>> filter = bloomwise.build("cuckoo", ["ant", "bee"], capacity=100, bits_per_key=16)
    /// >>> filter.guard("cow", cost=900)
    /// >>> "cow" in filter
    /// False
    #[pyo3(signature = (keys, cost=None))]
    fn guard(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        cost: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if let Some(key) = OneKey::maybe(keys)? {
            let cost = cost.map_or(Ok(1.0), PyAnyMethods::extract)?;
            return self.write(py, |filter| filter.guard(key, cost));
        }
        let mut keys = Keys::of(keys)?;
        let mut costs = costs_of(cost)?;
        let change = self.inner.announce(py);
        detached(py, || {
            while let Some(chunk) = keys.next()? {
                let costs = costs.next(&chunk)?;
                let hashing = self.read(|filter| Ok(filter.hashing()))?;
                let mut digests = Digests::new(hashing);
                let mut groups = Groups::new(hashing, |group| {
                    digests.append(&Digests::from_raw(hashing, group))
                });
                chunk.visit(&mut groups)?;
                groups.finish().map_err(raise)?;
                Shared::write(&change, |filter| {
                    let done = filter.guard_digests(&digests, &costs);
                    done.map_err(raise)
                })?;
            }
            costs.expect_end()
        })
    }

    /// A new filter of the keys of this one and of another one that was built alike.
    ///
    /// `a | b` is the same, and `a |= b` adds the keys of `b` to `a`.
    ///
    /// >>> import bloomwise
    /// >>> a, b = (bloomwise.build("bloom", [key], capacity=100, fpr=0.01) for key in ["ant", "bee"])
    /// >>> both = a.union(b)
    /// >>> "ant" in both, "bee" in both, "bee" in a
    /// (True, True, False)
    fn union(&self, py: Python<'_>, other: &Bound<'_, Filter>) -> PyResult<Filter> {
        let (mut filter, other) = (self.snapshot(py)?, other.get());
        detached(py, || {
            other.read(|other| filter.union_with(other).map_err(raise))
        })?;
        Ok(Filter::new(filter, None))
    }

    fn __or__(&self, py: Python<'_>, other: &Bound<'_, Filter>) -> PyResult<Filter> {
        self.union(py, other)
    }

    fn __ior__(&self, py: Python<'_>, other: &Bound<'_, Filter>) -> PyResult<()> {
        // The copy is for the rule that no thread holds two locks.
        let other = other.get().snapshot(py)?;
        self.write(py, |filter| filter.union_with(&other))
    }

    /// This filter with a patch, as a new filter. The patch takes the place of an older one.
    ///
    /// `bloomwise.diff` makes patches.
    fn apply(&self, py: Python<'_>, patch: &Bound<'_, Patch>) -> PyResult<Filter> {
        let (filter, patch) = (self.snapshot(py)?, patch.get().inner());
        let filter = detached(py, || patch.apply(filter).map_err(raise))?;
        Ok(Filter::new(filter, None))
    }

    /// Writes the filter to a file, which is replaced at once or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        detached(py, || self.read(|filter| filter.save(&path).map_err(raise)))
    }

    /// The filter as bytes, those of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, || self.read(encoded))?;
        python_bytes(py, &bytes)
    }

    /// What the filter is: kind, parameters, sizes, predicted rate, as `bloomwise inspect --json` shows it.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = detached(py, || self.read(|filter| Ok(describe(filter))))?;
        to_python(py, &facts)
    }

    /// What the build did: keys, duplicates, known negatives, and how many of them are still answered wrong. None for a filter that was not built here.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let report = self.report.as_ref();
        report.map(|report| to_python(py, report)).transpose()
    }

    /// The kind of filter.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.inner.glance(py, |filter| filter.family().name())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let keys = self.inner.glance(py, bloomwise::Filter::len)?;
        Ok(keys.min(isize::MAX as u64) as usize)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        self.inner.glance(py, |filter| !filter.is_empty())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.glance(py, |filter| {
            let (kind, keys) = (filter.family().name(), filter.len());
            let (bytes, rate) = (filter.size_in_bits() / 8, 100.0 * filter.rate());
            format!(
                "<bloomwise.Filter {kind}: {keys} keys, {bytes} bytes, {rate:.3} % false positives>"
            )
        })
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, Filter>) -> PyResult<bool> {
        let other = other.get();
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        let this = self.snapshot(py)?;
        detached(py, || other.read(|other| Ok(this == *other)))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Filter> {
        Ok(Filter::new(self.snapshot(py)?, self.report.clone()))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Filter> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let load = py.import("bloomwise")?.getattr("load_bytes")?;
        PyTuple::new(
            py,
            [load, PyTuple::new(py, [self.to_bytes(py)?])?.into_any()],
        )
    }
}

impl Filter {
    /// Passes the digests of keys to a method that changes the filter.
    fn change(
        &self,
        py: Python<'_>,
        mut keys: Keys,
        mut act: impl FnMut(&mut AnyFilter, &Digests<'_>) -> bloomwise::Result<()> + Send,
    ) -> PyResult<()> {
        let change = self.inner.announce(py);
        detached(py, || {
            while let Some(chunk) = keys.next()? {
                Shared::write(&change, |filter| {
                    let hashing = filter.hashing();
                    let mut groups = Groups::new(hashing, |digests| {
                        act(filter, &Digests::from_raw(hashing, digests))
                    });
                    chunk.visit(&mut groups)?;
                    groups.finish().map_err(raise)
                })?;
            }
            Ok(())
        })
    }
}

/// Maps a file: the filter answers from it without loading it, and processes that map the same file share its memory.
///
/// The file must not be changed or truncated while it is mapped; replacing it, as `Filter.save` does, is fine.
/// `check` says what is verified first: "whole" (all bytes), "first-use" (each shard when it is first asked; a damaged one answers
/// True to everything, so that no key is denied) or "header" (nothing but the header).
///
/// >>> import bloomwise
/// >>> bloomwise.build("guarded", ["ant", "bee"], bits_per_key=12).save("set.bloomwise")
/// >>> "ant" in bloomwise.open("set.bloomwise")
/// True
#[pyfunction]
#[pyo3(signature = (path, check="whole"))]
pub fn open(py: Python<'_>, path: PathBuf, check: &str) -> PyResult<Filter> {
    let check = match check {
        "whole" => Check::Whole,
        "first-use" => Check::FirstUse,
        "header" => Check::Header,
        other => {
            return Err(Error::new_err(format!(
                "check is {other:?}, expected \"whole\", \"first-use\" or \"header\""
            )));
        }
    };
    let filter = detached(py, || map(&path, check))?;
    Ok(Filter::new(filter, None))
}

/// Maps a file.
#[expect(unsafe_code, reason = "mapping a file has no safe form")]
pub fn map<F: Persist>(path: &Path, check: Check) -> PyResult<F> {
    // SAFETY: the documentation of `open` tells callers not to change the file.
    unsafe { F::open(path, check) }.map_err(raise)
}

/// The filter that bytes hold: those of a file, or of `Filter.to_bytes`. All of them are verified.
///
/// >>> import bloomwise
/// >>> filter = bloomwise.build("bloom", ["ant"], fpr=0.01)
/// >>> bloomwise.load_bytes(filter.to_bytes()) == filter
/// True
#[pyfunction]
pub fn load_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Filter> {
    let filter = detached(py, || AnyFilter::from_bytes(data).map_err(raise))?;
    Ok(Filter::new(filter, None))
}

/// The bytes of a file. A mapped filter may be larger than memory.
///
/// # Errors
///
/// There is not enough memory.
pub fn encoded(file: &impl Persist) -> PyResult<Vec<u8>> {
    let len = file.encoded_len();
    let mut bytes = Vec::new();
    let reserved = bytes.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX));
    reserved.map_err(|_| {
        let text = format!("not enough memory for {len} bytes; save to a file instead");
        PyMemoryError::new_err(text)
    })?;
    file.write_to(&mut bytes).map_err(raise)?;
    Ok(bytes)
}

/// Bytes for Python.
///
/// # Errors
///
/// There is not enough memory.
pub fn python_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })
}

/// A JSON value as Python objects.
pub fn to_python<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?
        .call_method1("loads", (value.to_string(),))
}
