//! `shard`: builds some shards of a filter from the keys of the whole set, or from theirs alone. `join` makes a filter of all of them.

use super::Outcome;
use super::build::kinds;
use crate::args::{ColumnArgs, OutputArgs, SpecArgs, Threads, parse_count};
use crate::io::keys::read_keys;
use crate::io::output::Output;
use crate::io::progress;
use anyhow::{Context, Result, bail};
use bloomwise::keys::{Digest, KeySetsBuilder};
use bloomwise::{Family, Filter, Hashing, KeySets};
use bloomwise_compare::input::{Role, check_read_once};
use bloomwise_compare::keys::memory;
use bloomwise_compare::report::text;
use serde_json::json;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

/// The error if memory runs out.
const TOO_MANY: &str =
    "the keys of these shards do not fit into memory; build fewer shards at a time";

/// The arguments of `shard`.
#[derive(clap::Args)]
#[command(after_help = kinds())]
pub struct Args {
    /// Kind of filter (see below)
    kind: String,
    /// File with keys of the set, one per line, those of these shards at least; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long, value_name = "FILE")]
    positives: PathBuf,
    /// File with known keys outside the set, one per line: key, or key TAB cost (default cost: 1)
    #[arg(long, value_name = "FILE")]
    negatives: Option<PathBuf>,
    /// Number of shards of the whole filter
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    shards: u64,
    /// Shard to build, from 0 on, or the shards from I to before J
    #[arg(long, value_name = "I[..J]", value_parser = parse_share)]
    share: Range<u64>,
    /// The size of the filter, its settings, and how it hashes keys.
    #[command(flatten)]
    filter: SpecArgs,
    /// The number of threads.
    #[command(flatten)]
    threads: Threads,
    /// Where the result goes.
    #[command(flatten)]
    output: OutputArgs,
    /// The columns to read if a file is a table.
    #[command(flatten)]
    columns: ColumnArgs,
}

/// Builds the shards, saves them and prints what they are.
pub fn run(args: &Args) -> Result<Outcome> {
    let (positives, negatives) = (args.positives.as_path(), args.negatives.as_deref());
    check_read_once(&[Some(positives), negatives])?;
    args.columns.check(&[Some(positives)], &[negatives])?;
    if args.filter.has_random_key() {
        bail!("--hash siphash: give all shards the same key with --seed");
    }
    let hashing = args.filter.hashing()?;
    let spec = args.filter.spec(args.kind.parse::<Family>()?, hashing)?;
    args.threads.start()?;
    // The checks of a build, without keys.
    spec.build_shards(&KeySets::empty(hashing), args.shards, args.share.clone())?;
    let target = args.output.target(&[Some(positives), negatives])?;

    let mut keys = Keys {
        args,
        sets: KeySets::builder(hashing),
        hashing,
    };
    let columns = args.columns.columns();
    read_keys(positives, Role::Keys, &columns, |key, _| keys.positive(key))?;
    if let Some(path) = negatives {
        read_keys(path, Role::Negatives, &columns, |key, cost| {
            keys.negative(key, cost)
        })?;
    }
    let (shards, report) = progress::during("building", || {
        spec.build_shards(&keys.sets.build()?, args.shards, args.share.clone())
    })?;
    target.save(&shards, None)?;

    let (first, count) = shards.range();
    let bytes = shards.size_in_bits() / 8;
    let mut out = Output::new(target.is_standard_output());
    if args.output.json {
        out.json(&json!({
            "kind": shards.family().name(),
            "shards": args.shards,
            "first": first,
            "count": count,
            "keys": shards.len(),
            "bytes": bytes,
            "exact": report.wrong.map(|wrong| wrong == 0),
            "wrong": report.wrong,
        }))?;
    } else {
        let rows = [
            (
                "built",
                format!("shards {first} to {} of {}", first + count - 1, args.shards),
            ),
            ("kind", shards.family().name().to_string()),
            ("keys", text::count(shards.len())),
            ("size", format!("{} bytes", text::count(bytes))),
            ("written", target.name()),
        ];
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    Ok(Outcome::Success)
}

/// Keeps the keys of the shards.
struct Keys<'a> {
    args: &'a Args,
    sets: KeySetsBuilder,
    hashing: Hashing,
}

impl Keys<'_> {
    fn positive(&mut self, key: &[u8]) -> Result<()> {
        match self.is_wanted(self.hashing.digest(key)) {
            true => memory::try_add_positive(&mut self.sets, key).context(TOO_MANY),
            false => Ok(()),
        }
    }

    fn negative(&mut self, key: &[u8], cost: f64) -> Result<()> {
        match self.is_wanted(self.hashing.digest(key)) {
            true => memory::try_add_negative(&mut self.sets, key, cost).context(TOO_MANY),
            false => Ok(()),
        }
    }

    fn is_wanted(&self, digest: Digest) -> bool {
        self.args.share.contains(&digest.shard(self.args.shards))
    }
}

/// Parses `I` or `I..J`.
fn parse_share(text: &str) -> Result<Range<u64>, String> {
    let (first, end) = match text.split_once("..") {
        Some((first, end)) => (first.parse().ok(), end.parse().ok()),
        None => {
            let first: Option<u64> = text.parse().ok();
            (first, first.and_then(|first| first.checked_add(1)))
        }
    };
    let range = first.zip(end).filter(|(first, end)| first < end);
    let (first, end) =
        range.ok_or("expected the number of a shard, such as 3, or a range, such as 3..5")?;
    Ok(first..end)
}
