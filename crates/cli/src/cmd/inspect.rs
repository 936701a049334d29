//! `inspect`: shows the kind, the parameters, the size and the fill of a filter.

use super::Outcome;
use crate::args::FilterArgs;
use crate::io::filter_file;
use crate::io::output::Output;
use crate::measure::per;
use crate::report::{json, text};
use anyhow::Result;
use bloomwise::format::{Check, VERSION};
use bloomwise::info::Value as Parameter;
use bloomwise::{AnyFilter, Filter, Hashing, Persist};
use serde_json::{Value, json};
use std::io::Write;

/// Loads the filter and prints facts about it.
pub fn run(args: &FilterArgs) -> Result<Outcome> {
    let filter = filter_file::open(&args.filter, Check::Whole, &[])?;
    let info = filter.info();
    let (kind, hashing) = (info.family.name(), filter.hashing());
    let bytes = filter.size_in_bits() / 8;
    let bits_per_key = per(filter.size_in_bits() as f64, info.keys);
    let wrong = info.parameter("wrong").and_then(Parameter::as_u64);
    let mut out = Output::new(false);
    if args.json {
        out.json(&to_json(&filter))?;
    } else {
        let seed = match seed(hashing) {
            Value::String(digits) => digits,
            number => number.to_string(),
        };
        let mut rows = vec![
            ("kind", kind.to_string()),
            ("version", VERSION.to_string()),
            ("hash", format!("{}, seed {seed}", hashing.name())),
            ("keys", text::count(info.keys)),
            (
                "capacity",
                info.capacity.map_or("-".to_string(), text::count),
            ),
            ("size", text::size(bytes, bits_per_key)),
        ];
        for parameter in &info.parameters {
            match parameter.name {
                // In words, below.
                "wrong" | "known_negatives" if wrong.is_some() => {}
                name => rows.push((name, text::parameter(&parameter.value))),
            }
        }
        if let Some(wrong) = wrong
            && let Some(known) = info.parameter("known_negatives")
        {
            let (known, wrong) = (text::parameter(known), text::exactness(wrong));
            rows.push(("known negatives", format!("{known}, {wrong}")));
        }
        rows.push(("fill", text::percent(Some(info.fill))));
        rows.push(("predicted rate", text::percent(Some(info.predicted_fpr))));
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    Ok(Outcome::Success)
}

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
fn seed(hashing: Hashing) -> Value {
    match hashing {
        Hashing::Xxh3 { seed } if seed <= 1 << 53 => json!(seed),
        Hashing::Xxh3 { seed } => json!(seed.to_string()),
        Hashing::SipHash { key } => json!(format!("{key:#034x}")),
        _ => Value::Null,
    }
}
