//! Seesaw filters: rates by cost beside `Counting`, times beside `Counting`, two threads, and keys that come and go.
//!
//! The table of rates has 300,000 positives and as many negatives with costs by Zipf's law; each line is the mean over all orders
//! of the costs, with the deviation of a single one. Nothing is measured that denies a member.

mod churn;
mod threads;
mod times;

use super::sscf::paper;
use crate::measure::rates;
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::{Filter, KeySets};

/// Positives, negatives and unseen keys of the table.
const KEYS: u64 = 300_000;

/// Ways to deal out the costs.
const SHUFFLES: u64 = 5;

/// The filters of the table, at a size.
fn subjects(bits_per_key: f64) -> [Subject; 5] {
    let with_guards = |kind: &'static str| {
        let subject = Subject::kind(kind).set("guard", 0.05);
        subject.named(format!("{kind}, 5 %"))
    };
    [
        Subject::kind("counting"),
        with_guards("seesaw"),
        paper(bits_per_key),
        Subject::kind("seesaw"),
        with_guards("seesaw-adaptive"),
    ]
}

/// What a filter of these sets chose.
fn parameters(subject: &Subject, sets: &KeySets, bits_per_key: f64) -> Result<String> {
    let bits = (bits_per_key * sets.positives().len() as f64) as u64;
    let (filter, _) = subject.build_and_report(sets, bits)?;
    let shown = ["k", "backups", "modulator_cells", "marked"];
    let all = filter.info().parameters;
    let shown = all.iter().filter(|(name, _)| shown.contains(name));
    let shown: Vec<_> = shown
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    Ok(shown.join(", "))
}

fn accuracy(keys: u64) -> Result<Table> {
    let columns = [
        "skew",
        "bits per key",
        "filter",
        "known, by cost",
        "±",
        "unseen",
        "parameters",
    ];
    let title = format!("Rates, {keys} positives and as many negatives");
    let mut table = Table::new(title, columns);
    let set = Set::sized(Source::Users, keys, keys, keys);
    for skew in [1.0, 1.5, 2.5] {
        let sets = set.with_costs(&zipf::costs(set.negatives.len(), skew, 0))?;
        for bits in [20.0, 28.0, 36.0] {
            let subjects = subjects(bits);
            let found = rates(&set, skew, SHUFFLES, &[bits], &subjects)?;
            for (subject, rates) in subjects.iter().zip(&found[0]) {
                table.row([
                    Cell::number(skew, 1),
                    Cell::number(bits, 0),
                    subject.name.as_str().into(),
                    Cell::of(*rates, |rates| Cell::rate(rates.known.mean)),
                    Cell::of(*rates, |rates| Cell::rate(rates.known.deviation)),
                    Cell::of(*rates, |rates| Cell::rate(rates.unseen)),
                    parameters(subject, &sets, bits)?.into(),
                ]);
            }
        }
    }
    Ok(table)
}

/// Runs all.
pub fn run(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(KEYS, 2000);
    let mut outcome = Outcome::new(format!(
        "Seesaw filters: rates by cost beside counting ones, times beside counting ones, two threads, and keys that come and go. YCSB keys; rates by cost are means over all orders of the costs, from {SHUFFLES} of them, ± is the deviation of a single one."
    ));
    outcome.tables.push(accuracy(keys)?);
    times::run(&mut outcome, keys)?;
    threads::run(&mut outcome, options, keys)?;
    churn::run(&mut outcome, keys)?;
    Ok(outcome)
}
