//! Finds the key, the cost and the time in a line that is a JSON object.
//!
//! A path such as `request.path` names a field of a field. A key is a string or a number; a number is the text that stands for it.

use super::line::{Found, parse_cost};
use crate::Message;
use crate::input::{Columns, cost, time};
use serde_json::Value;
use std::borrow::Cow;

/// The event in a line, or why there is none.
pub fn read(line: &[u8], columns: &Columns) -> Result<Found<'static>, Message> {
    let object: Value =
        serde_json::from_slice(line).map_err(|error| format!("it is not JSON ({error})"))?;
    let path = columns.key.first().map_or("", String::as_str);
    let key = field(&object, path).ok_or_else(|| format!("there is no field {path:?}"))?;
    let cost = columns
        .cost
        .as_deref()
        .and_then(|path| field(&object, path));
    let time = columns
        .time
        .as_deref()
        .and_then(|path| field(&object, path));
    Ok(Found {
        key: Cow::Owned(key.into_bytes()),
        cost: cost.map_or(Ok(cost::DEFAULT), |cost| parse_cost(cost.as_bytes()))?,
        time: time.and_then(|time| time::parse(time.as_bytes())),
    })
}

/// The text of the field at a path, if it is a string or a number.
fn field(object: &Value, path: &str) -> Option<String> {
    // A field may have a dot in its name.
    let found = object.get(path).or_else(|| {
        let mut names = path.split('.');
        names.try_fold(object, |object, name| object.get(name))
    });
    match found? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
