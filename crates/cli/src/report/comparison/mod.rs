//! A comparison of filters: as a Markdown table, as a few sentences, as JSON.
//!
//! - `table` has the columns, which the HTML page shows too.
//! - `summary` says in a few sentences which kinds make the fewest mistakes and which are fastest; `known_negatives` has the
//!   sentence about known negatives.
//! - `json` is for scripts.

mod json;
mod known_negatives;
mod summary;
mod table;

pub use table::{LEGEND, OVER_BUDGET_NOTE, columns};
