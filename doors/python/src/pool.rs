//! Threads for builds.
//!
//! A process that `multiprocessing` forks has a copy of its parent's memory and none of its threads: work for rayon's global pool would wait for ever.
//! So builds run in a pool of their own, and a process that finds the pool of its parent makes a new one. There is no lock that a fork could leave taken.

use arc_swap::ArcSwapOption;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::Arc;

/// The pool, and the process that made it.
static POOL: ArcSwapOption<(u32, ThreadPool)> = ArcSwapOption::const_empty();

/// Runs work that uses rayon: in a pool of `threads` threads, or by default in one with a thread per core.
pub fn run<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    match threads {
        Some(threads) => start(threads)?.install(work),
        None => shared()?.1.install(work),
    }
}

/// The pool of this process.
fn shared() -> PyResult<Arc<(u32, ThreadPool)>> {
    let process = process::id();
    if let Some(pool) = POOL.load_full().filter(|pool| pool.0 == process) {
        return Ok(pool);
    }
    let pool = Arc::new((process, start(0)?));
    // The pool of the parent is never dropped: that would wait for threads that do not exist here.
    std::mem::forget(POOL.swap(Some(Arc::clone(&pool))));
    Ok(pool)
}

/// Starts threads; one per core if their number is 0.
fn start(threads: usize) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| {
        PyRuntimeError::new_err(format!(
            "cannot start threads for the build: {error}; give a smaller number of threads"
        ))
    })
}
