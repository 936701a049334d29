//! `apply`: saves a filter with a patch.
//!
//! A patch that the filter has already is replaced.

use super::Outcome;
use crate::io::filter_file;
use crate::io::output::Output;
use crate::io::revision::Revision;
use anyhow::{Context, Result};
use bloomwise::Filter;
use bloomwise_compare::input::check_read_once;
use bloomwise_compare::measure::per;
use bloomwise_compare::path::shown;
use bloomwise_compare::report::text;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `apply`.
#[derive(clap::Args)]
pub struct Args {
    /// Filter that the patch was made from, patched or not, - for standard input
    filter: PathBuf,
    /// Patch that `diff` wrote, - for standard input
    patch: PathBuf,
    /// File to write, - for standard output; may be the filter itself
    #[arg(short, long, value_name = "FILTER")]
    output: PathBuf,
    /// Replace the file if it exists; not needed to replace the filter itself, unless it is read-only
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Saves the patched filter.
pub fn run(args: &Args) -> Result<Outcome> {
    check_read_once(&[Some(&args.filter), Some(&args.patch)])?;
    let inputs = [Some(args.patch.as_path())];
    let (filter, revision) = Revision::load(&args.filter, Some(&args.output), args.force, &inputs)?;
    let patch = filter_file::load_patch(&args.patch)?;
    let (added, denied) = (patch.added(), patch.denied());
    let filter = patch.apply(filter).with_context(|| shown(&args.patch))?;
    let target = revision.save(&filter)?;

    let (keys, bytes) = (filter.len(), filter.size_in_bits() / 8);
    let mut out = Output::new(target.is_standard_output());
    if args.json {
        out.json(&json!({"bytes": bytes, "added": added, "denied": denied}))?;
    } else {
        let rows = [
            ("added", text::count(added)),
            ("denied", text::count(denied)),
            ("keys", text::count(keys)),
            ("size", text::size(bytes, per(8.0 * bytes as f64, keys))),
            ("written", target.name()),
        ];
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    Ok(Outcome::Success)
}
