//! Learns from logs which absent keys cost most.
//!
//! - [`KeySet`] tells present keys from absent ones: exactly, or as a filter answers. [`Sieve`] lets the events of absent keys through.
//! - [`Watch`] sends these to a learner of the library.
//! - [`Traffic`] is what was learned: how much of the traffic is absent, how its cost is spread, and the list of the costliest keys.

mod key_set;
mod sieve;
mod traffic;
mod watch;

pub use key_set::KeySet;
pub use sieve::Sieve;
pub use traffic::{Events, Traffic};
pub use watch::{Watch, WatchOptions};
