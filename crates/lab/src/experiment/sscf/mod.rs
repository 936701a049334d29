//! The evaluation of the SSCF paper, "Seesaw Counting Filter", Figures 10 to 17.
//!
//! | figure | experiment | module |
//! |---|---|---|
//! | 10 | parameters | `parameters.rs` |
//! | 11, 12 | skew, number of guarded negatives | `when.rs` |
//! | 13, 14, 15 | rate over space and skew on three sets | `space.rs`, `comparisons.rs` |
//! | 16 | time to insert, to ask, to remove | `latency.rs`, `changing.rs` |
//! | 17 | keys come and go while negatives are guarded | `churn.rs` |
//!
//! "Paper" is a seesaw filter with the paper's parameters: 5 % as many guarded negatives as positives, 10 % of the space for the
//! modulator, counts of 3 bits, an index of 1 bit, and `k = B ln 2` functions for `B` counters per key, rounded: 2, 3 and 4 at
//! 20, 28 and 36 bits per key. It is one of this library all the same, whose *second round is strict*: where one counter of a
//! key is empty, that must be marked and the first marked one of the key. The paper's Algorithm 3 takes any empty counter and
//! so errs more often; `verbatim.rs` is that algorithm to the letter, and stands beside in Figure 10. "Seesaw" chooses
//! everything for itself, and weighs unseen keys too.
//!
//! The paper guards 5 % of the *negatives*; here it is 5 % as many as there are positives, which is how the filter counts, and
//! 4 to 12 % more of them in the three sets. Where the text of the paper does not give a size, it is 28 bits per key, the
//! middle of its range.

mod changing;
mod churn;
mod comparisons;
mod latency;
mod optimum;
mod parameters;
mod space;
mod verbatim;
mod when;

pub use churn::figure_17;
pub use latency::figure_16;
pub use parameters::figure_10;
pub use space::{figure_13, figure_14, figure_15};
pub use when::{figure_11, figure_12};

use crate::subject::Subject;
use std::f64::consts::LN_2;

/// The size where the paper gives none.
const BITS_PER_KEY: f64 = 28.0;

/// Guarded negatives for each positive.
const GUARD: f64 = 0.05;

/// The share of the modulator.
const ALPHA: f64 = 0.1;

/// Bits of a modulator cell: count and index.
const CELL: [u32; 2] = [3, 1];

/// Bits of a counter with its mark, and of one that can be marked later.
const COUNTER: f64 = 5.0;
const ADAPTIVE_COUNTER: f64 = 6.0;

/// The paper's number of functions for a size: `B ln 2`, rounded.
fn functions(bits_per_key: f64, counter: f64) -> u32 {
    let counters = (1.0 - ALPHA) * bits_per_key / counter;
    (counters * LN_2).round().max(1.0) as u32
}

fn with_paper(kind: &'static str, functions: u32) -> Subject {
    Subject::kind(kind)
        .set("k", functions)
        .set("guard", GUARD)
        .set("alpha", ALPHA)
        .set("count-bits", CELL[0])
        .set("index-bits", CELL[1])
        .named(format!("{kind}, paper"))
}

/// A seesaw filter with the paper's parameters for this size, but for those that are set afterwards.
pub(super) fn paper(bits_per_key: f64) -> Subject {
    with_paper("seesaw", functions(bits_per_key, COUNTER))
}

/// The same of an adaptive one.
pub(super) fn adaptive(bits_per_key: f64) -> Subject {
    with_paper("seesaw-adaptive", functions(bits_per_key, ADAPTIVE_COUNTER))
}

/// The filters of Figures 11 and 13 to 15 at a size.
fn subjects(bits_per_key: f64) -> [Subject; 6] {
    [
        Subject::kind("counting"),
        Subject::weighted_counting(),
        Subject::stacked_counting(),
        Subject::stacked_counting_paper(),
        paper(bits_per_key),
        Subject::kind("seesaw"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_functions_are_those_of_its_formula() {
        let of = |bits: f64| functions(bits, COUNTER);
        assert_eq!([20.0, 28.0, 36.0].map(of), [2, 3, 4]);
        assert_eq!(functions(28.0, ADAPTIVE_COUNTER), 3);
        assert_eq!(functions(1.0, COUNTER), 1);
    }
}
