//! `compare`: compares kinds of filters on the user's own keys.
//!
//! Unless there is a file of unseen keys, a share of the negatives is held out before anything is built. A rate that was measured
//! on keys that the build saw would say little about other keys.

use super::Outcome;
use super::comparison_output::{ComparisonOutput, outcome};
use super::shell::{data_name, quoted};
use crate::args::{Columns, HashName, Threads, parse_seed, parse_setting};
use crate::io::input::{self, check_read_once};
use crate::io::output::{Output, remark};
use crate::measure::{Comparison, Options, Samples, default_kinds, holdout};
use crate::report::html::{self, Setup};
use crate::report::text;
use anyhow::{Result, bail};
use bloomwise::{Family, Hashing, Value};
use std::io::Write;
use std::path::PathBuf;

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
    #[arg(long, value_name = "FILE")]
    negatives: PathBuf,
    /// File with keys outside the set that no build sees
    #[arg(long, value_name = "FILE", conflicts_with = "holdout")]
    unseen: Option<PathBuf>,
    /// Share of the negatives that no build sees, more than 0 and less than 1 (default: 0.2)
    #[arg(long, value_name = "SHARE", value_parser = parse_share, allow_negative_numbers = true)]
    holdout: Option<f64>,
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
    columns: Columns,
}

/// Runs the comparison, prints it and writes the page.
pub fn run(args: &Args) -> Result<Outcome> {
    let (positives, negatives) = (args.positives.as_path(), args.negatives.as_path());
    let unseen = args.unseen.as_deref();
    check_read_once(&[Some(positives), Some(negatives), unseen])?;
    args.columns
        .check(&[Some(positives)], &[Some(negatives), unseen])?;
    let options = args.options()?;
    let target = (args.output).target(&[Some(positives), Some(negatives), unseen])?;
    args.threads.start()?;

    let (samples, known_unseen) = args.samples(options.hashing.seed() as u64)?;
    let mut left_out = vec![
        ("negatives that are also positives", samples.overlap()),
        ("unseen keys that are also negatives", known_unseen),
    ];
    if let Some(left_out) = list_counts(&left_out) {
        remark(&format!("left out: {left_out}"));
    }
    // Reading the files already printed a remark about these.
    left_out.push(("empty keys", samples.skipped));
    let comparison = Comparison::run(&options, &samples)?;
    let budgets = options.budgets.clone();
    let setup = args.setup(options, list_counts(&left_out));
    // The page comes first, because the reader of the output may close the pipe early.
    if let Some(target) = &target {
        target.save_page(&html::page(&setup, &comparison))?;
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

    /// The keys, and how many unseen keys were removed because they are known negatives.
    fn samples(&self, seed: u64) -> Result<(Samples, u64)> {
        let unseen = self.unseen.as_deref();
        let mut samples = Samples::read(
            &self.positives,
            Some(&self.negatives),
            unseen,
            &self.columns,
        )?;
        let name = input::name;
        if samples.positives.len() == 0 {
            let file = name(&self.positives);
            bail!("{file} has no keys; name a file with the keys of the set");
        }
        if samples
            .known
            .as_ref()
            .is_none_or(|known| known.costs.is_empty())
        {
            let file = name(&self.negatives);
            bail!(
                "{file} has no negatives, apart from positives; name a file with keys outside the set"
            );
        }
        let removed = match unseen {
            Some(_) => holdout::remove_known(&mut samples)?,
            None => {
                holdout::hold_out(&mut samples, self.holdout.unwrap_or(DEFAULT_HOLDOUT), seed)?;
                0
            }
        };
        Ok((samples, removed))
    }

    /// The title and the settings on the page.
    fn setup(&self, options: Options, left_out: Option<String>) -> Setup {
        let name = input::name;
        let unseen = match &self.unseen {
            Some(path) => name(path),
            None => format!(
                "held out: a share of {} of the negatives",
                self.holdout.unwrap_or(DEFAULT_HOLDOUT)
            ),
        };
        Setup {
            title: format!("Which filter for {}", data_name(&self.positives)),
            introduction: Vec::new(),
            settings: vec![
                ("positives", name(&self.positives)),
                ("negatives", name(&self.negatives)),
                ("unseen keys", unseen),
                ("left out", left_out.unwrap_or("nothing".to_string())),
                ("hash", options.hashing.to_string()),
            ],
            command: self.command(options),
        }
    }

    /// Writes the command that builds a filter of a kind and size from the same files.
    fn command(&self, options: Options) -> Box<dyn Fn(Family, f64) -> String> {
        let mut files = vec![
            ("--positives", quoted(&self.positives)),
            ("--negatives", quoted(&self.negatives)),
        ];
        let columns = self.columns.key.iter().map(|name| ("--key-column", name));
        let columns = columns.chain(self.columns.cost.iter().map(|name| ("--cost-column", name)));
        files.extend(columns.map(|(option, name)| (option, quoted(name))));
        if let Hashing::Xxh3 { seed: 1.. } = options.hashing {
            files.push(("--seed", options.hashing.seed().to_string()));
        }
        if matches!(self.hash, HashName::Siphash) {
            files.push(("--hash", "siphash".to_string()));
        }
        let files: Vec<String> = (files.into_iter())
            .map(|(option, value)| format!("{option} {value}"))
            .collect();
        let (files, name) = (files.join(" "), data_name(&self.positives));
        let output = quoted(format!("{}.bloomwise", name.replace(' ', "-")));
        Box::new(move |kind, budget| {
            let settings: String = (options.settings_of(kind))
                .map(|(name, value)| format!(" --set {}", quoted(format!("{name}={value}"))))
                .collect();
            let kind = kind.name();
            format!("bloomwise build {kind} {files} --bits-per-key {budget}{settings} -o {output}")
        })
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
