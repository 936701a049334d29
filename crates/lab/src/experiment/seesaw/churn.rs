//! Insertions and removals, as in the paper's section V-F, with filters that choose their own parameters, at two sizes.

use super::SHUFFLES;
use crate::experiment::churn::Churn;
use crate::output::{Cell, Outcome, Table, percent};
use crate::subject::Subject;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::Family;

/// The rounds after which rates are shown.
const SHOWN: [u64; 7] = [0, 1, 2, 5, 10, 20, 40];

const SKEW: f64 = 1.5;

/// Adds the table to `outcome`.
pub(super) fn run(outcome: &mut Outcome, keys: u64) -> Result<()> {
    let title = format!(
        "Keys that come and go: {keys} keys, 5 % guarded after insertion, skew {SKEW}, means of {SHUFFLES}; by cost on known negatives / on guarded ones"
    );
    let rounds = SHOWN.map(|round| format!("round {round}"));
    let columns = ["filter", "bits per key", "replaced in a round", "unseen"];
    let columns = columns.into_iter().chain(rounds.iter().map(String::as_str));
    let mut table = Table::new(title, columns);
    let set = Set::sized(Source::Users, keys, keys, keys);
    let shuffles = zipf::shuffles(set.negatives.len(), SKEW, SHUFFLES);
    for bits_per_key in [28.0, 36.0] {
        for share in [0.02, 0.05, 0.1] {
            let churn = Churn {
                source: Source::Users,
                set: &set,
                bits_per_key,
                guard: 0.05,
                share,
                measured_after: &SHOWN,
            };
            for family in [Family::SeesawAdaptive, Family::Counting] {
                let course = churn.rates_by_round(&Subject::kind(family).into(), &shuffles)?;
                let cells = [
                    family.name().into(),
                    Cell::number(bits_per_key, 0),
                    format!("{:.0} %", 100.0 * share).into(),
                    Cell::or_dash(course.last(), |rates| Cell::rate(rates.unseen)),
                ];
                let shown = course.iter().map(|rates| {
                    let both = [rates.known.mean, rates.guarded.mean].map(percent);
                    both.join(" / ").into()
                });
                table.row(cells.into_iter().chain(shown));
            }
        }
    }
    outcome.tables.push(table);
    Ok(())
}
