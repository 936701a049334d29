//! Parts that several JSON objects share.

use bloomwise::Parameter;
use serde_json::{Map, Value, json};

/// The parameters of a filter as an object.
pub fn parameters(parameters: &[Parameter]) -> Value {
    let parameters = parameters.iter();
    facts(parameters.map(|parameter| (parameter.name, parameter.value.clone())))
}

/// Named values as an object.
pub fn facts(facts: impl IntoIterator<Item = (&'static str, bloomwise::Value)>) -> Value {
    let entry = |(name, value): (&str, bloomwise::Value)| {
        let value = match value {
            bloomwise::Value::Whole(number) => json!(number),
            bloomwise::Value::Real(number) => json!(number),
            bloomwise::Value::Word(word) => json!(word),
        };
        (name.to_string(), value)
    };
    facts.into_iter().map(entry).collect::<Map<_, _>>().into()
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
