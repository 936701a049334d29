//! How far filters are from the information limit.
//!
//! A filter that errs on a share `e` of unseen keys, and on none of `r` known negatives for each key, needs at least
//! `log2(1 / e) + r log2(1 / (1 - e))` bits per key; one that errs on known negatives as on others is held to the first part
//! alone. What a filter has beyond that is what it wastes.

use super::sweep::Sweep;
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
        "Distance to the information limit, equal costs. {}. A filter that is right on all known negatives is compared with the limit for that, others with the limit without negatives.",
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
    let mut sweep = Sweep::new("Rates over bits per key", "bits per key");
    let columns = [
        "bits per key",
        "filter",
        "known",
        "unseen",
        "limit",
        "times limit",
        "bits beyond the limit",
    ];
    let mut table = Table::new("Distance to the limit", columns);
    let y = Axis::linear("bits per key beyond the limit");
    let mut chart = Chart::new(
        "Distance to the information limit",
        Axis::linear("bits per key"),
        y,
    );
    for (size, found) in sizes.iter().zip(&found) {
        for (subject, rates) in subjects.iter().zip(found) {
            sweep.add(*size, &subject.name, *rates);
            let Some(rates) = rates.filter(|rates| rates.unseen > 0.0) else {
                continue;
            };
            let negatives = if rates.known.mean == 0.0 { 1.0 } else { 0.0 };
            let limit = limit_rate(rates.bits_per_key, negatives);
            let beyond = rates.bits_per_key - limit_bits(rates.unseen, negatives);
            table.row([
                Cell::number(rates.bits_per_key, 2),
                subject.name.as_str().into(),
                Cell::rate(rates.known.mean),
                Cell::rate(rates.unseen),
                Cell::of(limit, Cell::rate),
                Cell::of(limit, |limit| Cell::number(rates.unseen / limit, 2)),
                Cell::number(beyond, 2),
            ]);
            chart.point(&subject.name, *size, beyond, 0.0);
        }
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    sweep.into(&mut outcome);
    Ok(outcome)
}
