//! Positives and negatives, from Python to the sets that filters are built from.

use crate::errors::{Error, raise};
use crate::keys::{Keys, Visitor};
use crate::options::{Costs, costs_of};
use bloomwise::keys::KeySetsBuilder;
use bloomwise::large::LargeBuilder;
use bloomwise::{Hashing, Key, KeySets};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::vec;

/// Keys of a set and known negatives, not read yet.
pub struct Given {
    /// The keys of the set.
    pub positives: Keys,
    /// Known negatives with their costs, if any were given.
    pub negatives: Option<(Keys, Costs)>,
}

impl Given {
    /// The arguments of a build.
    ///
    /// # Errors
    ///
    /// They hold no keys, or there are costs of nothing.
    pub fn of(
        positives: &Bound<'_, PyAny>,
        negatives: Option<&Bound<'_, PyAny>>,
        costs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Given {
            positives: Keys::of(positives)?,
            negatives: negatives_of(negatives, costs)?,
        })
    }

    /// The sets of all keys.
    ///
    /// # Errors
    ///
    /// An object is no key, a cost is invalid, or there is not enough memory.
    pub fn read(self, hashing: Hashing) -> PyResult<KeySets> {
        let mut sets = KeySets::builder(hashing);
        self.positives.visit(&mut Positives(&mut sets))?;
        if let Some((mut keys, mut costs)) = self.negatives {
            while let Some(chunk) = keys.next()? {
                let costs = costs.next(&chunk)?.into_iter();
                sets.try_reserve(0, chunk.len()).map_err(|_| too_many())?;
                let sets = &mut sets;
                chunk.visit(&mut Negatives { sets, costs })?;
            }
            costs.expect_end()?;
        }
        sets.build().map_err(raise)
    }
}

/// Known negatives: keys and costs, or a dict from key to cost.
fn negatives_of(
    negatives: Option<&Bound<'_, PyAny>>,
    costs: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<(Keys, Costs)>> {
    let Some(negatives) = negatives else {
        return match costs {
            None => Ok(None),
            Some(_) => Err(PyTypeError::new_err(
                "costs need the negatives that they belong to; give negatives",
            )),
        };
    };
    let Ok(dict) = negatives.cast::<PyDict>() else {
        return Ok(Some((Keys::of(negatives)?, costs_of(costs)?)));
    };
    if costs.is_some() {
        return Err(PyTypeError::new_err(
            "negatives is a dict with costs; leave out costs",
        ));
    }
    // A copy, so that a dict that changes cannot separate keys from costs.
    let (keys, values): (Vec<_>, Vec<_>) = dict.iter().unzip();
    let keys = PyList::new(dict.py(), keys)?;
    let values = PyList::new(dict.py(), values)?;
    Ok(Some((Keys::of(&keys)?, costs_of(Some(&values))?)))
}

/// The exception if memory runs out.
pub fn too_many() -> PyErr {
    PyMemoryError::new_err(
        "not enough memory for the digests of the keys; give memory= to build within a limit",
    )
}

/// Collects keys of a set.
struct Positives<'a>(&'a mut KeySetsBuilder);

impl Visitor for Positives<'_> {
    #[inline(always)]
    fn key<K: Key>(&mut self, key: K) {
        self.0.positive(key);
    }

    #[inline(always)]
    fn keys<K: Key>(&mut self, keys: impl Iterator<Item = K>) {
        self.0.positives(keys);
    }

    fn null(&mut self) {}

    fn reserve(&mut self, keys: usize) -> PyResult<()> {
        self.0.try_reserve(keys, 0).map_err(|_| too_many())
    }
}

/// Collects known negatives, each with the next cost.
struct Negatives<'a> {
    sets: &'a mut KeySetsBuilder,
    costs: vec::IntoIter<f64>,
}

impl Visitor for Negatives<'_> {
    #[inline(always)]
    fn key<K: Key>(&mut self, key: K) {
        // There is a cost for each key.
        self.sets.negative(key, self.costs.next().unwrap_or(1.0));
    }

    fn null(&mut self) {}
}

/// Passes keys to a large build.
pub struct Spill {
    build: LargeBuilder,
    /// The costs of the next negatives; `None` as long as keys of the set come.
    pub costs: Option<vec::IntoIter<f64>>,
    /// The first error. Nothing is passed on after it.
    result: bloomwise::Result<()>,
}

impl Spill {
    /// Passes keys to this build.
    pub fn new(build: LargeBuilder) -> Self {
        Spill {
            build,
            costs: None,
            result: Ok(()),
        }
    }

    /// The build, with all keys.
    ///
    /// # Errors
    ///
    /// A temporary file could not be written, or a cost is invalid.
    pub fn finish(self) -> PyResult<LargeBuilder> {
        self.result.map_err(raise)?;
        Ok(self.build)
    }
}

impl Visitor for Spill {
    fn key<K: Key>(&mut self, key: K) {
        if self.result.is_err() {
            return;
        }
        self.result = match &mut self.costs {
            None => self.build.positive(key),
            Some(costs) => self.build.negative(key, costs.next().unwrap_or(1.0)),
        };
    }

    fn null(&mut self) {}

    fn reserve(&mut self, _keys: usize) -> PyResult<()> {
        match &self.result {
            Ok(()) => Ok(()),
            Err(error) => Err(Error::new_err(error.to_string())),
        }
    }
}
