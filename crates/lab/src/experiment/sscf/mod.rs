//! The evaluation of the SSCF paper, "Seesaw Counting Filter", Figures 10 to 17.
//!
//! | figure | experiment | module |
//! |---|---|---|
//! | 10, 11, 12 | parameters, skew, number of guarded negatives | `parameters.rs` |
//! | 13, 14, 15 | rate over space and skew on three sets | `space.rs` |
//! | 16 | time to insert, to ask, to remove | `latency.rs` |
//! | 17 | keys come and go while negatives are guarded | `churn.rs` |
//!
//! "Paper" is a seesaw filter with the paper's parameters: 5 % as many guarded negatives as positives, 10 % of the space for the
//! modulator, counts of 3 bits, an index of 1 bit. The others choose for themselves. Where the text of the paper does not give
//! a size, it is 28 bits per key, the middle of its range.

mod churn;
mod latency;
mod parameters;
mod space;

pub use churn::figure_17;
pub use latency::figure_16;
pub use parameters::{figure_10, figure_11, figure_12};
pub use space::{figure_13, figure_14, figure_15};

use crate::subject::Subject;

/// The size where the paper gives none.
const BITS_PER_KEY: f64 = 28.0;

/// A seesaw filter with the paper's parameters, but for those that are set afterwards.
fn paper() -> Subject {
    Subject::kind("seesaw")
        .set("guard", 0.05)
        .set("alpha", 0.1)
        .set("count-bits", 3)
        .set("index-bits", 1)
        .named("seesaw, paper")
}

/// The filters of Figures 11 to 16.
fn subjects() -> [Subject; 5] {
    [
        Subject::kind("counting"),
        Subject::weighted_counting(),
        Subject::stacked_counting(),
        paper(),
        Subject::kind("seesaw"),
    ]
}
