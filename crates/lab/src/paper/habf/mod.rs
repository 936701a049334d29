//! The evaluation of the HABF paper: R. Xie et al., "Hash Adaptive Bloom Filter", ICDE 2021, Figures 8 to 15.
//!
//! | figure | experiment | module |
//! |---|---|---|
//! | 8 | the bound of equation 19, and the measured rate | `bound.rs` |
//! | 9, 10, 11, 13 | rates: parameters, space, skew | `rates.rs` |
//! | 12, 15 | build and query times, memory used by the build | `times.rs`, `memory.rs`, from `keys.rs` |
//! | the text's rates | the authors' rules, and what each rule of the optimiser is worth | `rules.rs` |
//! | 14 | a plain filter with different hash functions | `hashes.rs` |
//!
//! The paper's sizes are for 1,491,178 and 12,500,611 positives. Here they are kept as bits per key, so that runs at different scales are
//! comparable. `learned.rs` has the paper's numbers for learned filters; they are built in [`super::learned`], on real keys.
//!
//! The figures show three filters of each kind: *paper's HABF* by the rules of its authors' program ([`crate::filter::papers::habf`]), which published
//! numbers are compared with; `habf` of this library with the paper's parameters; and `habf` as it is.

mod bound;
mod hashes;
mod keys;
mod learned;
mod memory;
mod rates;
mod rules;
pub mod theory;
mod times;

pub use bound::figure_8;
pub use hashes::figure_14;
pub use memory::figure_15;
pub use rates::{figure_9, figure_10, figure_11, figure_13};
pub use rules::rules;
pub use times::figure_12;

use crate::filter::papers::habf::{Parameters, Rules};
use crate::prelude::*;

/// The names of the paper's two filters.
const PAPER: [&str; 2] = ["paper's HABF", "paper's f-HABF"];

/// The paper's two filters, and those of this library with the same parameters.
fn paper_and_ours() -> [Subject; 4] {
    [
        Subject::paper_habf(PAPER[0], Parameters::habf(Rules::PROGRAM)),
        Subject::paper_habf(PAPER[1], Parameters::fast(Rules::PROGRAM)),
        Subject::paper(Family::Habf),
        Subject::paper(Family::HabfFast),
    ]
}

/// Converts the paper's megabytes to bits per key of its data set.
fn bits_per_key(source: Source, megabytes: f64) -> f64 {
    let (positives, _) = source.published_sizes();
    megabytes * f64::from(8 << 20) / positives as f64
}

/// The bits of a cell that can name `functions` functions and one more: the paper's 4 bits for up to six functions.
fn cell_bits(functions: u32) -> u32 {
    if functions <= 6 { 4 } else { 5 }
}
