//! The evaluation of the HABF paper: R. Xie et al., "Hash Adaptive Bloom Filter", ICDE 2021, Figures 8 to 15.
//!
//! | figure | experiment | module |
//! |---|---|---|
//! | 8 | the bound of equation 19 and the rate it bounds | `bound.rs` |
//! | 9 | ratio, functions and size of a cell | `parameters.rs` |
//! | 10, 11, 13 | rate over space with equal costs and with Zipf costs, and over skew | `space.rs` |
//! | 12, 15 | time of building and of asking, memory of building | `costs.rs` |
//! | 14 | a plain filter with other hash functions | `hashes.rs` |
//!
//! The paper's sizes are for 1,491,178 and 12,500,611 positives; here they are kept as bits per key, so that a run at another
//! scale asks the same of a filter. Its learned filters (LBF, Ada-BF, SLBF) are not built again.

mod bound;
mod costs;
mod hashes;
mod parameters;
mod space;

pub use bound::figure_8;
pub use costs::{figure_12, figure_15};
pub use hashes::figure_14;
pub use parameters::figure_9;
pub use space::{figure_10, figure_11, figure_13};

use crate::workload::Source;

/// The paper's megabytes as bits per key of its data set.
fn bits_per_key(source: Source, megabytes: f64) -> f64 {
    let (positives, _) = source.published();
    megabytes * f64::from(8 << 20) / positives as f64
}
