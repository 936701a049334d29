//! `plan`: predicts the rates of every kind from numbers of keys alone, and recommends a kind.

use super::Outcome;
use crate::args::{ColumnArgs, SizeArgs, Threads, parse_count};
use crate::io::keys::read_keys;
use crate::io::output::Output;
use anyhow::{Context, Result};
use bloomwise::planner::{Advice, Planner};
use bloomwise::{Hashing, KeySets, Operation, Workload};
use bloomwise_compare::input::{Role, check_read_once};
use bloomwise_compare::keys::memory;
use bloomwise_compare::report::plan::{bits_per_key, known, reason, to_json, wrong};
use bloomwise_compare::report::table::{Column, Table};
use bloomwise_compare::report::text;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `plan`.
#[derive(clap::Args)]
#[command(
    after_help = "The rates come from the models that the builds use. Times are not predicted; `bloomwise compare` measures them."
)]
pub struct Args {
    /// Number of keys of the set, or a file with the keys, as for build
    #[arg(long, value_name = "N|FILE", value_parser = parse_number_or_file, allow_negative_numbers = true)]
    positives: NumberOrFile,
    /// Number of known keys outside the set (default: the number of keys in --costs)
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    negatives: Option<u64>,
    /// File with known keys outside the set, one per line: key TAB cost, as for build; with --negatives, a sample of them
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,
    /// The size of the filter.
    #[command(flatten)]
    size: SizeArgs,
    /// Operations that the filter must support after it is built
    #[arg(long, value_enum, value_name = "OPERATION", value_delimiter = ',')]
    needs: Vec<Need>,
    /// Maximum number of cache lines that a query for a key of the set reads, on average
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    lines: Option<f64>,
    /// Share of the cost of false positives that falls on unseen keys, 0 to 1 (default: 0.1 if there are known negatives)
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    unseen_share: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The columns to read if a file is a table.
    #[command(flatten)]
    columns: ColumnArgs,
}

/// A number of keys, or a file whose keys are counted.
#[derive(Clone)]
enum NumberOrFile {
    Number(u64),
    File(PathBuf),
}

/// Takes digits for a number, and everything else for a file. `./123` is a file.
fn parse_number_or_file(text: &str) -> Result<NumberOrFile, String> {
    if text
        .trim_start_matches('-')
        .chars()
        .all(|c| c.is_ascii_digit())
        && text != "-"
    {
        return parse_count(text).map(NumberOrFile::Number);
    }
    Ok(NumberOrFile::File(PathBuf::from(text)))
}

/// Operations that only some kinds support.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Need {
    /// Insert keys
    Insert,
    /// Remove keys
    Remove,
    /// Guard keys outside the set
    Guard,
    /// Unite filters
    Union,
}

impl Need {
    /// The operation as the library's type.
    fn operation(self) -> Operation {
        match self {
            Need::Insert => Operation::Insert,
            Need::Remove => Operation::Remove,
            Need::Guard => Operation::Guard,
            Need::Union => Operation::Union,
        }
    }
}

/// Computes the plan and prints it.
pub fn run(args: &Args) -> Result<Outcome> {
    let positives = match &args.positives {
        NumberOrFile::Number(_) => None,
        NumberOrFile::File(path) => Some(path.as_path()),
    };
    let costs = args.costs.as_deref();
    check_read_once(&[positives, costs])?;
    args.columns.check(&[positives], &[costs])?;
    let size = args.size.size()?;
    let workload = args.workload()?;
    let mut planner = Planner::new(&workload, size);
    if let Some(share) = args.unseen_share {
        planner = planner.unseen_share(share);
    }
    if let Some(lines) = args.lines {
        planner = planner.lines(lines);
    }
    for need in &args.needs {
        planner = planner.needs(need.operation());
    }
    let advice = planner.advise()?;
    let mut out = Output::new(false);
    if args.json {
        out.json(&to_json(&advice, &workload))?;
    } else {
        print(&mut out, &advice, &workload)?;
    }
    out.flush()?;
    Ok(Outcome::Success)
}

impl Args {
    /// The numbers of keys and the costs.
    fn workload(&self) -> Result<Workload> {
        Threads::default().start()?;
        let positives = match &self.positives {
            NumberOrFile::Number(keys) => *keys,
            NumberOrFile::File(path) => count_keys(path, &self.columns)?,
        };
        let Some(path) = &self.costs else {
            return Ok(Workload::new(positives, self.negatives.unwrap_or(0)));
        };
        let costs = read_costs(path, &self.columns)?;
        let workload = Workload::with_costs(positives, &costs)?;
        Ok(match self.negatives {
            Some(negatives) => workload.sampled_from(negatives),
            None => workload,
        })
    }
}

/// The number of distinct keys in a file.
fn count_keys(path: &Path, columns: &ColumnArgs) -> Result<u64> {
    let mut sets = KeySets::builder(Hashing::default());
    read_keys(path, Role::Keys, &columns.columns(), |key, _| {
        memory::try_add_positive(&mut sets, key)
            .context("the keys do not fit into memory; give their number instead")
    })?;
    Ok(sets.build()?.positives().len() as u64)
}

/// Reads the costs of distinct keys. The costs of duplicates are added, as in a build.
fn read_costs(path: &Path, columns: &ColumnArgs) -> Result<Vec<f64>> {
    let mut sets = KeySets::builder(Hashing::default());
    read_keys(path, Role::Negatives, &columns.columns(), |key, cost| {
        memory::try_add_negative(&mut sets, key, cost)
            .context("the keys do not fit into memory; plan with a sample and --negatives N")
    })?;
    let sets = sets.build()?;
    Ok(sets.negatives().iter().map(|known| known.cost).collect())
}

/// Prints the plan as a table and a recommendation.
fn print(out: &mut Output, advice: &Advice, workload: &Workload) -> Result<()> {
    let titles = ["bits per key", "known, by cost", "unseen", "cache lines"];
    let numbers = titles.into_iter().map(Column::numbers);
    let columns = [Column::text("kind")].into_iter().chain(numbers).collect();
    let mut rows = Vec::new();
    let mut unfit: Vec<(String, Vec<&str>)> = Vec::new();
    for row in &advice.rows {
        let forecast = row.forecast.as_ref().ok();
        let mark = if row.family == advice.recommended {
            " *"
        } else {
            ""
        };
        rows.push(vec![
            format!("{}{mark}", row.family.name()),
            text::decimal(bits_per_key(row, workload), ""),
            match wrong(row, workload) {
                Some(0) => text::exactness(0),
                Some(wrong) => {
                    let share = text::percent(known(row, workload));
                    format!("{share}, about {}", text::exactness(wrong))
                }
                None => text::percent(known(row, workload)),
            },
            text::percent(forecast.map(|forecast| forecast.unseen)),
            text::decimal(forecast.map(|forecast| forecast.lines), ""),
        ]);
        if let Some(reason) = reason(row) {
            match unfit.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, kinds)) => kinds.push(row.family.name()),
                None => unfit.push((reason, vec![row.family.name()])),
            }
        }
    }
    let limit = advice.limit;
    rows.push(vec![
        "(limit)".to_string(),
        "-".to_string(),
        text::percent((workload.negatives() > 0).then_some(limit.known)),
        text::percent(Some(limit.unseen)),
        "-".to_string(),
    ]);
    writeln!(out, "{}", Table::new(columns, rows).markdown())?;
    for (reason, kinds) in unfit {
        writeln!(out, "Not suitable, because {reason}: {}", kinds.join(", "))?;
    }
    writeln!(out, "* {}: {}", advice.recommended.name(), advice.why)?;
    Ok(())
}
