//! Seesaw filters against `Counting`: rates by cost, times, two threads, and insertions and removals.
//!
//! The table of rates has 300,000 positives and as many negatives with costs by Zipf's law. Each row is the mean over
//! all orders of the costs, with the deviation of a single one. A false negative ends the run.

mod churn;
mod threads;
mod times;

use crate::paper::sscf::paper;
use crate::prelude::*;
use crate::rates::churn::SHUFFLES;
use crate::rates::sweep;
use crate::times::throughput::STEPS;

/// Positives, negatives and unseen keys of the table, each.
const KEYS: u64 = 300_000;

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
    let shown = shown.map(|known| format!("{} {}", known.name, known.value));
    Ok(shown.collect::<Vec<_>>().join(", "))
}

fn accuracy(keys: u64) -> Result<Table> {
    let columns =
        "skew {1} | bits per key | filter | known, by cost {%} | ± {%} | unseen {%} | parameters";
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
                let rates = found.rates;
                let rates =
                    rates.map(|rates| [rates.known.mean, rates.known.deviation, rates.unseen]);
                let rates = rates.unwrap_or([f64::NAN; 3]);
                let parameters = parameters(subject, &sets, bits)?;
                table.row((skew, bits, &subject.name, rates, parameters));
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
    let steps = options.scaled(STEPS, 2000);
    for keys in [keys, 10 * keys] {
        outcome.tables.push(threads::table(keys, steps)?);
    }
    outcome.tables.push(churn::table(keys)?);
    Ok(outcome)
}
