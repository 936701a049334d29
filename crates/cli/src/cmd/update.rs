//! `update`: guards, removes and inserts keys, in that order, and saves the filter.
//!
//! The filter is saved only if everything succeeds. Duplicates are not detected: a key that is inserted twice counts twice.

use super::Outcome;
use crate::args::{ColumnArgs, parse_bytes};
use crate::construct::insert_all;
use crate::io::keys::read_keys;
use crate::io::output::{Output, remark};
use crate::io::revision::Revision;
use anyhow::{Result, bail};
use bloomwise::{AnyFilter, Family, Filter, Operation};
use bloomwise_compare::input::{Role, check_read_once};
use bloomwise_compare::measure::per;
use bloomwise_compare::report::text;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `update`.
#[derive(clap::Args)]
pub struct Args {
    /// Filter to update, - for standard input
    filter: PathBuf,
    /// File with keys outside the set that the filter must not take for members, one per line: key, or key TAB cost
    #[arg(long, value_name = "FILE")]
    guard: Option<PathBuf>,
    /// File with keys to remove; remove only keys that were inserted
    #[arg(long, value_name = "FILE")]
    remove: Option<PathBuf>,
    /// File with keys to insert
    #[arg(long, value_name = "FILE")]
    insert: Option<PathBuf>,
    /// Largest size of a growing filter (default: 64 bytes per key, at least 16MiB, and it may double)
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true)]
    memory: Option<u64>,
    /// File to write, - for standard output (default: replace the filter)
    #[arg(short, long, value_name = "FILTER")]
    output: Option<PathBuf>,
    /// Replace the file if it exists; not needed to replace the filter itself, unless it is read-only
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The columns to read if a file is a table.
    #[command(flatten)]
    columns: ColumnArgs,
}

/// Updates the filter and saves it.
pub fn run(args: &Args) -> Result<Outcome> {
    let (guard, remove, insert) = (
        args.guard.as_deref(),
        args.remove.as_deref(),
        args.insert.as_deref(),
    );
    if guard.or(remove).or(insert).is_none() {
        bail!("nothing to do; give a file of keys with --guard, --remove or --insert");
    }
    check_read_once(&[Some(&args.filter), guard, remove, insert])?;
    args.columns.check(&[remove, insert], &[guard])?;
    let inputs = [guard, remove, insert];
    let (mut filter, revision) =
        Revision::load(&args.filter, args.output.as_deref(), args.force, &inputs)?;
    for (file, operation) in [
        (guard, Operation::Guard),
        (remove, Operation::Remove),
        (insert, Operation::Insert),
    ] {
        if file.is_some() {
            filter.check_operation(operation)?;
        }
    }

    let changes = apply(args, &mut filter)?;
    let target = revision.save(&filter)?;

    let (keys, bytes) = (filter.len(), filter.size_in_bits() / 8);
    let mut out = Output::new(target.is_standard_output());
    if args.json {
        out.json(&json!({
            "kind": filter.family().name(),
            "guarded": changes.guarded,
            "removed": changes.removed,
            "refused": changes.refused,
            "inserted": changes.inserted,
            "keys": keys,
            "bytes": bytes,
        }))?;
    } else {
        let rows = [
            ("guarded", text::count(changes.guarded)),
            ("removed", text::count(changes.removed)),
            ("inserted", text::count(changes.inserted)),
            ("keys", text::count(keys)),
            ("size", text::size(bytes, per(8.0 * bytes as f64, keys))),
            ("written", target.name()),
        ];
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    if 2 * changes.taken_for_members > changes.guarded {
        let denied = match filter.family() {
            Family::Cuckoo => "; it denies them now, so insert those again that are in the set",
            _ => "",
        };
        remark(&format!(
            "the filter took {} of the {} keys to guard for members; check the file, and guard only keys outside the set{denied}",
            text::count(changes.taken_for_members),
            text::count(changes.guarded)
        ));
    }
    if let Some(text) = capacity_remark(&filter) {
        remark(&text);
    }
    if changes.refused > 0 {
        remark(&format!(
            "skipped keys to remove that are not in the filter: {}; check the file",
            text::count(changes.refused)
        ));
    }
    Ok(Outcome::Success)
}

/// A rate that needs no remark.
const NEGLIGIBLE: f64 = 1e-6;

/// The remark if there are more keys than the capacity, and false positives are more likely than was asked for.
fn capacity_remark(filter: &AnyFilter) -> Option<String> {
    let (keys, rate) = (filter.len(), filter.rate());
    let capacity = filter.capacity().filter(|&capacity| keys > capacity)?;
    (rate > filter.info().target_rate.unwrap_or(NEGLIGIBLE)).then(|| {
        format!(
            "{} keys exceed the capacity of {}; the false positive rate is now {}; build the filter again with a larger --capacity, or as growing",
            text::count(keys),
            text::count(capacity),
            text::percent(Some(rate))
        )
    })
}

/// How many keys were changed.
#[derive(Default)]
struct Changes {
    /// Keys that were guarded.
    guarded: u64,
    /// Guarded keys that the filter took for members before.
    taken_for_members: u64,
    /// Keys that were removed.
    removed: u64,
    /// Keys that were not removed, because the filter does not hold them.
    refused: u64,
    /// Keys that were inserted.
    inserted: u64,
}

/// Reads the keys of all files and changes the filter in memory.
fn apply(args: &Args, filter: &mut AnyFilter) -> Result<Changes> {
    let columns = args.columns.columns();
    let mut changes = Changes::default();
    if let Some(path) = &args.guard {
        let read = read_keys(path, Role::Negatives, &columns, |key, cost| {
            changes.taken_for_members += u64::from(filter.contains(key));
            Ok(filter.guard(key, cost)?)
        })?;
        changes.guarded = read.keys;
    }
    if let Some(path) = &args.remove {
        read_keys(path, Role::Keys, &columns, |key, _| {
            if filter.remove(key)? {
                changes.removed += 1;
            } else {
                changes.refused += 1;
            }
            Ok(())
        })?;
    }
    if let Some(path) = &args.insert {
        changes.inserted = insert_all(filter, path, &columns, args.memory)?.keys;
    }
    Ok(changes)
}
