//! The evaluation of the SSCF paper, "Seesaw Counting Filter", Figures 10 to 17.
//!
//! | figure | experiment | module |
//! |---|---|---|
//! | 10, 12 | rates: parameters, number of guards | `parameters.rs` |
//! | 11, 13 to 15 | rates: skew, space | `rates.rs` |
//! | 16 | insert, query and remove times | `latency.rs` |
//! | 17 | insertions and removals while negatives are guarded | `churn.rs` |
//! | Algorithm 4 | ways to delete, and what they lose | `deletion.rs` |
//!
//! "Paper's SSCF" is Algorithms 1 to 3 as published ([`crate::filter::papers::seesaw`]); the paper's statements are compared with it. "Seesaw, paper's
//! parameters" is a filter of this library: 10 % of the space for the modulator, 3-bit counts, a 1-bit index. Its *second round is strict*: if
//! one counter of a key is empty, that counter must be marked and must be the first marked one of the key. Algorithm 3 accepts any empty
//! counter. "Seesaw" chooses all parameters itself, and considers unseen keys too.
//!
//! Where the paper is silent, its authors' public program decides: the number of functions is that of a counting filter with 4-bit
//! counters, which is 3, 4 and 5 at 20, 28 and 36 bits per key; 28 bits per key and 18 % of them for the modulator in Figure 12; 6 % as many
//! guards as positives in the figures on rates (the text says "about 5 %"), 5 % elsewhere; 4.25 MB in Figure 16; means of runs
//! without the best and the worst.

mod churn;
mod deletion;
mod latency;
mod parameters;
mod rates;
#[cfg(test)]
pub mod theory;

pub use churn::figure_17;
pub use deletion::deletion;
pub use latency::figure_16;
pub use parameters::{figure_10, figure_12};
pub use rates::{figure_11, figure_13, figure_14, figure_15};

use crate::filter::papers::seesaw::Shape;
use crate::prelude::*;

/// The size where the paper gives none.
const BITS_PER_KEY: f64 = 28.0;

/// Guarded negatives per positive, in the text and in the authors' program for rates.
const GUARD: f64 = 0.05;
const PROGRAM_GUARD: f64 = 0.06;

/// The modulator's share of the space.
const ALPHA: f64 = 0.1;

/// The number of functions in the authors' program: `B ln 2`, rounded down, for `B` counters of 4 bits per key, although marks take a fifth bit.
fn functions(bits_per_key: f64, alpha: f64) -> u32 {
    ((1.0 - alpha) * bits_per_key / 4.0 * 0.69).floor().max(1.0) as u32
}

/// A filter of this library with the paper's parameters for this size.
fn paper_with(family: Family, bits_per_key: f64, alpha: f64, guard: f64) -> Subject {
    Subject::kind(family)
        .set("k", u64::from(functions(bits_per_key, alpha)))
        .set("guard", guard)
        .set("alpha", alpha)
        .set("count-bits", 3)
        .set("index-bits", 1)
        .named(format!("{}, paper's parameters", family.name()))
        .using(Costs::Ranks(guard))
}

/// The name of the paper's adaptive filter.
const PAPER_ADAPTIVE: &str = "paper's ada-SSCF";

/// The shape of the paper's adaptive filter for this size.
fn adaptive_shape(bits_per_key: f64) -> Shape {
    Shape {
        adaptive: true,
        alpha: ALPHA,
        ..Shape::new(functions(bits_per_key, ALPHA).into())
    }
}

/// A seesaw filter with the paper's parameters for this size.
pub(crate) fn paper(bits_per_key: f64) -> Subject {
    paper_with(Family::Seesaw, bits_per_key, ALPHA, GUARD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_functions_is_that_of_the_authors_program() {
        let of = |bits: f64| functions(bits, ALPHA);
        assert_eq!([20.0, 28.0, 36.0].map(of), [3, 4, 5]);
        assert_eq!((functions(28.0, 0.18), of(1.0)), (3, 1));
    }
}
