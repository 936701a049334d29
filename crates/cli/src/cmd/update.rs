//! `update`: guard, remove and insert keys, in that order, and save the filter.
//!
//! Nothing is written unless all of it went well. Keys are taken as they come: one that is inserted twice counts twice.
//! While the filter itself is to be replaced it is locked, so that updates at the same time are made one after the
//! other.

use super::Outcome;
use crate::args::{Columns, check_dashes};
use crate::construct::insert_all;
use crate::filter_file;
use crate::input::{Role, read_keys};
use crate::output::{Output, remark};
use crate::target::{Target, same_file};
use crate::{lock, text};
use anyhow::{Context, Result, bail};
use bloomwise::{AnyFilter, Filter, Operation};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `update`.
#[derive(clap::Args)]
pub struct Args {
    /// Filter to change, - for standard input
    filter: PathBuf,
    /// File of keys outside of the set that shall not be taken for members, one a line: key, or key TAB cost
    #[arg(long, value_name = "FILE")]
    guard: Option<PathBuf>,
    /// File of keys to remove; remove only what was inserted
    #[arg(long, value_name = "FILE")]
    remove: Option<PathBuf>,
    /// File of keys to insert
    #[arg(long, value_name = "FILE")]
    insert: Option<PathBuf>,
    /// File to write, - for standard output (default: the filter itself is replaced)
    #[arg(short, long, value_name = "FILTER")]
    output: Option<PathBuf>,
    /// Replace another file that exists
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Where tables have their keys.
    #[command(flatten)]
    columns: Columns,
}

/// Changes the filter and saves it.
pub fn run(args: &Args) -> Result<Outcome> {
    let (guard, remove, insert) = (
        args.guard.as_deref(),
        args.remove.as_deref(),
        args.insert.as_deref(),
    );
    if guard.or(remove).or(insert).is_none() {
        bail!("nothing to do; give files of keys with --guard, --remove or --insert");
    }
    check_dashes(&[Some(&args.filter), guard, remove, insert])?;
    args.columns.check(&[remove, insert], &[guard])?;
    let target = args.output.as_deref().unwrap_or(&args.filter);
    let itself = same_file(target, &args.filter);
    let target = Target::new(target, args.force || itself, &[guard, remove, insert])?;
    let mut locked = itself
        .then(|| lock::open_locked(&args.filter))
        .transpose()?;
    let mut filter = match &mut locked {
        Some(file) => filter_file::read(file).with_context(|| target.name())?,
        None => filter_file::load(&args.filter)?,
    };
    for (file, operation) in [
        (guard, Operation::Guard),
        (remove, Operation::Remove),
        (insert, Operation::Insert),
    ] {
        if file.is_some() {
            filter.family().check(operation)?;
        }
    }

    let changes = apply(args, &mut filter)?;
    target.save(&filter)?;
    drop(locked);

    let (keys, bytes) = (filter.info().keys, filter.size_in_bits() / 8);
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
            ("guarded", text::grouped(changes.guarded)),
            ("removed", text::grouped(changes.removed)),
            ("inserted", text::grouped(changes.inserted)),
            ("keys", text::grouped(keys)),
            (
                "size",
                text::size(bytes, text::per(8.0 * bytes as f64, keys)),
            ),
            ("written", target.name()),
        ];
        text::list(&mut out, &rows)?;
    }
    out.flush()?;
    if 2 * changes.taken > changes.guarded {
        remark(&format!(
            "the filter takes {} of the {} keys to guard for members; guard keys that are not in the set, check the file",
            text::grouped(changes.taken),
            text::grouped(changes.guarded)
        ));
    }
    if changes.refused > 0 {
        remark(&format!(
            "keys to remove that are not in the filter: {}; they were left out, check the file",
            changes.refused
        ));
    }
    Ok(Outcome::Fine)
}

/// How many keys were treated how.
#[derive(Default)]
struct Changes {
    /// Guarded.
    guarded: u64,
    /// Of these, those that the filter took for members before.
    taken: u64,
    /// Removed.
    removed: u64,
    /// Not removed, because the filter can tell that they are not there.
    refused: u64,
    /// Inserted.
    inserted: u64,
}

/// Takes the keys of all files to the filter in memory.
fn apply(args: &Args, filter: &mut AnyFilter) -> Result<Changes> {
    let mut changes = Changes::default();
    if let Some(path) = &args.guard {
        let read = read_keys(path, Role::Negatives, &args.columns, &mut |key, _| {
            changes.taken += u64::from(filter.contains(key));
            Ok(filter.guard(key)?)
        })?;
        changes.guarded = read.keys;
    }
    if let Some(path) = &args.remove {
        read_keys(path, Role::Members, &args.columns, &mut |key, _| {
            match filter.remove(key)? {
                true => changes.removed += 1,
                false => changes.refused += 1,
            }
            Ok(())
        })?;
    }
    if let Some(path) = &args.insert {
        changes.inserted = insert_all(filter, path, &args.columns)?.keys;
    }
    Ok(changes)
}
