//! `query`: ask a filter for keys, those of the command line first, then those of the file.

use super::Outcome;
use crate::answers::{Answers, Listing};
use crate::args::{Columns, check_dashes};
use crate::filter_file;
use crate::input::{Role, read_keys};
use anyhow::{Result, bail};
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of `query`.
#[derive(clap::Args)]
#[command(after_help = "Exit code 0: all keys are present; 1: some are absent.")]
pub struct Args {
    /// Filter to ask, - for standard input
    filter: PathBuf,
    /// Keys to ask for
    #[arg(value_name = "KEY")]
    keys: Vec<OsString>,
    /// File of keys to ask for, one a line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long = "keys", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print the numbers of present and absent keys only
    #[arg(long)]
    count: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Where tables have their keys.
    #[command(flatten)]
    columns: Columns,
}

/// Asks for all keys and prints the answers.
pub fn run(args: &Args) -> Result<Outcome> {
    let file = args.file.as_deref();
    if args.keys.is_empty() && file.is_none() {
        bail!("no keys to ask for; name them after the filter or give a file with --keys");
    }
    check_dashes(&[Some(&args.filter), file])?;
    args.columns.check(&[file], &[])?;
    let filter = filter_file::load(&args.filter)?;
    let listing = match (args.count, args.json) {
        (true, _) => Listing::None,
        (false, true) => Listing::Objects(Vec::new()),
        (false, false) => Listing::Lines,
    };
    let mut answers = Answers::new(&filter, listing);
    for key in &args.keys {
        answers.ask(key.as_encoded_bytes())?;
    }
    if let Some(path) = file {
        read_keys(path, Role::Members, &args.columns, &mut |key, _| {
            Ok(answers.ask(key)?)
        })?;
    }
    answers.finish(args.json)?;
    Ok(match answers.absent {
        0 => Outcome::Fine,
        _ => Outcome::Absent,
    })
}
