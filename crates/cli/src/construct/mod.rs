//! Builds a filter from files of keys, in one of three ways.
//!
//! *In memory* ([`build_in_memory`]). Without a capacity, the number of keys is known only after they were read, and some kinds
//! need all keys at once. The digests of all keys are held in memory, 16 bytes each. Duplicates are counted exactly, and the
//! order of the keys does not change the filter.
//!
//! *Streaming* ([`build_streaming`]). With a capacity and without negatives, the program creates an empty filter and inserts each
//! key as it is read. Only the filter is held in memory, so the set may be larger than memory. Duplicates cannot be counted.
//!
//! *Large* ([`build_large`]). Digests go to a temporary file, and shards are built one after the other within a memory limit.
//!
//! All return a [`Built`].

mod built;
mod in_memory;
mod large;
mod streaming;

pub use built::{Built, Sources};
pub use in_memory::{build_in_memory, check, read_digests};
pub use large::build_large;
pub use streaming::{build_streaming, insert_all};
