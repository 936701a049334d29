//! Measures filters: how often they are wrong, what their mistakes cost, and how fast they are.
//!
//! - [`Samples`] are the keys that filters are measured on. [`holdout`] sets aside some negatives that no build sees.
//! - `queries` looks up all keys and counts the wrong answers. [`Pace`] is the time per query or per key.
//! - [`Evaluation`] is everything that was measured for one filter. [`Comparison`] builds and evaluates many filters, a [`Row`]
//!   each.
//! - [`machine`] describes the machine, which the times depend on.
//!
//! This module computes numbers. [`crate::report`] prints them.

mod comparison;
mod evaluation;
pub mod holdout;
pub mod machine;
mod pace;
mod queries;
mod rate;
mod row;
mod samples;

pub use comparison::{Comparison, Limit, Options, default_kinds};
pub use evaluation::Evaluation;
pub use pace::{PASSES, Pace};
pub use queries::Mistakes;
pub use rate::per;
pub use row::{Measured, Row};
pub use samples::{Negatives, Samples};
