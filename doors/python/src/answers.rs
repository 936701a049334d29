//! Answers for many keys, in the form that the keys have.

use crate::capsule::Answers;
use crate::errors::{detached, raise};
use crate::filter::Filter;
use crate::keys::{Chunk, Form, Groups, Keys};
use arrow_array::{Array, BooleanArray};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, Buffer, NullBuffer, NullBufferBuilder};
use bloomwise::keys::Digests;
use bloomwise::{AnyFilter, Filter as _};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyList};

/// The answer for each key: a numpy array for a numpy array, a series for a series, and so on.
pub fn contains<'py>(
    py: Python<'py>,
    filter: &Filter,
    mut keys: Keys,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(len) = keys.len() {
        return of_array(py, filter, keys, len);
    }
    let chunks = detached(py, || {
        let mut chunks = Vec::new();
        while let Some(chunk) = keys.next()? {
            let answers = filter.read(|filter| bitmap(filter, &chunk))?;
            chunks.push(answers);
        }
        Ok(chunks)
    })?;
    match keys.form {
        Form::Arrow => match <[BooleanArray; 1]>::try_from(chunks) {
            Ok([answers]) => pyarrow(py, answers),
            Err(chunks) => chunked(py, chunks),
        },
        Form::Chunked => chunked(py, chunks),
        Form::Polars(name) => {
            let answers = Bound::new(py, Answers(joined(&chunks)))?;
            let series = py
                .import("polars")?
                .call_method1("from_arrow", (answers,))?;
            series.call_method1("alias", (name,))
        }
        Form::Numpy | Form::Pandas(_, _) => {
            let all = chunks.iter().flatten();
            let answers = PyArray1::from_iter(py, all.map(|answer| answer == Some(true)));
            let nulls = chunks.iter().any(|chunk| chunk.null_count() > 0);
            let valid = || chunks.iter().flatten().map(|answer| answer.is_some());
            let valid = nulls.then(|| valid().collect());
            with_nulls(py, answers.into_any(), valid, &keys.form)
        }
        Form::List => Ok(PyList::new(py, chunks.iter().flatten().collect::<Vec<_>>())?.into_any()),
    }
}

/// The answers for the elements of a numpy array, written where numpy keeps them.
fn of_array<'py>(
    py: Python<'py>,
    filter: &Filter,
    mut keys: Keys,
    len: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let array = PyArray1::<bool>::zeros(py, len, false);
    let nulls = {
        let mut borrowed = array.try_readwrite()?;
        let answers = borrowed.as_slice_mut()?;
        detached(py, || match keys.next()? {
            Some(chunk) => {
                filter.read(|filter| write(filter, &chunk, answers))?;
                Ok(chunk.nulls())
            }
            None => Ok(None),
        })?
    };
    with_nulls(py, array.into_any(), nulls, &keys.form)
}

/// Writes the answers for all keys of a chunk.
fn write(filter: &AnyFilter, chunk: &Chunk, answers: &mut [bool]) -> PyResult<()> {
    let (hashing, mut at) = (filter.hashing(), 0);
    let mut groups = Groups::new(hashing, |digests| {
        let end = at + digests.len();
        let answers = &mut answers[at..end];
        at = end;
        filter.contains_digests_into(&Digests::from_raw(hashing, digests), answers)
    })
    .with_nulls();
    chunk.visit(&mut groups)?;
    groups.finish().map_err(raise)
}

/// The answers for all keys of a chunk, as Arrow has them.
fn bitmap(filter: &AnyFilter, chunk: &Chunk) -> PyResult<BooleanArray> {
    let (hashing, mut at) = (filter.hashing(), 0);
    let mut bitmap: Vec<u8> = Vec::new();
    let reserved = bitmap.try_reserve_exact(chunk.len().div_ceil(8));
    reserved.map_err(|_| PyMemoryError::new_err("not enough memory for the answers"))?;
    bitmap.resize(chunk.len().div_ceil(8), 0);
    let mut groups = Groups::new(hashing, |digests| {
        // All groups but the last have a multiple of eight keys.
        let end = at + digests.len().div_ceil(8);
        let bits = &mut bitmap[at..end];
        at = end;
        filter.contains_digests_bitmap(&Digests::from_raw(hashing, digests), bits)
    })
    .with_nulls();
    chunk.visit(&mut groups)?;
    groups.finish().map_err(raise)?;
    let bits = BooleanBuffer::new(Buffer::from_vec(bitmap), 0, chunk.len());
    Ok(BooleanArray::new(bits, chunk.nulls()))
}

/// An array of pyarrow.
fn pyarrow(py: Python<'_>, answers: BooleanArray) -> PyResult<Bound<'_, PyAny>> {
    let answers = Bound::new(py, Answers(answers))?;
    py.import("pyarrow")?.call_method1("array", (answers,))
}

/// A chunked array of pyarrow.
fn chunked(py: Python<'_>, chunks: Vec<BooleanArray>) -> PyResult<Bound<'_, PyAny>> {
    let chunks = chunks.into_iter().map(|chunk| pyarrow(py, chunk));
    let chunks = PyList::new(py, chunks.collect::<PyResult<Vec<_>>>()?)?;
    let library = py.import("pyarrow")?;
    library.call_method1("chunked_array", (chunks, library.call_method0("bool_")?))
}

/// The answers of all chunks in one array.
fn joined(chunks: &[BooleanArray]) -> BooleanArray {
    if let [chunk] = chunks {
        return chunk.clone();
    }
    let mut bits = BooleanBufferBuilder::new(0);
    let mut nulls = NullBufferBuilder::new(0);
    for chunk in chunks {
        bits.append_buffer(chunk.values());
        match chunk.nulls() {
            Some(valid) => nulls.append_buffer(valid),
            None => nulls.append_n_non_nulls(chunk.len()),
        }
    }
    BooleanArray::new(bits.finish(), nulls.finish())
}

/// Answers of numpy, with nulls if there are any: a masked array, or a series of pandas.
fn with_nulls<'py>(
    py: Python<'py>,
    answers: Bound<'py, PyAny>,
    valid: Option<NullBuffer>,
    form: &Form,
) -> PyResult<Bound<'py, PyAny>> {
    let mask = valid.map(|valid| PyArray1::from_iter(py, valid.iter().map(|valid| !valid)));
    let Form::Pandas(index, name) = form else {
        return match mask {
            None => Ok(answers),
            Some(mask) => {
                let masked = py.import("numpy.ma")?;
                masked.call_method1("masked_array", (answers, mask))
            }
        };
    };
    let pandas = py.import("pandas")?;
    let answers = match mask {
        None => answers,
        Some(mask) => pandas
            .getattr("arrays")?
            .call_method1("BooleanArray", (answers, mask))?,
    };
    let options = [("index", index), ("name", name)].into_py_dict(py)?;
    pandas.call_method("Series", (answers,), Some(&options))
}
