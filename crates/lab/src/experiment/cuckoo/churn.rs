//! Keys that come and go: 5 % of the negatives are guarded after all keys are inserted, then some keys are replaced in each round.
//!
//! A cuckoo filter knows the costs of the guarded keys, so its rate by cost is the one that was measured, a mean over orders of the costs. The others
//! do not, so theirs is the mean over all orders within the guarded keys and within the rest.

use crate::experiment::churn::Churn;
use crate::options::Options;
use crate::output::{Cell, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::Family;

/// The rounds after which rates are shown.
const SHOWN: [u64; 3] = [0, 10, 40];

const SKEW: f64 = 1.5;

/// Shuffles of the costs.
const SHUFFLES: u64 = 5;

/// The table of rates by round.
pub(super) fn table(options: &Options) -> Result<Table> {
    let keys = options.scaled(300_000, 5000);
    let title = format!(
        "Keys that come and go: {keys} keys, 5 % guarded after insertion, skew {SKEW}, means of {SHUFFLES}: known negatives by cost"
    );
    let rounds = SHOWN.map(|round| format!("round {round}"));
    let columns = ["filter", "bits per key", "replaced in a round", "unseen"];
    let columns = columns.into_iter().chain(rounds.iter().map(String::as_str));
    let columns = columns.chain(["seesaw-adaptive / cuckoo, last round"]);
    let mut table = Table::new(title, columns);
    let set = Set::sized(Source::Users, keys, keys, keys);
    let shuffles = zipf::shuffles(set.negatives.len(), SKEW, SHUFFLES);
    for bits_per_key in [12.0, 20.0, 36.0] {
        for share in [0.02, 0.05, 0.1] {
            let churn = Churn {
                source: Source::Users,
                set: &set,
                bits_per_key,
                guard: 0.05,
                share,
                measured_after: &SHOWN,
            };
            let mut last = Vec::new();
            for family in [Family::SeesawAdaptive, Family::Counting, Family::Cuckoo] {
                let course = churn.rates_by_round(&Subject::kind(family).into(), &shuffles)?;
                let by_cost: Vec<f64> = (course.iter())
                    .map(|rates| match family {
                        Family::Cuckoo => rates.measured,
                        _ => rates.known.mean,
                    })
                    .collect();
                last.extend(by_cost.last().copied());
                let ratio = match (family, &last[..]) {
                    (Family::Cuckoo, [seesaw, .., cuckoo]) => Cell::number(seesaw / cuckoo, 0),
                    _ => "-".into(),
                };
                let cells = [
                    family.name().into(),
                    Cell::number(bits_per_key, 0),
                    format!("{:.0} %", 100.0 * share).into(),
                    Cell::or_dash(course.last(), |rates| Cell::rate(rates.unseen)),
                ];
                let shown = by_cost.iter().map(|&rate| Cell::rate(rate));
                table.row(cells.into_iter().chain(shown).chain([ratio]));
            }
        }
    }
    Ok(table)
}
