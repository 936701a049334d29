//! How bloomwise is measured against its peers: the same keys, the same number of bits, in one run.
//!
//! `cargo run --release -p bloomwise-lab -- EXPERIMENT` prints the tables that `docs/choosing.md` quotes; experiments are
//! `peers`, `batches`, `personalized`, `balanced`, `known`, `guarded` and `seesaw`;
//! `cargo bench -p bloomwise-lab` is for watching one's own changes.

pub mod balanced;
pub mod batches;
pub mod contender;
pub mod guarded;
pub mod known;
pub mod peers;
pub mod personalized;
pub mod race;
pub mod seesaw;
pub mod workload;
