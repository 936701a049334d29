//! How bloomwise is measured against its peers: the same keys, the same number of bits, in one run.
//!
//! `cargo run --release -p bloomwise-lab -- peers` and `-- batches`, `-- personalized`, `-- balanced` print the tables that `docs/choosing.md` quotes;
//! `cargo bench -p bloomwise-lab` is for watching one's own changes.

pub mod balanced;
pub mod batches;
pub mod contender;
pub mod peers;
pub mod personalized;
pub mod race;
pub mod workload;
