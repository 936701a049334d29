//! Many keys, chunk by chunk.
//!
//! Keys in numpy arrays (`array`) and in Arrow arrays (`arrow`) are read where they are, without a Python object for each. Everything that
//! Arrow's C data interface can pass on is Arrow: arrays, chunked arrays and one-column tables of pyarrow, series of polars and pandas, readers of record batches.
//! Python objects (`objects`) are copied into Arrow arrays, so that the rest of the work can do without the interpreter lock.
//!
//! A null is no key. It is answered by null, and left out of sets.

mod array;
mod arrow;
mod objects;
mod visit;

pub use visit::{Groups, Visitor};

use crate::capsule::{self, ARRAY_METHOD, Arrays, STREAM_METHOD};
use crate::key::{OneKey, type_name};
use array::Column;
use arrow_array::{Array, ArrayRef};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyMemoryView, PyType};

/// What the keys are in, which decides what their answers are in.
pub enum Form {
    /// A numpy array.
    Numpy,
    /// A pyarrow array, or another single array of Arrow.
    Arrow,
    /// A chunked array of pyarrow, or another stream of Arrow arrays.
    Chunked,
    /// A polars series of this name.
    Polars(String),
    /// A pandas series: its index and its name.
    Pandas(Py<PyAny>, Py<PyAny>),
    /// Any iterable.
    List,
}

/// Many keys.
pub struct Keys {
    /// What they are in.
    pub form: Form,
    /// Where the next chunk comes from.
    source: Source,
}

/// Where keys come from.
enum Source {
    /// A numpy array, until it is taken.
    Numpy(Option<Column>),
    /// An Arrow array, until it is taken.
    Array(Option<ArrayRef>),
    /// A stream of Arrow arrays.
    Arrays(Box<Arrays>),
    /// Python objects.
    Objects(Py<PyIterator>),
}

/// Some keys, in one piece of memory.
pub enum Chunk {
    /// Elements of a numpy array.
    Numpy(Column),
    /// An Arrow array of a type that can be visited.
    Arrow(ArrayRef),
}

impl Keys {
    /// The keys that an object holds.
    ///
    /// # Errors
    ///
    /// It holds no keys, or keys of a type that is not supported; or it is a single key, which must not be taken for many characters.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyMemoryView>() || OneKey::maybe(object)?.is_some() {
            return Err(PyTypeError::new_err(format!(
                "a single {} where many keys are needed; give a list of keys",
                type_name(object)
            )));
        }
        let library = library(&object.get_type())?;
        match library.as_str() {
            "numpy" => Self::of_numpy(object),
            "pandas" if object.hasattr("index")? => Self::of_pandas(object),
            _ => Self::of_arrow(object, &library),
        }
    }

    /// The keys of a numpy array.
    fn of_numpy(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let source = match Column::of(object)? {
            Some(column) => Source::Numpy(Some(column)),
            None => Source::Objects(object.try_iter()?.unbind()),
        };
        let form = Form::Numpy;
        Ok(Keys { form, source })
    }

    /// The keys of a pandas series. pyarrow knows what pandas takes for missing.
    fn of_pandas(series: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (index, name) = (series.getattr("index")?, series.getattr("name")?);
        let column = match library(&series.getattr("dtype")?.get_type())?.as_str() {
            "numpy" => Column::of(&series.call_method0("to_numpy")?)?,
            _ => None,
        };
        let source = match column {
            Some(column) => Source::Numpy(Some(column)),
            None => {
                let pyarrow = series.py().import("pyarrow").map_err(|_| {
                    PyTypeError::new_err("keys in a pandas series that is not of integers need pyarrow; install pyarrow, or give a list")
                })?;
                let array = pyarrow
                    .getattr("Array")?
                    .call_method1("from_pandas", (series,))?;
                Self::of_arrow(&array, "pyarrow")?.source
            }
        };
        let form = Form::Pandas(index.unbind(), name.unbind());
        Ok(Keys { form, source })
    }

    /// The keys of an object that Arrow can read, or of an iterable.
    fn of_arrow(object: &Bound<'_, PyAny>, library: &str) -> PyResult<Self> {
        let array = object.hasattr(ARRAY_METHOD)?;
        if !array && !object.hasattr(STREAM_METHOD)? {
            let iterator = object.try_iter().map_err(|_| {
                PyTypeError::new_err(format!(
                    "keys are a str, bytes, int, or many of them in a list, array or series, not {}; convert them first",
                    type_name(object)
                ))
            })?;
            return Ok(Keys {
                form: Form::List,
                source: Source::Objects(iterator.unbind()),
            });
        }
        let source = match array {
            true => Source::Array(Some(capsule::array(object)?)),
            false => Source::Arrays(Box::new(Arrays::of(object)?)),
        };
        let data_type = match &source {
            Source::Array(Some(array)) => array.data_type(),
            Source::Arrays(arrays) => arrays.data_type(),
            _ => &DataType::Null,
        };
        arrow::check(data_type)?;
        let form = match library {
            "polars" => Form::Polars(match object.getattr("name") {
                Ok(name) => name.extract()?,
                Err(_) => String::new(),
            }),
            _ if array => Form::Arrow,
            _ => Form::Chunked,
        };
        // polars passes nulls on with a buffer that Arrow does not want.
        let source = match data_type {
            DataType::Null if library == "polars" => Source::Objects(object.try_iter()?.unbind()),
            _ => source,
        };
        Ok(Keys { form, source })
    }

    /// The number of keys, if it is known.
    pub fn len(&self) -> Option<usize> {
        match &self.source {
            Source::Numpy(column) => Some(column.as_ref().map_or(0, Column::len)),
            Source::Array(_) | Source::Arrays(_) | Source::Objects(_) => None,
        }
    }

    /// The next keys, or `None` after the last. Takes the interpreter lock if it needs it, so the caller must not hold the lock of a filter.
    ///
    /// # Errors
    ///
    /// An object is no key, or the producer of the keys fails.
    pub fn next(&mut self) -> PyResult<Option<Chunk>> {
        match &mut self.source {
            Source::Numpy(column) => Ok(column.take().map(Chunk::Numpy)),
            Source::Array(array) => array.take().map(plain).transpose(),
            Source::Arrays(arrays) => arrays.next()?.map(plain).transpose(),
            Source::Objects(iterator) => {
                let array = Python::attach(|py| objects::collect(iterator.bind(py)))?;
                Ok(array.map(Chunk::Arrow))
            }
        }
    }

    /// Passes all keys on.
    ///
    /// # Errors
    ///
    /// As for [`Keys::next`].
    pub fn visit(mut self, visitor: &mut impl Visitor) -> PyResult<()> {
        while let Some(chunk) = self.next()? {
            visitor.reserve(chunk.len())?;
            chunk.visit(visitor)?;
        }
        Ok(())
    }
}

impl Chunk {
    /// The number of keys and nulls.
    pub fn len(&self) -> usize {
        match self {
            Chunk::Numpy(column) => column.len(),
            Chunk::Arrow(array) => array.len(),
        }
    }

    /// Which are nulls, if any are.
    pub fn nulls(&self) -> Option<NullBuffer> {
        match self {
            Chunk::Numpy(column) => column.nulls().cloned(),
            Chunk::Arrow(array) => array.logical_nulls(),
        }
        .filter(|nulls| nulls.null_count() > 0)
    }

    /// Passes all keys on, in order.
    ///
    /// # Errors
    ///
    /// A string is no valid text.
    pub fn visit(&self, visitor: &mut impl Visitor) -> PyResult<()> {
        match self {
            Chunk::Numpy(column) => column.visit(visitor),
            Chunk::Arrow(array) => arrow::visit(array, visitor),
        }
    }
}

/// The chunk of an Arrow array.
fn plain(array: ArrayRef) -> PyResult<Chunk> {
    arrow::plain(array).map(Chunk::Arrow)
}

/// The first part of the name of the module that defines a type.
fn library(kind: &Bound<'_, PyType>) -> PyResult<String> {
    let module = kind.module()?.to_string();
    Ok(module.split('.').next().unwrap_or_default().to_string())
}
