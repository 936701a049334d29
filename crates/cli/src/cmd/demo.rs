//! `demo`: shows what the program does, on generated keys ([`bloomwise_compare::demo`]).
//!
//! It needs no files and no network. The kinds are compared as in `compare`.

use super::Outcome;
use super::comparison_output::{ComparisonOutput, outcome};
use crate::args::{HashName, Threads, parse_count, parse_seed};
use crate::io::output::Output;
use crate::io::progress::Terminal;
use anyhow::{Context, Result, bail};
use bloomwise_compare::demo::{DemoData, introduction, takeaway};
use bloomwise_compare::measure::{Comparison, Options, default_kinds};
use bloomwise_compare::report::html::{self, Setup};
use std::io::Write;

/// The budget of the table in bits per key.
const BUDGET: f64 = 10.0;

/// The budgets of the page, which shows how rates depend on the size. The middle one is that of the table.
const BUDGETS: [f64; 5] = [8.0, 9.0, BUDGET, 12.0, 14.0];

/// The maximum number of host names. More keys would not fit into the memory of most machines.
const MAX_KEYS: u64 = 100_000_000;

/// The commands to try next.
const NEXT: &str = "\
Next, try your own keys:
  bloomwise compare --positives keys.txt --negatives known.tsv --html report.html
  bloomwise build guarded --positives keys.txt --negatives known.tsv --bits-per-key 10 -o keys.bloomwise
  bloomwise query keys.bloomwise some-key another-key
keys.txt has one key per line. known.tsv has a key, a TAB and the cost of a mistake per line.";

/// The arguments of `demo`.
#[derive(clap::Args)]
pub struct Args {
    /// Number of host names on the block list; there are half as many popular sites and twice as many other sites
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, default_value = "500000")]
    keys: u64,
    /// Seed of the names and of the hash function, decimal or 0x…, 64 bits (default: 0)
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u128>,
    /// The output.
    #[command(flatten)]
    output: ComparisonOutput,
}

/// Generates the keys, compares the kinds and prints the result.
pub fn run(args: &Args) -> Result<Outcome> {
    if !(2..=MAX_KEYS).contains(&args.keys) {
        bail!(
            "--keys {}: expected a number from 2 to {MAX_KEYS}",
            args.keys
        );
    }
    let target = args.output.target(&[])?;
    Threads::default().start()?;
    let options = Options {
        kinds: default_kinds(),
        budgets: match target {
            Some(_) => BUDGETS.to_vec(),
            None => vec![BUDGET],
        },
        hashing: HashName::Xxh3.hashing(args.seed)?,
        settings: Vec::new(),
    };
    let data = DemoData {
        blocked: args.keys,
        popular: args.keys / 2,
        unlisted: args.keys * 2,
        seed: options.hashing.seed().unwrap_or(0),
    };
    let samples = data.samples();
    let samples = samples.context("the keys do not fit into memory; use a smaller --keys")?;
    let mut out = Output::new(false);
    let introduced = if args.output.json {
        Ok(())
    } else {
        let text = introduction(&data, BUDGET).join("\n");
        writeln!(out, "{text}\n").and_then(|()| out.flush())
    };
    // If the reader closed the pipe, the page is written all the same.
    let introduced = match target {
        Some(_) => introduced,
        None => Ok(introduced?),
    };
    let comparison = Comparison::run(&options, &samples, &Terminal)?;
    if let Some(target) = &target {
        let page = html::page(&setup(&data, &comparison), &comparison);
        target.save_content("page", page.as_bytes())?;
    }
    introduced?;
    if args.output.json {
        out.json(&comparison.json())?;
    } else {
        comparison.print(&mut out, &[BUDGET])?;
        let summary = takeaway(&comparison, BUDGET)
            .into_iter()
            .chain(comparison.mistakes_summary())
            .chain(comparison.speed_summary());
        for sentence in summary.chain(comparison.noise_summary()) {
            writeln!(out, "{sentence}")?;
        }
        writeln!(out, "\n{NEXT}")?;
    }
    if let Some(target) = &target {
        args.output.print_page_name(target, &mut out)?;
    }
    out.flush()?;
    Ok(outcome(&comparison))
}

/// The title, the introduction and the settings on the page.
fn setup(data: &DemoData, comparison: &Comparison) -> Setup {
    Setup {
        title: "A block list and popular sites".to_string(),
        introduction: std::iter::once(introduction(data, BUDGET).join(" "))
            .chain(takeaway(comparison, BUDGET))
            .collect(),
        settings: vec![
            (
                "positives",
                "generated host names of a block list".to_string(),
            ),
            (
                "negatives",
                "generated popular sites; the cost is the visits per day (Zipf's law)".to_string(),
            ),
            (
                "unseen keys",
                "generated sites that are on no list".to_string(),
            ),
            ("seed", data.seed.to_string()),
        ],
        command: Box::new(|kind, budget| {
            let kind = kind.name();
            format!(
                "bloomwise build {kind} --positives keys.txt --negatives known.tsv --bits-per-key {budget} -o keys.bloomwise"
            )
        }),
    }
}
