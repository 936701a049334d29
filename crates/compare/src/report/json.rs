//! Parts that several JSON objects share.

use bloomwise::info::Parameter;
use serde_json::{Map, Value, json};

/// The parameters of a filter as an object.
pub fn parameters(parameters: &[Parameter]) -> Value {
    let parameters = parameters.iter();
    facts(parameters.map(|parameter| (parameter.name, parameter.value.clone())))
}

/// Named values as an object.
pub fn facts(facts: impl IntoIterator<Item = (&'static str, bloomwise::info::Value)>) -> Value {
    let entry = |(name, value): (&str, bloomwise::info::Value)| {
        let value = match value {
            bloomwise::info::Value::Whole(number) => json!(number),
            bloomwise::info::Value::Real(number) => json!(number),
            bloomwise::info::Value::Word(word) => json!(word),
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
