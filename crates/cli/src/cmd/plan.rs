//! `plan`: predicted rates of every kind for numbers of keys, before there are files, and a recommendation.

use super::Outcome;
use crate::args::{Columns, SizeArgs, parse_count};
use crate::input::{Role, read_keys};
use crate::markdown::{self, Cells, Heading};
use crate::output::Output;
use crate::{memory, text};
use anyhow::{Context, Result};
use bloomwise::plan::Row;
use bloomwise::{Advice, Costed, Hashing, KeySets, Operation, Planner, Workload};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `plan`.
#[derive(clap::Args)]
#[command(
    after_help = "Rates come from the models by which the kinds are built. Time is not predicted: `bloomwise compare` measures it."
)]
pub struct Args {
    /// Number of keys of the set
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    positives: u64,
    /// Number of known keys outside of the set (default: as many as --costs has)
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    negatives: Option<u64>,
    /// File of known keys outside of the set, one a line: key TAB cost, as for build; with --negatives, a sample of them
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,
    /// How large the filter shall be.
    #[command(flatten)]
    size: SizeArgs,
    /// What the filter must be able to do once it is built
    #[arg(long, value_enum, value_name = "OPERATION", value_delimiter = ',')]
    needs: Vec<Need>,
    /// Most cache lines that the lookup of a key of the set may read, on average
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    lines: Option<f64>,
    /// Share of the cost of false positives that unseen keys have, 0 to 1 (default: 0.1 where negatives are known)
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    unseen_share: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Where tables have their keys.
    #[command(flatten)]
    columns: Columns,
}

/// What not all kinds can do.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Need {
    /// Take keys in
    Insert,
    /// Let keys go
    Remove,
    /// Guard keys outside of the set
    Guard,
}

impl Need {
    fn operation(self) -> Operation {
        match self {
            Need::Insert => Operation::Insert,
            Need::Remove => Operation::Remove,
            Need::Guard => Operation::Guard,
        }
    }
}

/// Works the plan out and prints it.
pub fn run(args: &Args) -> Result<Outcome> {
    args.columns.check(&[], &[args.costs.as_deref()])?;
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
        out.json(&json(&advice, &workload))?;
    } else {
        print(&mut out, &advice, &workload)?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

impl Args {
    /// What is to be planned for.
    fn workload(&self) -> Result<Workload> {
        let Some(path) = &self.costs else {
            return Ok(Workload::new(self.positives, self.negatives.unwrap_or(0)));
        };
        let costs = read_costs(path, &self.columns)?;
        let workload = Workload::with_costs(self.positives, &costs)?;
        Ok(match self.negatives {
            Some(negatives) => workload.sampled_from(negatives),
            None => workload,
        })
    }
}

/// The costs of distinct keys: those of a key that comes more than once are added up, as a build does.
fn read_costs(path: &Path, columns: &Columns) -> Result<Vec<f64>> {
    let mut negatives = Vec::new();
    let hashing = Hashing::default();
    read_keys(path, Role::Negatives, columns, &mut |key, cost| {
        let digest = hashing.digest(key);
        memory::push(&mut negatives, Costed { digest, cost })
            .context("the keys do not fit into memory; plan with a sample and --negatives N")
    })?;
    let sets = KeySets::new(Vec::new(), negatives)?;
    Ok(sets.negatives().iter().map(|known| known.cost).collect())
}

fn json(advice: &Advice, workload: &Workload) -> Value {
    let row = |row: &Row| {
        let forecast = row.forecast.as_ref().ok();
        let parameters = forecast.map(|forecast| text::parameters_json(&forecast.parameters));
        json!({
            "kind": row.family.name(),
            "parameters": parameters,
            "predicted_fpr": forecast.map(|forecast| forecast.unseen),
            "predicted_weighted_fpr": known(row, workload),
            "bits_per_key": bits_per_key(row, workload),
            "lines": forecast.map(|forecast| forecast.lines),
            "unfit": reason(row),
        })
    };
    json!({
        "rows": advice.rows.iter().map(row).collect::<Vec<_>>(),
        "recommended": advice.recommended.name(),
        "why": advice.why,
        "limit": {
            "unseen_fpr": advice.limit.unseen,
            "weighted_fpr": (workload.negatives() > 0).then_some(advice.limit.known),
        },
    })
}

fn print(out: &mut Output, advice: &Advice, workload: &Workload) -> Result<()> {
    let titles = ["bits per key", "known, by cost", "unseen", "cache lines"];
    let number = |title| Heading {
        title,
        cells: Cells::Numbers,
    };
    let mut headings = vec![Heading {
        title: "kind",
        cells: Cells::Words,
    }];
    headings.extend(titles.map(number));
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
            text::percent(known(row, workload)),
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
    markdown::table(out, &headings, &rows)?;
    writeln!(out)?;
    for (reason, kinds) in unfit {
        writeln!(out, "Not for this, since {reason}: {}", kinds.join(", "))?;
    }
    writeln!(out, "* {}: {}", advice.recommended.name(), advice.why)?;
    Ok(())
}

/// The rate on known negatives, where there are any.
fn known(row: &Row, workload: &Workload) -> Option<f64> {
    let forecast = row.forecast.as_ref().ok()?;
    (workload.negatives() > 0).then_some(forecast.known)
}

fn bits_per_key(row: &Row, workload: &Workload) -> Option<f64> {
    let forecast = row.forecast.as_ref().ok()?;
    text::per(forecast.bits as f64, workload.keys())
}

/// Why a kind is not for this: it cannot have the size, or cannot do what is needed.
fn reason(row: &Row) -> Option<String> {
    let impossible = row.forecast.as_ref().err().map(ToString::to_string);
    impossible.or_else(|| row.unfit.clone())
}
