//! Learns from logs which absent keys cost most.
//!
//! - [`KeySet`] tells present keys from absent ones: exactly, or as a filter answers. [`Sieve`] lets the events of absent keys through.
//! - [`Watch`] sends these to a learner of the library.
//! - [`SplitLog`] learns from the first part of a log, and takes the rest as the keys that filters are measured on.
//! - [`Traffic`] is what was learned: how much of the traffic is absent, how its cost is spread, and the list of the costliest keys.

mod key_set;
mod sieve;
mod split_log;
mod traffic;
mod watch;

pub use key_set::KeySet;
pub use sieve::Sieve;
pub use split_log::{SplitLog, check_readable_twice};
pub use traffic::Traffic;
pub use watch::{Watch, WatchOptions};
