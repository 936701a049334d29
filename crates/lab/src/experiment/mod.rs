//! The experiments, one module per idea; [`crate::catalogue`] lists them by name.

pub mod balanced;
pub mod cuckoo;
pub mod exact;
pub mod growing;
pub mod guarded;
pub mod habf;
pub mod ibf;
pub mod known;
pub mod learn;
pub mod learned;
pub mod limit;
pub mod patches;
pub mod personalized;
pub mod races;
pub mod real;
pub mod scale;
pub mod seesaw;
pub mod shards;
pub mod sscf;
pub mod threads;
pub mod thresholds;

mod changing;
mod churn;
mod costed;
mod figure;
mod throughput;
