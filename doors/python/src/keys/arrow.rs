//! Keys in Arrow arrays: text, bytes and integers.

use super::Visitor;
use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{AnyDictionaryArray, Array, ArrayAccessor, ArrayRef};
use arrow_schema::DataType;
use bloomwise::Key;
use pyo3::PyResult;
use pyo3::exceptions::PyTypeError;
use std::sync::Arc;

/// An error unless arrays of this type can hold keys.
pub fn check(data_type: &DataType) -> PyResult<()> {
    match data_type {
        data_type if data_type.is_integer() || is_text(data_type) => Ok(()),
        DataType::Null => Ok(()),
        DataType::Dictionary(_, values) => check(values),
        DataType::Struct(fields) if fields.len() == 1 => check(fields[0].data_type()),
        DataType::Struct(fields) => Err(PyTypeError::new_err(format!(
            "the table of keys has {} columns; select the one that holds the keys",
            fields.len()
        ))),
        other => Err(PyTypeError::new_err(format!(
            "keys cannot be of the Arrow type {other}; convert them to strings, binary or integers"
        ))),
    }
}

/// Whether arrays of this type hold text or bytes.
fn is_text(data_type: &DataType) -> bool {
    use DataType::*;
    matches!(
        data_type,
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView | FixedSizeBinary(_)
    )
}

/// The array that [`visit`] takes: the column of a table, and the keys' bytes instead of their places in a dictionary.
pub fn plain(array: ArrayRef) -> PyResult<ArrayRef> {
    match array.data_type() {
        DataType::Struct(_) => {
            let column = array.as_struct().columns().first();
            let column = column.ok_or_else(|| PyTypeError::new_err("the table has no column"))?;
            plain(column.clone())
        }
        DataType::Dictionary(_, _) => look_up(array.as_any_dictionary()),
        _ => Ok(array),
    }
}

/// The bytes of the keys of an array with a dictionary.
fn look_up(array: &dyn AnyDictionaryArray) -> PyResult<ArrayRef> {
    let mut words = Bytes(LargeBinaryBuilder::new());
    visit(&plain(array.values().clone())?, &mut words)?;
    let words = words.0.finish();
    let mut keys = LargeBinaryBuilder::with_capacity(array.len(), 0);
    // Without words, each key is null.
    let places = match words.is_empty() {
        true => vec![0; array.len()],
        false => array.normalized_keys(),
    };
    let nulls = array.keys().logical_nulls();
    for (at, place) in places.into_iter().enumerate() {
        let valid = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(at));
        match valid && place < words.len() && words.is_valid(place) {
            true => keys.append_value(words.value(place)),
            false => keys.append_null(),
        }
    }
    Ok(Arc::new(keys.finish()))
}

/// Collects the bytes of keys. A key of any type is hashed as its bytes.
struct Bytes(LargeBinaryBuilder);

impl Visitor for Bytes {
    fn key<K: Key>(&mut self, key: K) {
        key.with_bytes(|bytes| self.0.append_value(bytes));
    }

    fn null(&mut self) {
        self.0.append_null();
    }
}

/// Passes on the keys of an array.
pub fn visit(array: &ArrayRef, visitor: &mut impl Visitor) -> PyResult<()> {
    match array.data_type() {
        DataType::Utf8 => each(array.as_string::<i32>(), visitor),
        DataType::LargeUtf8 => each(array.as_string::<i64>(), visitor),
        DataType::Utf8View => each(array.as_string_view(), visitor),
        DataType::Binary => each(array.as_binary::<i32>(), visitor),
        DataType::LargeBinary => each(array.as_binary::<i64>(), visitor),
        DataType::BinaryView => each(array.as_binary_view(), visitor),
        DataType::FixedSizeBinary(_) => each(array.as_fixed_size_binary(), visitor),
        DataType::Int8 => each(array.as_primitive::<Int8Type>(), visitor),
        DataType::Int16 => each(array.as_primitive::<Int16Type>(), visitor),
        DataType::Int32 => each(array.as_primitive::<Int32Type>(), visitor),
        DataType::Int64 => each(array.as_primitive::<Int64Type>(), visitor),
        DataType::UInt8 => each(array.as_primitive::<UInt8Type>(), visitor),
        DataType::UInt16 => each(array.as_primitive::<UInt16Type>(), visitor),
        DataType::UInt32 => each(array.as_primitive::<UInt32Type>(), visitor),
        DataType::UInt64 => each(array.as_primitive::<UInt64Type>(), visitor),
        DataType::Null => (0..array.len()).for_each(|_| visitor.null()),
        other => check(other)?,
    }
    Ok(())
}

/// Passes on the values of an array.
fn each<A: ArrayAccessor>(array: A, visitor: &mut impl Visitor)
where
    A::Item: Key,
{
    match array.logical_nulls().filter(|nulls| nulls.null_count() > 0) {
        None => visitor.keys((0..array.len()).map(|place| array.value(place))),
        Some(nulls) => {
            for (place, valid) in nulls.iter().enumerate() {
                match valid {
                    true => visitor.key(array.value(place)),
                    false => visitor.null(),
                }
            }
        }
    }
}
