//! A comparison of filters: as a Markdown table, as a few sentences, as JSON.
//!
//! - `table` has the columns, which the HTML page shows too.
//! - `verdict` says which kind to ship, what it saves and what it costs.
//! - `summary` says in a few sentences which kinds make the fewest mistakes, and `speed` which are fastest; `known_negatives` has
//!   the sentence about known negatives.
//! - `later` says whether keys that were learned from the first part of a log help in the rest.
//! - `json` is for scripts.

mod json;
mod known_negatives;
mod later;
mod speed;
mod summary;
mod table;
mod verdict;

pub use table::{LATER_LEGEND, LEGEND, OVER_BUDGET_NOTE};
pub use verdict::Verdict;
