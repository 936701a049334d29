//! `query`: looks up keys in a filter, first those on the command line, then those in the file.

use super::Outcome;
use crate::args::ColumnArgs;
use crate::io::filter_file;
use crate::io::keys::read_keys;
use crate::io::progress;
use crate::report::answers::{AnswerList, Answers, Listing};
use anyhow::{Result, bail};
use bloomwise::format::Check;
use bloomwise_compare::input::{Role, check_read_once};
use bloomwise_compare::path::shown;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// The arguments of `query`.
#[derive(clap::Args)]
#[command(after_help = "Exit code 0: all keys are present; 1: at least one key is absent.")]
pub struct Args {
    /// Filter to query, - for standard input
    filter: PathBuf,
    /// Keys to look up; - alone reads them from standard input, one per line
    #[arg(value_name = "KEY")]
    keys: Vec<OsString>,
    /// File with keys to look up, one per line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long = "keys", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print only the numbers of present and absent keys
    #[arg(long)]
    count: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Column that holds the key, for .csv and .parquet files
    #[arg(long, value_name = "NAME")]
    key_column: Option<String>,
}

/// Looks up all keys and prints the answers.
pub fn run(args: &Args) -> Result<Outcome> {
    let mut file = args.file.as_deref();
    let mut keys = args.keys.as_slice();
    if file.is_none() && matches!(keys, [only] if only == "-") {
        (file, keys) = (Some(Path::new("-")), &[]);
    }
    if keys.is_empty() && file.is_none() {
        bail!(
            "no keys to look up; name keys after the filter, give a file with --keys, or - for standard input"
        );
    }
    check_read_once(&[Some(&args.filter), file])?;
    let columns = ColumnArgs {
        key: args.key_column.clone().into_iter().collect(),
        cost: None,
    };
    columns.check(&[file], &[])?;
    let filter = filter_file::open(&args.filter, Check::FirstUse, &[file])?;
    let listing = match (args.count, args.json) {
        (true, _) => Listing::None,
        (false, true) => Listing::Json(AnswerList::default()),
        (false, false) => Listing::Lines,
    };
    if matches!(listing, Listing::Lines) && io::stdout().is_terminal() {
        // A bar would appear among the answers.
        progress::hide();
    }
    let mut answers = Answers::new(&filter, listing);
    for key in keys {
        answers.query(key.as_encoded_bytes())?;
    }
    if let Some(path) = file {
        read_keys(path, Role::Keys, &columns.columns(), |key, _| {
            answers.query(key)
        })?;
    }
    answers.finish(args.json)?;
    match filter.damaged_shards() {
        0 => {}
        damaged => bail!(
            "{}: the filter is damaged: {damaged} of the {} shards, and every key of these is answered with yes; restore the file or build it again",
            shown(&args.filter),
            filter.shards(),
        ),
    }
    Ok(match answers.absent {
        0 => Outcome::Success,
        _ => Outcome::Absent,
    })
}
