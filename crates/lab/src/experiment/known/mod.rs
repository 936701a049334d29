//! Filters that are built with known negatives: their rates, and their build and query times.
//!
//! The sets are those of `costed.rs`. Times are medians over rounds in which all filters take turns.

mod building;
mod queries;

use crate::experiment::costed::{CostedSet, sizes};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::subject::Subject;
use anyhow::{Context, Result};
use bloomwise::info::Value;
use bloomwise::{Family, Filter};

/// The size in most tables: 1.5 MB for the keys of the HABF paper.
const BITS_PER_KEY: f64 = 8.44;

/// An empty table of rates.
fn rate_table(title: String) -> Table {
    let columns = [
        "filter",
        "bits per key",
        "costs",
        "known, by cost",
        "unseen",
        "adjusted",
        "wrong",
        "parameters",
    ];
    Table::new(title, columns)
}

fn row(
    table: &mut Table,
    subject: &Subject,
    bits: f64,
    data: &CostedSet,
    costs: &str,
) -> Result<()> {
    let (filter, report) = subject.build_and_report(&data.sets()?, data.bits(bits))?;
    let rates = data.rates(&filter);
    let [known, unseen] = rates.with_context(|| subject.name.clone())?;
    let adjusted = report
        .facts
        .iter()
        .find(|(name, _)| *name == "adjusted_keys");
    let info = filter.info();
    let shown = ["k", "cells", "cell_bits", "columns", "guard_rows"];
    let parameters = info
        .parameters
        .iter()
        .filter(|parameter| shown.contains(&parameter.name));
    let parameters: Vec<_> = parameters
        .map(|parameter| match &parameter.value {
            Value::Real(value) => format!("{} {value:.2}", parameter.name),
            value => format!("{} {value}", parameter.name),
        })
        .collect();
    let keys = data.set.positives.len() as f64;
    table.row([
        subject.name.as_str().into(),
        Cell::number(filter.size_in_bits() as f64 / keys, 2),
        costs.into(),
        Cell::rate(known),
        Cell::rate(unseen),
        Cell::or_dash(adjusted, |(_, count)| count.to_string().into()),
        Cell::or_dash(report.wrong, |count| count.to_string().into()),
        parameters.join(", ").into(),
    ]);
    Ok(())
}

const FAMILIES: [Family; 5] = [
    Family::Bloom,
    Family::Habf,
    Family::HabfFast,
    Family::HabfCache,
    Family::Guarded,
];

fn accuracy(options: &Options) -> Result<Table> {
    let [positives, negatives, unseen] = sizes(options);
    let mut table = rate_table(format!("{positives} positives, {negatives} negatives"));
    let of_skew = |skew| CostedSet::new([positives, negatives, unseen], skew);
    let (plain, skewed) = (of_skew(0.0), of_skew(1.0));
    let kinds = || FAMILIES.into_iter().map(Subject::kind);
    for bits in [7.0, BITS_PER_KEY, 10.0, 12.0, 14.0] {
        for subject in kinds() {
            row(&mut table, &subject, bits, &plain, "equal")?;
        }
    }
    let papers = [Family::Habf, Family::HabfFast, Family::HabfCache].map(Subject::paper);
    let rules = ["never", "watch"].map(|rule| {
        let subject = Subject::kind(Family::HabfFast).set("empty", rule);
        subject.named(format!("habf-fast, empty={rule}"))
    });
    for subject in papers.iter().chain(&rules) {
        row(&mut table, subject, BITS_PER_KEY, &plain, "equal")?;
    }
    for subject in kinds() {
        row(&mut table, &subject, BITS_PER_KEY, &skewed, "Zipf 1.0")?;
    }
    Ok(table)
}

fn other_numbers(options: &Options) -> Result<Table> {
    let [_, _, unseen] = sizes(options);
    let positives = options.scaled(500_000, 2000);
    let mut table = rate_table(format!("{positives} positives, other numbers of negatives"));
    for (per_thousand, skew) in [
        (0.2, 0.0),
        (100.0, 0.0),
        (5000.0, 0.0),
        (20_000.0, 0.0),
        (20_000.0, 1.0),
    ] {
        let negatives = (positives as f64 * per_thousand / 1000.0).ceil() as u64;
        let data = CostedSet::new([positives, negatives, unseen], skew);
        let costs = format!("{negatives} negatives, Zipf {skew}");
        for subject in [Family::Bloom, Family::Habf, Family::Guarded].map(Subject::kind) {
            row(&mut table, &subject, BITS_PER_KEY, &data, &costs)?;
        }
    }
    Ok(table)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Filters that are built with known negatives: what they answer, and how long builds and queries take. YCSB keys.",
    );
    outcome.tables.push(accuracy(options)?);
    outcome.tables.push(other_numbers(options)?);
    outcome.tables.push(building::parts(options)?);
    outcome.tables.push(building::scaling(options)?);
    let [positives, ..] = sizes(options);
    queries::race(&mut outcome, positives, BITS_PER_KEY)?;
    queries::race(&mut outcome, options.scaled(10_000_000, 2000), 10.0)?;
    Ok(outcome)
}
