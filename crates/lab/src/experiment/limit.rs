//! The distance of filters from the information limit.
//!
//! A filter with rate `e` on unseen keys, and no false positives on `r` known negatives per key, needs at least `log2(1
//! / e) + r log2(1 / (1 - e))` bits per key. For a filter that errs on known negatives as on others, the limit is the
//! first term alone. The bits beyond the limit are wasted. A column says which limit a row is compared with. A filter
//! with few false positives on known negatives is thus compared with a limit that is too low, by a small part of a bit
//! at these rates.

use crate::measure::{Place, Rates, sweep};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::Result;
use bloomwise::Family;
use bloomwise::guarded::theory::{limit_bits, limit_rate};

/// How far above the limit each filter is, at each size.
fn times_limit(sizes: &[f64], subjects: &[Subject], found: &[Vec<Option<Rates>>]) -> Table {
    let columns = sizes.iter().map(|size| format!("{size} bits per key"));
    let columns: Vec<String> = ["filter".to_string()].into_iter().chain(columns).collect();
    let mut table = Table::new(
        "Rate on unseen keys, in multiples of the limit",
        columns.iter().map(String::as_str),
    );
    for (number, subject) in subjects.iter().enumerate() {
        let cells = found.iter().map(|found| {
            let times = found[number].as_ref().and_then(|rates| {
                let (negatives, limit) = limit_of(rates);
                let exact = if negatives > 0.0 { " exact" } else { "" };
                let times = rates.unseen / limit.filter(|_| rates.unseen > 0.0)?;
                Some(format!("{times:.2}{exact}"))
            });
            Cell::or_dash(times, Cell::from)
        });
        table.row([subject.name.as_str().into()].into_iter().chain(cells));
    }
    table
}

/// The known negatives per key that count for the limit of a filter, 1 if it is right on all and else 0, and the limit.
fn limit_of(rates: &Rates) -> (f64, Option<f64>) {
    let negatives = if rates.known.mean == 0.0 { 1.0 } else { 0.0 };
    (negatives, limit_rate(rates.bits_per_key, negatives))
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 2000);
    let set = Set::sized(
        Source::Users,
        keys,
        keys,
        options.scaled(20_000_000, 100_000),
    );
    let mut outcome = Outcome::new(format!(
        "Distance to the information limit, equal costs. {}. The limit is the lowest rate on unseen keys that any filter of that size can have: one that is right on all known negatives if the filter is (\"keys and negatives\"), else one that knows of none (\"keys\"). A filter that cannot be that small has dashes.",
        set.describe()
    ));
    let baselines = [Subject::xor(), Subject::stacked(), Subject::cascade()];
    let kinds = Family::ALL.map(Subject::kind);
    let subjects: Vec<Subject> = kinds.into_iter().chain(baselines).collect();
    let sizes = [4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0];
    let places = Place::sizes(&sizes, |_| subjects.clone());
    let found = sweep(&set, &[0.0], 1, &places)?.0;
    let found = found.chunks(subjects.len());
    let found = found.map(|row| row.iter().map(|found| found.rates).collect());
    let found: Vec<Vec<Option<Rates>>> = found.collect();
    let columns = [
        "bits per key, requested",
        "filter",
        "actual",
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
            Axis::rates("false positive rate"),
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
            let (negatives, limit) = limit_of(rates);
            let right = negatives > 0.0;
            // No unseen key was a false positive: too few were queried to estimate a rate.
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
                Cell::or_dash(limit, Cell::rate),
                Cell::or_dash(times, |times| Cell::number(times, 2)),
                Cell::or_dash(beyond, |beyond| Cell::number(beyond, 2)),
            ]);
            known.point(&subject.name, *size, rates.known.mean, 0.0);
            unseen.point(&subject.name, *size, rates.unseen, 0.0);
            if let Some(beyond) = beyond {
                distance.point(&subject.name, *size, beyond, 0.0);
            }
        }
    }
    outcome.tables.push(table);
    outcome.tables.push(times_limit(&sizes, &subjects, &found));
    outcome.charts = vec![distance, known, unseen];
    Ok(outcome)
}
