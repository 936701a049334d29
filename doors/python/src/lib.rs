//! The Python package `bloomwise`, a thin door to the library: no algorithm is written here.
//!
//! Data flows one way:
//!
//! ```text
//! Python objects ─► key, keys ─► options, sets ─► build, patch, shards ─► Filter ─► answers ─► Python objects
//! ```
//!
//! - `key` is one key; `keys` are many, taken from numpy arrays, Arrow arrays, series and iterables in chunks.
//! - `options` turns keyword arguments into a `Spec`, and `sets` keys into sets; `build`, `patch` and `shards` make filters, and `filter` is the class.
//! - `answers` gives answers the form of the keys. `capsule` exchanges Arrow arrays with Python.
//! - `plan` and `compare` share their code with the command line.
//! - `errors` has all exceptions, and the one function that releases the interpreter lock; `pool` has the threads of builds.
//!
//! # Locks
//!
//! Threads can share a filter (`shared`). Three rules exclude deadlocks: no thread holds the locks of two filters; no thread waits for the lock of a
//! filter while it holds the interpreter lock; no thread waits for the interpreter lock while it holds that of a filter.

mod answers;
mod build;
mod capsule;
mod compare;
mod errors;
mod filter;
mod key;
mod keys;
mod options;
mod patch;
mod plan;
mod pool;
mod sets;
mod shards;
mod shared;

use pyo3::prelude::*;

/// Compiled part of bloomwise; use the package `bloomwise`.
#[pymodule(gil_used = false)]
mod _native {
    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::build::build;
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::errors::Error;
    #[pymodule_export]
    use crate::filter::{Filter, load_bytes, open};
    #[pymodule_export]
    use crate::patch::{Patch, diff};
    #[pymodule_export]
    use crate::plan::plan;
    #[pymodule_export]
    use crate::shards::{ShardBuilder, build_shard, digests, join};
}
