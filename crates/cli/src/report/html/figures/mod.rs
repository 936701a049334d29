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

use super::mark::Tone;
use super::markup::Table;
use crate::measure::Measured;
use crate::report::comparison::Verdict;
use crate::report::markdown::Cells;
use bloomwise::Family;

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

/// A table of numbers. The first column has names.
fn numbers(heads: impl IntoIterator<Item = String>, rows: Vec<Vec<String>>) -> Table {
    let first = [(String::new(), Cells::Text)].into_iter();
    Table {
        heads: first
            .chain(heads.into_iter().map(|head| (head, Cells::Numbers)))
            .collect(),
        group: rows.len().max(1),
        rows,
    }
}
