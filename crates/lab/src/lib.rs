//! How bloomwise is measured against its peers: the same keys, the same number of bits, in one run.

pub mod contender;
pub mod workload;
pub mod peers;
