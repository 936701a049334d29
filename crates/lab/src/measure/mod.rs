//! False positive rates: on known negatives by cost, and on unseen keys.
//!
//! Shuffling the costs changes neither the keys nor the answers of a filter that ignores costs. So the answers are kept
//! apart from the costs: which known negatives are false positives, and how many unseen keys are.
//!
//! With costs by Zipf's law, a filter that uses costs is built again for each of several shuffles; a filter that
//! ignores them is built once. The rate by cost is the mean over all orders of the costs:
//!
//! - For a filter that ignores costs it is the plain rate.
//! - For a filter that treats the costliest negatives as one class and the others as a second, it follows from the
//!   rates of the two classes, which the shuffles estimate.
//! - For other filters it is the mean over the shuffles.

mod answers;
mod rates;
mod shuffled;
mod survey;

pub use answers::Answers;
pub use rates::Rates;
pub(crate) use rates::student;
pub(crate) use shuffled::Shuffled;
pub use survey::{RatesBySize, rates, rates_with_costs};
