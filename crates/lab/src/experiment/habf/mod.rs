//! The evaluation of the HABF paper: R. Xie et al., "Hash Adaptive Bloom Filter", ICDE 2021, Figures 8 to 15.
//!
//! | figure | experiment | module |
//! |---|---|---|
//! | 8 | the bound of equation 19, and the measured rate | `bound.rs` |
//! | 9 | cell ratio, number of functions, cell size | `parameters.rs` |
//! | 10, 11 | rate over space with equal costs and with Zipf costs | `space.rs`, `published.rs`; `ablation.rs` |
//! | 12 | build and query times | `times.rs`, from `keys.rs` |
//! | the text's rates at 1.5 MB | what each rule of the optimiser is worth | `rules.rs` |
//! | 13 | rate over the skew of the costs | `skew.rs` |
//! | 14 | a plain filter with different hash functions | `hashes.rs` |
//! | 15 | memory used by the build | `memory.rs`, from `keys.rs` |
//!
//! The paper's sizes are for 1,491,178 and 12,500,611 positives. Here they are kept as bits per key, so that runs at
//! different scales are comparable. Learned filters are not built; `learned.rs` has the paper's numbers for them.

mod ablation;
mod bound;
mod hashes;
mod keys;
mod learned;
mod memory;
mod parameters;
mod published;
mod rules;
mod skew;
mod space;
mod times;

pub use bound::figure_8;
pub use hashes::figure_14;
pub use memory::figure_15;
pub use parameters::figure_9;
pub use rules::rules;
pub use skew::figure_13;
pub use space::{figure_10, figure_11};
pub use times::figure_12;

use crate::measure::Rates;
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::{Context, Result};
use bloomwise::Family;

/// Converts the paper's megabytes to bits per key of its data set.
fn bits_per_key(source: Source, megabytes: f64) -> f64 {
    let (positives, _) = source.published_sizes();
    megabytes * f64::from(8 << 20) / positives as f64
}

/// The bits per key of one of the paper's megabytes; `None` for sets that do not stand in for the paper's.
fn megabyte(source: Source, set: &Set) -> Option<f64> {
    set.is_published_set().then(|| bits_per_key(source, 1.0))
}

/// The bits of a cell that can name `functions` functions and one more: the paper's 4 bits for up to six functions.
fn cell_bits(functions: u32) -> u32 {
    if functions <= 6 { 4 } else { 5 }
}

/// The filters of the figures on rates: those of the paper, and this library's own beside them.
fn subjects(skewed: bool) -> Vec<Subject> {
    let mut subjects = vec![
        Subject::kind(Family::Bloom),
        Subject::xor(),
        Subject::paper(Family::Habf),
        Subject::paper(Family::HabfFast),
        Subject::kind(Family::Habf),
        Subject::kind(Family::Guarded),
        Subject::stacked(),
    ];
    if skewed {
        subjects.push(Subject::weighted());
    }
    subjects
}

/// Finds the rates of the filter `name` among those of all subjects at one place. Their absence is an error: every
/// filter exists at every size for which the paper mentions it.
fn rates_named(name: &str, subjects: &[Subject], found: &[Option<Rates>]) -> Result<Rates> {
    let number = subjects.iter().position(|subject| subject.name == name);
    number
        .and_then(|number| found.get(number).copied().flatten())
        .with_context(|| format!("no rates for {name} at this size"))
}
