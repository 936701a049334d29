//! `compare`: which kind of filter to use on one's own keys, and what it will cost.
//!
//! A share of the negatives is held out before anything is built, unless there is a file of unseen keys; nobody should have
//! to trust a rate that was measured on keys the builder has seen.

use super::Outcome;
use super::outlet::{Outlet, outcome};
use crate::args::{Columns, HashName, Threads, check_dashes, parse_seed};
use crate::comparison::{self, Comparison, Plan};
use crate::holdout;
use crate::output::{Output, remark};
use crate::report::{self, Setup};
use crate::samples::Samples;
use crate::text;
use anyhow::{Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The share of the negatives that is held out where nothing is said.
const HOLDOUT: f64 = 0.2;

/// The arguments of `compare`.
#[derive(clap::Args)]
#[command(after_help = "\
Without --kinds, all are compared but those that make no sense in equal space: counting, seesaw, seesaw-adaptive and \
personalized-counting take four times the space or more to be able to remove keys, and the other personalized kinds have the \
rate of bloom and take longer.

Times are medians of three passes; a build starts from sorted digests. Exit code 3: some filter denied a positive, \
which must not happen.")]
pub struct Args {
    /// File of the keys of the set, one a line; .gz, .zst, .csv, .parquet; - for standard input
    #[arg(long, value_name = "FILE")]
    positives: PathBuf,
    /// File of known keys outside of the set, one a line: key, or key TAB cost (cost 1 where it is missing)
    #[arg(long, value_name = "FILE")]
    negatives: PathBuf,
    /// File of keys outside of the set that no filter gets to see
    #[arg(long, value_name = "FILE", conflicts_with = "holdout")]
    unseen: Option<PathBuf>,
    /// Share of the negatives that no filter gets to see, more than 0 and less than 1 (default: 0.2)
    #[arg(long, value_name = "SHARE", value_parser = parse_share, allow_negative_numbers = true)]
    holdout: Option<f64>,
    /// Kinds to compare, with commas in between (default: see below)
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    kinds: Vec<String>,
    /// Budgets: so many bits for each key, with commas in between
    #[arg(long, value_name = "F,F,..", value_delimiter = ',', value_parser = parse_bits, allow_negative_numbers = true, default_value = "8,10,12")]
    bits_per_key: Vec<f64>,
    /// Seed of the hash function and of what is held out, decimal or 0x…, 64 bits (default: 0)
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u128>,
    /// How many threads to use.
    #[command(flatten)]
    threads: Threads,
    /// What to write.
    #[command(flatten)]
    outlet: Outlet,
    /// Where tables have their keys.
    #[command(flatten)]
    columns: Columns,
}

/// Compares, prints, and writes the page.
pub fn run(args: &Args) -> Result<Outcome> {
    let (positives, negatives) = (args.positives.as_path(), args.negatives.as_path());
    let unseen = args.unseen.as_deref();
    check_dashes(&[Some(positives), Some(negatives), unseen])?;
    args.columns
        .check(&[Some(positives)], &[Some(negatives), unseen])?;
    let plan = args.plan()?;
    let target = (args.outlet).target(&[Some(positives), Some(negatives), unseen])?;
    args.threads.apply()?;

    let (samples, known) = args.samples(plan.hashing.seed() as u64)?;
    let mut left_out = vec![
        ("negatives that are positives", samples.overlap()),
        ("unseen keys that are among the negatives", known),
    ];
    if let Some(left_out) = told(&left_out) {
        remark(&format!("left out: {left_out}"));
    }
    // Of these the reader has told already.
    left_out.push(("empty keys", samples.skipped));
    let comparison = Comparison::run(&plan, &samples)?;
    // The page first: whoever reads the output may go away before its end.
    if let Some(target) = &target {
        target.save_page(&report::page(
            &args.setup(&plan, told(&left_out)),
            &comparison,
        ))?;
    }
    let mut out = Output::new(false);
    if args.outlet.json {
        out.json(&comparison.json())?;
    } else {
        comparison.print(&mut out, &plan.budgets)?;
        let words = comparison.words();
        if let Some(budget) = comparison.budget().filter(|_| !words.is_empty()) {
            writeln!(out, "At {budget} bits per key:")?;
        }
        for sentence in words.into_iter().chain(comparison.noise_in_words()) {
            writeln!(out, "{sentence}")?;
        }
    }
    if let Some(target) = &target {
        args.outlet.tell(target, &mut out)?;
    }
    out.flush()?;
    Ok(outcome(&comparison))
}

impl Args {
    /// What is to be compared.
    fn plan(&self) -> Result<Plan> {
        let mut kinds = Vec::new();
        for name in &self.kinds {
            let kind = name.trim().parse()?;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        if kinds.is_empty() {
            kinds = comparison::usual_kinds();
        }
        let mut budgets = self.bits_per_key.clone();
        budgets.sort_by(f64::total_cmp);
        budgets.dedup();
        Ok(Plan {
            kinds,
            budgets,
            hashing: HashName::Xxh3.hashing(self.seed)?,
        })
    }

    /// The keys, the unseen ones apart; and how many of these were left out because they are known.
    fn samples(&self, seed: u64) -> Result<(Samples, u64)> {
        let unseen = self.unseen.as_deref();
        let mut samples = Samples::read(
            &self.positives,
            Some(&self.negatives),
            unseen,
            &self.columns,
        )?;
        let name = |path: &Path| path.display().to_string();
        if samples.positives.len() == 0 {
            let file = name(&self.positives);
            bail!("{file}: there are no keys in it; name a file of the keys of the set");
        }
        if samples
            .known
            .as_ref()
            .is_none_or(|known| known.costs.is_empty())
        {
            let file = name(&self.negatives);
            bail!(
                "{file}: there are no negatives in it that are not positives; name a file of keys outside of the set"
            );
        }
        let known = match unseen {
            Some(_) => holdout::leave_out_known(&mut samples)?,
            None => {
                holdout::hold_out(&mut samples, self.holdout.unwrap_or(HOLDOUT), seed)?;
                0
            }
        };
        Ok((samples, known))
    }

    /// What the page tells about how it was made.
    fn setup(&self, plan: &Plan, left_out: Option<String>) -> Setup {
        let name = |path: &Path| path.display().to_string();
        let unseen = match &self.unseen {
            Some(path) => name(path),
            None => format!(
                "{} of the negatives, held out by their digests",
                self.holdout.unwrap_or(HOLDOUT)
            ),
        };
        Setup {
            title: "Filters in equal space".to_string(),
            lead: Vec::new(),
            settings: vec![
                ("positives", name(&self.positives)),
                ("negatives", name(&self.negatives)),
                ("unseen keys", unseen),
                ("left out", left_out.unwrap_or("nothing".to_string())),
                ("seed", plan.hashing.seed().to_string()),
            ],
        }
    }
}

/// Counts in a row, each with what it counts, without those of nothing; `None` if all are.
fn told(counts: &[(&str, u64)]) -> Option<String> {
    let told: Vec<String> = (counts.iter())
        .filter(|(_, count)| *count > 0)
        .map(|(what, count)| format!("{what}: {}", text::grouped(*count)))
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// A share between none and all.
fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok();
    let valid = share.filter(|&share: &f64| share > 0.0 && share < 1.0);
    valid.ok_or("expected a number that is more than 0 and less than 1".to_string())
}

/// Bits for each key.
fn parse_bits(text: &str) -> Result<f64, String> {
    let bits = text.trim().parse().ok();
    let valid = bits.filter(|&bits: &f64| bits > 0.0 && bits.is_finite());
    valid.ok_or("expected numbers of bits that are more than 0, e.g. 8,10,12".to_string())
}
