//! Arrow arrays that come from Python and go there, by the C data interface: objects with `__arrow_c_array__` or `__arrow_c_stream__` give pointers to
//! arrays in capsules. This works for pyarrow, polars and all others without a dependency on them.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, from_ffi_and_data_type, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, BooleanArray, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, c_int};

/// The method of an object that is one array.
pub const ARRAY_METHOD: &str = "__arrow_c_array__";

/// The method of an object that is a stream of arrays.
pub const STREAM_METHOD: &str = "__arrow_c_stream__";

/// The names of the capsules.
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A pair of capsules: the type of an array, and the array.
type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

/// The array that an object with `__arrow_c_array__` is.
///
/// # Errors
///
/// The method fails, or its capsules hold something else.
#[expect(unsafe_code, reason = "the interface is in C")]
pub fn array(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let (schema, array): Capsules<'_> = object.call_method0(ARRAY_METHOD)?.extract()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast();
    let array = array.pointer_checked(Some(ARRAY))?.cast();
    // SAFETY: capsules of these names hold these structs, as the Arrow PyCapsule interface says. What is moved out of them is marked as released.
    let data = unsafe {
        let schema = FFI_ArrowSchema::from_raw(schema.as_ptr());
        let array = FFI_ArrowArray::from_raw(array.as_ptr());
        if array.is_released() {
            return Err(PyValueError::new_err("the Arrow array was used before"));
        }
        from_ffi(array, &schema)
    };
    data.map(make_array).map_err(failed)
}

/// The arrays of an object with `__arrow_c_stream__`, one after the other.
pub struct Arrays {
    /// The stream.
    stream: FFI_ArrowArrayStream,
    /// The type of all arrays.
    data_type: DataType,
}

impl Arrays {
    /// Starts the stream.
    ///
    /// # Errors
    ///
    /// The method fails, or its capsule holds something else.
    #[expect(unsafe_code, reason = "the interface is in C")]
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let capsule = object.call_method0(STREAM_METHOD)?;
        let capsule = capsule.cast::<PyCapsule>()?;
        let pointer = capsule.pointer_checked(Some(STREAM))?.cast();
        // SAFETY: a capsule of this name holds a stream, as the Arrow PyCapsule interface says. It is moved out and marked as released.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
        let used = || PyValueError::new_err("the Arrow stream was used before");
        let get_schema = stream.get_schema.ok_or_else(used)?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the function is that of this stream, which was not released.
        let code = unsafe { get_schema(&mut stream, &mut schema) };
        if code != 0 {
            return Err(failed(last_error(&mut stream, code)));
        }
        let data_type = DataType::try_from(&schema).map_err(failed)?;
        Ok(Arrays { stream, data_type })
    }

    /// The type of all arrays.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The next array, or `None` after the last. A stream of Python takes the interpreter lock for it.
    ///
    /// # Errors
    ///
    /// The producer of the stream fails.
    #[expect(unsafe_code, reason = "the interface is in C")]
    pub fn next(&mut self) -> PyResult<Option<ArrayRef>> {
        let Some(get_next) = self.stream.get_next else {
            return Ok(None);
        };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the function is that of this stream, which was not released.
        let code = unsafe { get_next(&mut self.stream, &mut array) };
        if code != 0 {
            return Err(failed(last_error(&mut self.stream, code)));
        }
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: all arrays of a stream have the type that it has named.
        let data = unsafe { from_ffi_and_data_type(array, self.data_type.clone()) };
        data.map(|data| Some(make_array(data))).map_err(failed)
    }
}

/// What a stream says about the last call, which has returned this code.
#[expect(unsafe_code, reason = "the interface is in C")]
fn last_error(stream: &mut FFI_ArrowArrayStream, code: c_int) -> ArrowError {
    // SAFETY: the function is that of this stream, which was not released. The text that it returns, if it is not null, lives until the next call.
    let text = unsafe {
        let text = stream.get_last_error.map(|last_error| last_error(stream));
        let text = text.filter(|text| !text.is_null());
        text.map(|text| CStr::from_ptr(text).to_string_lossy().into_owned())
    };
    ArrowError::CDataInterface(text.unwrap_or_else(|| format!("error code {code}")))
}

/// The exception for keys that cannot be read.
fn failed(error: ArrowError) -> PyErr {
    let text = error.to_string().replace('\n', " ");
    PyValueError::new_err(format!("reading keys failed: {text}"))
}

/// Answers that a library reads as an array of Arrow.
#[pyclass(frozen, module = "bloomwise._native")]
pub struct Answers(pub BooleanArray);

#[pymethods]
impl Answers {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        // Booleans are what there is; a reader that wants others converts them.
        let _ = requested_schema;
        let (array, schema) =
            to_ffi(&self.0.to_data()).map_err(|error| PyTypeError::new_err(error.to_string()))?;
        let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
        Ok((schema, PyCapsule::new_with_value(py, array, ARRAY)?))
    }
}
