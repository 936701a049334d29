//! Positives and negatives, from Python to the sets that filters are built from.

use crate::errors::raise;
use crate::keys::{Chunk, Keys, Visitor};
use crate::options::{Costs, costs_of};
use bloomwise::construction::Construction;
use bloomwise::keys::KeySetsBuilder;
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

    /// Passes all keys to a build.
    ///
    /// # Errors
    ///
    /// An object is no key, a cost is invalid, or the build takes no more keys.
    pub fn pass_to(mut self, construction: &mut Construction) -> PyResult<()> {
        let mut pass = |chunk: &Chunk, costs| {
            let mut passing = Passing::new(construction, costs);
            chunk.visit(&mut passing)?;
            passing.result.map_err(refused)
        };
        while let Some(chunk) = self.positives.next()? {
            pass(&chunk, None)?;
        }
        if let Some((mut keys, mut costs)) = self.negatives {
            while let Some(chunk) = keys.next()? {
                let costs = costs.next(&chunk)?;
                pass(&chunk, Some(costs))?;
            }
            costs.expect_end()?;
        }
        Ok(())
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

/// The exception for a key that a build does not take.
fn refused(error: bloomwise::Error) -> PyErr {
    match error {
        bloomwise::Error::OutOfMemory { .. } => too_many(),
        error => raise(error),
    }
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

/// Passes keys to a build.
struct Passing<'a> {
    construction: &'a mut Construction,
    /// The costs of the next negatives; `None` for keys of the set.
    costs: Option<vec::IntoIter<f64>>,
    /// The first error. Nothing is passed on after it.
    result: bloomwise::Result<()>,
}

impl<'a> Passing<'a> {
    /// Passes keys of the set, or negatives with these costs.
    fn new(construction: &'a mut Construction, costs: Option<Vec<f64>>) -> Self {
        Passing {
            construction,
            costs: costs.map(Vec::into_iter),
            result: Ok(()),
        }
    }
}

impl Visitor for Passing<'_> {
    #[inline(always)]
    fn key<K: Key>(&mut self, key: K) {
        if self.result.is_err() {
            return;
        }
        self.result = match &mut self.costs {
            None => self.construction.positive(key),
            // There is a cost for each key.
            Some(costs) => {
                let cost = costs.next().unwrap_or(1.0);
                self.construction.negative(key, cost)
            }
        };
    }

    #[inline(always)]
    fn keys<K: Key>(&mut self, mut keys: impl Iterator<Item = K>) {
        match self.costs {
            None if self.result.is_ok() => self.result = self.construction.positives(keys),
            _ => keys.by_ref().for_each(|key| self.key(key)),
        }
    }

    fn null(&mut self) {}
}
