//! What filters answer: on known negatives by cost, and on unseen keys beside it.
//!
//! Costs that are shuffled anew leave keys and answers of a filter that is blind to them as they are, so that answers are kept
//! apart from costs: which known negatives are false positives, and how many of the unseen keys are.
//!
//! With costs by Zipf's law, a filter that sees costs is built anew for each of some shuffles, and its rate is their mean. A
//! blind one is built once, and its rate is the mean over all shuffles there are; and so is that of a filter that guards the
//! costliest and sees no more of costs, from its rates on these and on the others.

mod answers;
mod rates;
mod survey;

pub use answers::Answers;
pub use rates::Rates;
pub(crate) use rates::student;
pub use survey::{RatesBySize, rates, rates_of};
