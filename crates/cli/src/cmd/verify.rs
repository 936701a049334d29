//! `verify`: checks the checksums, all lengths and every field of a filter file.

use super::Outcome;
use crate::args::FilterArgs;
use crate::io::filter_file;
use crate::io::output::Output;
use anyhow::{Context, Result};
use bloomwise::Filter;
use bloomwise::format::Check;
use bloomwise_compare::path::shown;
use bloomwise_compare::report::text;
use serde_json::json;
use std::fs::File;
use std::io::{self, Write};

/// Checks the filter and prints that it is valid.
pub fn run(args: &FilterArgs) -> Result<Outcome> {
    // Where the disk fails, reading is an error; a mapped page would end the program.
    if args.filter.is_file() {
        let read =
            File::open(&args.filter).and_then(|mut file| io::copy(&mut file, &mut io::sink()));
        read.with_context(|| shown(&args.filter))?;
    }
    let filter = filter_file::open(&args.filter, Check::Whole, &[])?;
    let (kind, keys, bytes) = (
        filter.family().name(),
        filter.len(),
        filter.size_in_bits() / 8,
    );
    let mut out = Output::new(false);
    if args.json {
        out.json(&json!({"ok": true, "kind": kind, "keys": keys, "bytes": bytes}))?;
    } else {
        let (keys, bytes) = (text::count(keys), text::count(bytes));
        writeln!(out, "ok: {kind}, {keys} keys, {bytes} bytes")?;
    }
    out.flush()?;
    Ok(Outcome::Success)
}
