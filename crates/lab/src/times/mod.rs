//! Times: contenders take turns, and ratios are taken within a round.
//!
//! [`Turns`] times any work, [`race`] filters by builds and queries, [`throughput`] filters that threads share.

pub mod memory;
pub mod race;
pub mod throughput;
mod turns;

pub use memory::peak;
pub use turns::{Turns, median_ratio, time};
