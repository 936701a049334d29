//! `verify`: is the file of a filter whole and sound? Loading answers it: checksum, lengths, every field.

use super::Outcome;
use crate::args::OneFilter;
use crate::output::Output;
use crate::{filter_file, text};
use anyhow::Result;
use bloomwise::Filter;
use serde_json::json;
use std::io::Write;

/// Loads the filter and says that it is sound.
pub fn run(args: &OneFilter) -> Result<Outcome> {
    let filter = filter_file::load(&args.filter)?;
    let (kind, keys, bytes) = (
        filter.family().name(),
        filter.info().keys,
        filter.size_in_bits() / 8,
    );
    let mut out = Output::new(false);
    if args.json {
        out.json(&json!({"ok": true, "kind": kind, "keys": keys, "bytes": bytes}))?;
    } else {
        let (keys, bytes) = (text::grouped(keys), text::grouped(bytes));
        writeln!(out, "ok: {kind}, {keys} keys, {bytes} bytes")?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
