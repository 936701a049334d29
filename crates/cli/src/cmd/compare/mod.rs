//! `compare`: compares kinds of filters on the user's own keys.
//!
//! Unless there is a file of unseen keys, a share of the negatives is held out before anything is built. A rate that was measured
//! on keys that the build saw would say little about other keys. With a log, negatives are learned from its first part, and filters are measured
//! on the rest.

mod setup;

use super::Outcome;
use super::comparison_output::{ComparisonOutput, outcome};
use crate::args::{ColumnArgs, DEFAULT_TOP, HashName, LogArgs, Threads, parse_count, parse_seed};
use crate::io::output::{Output, remark};
use crate::io::progress::Terminal;
use anyhow::{Result, bail};
use bloomwise::info::Value;
use bloomwise_compare::input::{self, check_read_once};
use bloomwise_compare::learning::{SplitLog, check_readable_twice};
use bloomwise_compare::report::html::{self, Setup};
use bloomwise_compare::report::text;
use bloomwise_compare::{Comparison, Options, Samples, default_kinds, parse_setting};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The default share of the negatives that is held out.
const DEFAULT_HOLDOUT: f64 = 0.2;

/// The arguments of `compare`.
#[derive(clap::Args)]
#[command(after_help = "\
By default, all kinds are compared except those that make no sense at equal size: counting, seesaw, seesaw-adaptive and \
personalized-counting need at least four times the space so that keys can be removed, growing is a bloom filter until it grows, and \
the other personalized kinds have the rate of bloom and are slower.

Times are medians of five passes, in each of which all kinds take their turn; a build starts from sorted digests. Exit code 3: a filter denied a positive, \
which must not happen.")]
pub struct Args {
    /// File with the keys of the set, one per line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long, value_name = "FILE")]
    positives: PathBuf,
    /// File with known keys outside the set, one per line: key, or key TAB cost (default cost: 1)
    #[arg(long, value_name = "FILE", required_unless_present = "logs")]
    negatives: Option<PathBuf>,
    /// File with keys outside the set that no build sees
    #[arg(long, value_name = "FILE", conflicts_with = "holdout")]
    unseen: Option<PathBuf>,
    /// Share of the negatives that no build sees, more than 0 and less than 1 (default: 0.2)
    #[arg(long, value_name = "SHARE", value_parser = parse_share, allow_negative_numbers = true)]
    holdout: Option<f64>,
    /// Log of look-ups, instead of negatives: absent keys are learned from its first part, and filters are measured on the rest; several logs
    /// in the order of time
    #[arg(long = "log", value_name = "LOG", num_args = 1.., conflicts_with_all = ["negatives", "unseen", "holdout"])]
    logs: Vec<PathBuf>,
    /// Share of the log that is learned from, more than 0 and less than 1
    #[arg(long, value_name = "SHARE", value_parser = parse_share, requires = "logs", default_value = "0.5", allow_negative_numbers = true)]
    split: f64,
    /// The most keys that are learned from the log
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "logs", default_value_t = DEFAULT_TOP, allow_negative_numbers = true)]
    top: u64,
    /// Where the key and the time are in a log.
    #[command(flatten)]
    log: LogArgs,
    /// Kinds to compare, separated by commas (default: see below)
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    kinds: Vec<String>,
    /// Sizes in bits per key, separated by commas
    #[arg(long, value_name = "F,F,..", value_delimiter = ',', value_parser = parse_bits, allow_negative_numbers = true, default_value = "8,10,12")]
    bits_per_key: Vec<f64>,
    /// Setting, for the kinds that have it (see build --help); may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, Value)>,
    /// Seed of the hash function and of the choice of held-out keys, decimal or 0x…: 64 bits for xxh3 (default: 0), 128 for siphash
    /// (default: random)
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u128>,
    /// Hash function
    #[arg(long, value_enum, value_name = "NAME", default_value = "xxh3")]
    hash: HashName,
    /// The number of threads.
    #[command(flatten)]
    threads: Threads,
    /// The output.
    #[command(flatten)]
    output: ComparisonOutput,
    /// The columns to read if a file is a table.
    #[command(flatten)]
    columns: ColumnArgs,
}

/// Runs the comparison, prints it and writes the page.
pub fn run(args: &Args) -> Result<Outcome> {
    let inputs = args.inputs();
    check_read_once(&inputs)?;
    check_readable_twice(&args.logs)?;
    let (positives, negatives) = inputs.split_at(1);
    match args.logs.is_empty() {
        true => args.columns.check(positives, negatives)?,
        false => args.columns.check_key(positives)?,
    }
    let options = args.options()?;
    let split_log = args.split_log()?;
    let target = (args.output).target(&inputs)?;
    args.threads.start()?;

    let (samples, known_unseen, later) = match &split_log {
        None => {
            let (samples, known_unseen) = args.samples(options.hashing.seed().unwrap_or(0))?;
            (samples, known_unseen, None)
        }
        Some(log) => {
            let mut samples = args.read(None, None)?;
            let later = log.add_to(&mut samples, &Terminal)?;
            (samples, 0, Some(later))
        }
    };
    let mut left_out = vec![
        ("negatives that are also positives", samples.overlap()),
        ("unseen keys that are also negatives", known_unseen),
    ];
    if let Some(left_out) = list_counts(&left_out) {
        remark(&format!("left out: {left_out}"));
    }
    // Reading the files already printed a remark about these.
    left_out.push(("empty keys", samples.skipped));
    let mut comparison = Comparison::run(&options, &samples, &Terminal)?;
    comparison.later = later;
    let budgets = options.budgets.clone();
    let setup = args.setup(options, list_counts(&left_out));
    // The page comes first, because the reader of the output may close the pipe early.
    if let Some(target) = &target {
        target.save_content("page", html::page(&setup, &comparison).as_bytes())?;
    }
    let mut out = Output::new(false);
    if args.output.json {
        out.json(&comparison.json())?;
    } else {
        comparison.print(&mut out, &budgets)?;
        let names = ["positives", "negatives", "unseen keys"];
        for (name, first) in names.into_iter().zip(&samples.first) {
            if let Some(keys) = first.text() {
                writeln!(out, "First {name}: {keys}")?;
            }
        }
        writeln!(out)?;
        print_summary(&comparison, &setup, &mut out)?;
    }
    if let Some(target) = &target {
        args.output.print_page_name(target, &mut out)?;
    }
    out.flush()?;
    Ok(outcome(&comparison))
}

impl Args {
    /// What to compare.
    fn options(&self) -> Result<Options> {
        let mut kinds = Vec::new();
        for name in &self.kinds {
            let kind = name.trim().parse()?;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        if kinds.is_empty() {
            kinds = default_kinds();
        }
        let mut budgets = self.bits_per_key.clone();
        budgets.sort_by(f64::total_cmp);
        budgets.dedup();
        let options = Options {
            kinds,
            budgets,
            hashing: self.hash.hashing(self.seed)?,
            settings: self.settings.clone(),
        };
        options.check()?;
        Ok(options)
    }

    /// All files that are read, the positives first.
    fn inputs(&self) -> Vec<Option<&Path>> {
        let files = [
            Some(&self.positives),
            self.negatives.as_ref(),
            self.unseen.as_ref(),
        ];
        let files = files.into_iter().map(|file| file.map(PathBuf::as_path));
        files
            .chain(self.logs.iter().map(|log| Some(log.as_path())))
            .collect()
    }

    /// The log to learn from, if there is one.
    fn split_log(&self) -> Result<Option<SplitLog<'_>>> {
        if self.logs.is_empty() {
            return Ok(None);
        }
        Ok(Some(SplitLog {
            paths: &self.logs,
            layout: self.log.layout(&self.columns)?,
            since: self.log.since,
            split: self.split,
            top: self.top,
        }))
    }

    /// The keys of the set and these negatives.
    fn read(&self, known: Option<&Path>, unseen: Option<&Path>) -> Result<Samples> {
        let samples = Samples::read(
            &self.positives,
            known,
            unseen,
            &self.columns.columns(),
            &Terminal,
        )?;
        if samples.positives.is_empty() {
            let file = input::name(&self.positives);
            bail!("{file} has no keys; name a file with the keys of the set");
        }
        Ok(samples)
    }

    /// The keys, and how many unseen keys were removed because they are known negatives.
    fn samples(&self, seed: u64) -> Result<(Samples, u64)> {
        let unseen = self.unseen.as_deref();
        let mut samples = self.read(self.negatives.as_deref(), unseen)?;
        if samples
            .known
            .as_ref()
            .is_none_or(|known| known.costs.is_empty())
        {
            let file = self.negatives.as_deref().map_or(String::new(), input::name);
            bail!(
                "{file} has no negatives, apart from positives; name a file with keys outside the set"
            );
        }
        let removed = match unseen {
            Some(_) => samples.remove_known()?,
            None => {
                samples.hold_out(self.holdout.unwrap_or(DEFAULT_HOLDOUT), seed)?;
                0
            }
        };
        Ok((samples, removed))
    }
}

/// Prints what the comparison shows, the verdict last.
fn print_summary(comparison: &Comparison, setup: &Setup, out: &mut Output) -> Result<()> {
    let mistakes = comparison.mistakes_summary();
    if let Some(budget) = comparison.middle_budget().filter(|_| !mistakes.is_empty()) {
        writeln!(out, "At {budget} bits per key:")?;
    }
    let speed = comparison.speed_summary();
    for sentence in (mistakes.into_iter().chain(speed)).chain(comparison.noise_summary()) {
        writeln!(out, "{sentence}")?;
    }
    if let Some(verdict) = comparison.verdict() {
        writeln!(out, "\n{}", verdict.headline())?;
        for sentence in verdict.saves().into_iter().chain(verdict.costs()) {
            writeln!(out, "{sentence}")?;
        }
        writeln!(out, "  {}", (setup.command)(verdict.kind(), verdict.budget))?;
    }
    Ok(())
}

/// Lists counts with their names, without those that are 0; `None` if all are 0.
fn list_counts(counts: &[(&str, u64)]) -> Option<String> {
    let listed: Vec<String> = (counts.iter())
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{name}: {}", text::count(*count)))
        .collect();
    (!listed.is_empty()).then(|| listed.join(", "))
}

/// Parses a share that is more than 0 and less than 1.
fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok();
    let valid = share.filter(|&share: &f64| share > 0.0 && share < 1.0);
    valid.ok_or("expected a number that is more than 0 and less than 1".to_string())
}

/// Parses a number of bits per key.
fn parse_bits(text: &str) -> Result<f64, String> {
    let bits = text.trim().parse().ok();
    let valid = bits.filter(|&bits: &f64| bits > 0.0 && bits.is_finite());
    valid.ok_or("expected numbers of bits that are more than 0, e.g. 8,10,12".to_string())
}
