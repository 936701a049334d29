//! Filters that are built with known negatives: what they answer, what they cost to build and to ask.
//!
//! The sets are those of [`crate::known`]. Times are medians over rounds in which all take turns.

mod times;

use crate::known::{Data, NEGATIVES, POSITIVES, UNSEEN, rates, spec};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use anyhow::Result;
use bloomwise::{AnyFilter, Filter, Report, Spec};

/// The table of rates, to be filled.
fn rate_table(title: String) -> Table {
    let columns = [
        "filter",
        "bits per key",
        "costs",
        "known, by cost",
        "unseen",
        "adjusted",
        "left",
        "parameters",
    ];
    Table::new(title, columns)
}

fn row(table: &mut Table, name: &str, spec: &Spec, data: &Data, costs: &str) -> Result<()> {
    let (filter, report): (AnyFilter, Report) = spec.build_and_report(&data.sets())?;
    let (known, unseen) = rates(&filter, data);
    let fact = |name: &str| {
        let found = report.facts.iter().find(|(known, _)| *known == name);
        Cell::of(found, |(_, value)| value.to_string().into())
    };
    let info = filter.info();
    let shown = ["k", "cells", "cell_bits", "slots", "guard_slots"];
    let parameters = info
        .parameters
        .iter()
        .filter(|(name, _)| shown.contains(name));
    let parameters: Vec<_> = parameters
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    table.row([
        name.into(),
        Cell::number(
            filter.size_in_bits() as f64 / data.positives.len() as f64,
            2,
        ),
        costs.into(),
        Cell::rate(known),
        Cell::rate(unseen),
        fact("adjusted_keys"),
        fact("left"),
        parameters.join(", ").into(),
    ]);
    Ok(())
}

const KINDS: [&str; 5] = ["bloom", "habf", "habf-fast", "habf-cache", "guarded"];

fn accuracy(options: &Options) -> Result<Table> {
    let (positives, negatives) = sizes(options);
    let mut table = rate_table(format!("{positives} positives, {negatives} negatives"));
    let of_skew = |skew| Data::new(positives, negatives, options.scaled(UNSEEN, 20_000), skew);
    let (plain, skewed) = (of_skew(0.0), of_skew(1.0));
    for bits in [7.0, 8.44, 10.0, 12.0, 14.0] {
        for kind in KINDS {
            row(
                &mut table,
                kind,
                &spec(kind, bits, "", &[]),
                &plain,
                "equal",
            )?;
        }
    }
    for kind in ["habf", "habf-fast", "habf-cache"] {
        let name = format!("{kind}, paper");
        row(
            &mut table,
            &name,
            &spec(kind, 8.44, "paper", &[]),
            &plain,
            "equal",
        )?;
    }
    for rule in ["never", "watch"] {
        let name = format!("habf-fast, empty={rule}");
        let spec = spec("habf-fast", 8.44, "", &[("empty", rule)]);
        row(&mut table, &name, &spec, &plain, "equal")?;
    }
    for kind in KINDS {
        row(
            &mut table,
            kind,
            &spec(kind, 8.44, "", &[]),
            &skewed,
            "Zipf 1.0",
        )?;
    }
    Ok(table)
}

fn other_numbers(options: &Options) -> Result<Table> {
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
        let data = Data::new(positives, negatives, options.scaled(UNSEEN, 20_000), skew);
        let costs = format!("{negatives} negatives, Zipf {skew}");
        for kind in ["bloom", "habf", "guarded"] {
            row(&mut table, kind, &spec(kind, 8.44, "", &[]), &data, &costs)?;
        }
    }
    Ok(table)
}

/// Positives and negatives at this scale.
fn sizes(options: &Options) -> (u64, u64) {
    (
        options.scaled(POSITIVES, 2000),
        options.scaled(NEGATIVES, 2000),
    )
}

/// Runs all.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Filters that are built with known negatives: what they answer, and what they cost to build and to ask. YCSB keys.",
    );
    outcome.tables.push(accuracy(options)?);
    outcome.tables.push(other_numbers(options)?);
    outcome.tables.push(times::building(options)?);
    times::asking(&mut outcome, options.scaled(POSITIVES, 2000), 8.44)?;
    times::asking(&mut outcome, options.scaled(10_000_000, 2000), 10.0)?;
    outcome.tables.push(times::scaling(options)?);
    Ok(outcome)
}
