//! `eval`: measures a filter on keys.
//!
//! The measurements are printed even if the filter denies a positive; a remark and the exit code then report it.

use super::Outcome;
use crate::args::ColumnArgs;
use crate::io::filter_file;
use crate::io::output::{Output, remark};
use crate::io::progress::Terminal;
use anyhow::Result;
use bloomwise::format::Check;
use bloomwise_compare::input::check_read_once;
use bloomwise_compare::measure::{Evaluation, Samples};
use std::io::Write;
use std::path::PathBuf;

/// How many characters of a denied key are shown.
const SHOWN: usize = 80;

/// The arguments of `eval`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code 3: the filter denied a positive, so it was built from other keys."
)]
pub struct Args {
    /// Filter to measure, - for standard input
    filter: PathBuf,
    /// File with the keys that the filter was built from, one per line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long, value_name = "FILE")]
    positives: PathBuf,
    /// File with known keys outside the set, one per line: key, or key TAB cost
    #[arg(long, value_name = "FILE")]
    negatives: Option<PathBuf>,
    /// File with keys outside the set that the build did not see, one per line: key, or key TAB cost
    #[arg(long, value_name = "FILE")]
    unseen: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The columns to read if a file is a table.
    #[command(flatten)]
    columns: ColumnArgs,
}

/// Measures the filter and prints the result.
pub fn run(args: &Args) -> Result<Outcome> {
    let (known, unseen) = (args.negatives.as_deref(), args.unseen.as_deref());
    let inputs = [Some(args.positives.as_path()), known, unseen];
    check_read_once(&[&[Some(args.filter.as_path())], &inputs[..]].concat())?;
    args.columns
        .check(&[Some(&args.positives)], &[known, unseen])?;
    let filter = filter_file::open(&args.filter, Check::Whole, &inputs)?;
    let samples = Samples::read(
        &args.positives,
        known,
        unseen,
        &args.columns.columns(),
        &Terminal,
    )?;
    let evaluation = Evaluation::of(&filter, &samples, &Terminal);
    let mut out = Output::new(false);
    if args.json {
        out.json(&Evaluation::json(Some(&evaluation)))?;
    } else {
        evaluation.print(&mut out)?;
    }
    out.flush()?;
    let members = &evaluation.members;
    let Some(key) = &members.first_denied else {
        return Ok(Outcome::Success);
    };
    let first: String = String::from_utf8_lossy(key).chars().take(SHOWN).collect();
    remark(&format!(
        "the filter denies {} of {} positives, first {first:?}; name the keys that it was built from",
        members.denied, members.count,
    ));
    Ok(Outcome::Denied)
}
