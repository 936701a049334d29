//! The distance of filters from the information limit.
//!
//! A filter with rate `e` on unseen keys, and no false positives on `r` known negatives per key, needs at least `log2(1
//! / e) + r log2(1 / (1 - e))` bits per key. For a filter that errs on known negatives as on others, the limit is the
//! first term alone. The bits beyond the limit are wasted. A column says which limit a row is compared with. A filter
//! with few false positives on known negatives is thus compared with a limit that is too low, by a small part of a bit
//! at these rates.

use crate::prelude::*;
use crate::rates::sweep;
use bloomwise::guarded::theory::{limit_bits, limit_rate};

const SIZES: [f64; 7] = [4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0];

/// The known negatives per key that count for the limit of a filter, 1 if it is right on all and else 0, and the limit.
fn limit_of(rates: &Rates) -> (f64, Option<f64>) {
    let negatives = if rates.known.mean == 0.0 { 1.0 } else { 0.0 };
    (negatives, limit_rate(rates.bits_per_key, negatives))
}

/// The rate on unseen keys in multiples of the limit; nothing if no unseen key was a false positive: too few were queried to estimate a
/// rate.
fn times_limit(rates: &Rates) -> Option<f64> {
    let (_, limit) = limit_of(rates);
    Some(rates.unseen / limit.filter(|_| rates.unseen > 0.0)?)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 2000);
    let unseen = options.scaled(20_000_000, 100_000);
    let set = Set::sized(Source::Users, keys, keys, unseen);
    let mut outcome = Outcome::new(format!(
        "Distance to the information limit, equal costs. {}. The limit is the lowest rate on unseen keys that any filter of that size can have: one that is right on all known negatives if the filter is (\"keys and negatives\"), else one that knows of none (\"keys\"). A filter that cannot be that small has dashes.",
        set.describe()
    ));
    let baselines = [Subject::xor(), Subject::stacked(), Subject::cascade()];
    let kinds = Family::ALL.map(Subject::kind);
    let subjects: Vec<Subject> = kinds.into_iter().chain(baselines).collect();
    let places = Place::sizes(&SIZES, |_| subjects.clone());
    let grid = sweep(&set, &[0.0], 1, &places)?;
    let columns = "bits per key, requested | filter | actual {2} | known {%} | unseen {%} | limit for | limit {%} | times limit {2} | bits beyond the limit {2}";
    let mut table = Table::new("Distance to the limit", columns);
    for found in &grid.0 {
        let cells = found.rates.map(|rates| {
            let (negatives, limit) = limit_of(&rates);
            let whose = if negatives > 0.0 {
                "keys and negatives"
            } else {
                "keys"
            };
            let seen = rates.unseen > 0.0;
            let beyond = seen.then(|| rates.bits_per_key - limit_bits(rates.unseen, negatives));
            let measured = [rates.bits_per_key, rates.known.mean, rates.unseen];
            (measured, whose, limit, times_limit(&rates), beyond)
        });
        match cells {
            Some(cells) => table.row((found.x, &found.name, cells)),
            None => table.row((found.x, &found.name, [f64::NAN; 7])),
        }
    }
    let [x, line] = ["bits per key, requested", "filter"];
    let y = Axis::linear("bits per key beyond the limit");
    let title = "Distance to the information limit";
    let distance = Chart::new(title, Axis::linear("bits per key"), y);
    let rates = |what: &str, column| {
        let chart = Chart::rates(format!("Rates: {what}"), "bits per key");
        chart.rows(&table, [x, line, column])
    };
    outcome.charts = vec![
        distance.rows(&table, [x, line, "bits beyond the limit"]),
        rates("known negatives", "known"),
        rates("unseen keys", "unseen"),
    ];
    let sizes = SIZES.map(|size| format!("{size} bits per key"));
    let title = "Rate on unseen keys, in multiples of the limit";
    let mut multiples = Table::new(title, "filter").and(&sizes, "");
    for subject in &subjects {
        let cells = grid
            .0
            .iter()
            .filter(|found| found.name == subject.name)
            .map(|found| {
                let rates = found.rates?;
                let exact = if limit_of(&rates).0 > 0.0 {
                    " exact"
                } else {
                    ""
                };
                times_limit(&rates).map(|times| format!("{times:.2}{exact}"))
            });
        multiples.row((&subject.name, cells.collect::<Vec<_>>()));
    }
    outcome.tables = vec![table, multiples];
    Ok(outcome)
}
