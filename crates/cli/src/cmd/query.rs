//! `query`: ask a filter for keys, those of the command line first, then those of the file.

use super::Outcome;
use crate::answers::{Answers, Kept, Listing};
use crate::args::{Columns, check_dashes};
use crate::input::{Role, read_keys};
use crate::{filter_file, progress};
use anyhow::{Result, bail};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
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
    /// Column of .csv and .parquet files that holds the key
    #[arg(long, value_name = "NAME")]
    key_column: Option<String>,
}

/// Asks for all keys and prints the answers.
pub fn run(args: &Args) -> Result<Outcome> {
    let file = args.file.as_deref();
    if args.keys.is_empty() && file.is_none() {
        bail!("no keys to ask for; name them after the filter or give a file with --keys");
    }
    check_dashes(&[Some(&args.filter), file])?;
    let columns = Columns {
        key: args.key_column.clone(),
        cost: None,
    };
    columns.check(&[file], &[])?;
    let filter = filter_file::load(&args.filter)?;
    let listing = match (args.count, args.json) {
        (true, _) => Listing::None,
        (false, true) => Listing::Objects(Kept::default()),
        (false, false) => Listing::Lines,
    };
    if matches!(listing, Listing::Lines) && io::stdout().is_terminal() {
        // A bar would stand among the answers.
        progress::hide();
    }
    let mut answers = Answers::new(&filter, listing);
    for key in &args.keys {
        answers.ask(key.as_encoded_bytes())?;
    }
    if let Some(path) = file {
        read_keys(path, Role::Members, &columns, &mut |key, _| {
            answers.ask(key)
        })?;
    }
    answers.finish(args.json)?;
    Ok(match answers.absent {
        0 => Outcome::Fine,
        _ => Outcome::Absent,
    })
}
