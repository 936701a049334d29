//! Keyword arguments about a filter: its size, its settings, how it hashes, and what its negatives cost.

use crate::errors::{Error, raise};
use crate::keys::Chunk;
use bloomwise::info::Value;
use bloomwise::sizing::NotOneSize;
use bloomwise::{Family, Hashing, Size, Spec};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Which filter to build, and with how many threads.
pub struct Options {
    /// The size, if one was given.
    size: Option<Size>,
    /// The number of keys to plan for.
    pub capacity: Option<u64>,
    /// How keys are hashed.
    pub hashing: Hashing,
    /// Whether the hashing has a secret that is random.
    pub random: bool,
    /// The number of threads.
    pub threads: Option<usize>,
    /// A named group of settings.
    preset: Option<String>,
    /// All other arguments: settings of the kind.
    pub settings: Vec<(String, Value)>,
}

impl Options {
    /// Takes options out of keyword arguments. What is left are settings.
    ///
    /// # Errors
    ///
    /// An option has a wrong type, or options exclude each other.
    pub fn of(rest: &Bound<'_, PyDict>) -> PyResult<Self> {
        let size = take_size(rest)?;
        let hash: Option<String> = take(rest, "hash")?;
        let seed: Option<u128> = take(rest, "seed").map_err(|_| wrong_seed())?;
        let random = hash.as_deref() == Some("siphash") && seed.is_none();
        Ok(Options {
            size,
            hashing: hashing(hash.as_deref(), seed)?,
            random,
            capacity: take(rest, "capacity")?,
            threads: take(rest, "threads")?,
            preset: take(rest, "preset")?,
            settings: settings(rest)?,
        })
    }

    /// The size of the filter.
    ///
    /// # Errors
    ///
    /// None was given.
    pub fn size(&self) -> PyResult<Size> {
        self.size.ok_or_else(no_size)
    }

    /// Whether a size, a capacity or a preset was given.
    pub fn has_shape(&self) -> bool {
        self.size.is_some() || self.capacity.is_some() || self.preset.is_some()
    }

    /// Whether there are settings that only some kinds have.
    pub fn has_settings(&self) -> bool {
        !self.settings.is_empty() || self.preset.is_some()
    }

    /// The filter of this kind.
    ///
    /// # Errors
    ///
    /// The kind does not have one of the settings, or no size was given.
    pub fn spec(&self, family: Family) -> PyResult<Spec> {
        let mut spec = Spec::new(family).size(self.size()?).hashing(self.hashing);
        if let Some(capacity) = self.capacity {
            spec = spec.capacity(capacity);
        }
        if let Some(preset) = &self.preset {
            spec = spec.preset(preset).map_err(raise)?;
        }
        for (name, value) in &self.settings {
            spec = spec.set(name, value.clone()).map_err(raise)?;
        }
        Ok(spec)
    }
}

/// Takes the size out of keyword arguments, if there is one.
///
/// # Errors
///
/// There are two.
pub fn take_size(rest: &Bound<'_, PyDict>) -> PyResult<Option<Size>> {
    let bits_per_key = take(rest, "bits_per_key")?;
    let bytes = take(rest, "bytes")?;
    match Size::one_of(bits_per_key, bytes, take(rest, "fpr")?) {
        Ok(size) => Ok(Some(size)),
        Err(NotOneSize::None) => Ok(None),
        Err(NotOneSize::Several) => Err(no_size()),
    }
}

/// The exception if there is not exactly one size.
pub fn no_size() -> PyErr {
    PyTypeError::new_err("give exactly one of bits_per_key, bytes and fpr")
}

/// A copy of keyword arguments, to take options out of.
pub fn keywords<'py>(
    py: Python<'py>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    options.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)
}

/// Takes an option out of keyword arguments. `None` stands for the default.
pub fn take<'py, T>(keywords: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    let Some(value) = keywords.get_item(name)? else {
        return Ok(None);
    };
    keywords.del_item(name)?;
    if value.is_none() {
        return Ok(None);
    }
    let value: Result<T, PyErr> = value.extract().map_err(Into::into);
    value.map(Some).map_err(|error| {
        let text = format!("{name}: {}", error.value(keywords.py()));
        PyErr::from_type(error.get_type(keywords.py()), text)
    })
}

/// The settings in what is left of the keyword arguments: `cell_bits` is the setting `cell-bits`.
fn settings(rest: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Value)>> {
    let mut settings = Vec::new();
    for (name, value) in rest.iter() {
        let name = name.extract::<String>()?.replace('_', "-");
        let value = match (value.extract::<u64>(), value.extract::<f64>()) {
            (Ok(whole), _) => Value::Whole(whole),
            (_, Ok(real)) => Value::Real(real),
            _ => Value::from(value.extract::<String>().map_err(|_| {
                PyTypeError::new_err(format!("{name} is neither a number nor a word"))
            })?),
        };
        settings.push((name, value));
    }
    Ok(settings)
}

/// How keys are hashed. Without a seed, xxh3 has seed 0 and siphash a random key.
pub fn hashing(name: Option<&str>, seed: Option<u128>) -> PyResult<Hashing> {
    let hashing = Hashing::named(name.unwrap_or("xxh3"), seed);
    hashing.map_err(|error| match error {
        bloomwise::Error::Seed => wrong_seed(),
        error => raise(error),
    })
}

/// The exception for a seed that the hash does not have.
fn wrong_seed() -> PyErr {
    PyOverflowError::new_err(
        "a seed is an int from 0 on: 64 bits for xxh3, 128 bits for siphash; give a smaller one",
    )
}

/// The costs of negatives, taken chunk by chunk.
pub enum Costs {
    /// The same for all.
    One(f64),
    /// One for each, and how many are taken.
    Each(Vec<f64>, usize),
}

/// Reads costs: one number, or one for each key. Without any, each is 1.
pub fn costs_of(costs: Option<&Bound<'_, PyAny>>) -> PyResult<Costs> {
    let Some(costs) = costs else {
        return Ok(Costs::One(1.0));
    };
    if let Ok(cost) = costs.extract::<f64>() {
        return Ok(Costs::One(cost));
    }
    Ok(Costs::Each(numbers(costs)?, 0))
}

/// The numbers in a list, an array, a series or another iterable.
pub fn numbers(object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let py = object.py();
    let list = match object.hasattr("__len__")? {
        true => object.clone(),
        false => py.get_type::<PyList>().call1((object,))?,
    };
    let array = py
        .import("numpy")?
        .call_method1("asarray", (list, "float64"))?;
    let array = array.cast::<PyArray1<f64>>().map_err(|_| {
        PyTypeError::new_err("costs are numbers in one dimension; give one for each negative")
    })?;
    Ok(array.to_owned_array().to_vec())
}

impl Costs {
    /// The costs of the keys of a chunk, without those of nulls.
    ///
    /// # Errors
    ///
    /// There are fewer costs than keys.
    pub fn next(&mut self, chunk: &Chunk) -> PyResult<Vec<f64>> {
        let nulls = chunk.nulls();
        let valid = |place: usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(place));
        let places = (0..chunk.len()).filter(|&place| valid(place));
        match self {
            Costs::One(cost) => Ok(places.map(|_| *cost).collect()),
            Costs::Each(costs, taken) => {
                let Some(next) = costs[*taken..].get(..chunk.len()) else {
                    let text = format!(
                        "there are {} costs for more keys; give one for each",
                        costs.len()
                    );
                    return Err(Error::new_err(text));
                };
                *taken += chunk.len();
                Ok(places.map(|place| next[place]).collect())
            }
        }
    }

    /// An error if there are costs left.
    ///
    /// # Errors
    ///
    /// There are more costs than keys.
    pub fn expect_end(&self) -> PyResult<()> {
        match self {
            Costs::Each(costs, taken) if *taken < costs.len() => Err(Error::new_err(format!(
                "there are {} costs for {taken} keys; give one for each",
                costs.len()
            ))),
            _ => Ok(()),
        }
    }
}
