//! Parts that several JSON objects share.

use bloomwise::Value as Parameter;
use serde_json::{Map, Value, json};

/// The parameters of a filter as an object.
pub fn parameters(parameters: &[(&'static str, Parameter)]) -> Value {
    let entry = |(name, value): &(&str, Parameter)| {
        let value = match value {
            Parameter::Whole(number) => json!(number),
            Parameter::Real(number) => json!(number),
            Parameter::Word(word) => json!(word),
        };
        ((*name).to_string(), value)
    };
    parameters.iter().map(entry).collect::<Map<_, _>>().into()
}

/// The fields of several objects in one object, in order. If a name occurs twice, the first position and the last value
/// count.
pub fn merge<const N: usize>(objects: [Value; N]) -> Value {
    let fields = objects.into_iter().filter_map(|object| match object {
        Value::Object(fields) => Some(fields),
        _ => None,
    });
    fields.flatten().collect::<Map<_, _>>().into()
}
