//! Builds a filter from files of keys.
//!
//! The library's [`Construction`](bloomwise::construction::Construction) knows three ways: in memory, streaming, and within a memory limit. [`build()`] reads the
//! files, passes their keys on and shows progress. All ways return a [`Built`].

mod build;
mod built;
mod digests;
mod insert;

pub use build::build;
pub use built::{Built, Sources};
pub use digests::read_digests;
pub use insert::insert_all;
