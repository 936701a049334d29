//! Measures filters: how often they are wrong, what their mistakes cost, and how fast they are.
//!
//! - [`Samples`] are the keys that filters are measured on. Lines with equal keys are
//!   merged (`lines`). `holdout` sets aside some negatives that no build sees.
//! - [`Options`] say what to compare. `queries` looks up all keys and counts the wrong answers. [`Pace`] is the time per query or per key.
//! - [`Evaluation`] is everything that was measured for one filter. [`Comparison`] builds and evaluates many filters, a [`Row`]
//!   each.
//! - [`CostShare`] says how costs are spread over the keys, and [`Needed`] how many bytes each kind needs for a rate.
//! - [`machine`] describes the machine, which the times depend on.
//!
//! This module computes numbers. [`crate::report`] prints them.

mod comparison;
mod cost_share;
mod evaluation;
mod holdout;
mod later;
mod lines;
pub mod machine;
mod needed;
mod options;
mod pace;
mod queries;
mod rate;
#[cfg(feature = "input")]
mod read;
mod row;
mod samples;
mod steps;

pub use comparison::{Comparison, Limit};
pub use cost_share::CostShare;
pub use evaluation::Evaluation;
pub use later::{Events, Later};
#[cfg(feature = "input")]
pub(crate) use lines::Lines;
pub use needed::Needed;
pub use options::{Options, default_kinds, parse_setting};
pub use pace::{PASSES, Pace};
pub use queries::{Costly, Mistakes};
pub use rate::per;
pub use row::{Measured, Row};
pub use samples::{Negatives, NegativesOf, Positives, Samples};
