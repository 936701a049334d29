//! Families as data, for programs whose users choose.
//!
//! [`any`] holds a filter of any family, alone, of shards or patched. [`spec`] describes one: family, size, settings. [`planner`] compares
//! what all families would do and recommends one. [`types`] maps a family to its type. [`large`] builds the filter of a spec within a
//! memory limit.

pub(crate) mod any;
#[cfg(feature = "mmap")]
pub mod large;
pub mod planner;
pub(crate) mod spec;
pub(crate) mod types;
