//! What there is to know about a filter, as JSON.

use super::json;
use crate::measure::per;
use bloomwise::format::VERSION;
use bloomwise::info::Value as Parameter;
use bloomwise::{AnyFilter, Filter, Hashing, Persist};
use serde_json::{Value, json};

/// What there is to know about a filter, as a JSON object.
pub fn to_json(filter: &AnyFilter) -> Value {
    let (info, hashing) = (filter.info(), filter.hashing());
    let wrong = info.parameter("wrong").and_then(Parameter::as_u64);
    json!({
        "kind": info.family.name(),
        "version": VERSION,
        "hash": hashing.name(),
        "seed": seed(hashing),
        "keys": info.keys,
        "bytes": filter.size_in_bits() / 8,
        "bits_per_key": per(filter.size_in_bits() as f64, info.keys),
        "parameters": json::parameters(&info.parameters),
        "predicted_fpr": info.predicted_fpr,
        "fill": info.fill,
        "capacity": info.capacity,
        "exact": wrong.map(|wrong| wrong == 0),
        "wrong": wrong,
        "shards": filter.shards(),
        "patch": filter.patch().map(|patch| json!({
            "added": patch.added(),
            "denied": patch.denied(),
            "bytes": patch.encoded_len(),
        })),
    })
}

/// The seed as a JSON number if every JSON parser can represent it, else as a string. Many parsers use doubles, which represent
/// every whole number up to 2^53 but not all larger ones.
pub fn seed(hashing: Hashing) -> Value {
    match hashing {
        Hashing::Xxh3 { seed } if seed <= 1 << 53 => json!(seed),
        Hashing::Xxh3 { seed } => json!(seed.to_string()),
        Hashing::SipHash { key } => json!(format!("{key:#034x}")),
        _ => Value::Null,
    }
}
