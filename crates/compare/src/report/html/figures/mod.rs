//! What each chart shows, with its caption and its numbers.
//!
//! - `later` has what is wasted, and what the list covers, in the part of a log that nothing was learned from.
//! - `mistakes` has the rates: all kinds at the middle budget, then over bits per key.
//! - `sizes` turns the question around: the bytes that each kind needs for a rate.
//! - `costs` shows how costs are spread over the known negatives.
//! - `speed` shows times.

mod costs;
mod later;
mod mistakes;
mod sizes;
mod speed;

pub use costs::costs;
pub use later::{covered, wasted};
pub use mistakes::mistakes;
pub use sizes::sizes;
pub use speed::speed;

use crate::measure::{Measured, default_kinds};
use crate::report::chart::{Look, Tone};
use crate::report::comparison::Verdict;
use crate::report::table::{Column, Table};
use bloomwise::Family;

/// The width of a drawing. It is small, so that text is readable on a phone.
const WIDTH: f64 = 400.0;

/// Selects one of the measurements.
type Number<T> = fn(&Measured) -> Option<T>;

/// How much a kind stands out.
fn tone(verdict: Option<&Verdict<'_>>, kind: Family) -> Tone {
    if verdict.is_some_and(|verdict| verdict.kind() == kind) {
        Tone::Strong
    } else if kind == Family::Bloom {
        Tone::Plain
    } else {
        Tone::Grey
    }
}

/// The look of a kind. It does not depend on the other kinds in the chart.
fn look(kind: Family) -> Look {
    let defaults = default_kinds();
    let others = Family::ALL
        .into_iter()
        .filter(|kind| !defaults.contains(kind));
    let mut order = defaults.iter().copied().chain(others);
    Look(order.position(|other| other == kind).unwrap_or(0))
}

/// A table of numbers. The first column has names.
fn numbers(heads: impl IntoIterator<Item = String>, rows: Vec<Vec<String>>) -> Table {
    let heads = heads.into_iter().map(Column::numbers);
    Table::new([Column::text("")].into_iter().chain(heads).collect(), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_kinds_look_alike() {
        let looks = Family::ALL.map(look);
        for (at, one) in looks.iter().enumerate() {
            for other in &looks[..at] {
                let same_marker = one.marker(0.0, 0.0) == other.marker(0.0, 0.0);
                assert!(
                    !(same_marker && one.dash(Tone::Grey) == other.dash(Tone::Grey)),
                    "{} {}",
                    one.0,
                    other.0
                );
            }
        }
        let mut markers: Vec<_> = (default_kinds().into_iter())
            .map(|kind| look(kind).marker(0.0, 0.0))
            .collect();
        markers.sort();
        markers.dedup();
        let kinds = default_kinds().len();
        assert_eq!(
            markers.len(),
            kinds,
            "two of the default kinds have the same marker"
        );
    }
}
