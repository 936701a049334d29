//! `join`: makes a filter of shards that were built apart.

use super::Outcome;
use crate::args::OutputArgs;
use crate::io::filter_file;
use crate::io::output::Output;
use anyhow::{Result, bail};
use bloomwise::format::Check;
use bloomwise::sharded::Sharded;
use bloomwise::{Error, Filter};
use bloomwise_compare::measure::per;
use bloomwise_compare::report::text;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `join`.
#[derive(clap::Args)]
pub struct Args {
    /// Files that `shard` wrote: each shard of the filter once, in any order
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    /// Where the result goes.
    #[command(flatten)]
    output: OutputArgs,
}

/// Checks the parts, writes the filter and prints what it is.
pub fn run(args: &Args) -> Result<Outcome> {
    let inputs: Vec<Option<&Path>> = args.parts.iter().map(|part| Some(part.as_path())).collect();
    let target = args.output.target(&inputs)?;
    let mut parts = Vec::new();
    for path in &args.parts {
        // Parts are mapped, so that a filter that is larger than memory can be joined.
        parts.push(filter_file::map(path, Check::Whole)?);
    }
    let filter = match Sharded::join(parts) {
        Ok(filter) => filter,
        Err(Error::NoCapacity) => bail!("no part has keys; build the shards again from keys"),
        Err(error) => bail!("{error}; give all parts that shard wrote for one filter"),
    };
    target.save(&filter, None)?;

    let (kind, keys, bytes) = (
        filter.family().name(),
        filter.len(),
        filter.size_in_bits() / 8,
    );
    let mut out = Output::new(target.is_standard_output());
    if args.output.json {
        out.json(&json!({
            "kind": kind,
            "shards": filter.shards(),
            "keys": keys,
            "bytes": bytes,
        }))?;
    } else {
        let rows = [
            ("kind", kind.to_string()),
            ("shards", text::count(filter.shards())),
            ("keys", text::count(keys)),
            ("size", text::size(bytes, per(8.0 * bytes as f64, keys))),
            ("written", target.name()),
        ];
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    Ok(Outcome::Success)
}
