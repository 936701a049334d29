//! `diff`: makes a patch of what changed since a filter was built.
//!
//! If the filter is patched already, the patch is made from its base, and takes the place of the older one.

use super::Outcome;
use crate::args::{ColumnArgs, OutputArgs};
use crate::construct::{Sources, read_digests};
use crate::io::filter_file;
use crate::io::output::{Output, remark};
use crate::io::progress;
use anyhow::{Context, Result};
use bloomwise::format::Check;
use bloomwise::patched::Patch;
use bloomwise::{Error, Filter, Persist};
use bloomwise_compare::input::check_read_once;
use bloomwise_compare::path::shown;
use bloomwise_compare::report::text;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `diff`.
#[derive(clap::Args)]
pub struct Args {
    /// Filter that was built from the old keys, - for standard input; the base of a filter that is patched already
    base: PathBuf,
    /// File with the keys of the set as it is now, one per line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long, value_name = "FILE")]
    positives: PathBuf,
    /// File with the keys that the base was built from
    #[arg(long, value_name = "FILE")]
    old_positives: PathBuf,
    /// File with known keys outside the set as it is now, one per line: key, or key TAB cost; the patched filter denies all of them
    #[arg(long, value_name = "FILE")]
    negatives: Option<PathBuf>,
    /// Where the result goes.
    #[command(flatten)]
    output: OutputArgs,
    /// The columns to read if a file is a table.
    #[command(flatten)]
    columns: ColumnArgs,
}

/// The error if memory runs out.
const TOO_MANY: &str = "the keys do not fit into memory; make the patch on a larger machine";

/// Makes the patch, saves it and prints how large it is.
pub fn run(args: &Args) -> Result<Outcome> {
    let (new, old) = (args.positives.as_path(), args.old_positives.as_path());
    let negatives = args.negatives.as_deref();
    let inputs = [Some(args.base.as_path()), Some(new), Some(old), negatives];
    check_read_once(&inputs)?;
    args.columns.check(&[Some(new), Some(old)], &[negatives])?;
    let target = args.output.target(&inputs)?;
    let filter = filter_file::open(&args.base, Check::Whole, &inputs)?;
    let columns = args.columns.columns();
    let read = |positives, negatives| {
        let sources = Sources {
            positives,
            negatives,
            columns: &columns,
        };
        read_digests(filter.hashing(), &sources, TOO_MANY)
    };
    let (old_sets, new_sets) = (read(old, None)?, read(new, negatives)?);
    let patch = progress::during("building", || {
        let (old_sets, new_sets) = (old_sets.build()?, new_sets.build()?);
        Patch::build(&filter, &old_sets, &new_sets)
    });
    let patch = match patch {
        Err(error @ Error::OtherKeys { .. }) => Err(error).with_context(|| shown(old)),
        patch => patch.map_err(anyhow::Error::from),
    }?;
    target.save(&patch, None)?;

    let (bytes, base_bytes) = (patch.encoded_len(), filter.base().encoded_len());
    let mut out = Output::new(target.is_standard_output());
    if args.output.json {
        out.json(&json!({
            "added": patch.added(),
            "denied": patch.denied(),
            "bytes": bytes,
            "base_bytes": base_bytes,
        }))?;
    } else {
        let share = text::percent(Some(bytes as f64 / base_bytes as f64));
        let rows = [
            ("added", text::count(patch.added())),
            ("denied", text::count(patch.denied())),
            (
                "size",
                format!("{} bytes, {share} of the base", text::count(bytes)),
            ),
            ("written", target.name()),
        ];
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    if bytes >= base_bytes {
        remark("the patch is not smaller than the filter; build a new filter instead");
    }
    Ok(Outcome::Success)
}
