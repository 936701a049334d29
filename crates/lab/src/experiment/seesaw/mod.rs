//! Seesaw filters against `Counting`: rates by cost, times, two threads, and insertions and removals.
//!
//! The table of rates has 300,000 positives and as many negatives with costs by Zipf's law. Each row is the mean over
//! all orders of the costs, with the deviation of a single one. A false negative ends the run.

mod churn;
mod threads;
mod times;

use super::sscf::paper;
use crate::measure::{Place, sweep};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::{Family, Filter, KeySets};

/// Positives, negatives and unseen keys of the table, each.
const KEYS: u64 = 300_000;

/// Shuffles of the costs.
const SHUFFLES: u64 = 5;

/// The filters of the table at `bits_per_key`.
fn subjects(bits_per_key: f64) -> [Subject; 5] {
    let with_guards = |family: Family| {
        let subject = Subject::kind(family).set("guard", 0.05);
        subject.named(format!("{}, 5 %", family.name()))
    };
    [
        Subject::kind(Family::Counting),
        with_guards(Family::Seesaw),
        paper(bits_per_key),
        Subject::kind(Family::Seesaw),
        with_guards(Family::SeesawAdaptive),
    ]
}

/// The parameters that the filter chooses for `sets`.
fn parameters(subject: &Subject, sets: &KeySets, bits_per_key: f64) -> Result<String> {
    let bits = (bits_per_key * sets.positives().len() as f64) as u64;
    let (filter, _) = subject.build_and_report(sets, bits)?;
    let shown = ["k", "backups", "modulator_cells", "marked"];
    let all = filter.info().parameters;
    let shown = all.iter().filter(|known| shown.contains(&known.name));
    let shown: Vec<_> = shown
        .map(|known| format!("{} {}", known.name, known.value))
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
            let places = Place::sizes(&[bits], |_| subjects.to_vec());
            let found = sweep(&set, &[skew], SHUFFLES, &places)?;
            for (subject, found) in subjects.iter().zip(&found.0) {
                let rates = &found.rates;
                table.row([
                    Cell::number(skew, 1),
                    Cell::number(bits, 0),
                    subject.name.as_str().into(),
                    Cell::or_dash(*rates, |rates| Cell::rate(rates.known.mean)),
                    Cell::or_dash(*rates, |rates| Cell::rate(rates.known.deviation)),
                    Cell::or_dash(*rates, |rates| Cell::rate(rates.unseen)),
                    parameters(subject, &sets, bits)?.into(),
                ]);
            }
        }
    }
    Ok(table)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(KEYS, 2000);
    let mut outcome = Outcome::new(format!(
        "Seesaw filters: rates by cost and times beside counting filters, two threads, and keys that come and go. YCSB keys; rates by cost are means over all orders of the costs, from {SHUFFLES} of them; ± is the deviation of a single order."
    ));
    outcome.tables.push(accuracy(keys)?);
    times::run(&mut outcome, keys)?;
    threads::run(&mut outcome, options, keys)?;
    churn::run(&mut outcome, keys)?;
    Ok(outcome)
}
