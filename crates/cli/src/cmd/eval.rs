//! `eval`: measure a filter on keys.
//!
//! Denied positives are found while everything else is measured; the result is printed before the exit code tells.

use super::Outcome;
use crate::args::{Columns, check_dashes};
use crate::evaluation::Evaluation;
use crate::filter_file;
use crate::output::{Output, remark};
use crate::samples::Samples;
use anyhow::Result;
use std::io::Write;
use std::path::PathBuf;

/// The most characters of a denied key that are shown.
const SHOWN: usize = 80;

/// The arguments of `eval`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code 3: a positive is denied, so this is not the filter of these keys."
)]
pub struct Args {
    /// Filter to measure, - for standard input
    filter: PathBuf,
    /// File of the keys the filter was built from, one a line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long, value_name = "FILE")]
    positives: PathBuf,
    /// File of known keys outside of the set, one a line: key, or key TAB cost
    #[arg(long, value_name = "FILE")]
    negatives: Option<PathBuf>,
    /// File of keys outside of the set that the filter has never seen, one a line: key, or key TAB cost
    #[arg(long, value_name = "FILE")]
    unseen: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Where tables have their keys.
    #[command(flatten)]
    columns: Columns,
}

/// Measures and prints.
pub fn run(args: &Args) -> Result<Outcome> {
    let (known, unseen) = (args.negatives.as_deref(), args.unseen.as_deref());
    check_dashes(&[Some(&args.filter), Some(&args.positives), known, unseen])?;
    args.columns
        .check(&[Some(&args.positives)], &[known, unseen])?;
    let filter = filter_file::load(&args.filter)?;
    let samples = Samples::read(&args.positives, known, unseen, &args.columns)?;
    let evaluation = Evaluation::of(&filter, &samples);
    let mut out = Output::new(false);
    if args.json {
        out.json(&evaluation.json())?;
    } else {
        evaluation.print(&mut out)?;
    }
    out.flush()?;
    let members = &evaluation.members;
    let Some(key) = &members.first_denied else {
        return Ok(Outcome::Fine);
    };
    let first: String = String::from_utf8_lossy(key).chars().take(SHOWN).collect();
    remark(&format!(
        "{} of {} positives are denied, first {first:?}; the filter was built from other keys",
        members.denied, members.count,
    ));
    Ok(Outcome::Denied)
}
