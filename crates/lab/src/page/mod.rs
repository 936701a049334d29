//! The sections of `docs/measurements.md`.

pub mod balanced;
pub mod cuckoo;
pub mod exact;
pub mod growing;
pub mod guarded;
pub mod known;
pub mod learn;
pub mod limit;
pub mod patches;
pub mod personalized;
pub mod races;
pub mod real;
pub mod scale;
pub mod seesaw;
pub mod shards;
pub mod threads;
pub mod thresholds;
