//! Keys that are Python objects, copied into Arrow arrays.

use crate::key::OneKey;
use arrow_array::ArrayRef;
use arrow_array::builder::LargeBinaryBuilder;
use bloomwise::Key;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::sync::Arc;

/// The most keys of a chunk, so that a long iterator is never held as a whole.
const MOST: usize = 1 << 16;

/// The next keys of an iterator, or `None` after the last. `None` is null.
pub fn collect(objects: &Bound<'_, PyIterator>) -> PyResult<Option<ArrayRef>> {
    let mut keys = LargeBinaryBuilder::new();
    let mut count = 0;
    for object in objects.clone().take(MOST) {
        let object = object?;
        count += 1;
        if object.is_none() {
            keys.append_null();
        } else {
            OneKey::of(&object)?.with_bytes(|bytes| keys.append_value(bytes));
        }
    }
    Ok((count > 0).then(|| Arc::new(keys.finish()) as ArrayRef))
}
