//! The evaluation of the HABF paper: R. Xie et al., "Hash Adaptive Bloom Filter", ICDE 2021, Figures 8 to 15.
//!
//! | figure | experiment | module |
//! |---|---|---|
//! | 8 | the bound of equation 19 and the rate it bounds | `bound.rs` |
//! | 9 | ratio, functions and size of a cell | `parameters.rs` |
//! | 10, 11 | rate over space with equal costs and with Zipf costs | `space.rs`, `published.rs`; `ablation.rs` |
//! | 12 | time of building and of asking | `times.rs`, from `keys.rs` |
//! | 13 | rate over the skew of the costs | `skew.rs` |
//! | 14 | a plain filter with other hash functions | `hashes.rs` |
//! | 15 | memory of building | `memory.rs`, from `keys.rs` |
//!
//! The paper's sizes are for 1,491,178 and 12,500,611 positives; here they are kept as bits per key, so that a run at another
//! scale asks the same of a filter. What the paper says of learned filters stands in `learned.rs`: they are not built again.

mod ablation;
mod bound;
mod hashes;
mod keys;
mod learned;
mod memory;
mod parameters;
mod published;
mod skew;
mod space;
mod times;

pub use bound::figure_8;
pub use hashes::figure_14;
pub use memory::figure_15;
pub use parameters::figure_9;
pub use skew::figure_13;
pub use space::{figure_10, figure_11};
pub use times::figure_12;

use crate::measure::Rates;
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::{Context, Result};

/// The paper's megabytes as bits per key of its data set.
fn bits_per_key(source: Source, megabytes: f64) -> f64 {
    let (positives, _) = source.published();
    megabytes * f64::from(8 << 20) / positives as f64
}

/// What a megabyte of the paper is in bits per key, for sets that stand for the paper's.
fn megabyte(source: Source, set: &Set) -> Option<f64> {
    set.published().then(|| bits_per_key(source, 1.0))
}

/// Bits of a cell that names so many functions and one more: the paper's 4 as long as they can, up to six functions.
fn cell_bits(functions: u32) -> u32 {
    if functions <= 6 { 4 } else { 5 }
}

/// The filters of the figures on rates: those of the paper, and this library's own beside them.
fn subjects(skewed: bool) -> Vec<Subject> {
    let mut subjects = vec![
        Subject::kind("bloom"),
        Subject::xor(),
        Subject::paper("habf"),
        Subject::paper("habf-fast"),
        Subject::kind("habf"),
        Subject::kind("guarded"),
        Subject::stacked(),
    ];
    if skewed {
        subjects.push(Subject::weighted());
    }
    subjects
}

/// The rates of the filter of this name, among those of all subjects at one place. That there are none is an error: every
/// filter that the paper speaks of can be had at every size it has it at.
fn rates_of(name: &str, subjects: &[Subject], found: &[Option<Rates>]) -> Result<Rates> {
    let number = subjects.iter().position(|subject| subject.name == name);
    number
        .and_then(|number| found.get(number).copied().flatten())
        .with_context(|| format!("{name} was not measured"))
}
