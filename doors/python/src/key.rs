//! One key: a `str`, `bytes` or `int`.

use bloomwise::Key;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyString};

/// A key that is a single Python object.
pub enum OneKey<'a> {
    /// The bytes of `bytes`, or those of a `str` in UTF-8.
    Bytes(&'a [u8]),
    /// The bytes of a `bytearray`, which may change at any time.
    Copied(Vec<u8>),
    /// An `int`.
    Whole(u64),
}

impl Key for OneKey<'_> {
    #[inline(always)]
    fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        match self {
            OneKey::Bytes(bytes) => work(bytes),
            OneKey::Copied(bytes) => work(bytes),
            OneKey::Whole(number) => number.with_bytes(work),
        }
    }
}

impl<'a> OneKey<'a> {
    /// The key that an object is, or `None` if it may be many keys.
    ///
    /// # Errors
    ///
    /// A string is no valid UTF-8, or an integer has more than 64 bits.
    #[inline]
    pub fn maybe(object: &'a Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Some(OneKey::Bytes(text.to_str()?.as_bytes())));
        }
        if object.is_instance_of::<PyInt>() {
            return whole(object).map(Some);
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Some(OneKey::Bytes(bytes.as_bytes())));
        }
        if let Ok(bytes) = object.cast::<PyByteArray>() {
            return Ok(Some(OneKey::Copied(bytes.to_vec())));
        }
        // Integers of numpy. Arrays have `__index__` too.
        if object.hasattr("__index__")? && !object.hasattr("__len__")? {
            return whole(object).map(Some);
        }
        Ok(None)
    }

    /// The key that an object is.
    ///
    /// # Errors
    ///
    /// The object is no key.
    pub fn of(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        Self::maybe(object)?.ok_or_else(|| no_key(object))
    }
}

/// Something to do with a key of any type.
pub trait Work {
    /// What it gives.
    type Output;

    /// Does it.
    fn with<K: Key + Send>(self, key: K) -> PyResult<Self::Output>;
}

/// Does some work with the key that an object is. Strings and integers, which are the most common, are never put into a [`OneKey`] and taken out of it.
///
/// # Errors
///
/// The object is no key, or the work fails.
#[inline(always)]
pub fn with<W: Work>(object: &Bound<'_, PyAny>, work: W) -> PyResult<W::Output> {
    if let Ok(text) = object.cast::<PyString>() {
        return work.with(text.to_str()?);
    }
    if object.is_instance_of::<PyInt>()
        && let Ok(number) = object.extract::<i64>()
    {
        return work.with(number);
    }
    work.with(OneKey::of(object)?)
}

/// The exception for an object that is no key.
#[cold]
fn no_key(object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "a key is a str, bytes or int, not {}; convert it first",
        type_name(object)
    ))
}

/// The name of the type of an object.
pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    let name = object.get_type().fully_qualified_name();
    name.map_or("an unknown type".to_string(), |name| name.to_string())
}

/// The key of an integer.
#[inline]
fn whole<'a>(object: &Bound<'_, PyAny>) -> PyResult<OneKey<'a>> {
    if let Ok(number) = object.extract::<i64>() {
        return Ok(OneKey::Whole(number as u64));
    }
    let number = object.extract::<u64>();
    number.map(OneKey::Whole).map_err(|_| {
        PyOverflowError::new_err(format!(
            "the key {object} does not fit into 64 bits; give an int from -2**63 to 2**64 - 1, or bytes"
        ))
    })
}
