//! Patches: what changed in a fixed set since its filter was built.

use crate::errors::{detached, raise};
use crate::filter::{Filter, encoded, python_bytes};
use crate::pool;
use crate::sets::Given;
use bloomwise::{Filter as _, Persist};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use std::path::PathBuf;

/// What changed in a set since a filter of it was built. `bloomwise.diff` makes one, `Filter.apply` adds it to the filter.
#[pyclass(frozen, eq, module = "bloomwise")]
#[derive(Clone, PartialEq)]
pub struct Patch(bloomwise::patched::Patch);

impl Patch {
    /// A copy of the library's patch.
    pub fn inner(&self) -> bloomwise::patched::Patch {
        self.0.clone()
    }
}

#[pymethods]
impl Patch {
    /// Reads a patch from a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        detached(py, || bloomwise::patched::Patch::load(&path).map_err(raise)).map(Patch)
    }

    /// The patch that bytes hold.
    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        detached(py, || {
            bloomwise::patched::Patch::from_bytes(data).map_err(raise)
        })
        .map(Patch)
    }

    /// Writes the patch to a file, which is replaced at once or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        detached(py, || self.0.save(&path).map_err(raise))
    }

    /// The patch as bytes, those of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, || encoded(&self.0))?;
        python_bytes(py, &bytes)
    }

    /// The number of keys that came.
    #[getter]
    fn added(&self) -> u64 {
        self.0.added()
    }

    /// The number of keys that the patched filter denies though its base accepts them: keys that have gone, and known negatives.
    #[getter]
    fn denied(&self) -> u64 {
        self.0.denied()
    }

    fn __repr__(&self) -> String {
        format!(
            "<bloomwise.Patch: {} added, {} denied, {} bytes>",
            self.0.added(),
            self.0.denied(),
            self.0.encoded_len()
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let load = slf.get_type().getattr("from_bytes")?;
        let bytes = PyTuple::new(py, [slf.get().to_bytes(py)?])?;
        PyTuple::new(py, [load, bytes.into_any()])
    }
}

/// The patch that turns a filter of `old_positives` into one of `positives`.
///
/// The patched filter accepts all of `positives`, and denies all `negatives` and all keys that have gone. If the filter is patched already, the new patch
/// is made from its base, so `old_positives` are the keys that the base was built from.
///
/// >>> import bloomwise
/// >>> base = bloomwise.build("guarded", ["ant", "bee"], bits_per_key=12)
/// >>> patch = bloomwise.diff(base, ["bee", "cow"], ["ant", "bee"])
/// >>> base.apply(patch).contains(["ant", "bee", "cow"])
/// [False, True, True]
#[pyfunction]
#[pyo3(signature = (base, positives, old_positives, negatives=None))]
pub fn diff(
    py: Python<'_>,
    base: &Bound<'_, Filter>,
    positives: &Bound<'_, PyAny>,
    old_positives: &Bound<'_, PyAny>,
    negatives: Option<&Bound<'_, PyAny>>,
) -> PyResult<Patch> {
    let new = Given::of(positives, negatives, None)?;
    let old = Given::of(old_positives, None, None)?;
    let base = base.get().snapshot(py)?;
    let patch = detached(py, || {
        pool::run(None, || {
            let (old, new) = (old.read(base.hashing())?, new.read(base.hashing())?);
            bloomwise::patched::Patch::build(&base, &old, &new).map_err(raise)
        })
    })?;
    Ok(Patch(patch))
}
