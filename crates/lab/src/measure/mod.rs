//! What filters answer: on known negatives by cost, and on unseen keys beside it.
//!
//! Costs that are shuffled anew leave keys and answers of a filter that is blind to them as they are, so that answers are kept
//! apart from costs: which known negatives are false positives, and how many of the unseen keys are.
//!
//! With costs by Zipf's law, a filter that sees costs is built anew for each of some shuffles; a blind one is built once. The
//! rate by cost is the mean over all orders of the costs: that of a blind filter is its plain rate; that of a filter which
//! deals with the costliest in one way and with the others in another follows from its rates on both, estimated from the
//! shuffles; for others, it is the mean of the shuffles.

mod answers;
mod drawn;
mod rates;
mod survey;

pub use answers::Answers;
pub(crate) use drawn::Drawn;
pub use rates::Rates;
pub(crate) use rates::student;
pub use survey::{RatesBySize, rates, rates_of};
