//! How far filters are from the information limit.
//!
//! A filter that errs on a share `e` of unseen keys, and on none of `r` known negatives for each key, needs at least
//! `log2(1 / e) + r log2(1 / (1 - e))` bits per key; one that errs on known negatives as on others is held to the first part
//! alone. What a filter has beyond that is what it wastes. A column says which of the two limits a row is held to; a filter
//! that is wrong on few known negatives is thus held to less than it does, by a small part of a bit at these rates.

use crate::measure::rates;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::Result;
use bloomwise::guarded::theory::{limit_bits, limit_rate};

/// Runs it.
pub fn run(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 2000);
    let set = Set::sized(
        Source::Users,
        keys,
        keys,
        options.scaled(20_000_000, 100_000),
    );
    let mut outcome = Outcome::new(format!(
        "Distance to the information limit, equal costs. {}. The limit is the lowest rate on unseen keys that any filter of so many bits can have: one that is right on all known negatives if the filter is (\"keys and negatives\"), else one that knows of none (\"keys\"). A filter that cannot be so small has dashes.",
        set.describe()
    ));
    let subjects = [
        Subject::kind("bloom"),
        Subject::kind("blocked"),
        Subject::xor(),
        Subject::stacked(),
        Subject::cascade(),
        Subject::kind("habf"),
        Subject::kind("guarded"),
    ];
    let sizes = [4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0];
    let found = rates(&set, 0.0, 1, &sizes, &subjects)?;
    let columns = [
        "bits per key, asked",
        "filter",
        "got",
        "known",
        "unseen",
        "limit for",
        "limit",
        "times limit",
        "bits beyond the limit",
    ];
    let mut table = Table::new("Distance to the limit", columns);
    let x = || Axis::linear("bits per key");
    let rate = |what: &str| {
        Chart::new(
            format!("Rates: {what}"),
            x(),
            Axis::log("false positive rate"),
        )
    };
    let beyond_limit = Axis::linear("bits per key beyond the limit");
    let mut distance = Chart::new("Distance to the information limit", x(), beyond_limit);
    let [mut known, mut unseen] = ["known negatives", "unseen keys"].map(rate);
    for (size, found) in sizes.iter().zip(&found) {
        for (subject, rates) in subjects.iter().zip(found) {
            let Some(rates) = rates else {
                let cells = [Cell::number(*size, 0), subject.name.as_str().into()];
                table.row(cells.into_iter().chain([const { Cell::Nothing }; 7]));
                continue;
            };
            let right = rates.known.mean == 0.0;
            let negatives = if right { 1.0 } else { 0.0 };
            let limit = limit_rate(rates.bits_per_key, negatives);
            // No unseen key was wrong: too few were asked for to tell a rate.
            let seen = rates.unseen > 0.0;
            let times = limit.filter(|_| seen).map(|limit| rates.unseen / limit);
            let beyond = seen.then(|| rates.bits_per_key - limit_bits(rates.unseen, negatives));
            table.row([
                Cell::number(*size, 0),
                subject.name.as_str().into(),
                Cell::number(rates.bits_per_key, 2),
                Cell::rate(rates.known.mean),
                Cell::rate(rates.unseen),
                if right { "keys and negatives" } else { "keys" }.into(),
                Cell::of(limit, Cell::rate),
                Cell::of(times, |times| Cell::number(times, 2)),
                Cell::of(beyond, |beyond| Cell::number(beyond, 2)),
            ]);
            known.point(&subject.name, *size, rates.known.mean, 0.0);
            unseen.point(&subject.name, *size, rates.unseen, 0.0);
            if let Some(beyond) = beyond {
                distance.point(&subject.name, *size, beyond, 0.0);
            }
        }
    }
    outcome.tables.push(table);
    outcome.charts = vec![distance, known, unseen];
    Ok(outcome)
}
