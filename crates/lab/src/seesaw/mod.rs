//! Seesaw filters: rates by cost beside `Counting`, times beside `Counting`, two threads, and keys that come and go.
//!
//! The table of rates has 300,000 positives and as many negatives with costs by Zipf's law, one guarded for twenty positives;
//! each line is the mean over three ways to deal out the costs, with the least and the most. Nothing is measured that
//! denies a member.

mod churn;
mod threads;
mod times;

use crate::known::{Data, rates, spec};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use anyhow::Result;
use bloomwise::{Filter, Spec};

/// Positives, negatives and unseen keys of the table.
const KEYS: u64 = 300_000;

/// Ways to deal out the costs.
const SHUFFLES: u64 = 3;

/// The paper's own parameters.
const PAPER: [(&str, &str); 4] = [
    ("guard", "0.05"),
    ("alpha", "0.1"),
    ("count-bits", "3"),
    ("index-bits", "1"),
];

/// Mean, least and most.
fn spread(values: &[f64]) -> String {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    format!("{mean:.2e} ({least:.1e} to {most:.1e})")
}

fn row(table: &mut Table, name: &str, skew: f64, bits: f64, spec: &Spec, shuffles: &[Data]) {
    let mut known_rates = Vec::new();
    let mut unseen_rates = Vec::new();
    let mut parameters = String::new();
    for data in shuffles {
        let filter = spec.build(&data.sets()).expect("sound");
        let (known, unseen) = rates(&filter, data);
        known_rates.push(known);
        unseen_rates.push(unseen);
        let shown = ["k", "backups", "modulator_cells", "marked"];
        let all = filter.info().parameters;
        let shown = all.iter().filter(|(name, _)| shown.contains(name));
        let shown: Vec<_> = shown
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        parameters = shown.join(", ");
    }
    let unseen = unseen_rates.iter().sum::<f64>() / unseen_rates.len() as f64;
    table.row([
        Cell::number(skew, 1),
        Cell::number(bits, 0),
        name.into(),
        spread(&known_rates).into(),
        Cell::rate(unseen),
        parameters.into(),
    ]);
}

fn accuracy(keys: u64) -> Table {
    let columns = [
        "skew",
        "bits per key",
        "filter",
        "known, by cost",
        "unseen",
        "parameters",
    ];
    let mut table = Table::new(
        format!("Rates, {keys} positives and as many negatives"),
        columns,
    );
    for skew in [1.0, 1.5, 2.5] {
        let shuffles: Vec<Data> = (0..SHUFFLES)
            .map(|shuffle| Data::shuffled(keys, keys, keys, skew, shuffle))
            .collect();
        for bits in [20.0, 28.0, 36.0] {
            let mut row =
                |name: &str, spec: &Spec| row(&mut table, name, skew, bits, spec, &shuffles);
            row("counting", &spec("counting", bits, "", &[]));
            row(
                "seesaw, 5 %",
                &spec("seesaw", bits, "", &[("guard", "0.05")]),
            );
            row(
                "seesaw, 5 %, paper's setting",
                &spec("seesaw", bits, "", &PAPER),
            );
            row("seesaw", &spec("seesaw", bits, "", &[]));
            let adaptive = spec("seesaw-adaptive", bits, "", &[("guard", "0.05")]);
            row("seesaw-adaptive, 5 %", &adaptive);
        }
    }
    table
}

/// Runs all.
pub fn run(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(KEYS, 2000);
    let mut outcome = Outcome::new(
        "Seesaw filters: rates by cost beside counting ones, times beside counting ones, two threads, and keys that come and go. YCSB keys; rates are means over three ways to deal out the costs, with the least and the most.",
    );
    outcome.tables.push(accuracy(keys));
    times::run(&mut outcome, keys);
    threads::run(&mut outcome, options, keys);
    churn::run(&mut outcome, keys);
    Ok(outcome)
}
