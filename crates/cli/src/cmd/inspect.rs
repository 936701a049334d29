//! `inspect`: what a filter is and how full it is.

use super::Outcome;
use crate::args::OneFilter;
use crate::output::Output;
use crate::{filter_file, text};
use anyhow::Result;
use bloomwise::format::VERSION;
use bloomwise::{Filter, Hashing};
use serde_json::{Value, json};
use std::io::Write;

/// Loads the filter and prints what it tells about itself.
pub fn run(args: &OneFilter) -> Result<Outcome> {
    let filter = filter_file::load(&args.filter)?;
    let info = filter.info();
    let (kind, hashing) = (filter.family().name(), filter.hashing());
    let bytes = filter.size_in_bits() / 8;
    let bits_per_key = text::per(filter.size_in_bits() as f64, info.keys);
    let mut out = Output::new(false);
    if args.json {
        out.json(&json!({
            "kind": kind,
            "version": VERSION,
            "hash": hashing.name(),
            "seed": seed(hashing),
            "keys": info.keys,
            "bytes": bytes,
            "bits_per_key": bits_per_key,
            "parameters": text::parameters_json(&info.parameters),
            "predicted_fpr": info.predicted_fpr,
            "fill": info.fill,
        }))?;
    } else {
        let seed = match seed(hashing) {
            Value::String(digits) => digits,
            number => number.to_string(),
        };
        let mut rows = vec![
            ("kind", kind.to_string()),
            ("version", VERSION.to_string()),
            ("hash", format!("{}, seed {seed}", hashing.name())),
            ("keys", text::grouped(info.keys)),
            ("size", text::size(bytes, bits_per_key)),
        ];
        for (name, value) in &info.parameters {
            rows.push((name, text::parameter(value)));
        }
        rows.push(("fill", text::percent(Some(info.fill))));
        rows.push(("predicted rate", text::percent(Some(info.predicted_fpr))));
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// The seed: a number where all programs can hold it, all digits where they cannot. Many readers of JSON hold numbers
/// as doubles, which have every whole number up to 2^53 and not all beyond.
fn seed(hashing: Hashing) -> Value {
    match hashing {
        Hashing::Xxh3 { seed } if seed <= 1 << 53 => json!(seed),
        Hashing::Xxh3 { seed } => json!(seed.to_string()),
        Hashing::SipHash { key } => json!(format!("{key:#034x}")),
    }
}
