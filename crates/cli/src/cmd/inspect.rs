//! `inspect`: shows the kind, the parameters, the size and the fill of a filter.

use super::Outcome;
use crate::args::FilterArgs;
use crate::io::filter_file;
use crate::io::output::Output;
use anyhow::Result;
use bloomwise::Filter;
use bloomwise::format::{Check, VERSION};
use bloomwise::info::Value as Parameter;
use bloomwise_compare::measure::per;
use bloomwise_compare::report::inspect::{seed, to_json};
use bloomwise_compare::report::text;
use serde_json::Value;
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
