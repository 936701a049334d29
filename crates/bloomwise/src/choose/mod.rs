//! Families as data, for programs whose users choose.
//!
//! [`spec`] describes a filter: family, size, settings. [`makers`] builds filters from specs, and `settings` lists the settings of a family.
//! [`planner`] compares what all families would do and recommends one. [`large`] builds the filter of a spec within a memory limit, and
//! [`construction`] in whatever way fits.

pub mod construction;
#[cfg(feature = "mmap")]
pub mod large;
pub(crate) mod makers;
pub mod planner;
mod settings;
pub(crate) mod spec;
