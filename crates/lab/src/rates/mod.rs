//! Measurements: false positive rates, and times.
//!
//! Shuffling the costs changes neither the keys nor the answers of a filter that ignores costs. So the answers are kept apart from the costs:
//! which known negatives are false positives, and how many unseen keys are. With costs by Zipf's law, there are two rates by cost:
//!
//! - *The mean over all orders of the costs* ([`Rates::known`]). For a filter that ignores costs it is the plain rate. For a filter that treats
//!   the costliest negatives as one class and the others as a second, it follows from the rates of the two classes
//!   ([`cost_classes`]). For other filters it is the mean over the orders that they are built for.
//! - *What ten orders show* ([`Orders`]), as in the papers: median, lowest and highest.

mod answers;
pub mod churn;
pub mod cost_classes;
pub mod count;
pub mod figure;
#[expect(clippy::module_inception, reason = "rates are what it holds")]
mod rates;
mod sweep;

pub use crate::statistics::Spread;
pub use answers::Answers;
pub use rates::{Orders, Rates};
pub use sweep::{Found, Grid, Place, sweep, sweep_with_costs};

/// Orders of the costs that are shown, as many as in the papers.
pub const ORDERS: usize = 10;
