//! A value that threads share, and that a thread with the interpreter lock can look at for free.
//!
//! `key in filter` takes 40 nanoseconds. A lock would add 12 of them, and the interpreter has one already, which the thread holds. So:
//!
//! 1. A thread that is going to change the value says so while it holds the interpreter lock ([`Shared::announce`]). Then it releases that lock, and changes
//!    the value under a lock of its own ([`Shared::write`]).
//! 2. A thread that holds the interpreter lock, and finds that nobody has announced a change, looks at the value ([`Shared::glance`]). Nobody changes it in the
//!    meantime, because nobody can announce a change. If there is an announcement, it waits for the lock like everybody else.
//! 3. Threads without the interpreter lock read under the value's lock ([`Shared::read`]).
//!
//! In an interpreter without that lock, rule 2 is not used.
//!
//! A panic while the value is changed poisons the lock, and nobody sees the value any more.

use crate::errors::detached;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A value that threads share.
pub struct Shared<T> {
    /// Held by those who read or change the value without the interpreter lock.
    lock: RwLock<()>,
    /// How many threads have announced a change.
    announced: AtomicUsize,
    value: UnsafeCell<T>,
}

// SAFETY: references to the value are given out as by a `RwLock`: shared ones to readers, a unique one to the thread that holds the lock for writing. The page
// above says why `glance` never meets a unique one.
#[expect(unsafe_code, reason = "an UnsafeCell is not Sync by itself")]
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// The announcement of a change. It ends when this is dropped.
pub struct Announced<'a, T>(&'a Shared<T>);

impl<T> Drop for Announced<'_, T> {
    fn drop(&mut self) {
        // What was changed is seen by whoever sees the smaller number.
        self.0.announced.fetch_sub(1, Ordering::Release);
    }
}

impl<T: Send + Sync> Shared<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Shared {
            lock: RwLock::new(()),
            announced: AtomicUsize::new(0),
            value: UnsafeCell::new(value),
        }
    }

    /// Announces a change. `py` proves that the caller holds the interpreter lock.
    pub fn announce(&self, _py: Python<'_>) -> Announced<'_, T> {
        self.announced.fetch_add(1, Ordering::Acquire);
        Announced(self)
    }

    /// Reads the value. The caller must not hold the interpreter lock, or it may wait for a thread that waits for that.
    ///
    /// # Errors
    ///
    /// A bug has left the value half changed, or the work fails.
    #[expect(unsafe_code, reason = "the value is outside of the lock")]
    pub fn read<R>(&self, work: impl FnOnce(&T) -> PyResult<R>) -> PyResult<R> {
        let _lock = self.lock.read().map_err(|_| broken())?;
        // SAFETY: unique references exist only under the lock for writing.
        work(unsafe { &*self.value.get() })
    }

    /// Looks at the value for a moment, without waiting in most cases. The work must not release the interpreter lock.
    ///
    /// # Errors
    ///
    /// A bug has left the value half changed.
    #[inline(always)]
    #[expect(unsafe_code, reason = "the value is outside of the lock")]
    pub fn glance<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&T) -> R + Send,
    ) -> PyResult<R> {
        let alone = self.announced.load(Ordering::Acquire) == 0;
        if cfg!(Py_GIL_DISABLED) || !alone || self.lock.is_poisoned() {
            return detached(py, || self.read(|value| Ok(work(value))));
        }
        // SAFETY: nobody has announced a change, and nobody can as long as this thread holds the interpreter lock.
        Ok(work(unsafe { &*self.value.get() }))
    }

    /// Changes the value. The caller has announced it, and does not hold the interpreter lock.
    ///
    /// # Errors
    ///
    /// A bug has left the value half changed, or the work fails.
    #[expect(unsafe_code, reason = "the value is outside of the lock")]
    pub fn write<R>(
        announced: &Announced<'_, T>,
        work: impl FnOnce(&mut T) -> PyResult<R>,
    ) -> PyResult<R> {
        let shared = announced.0;
        let _lock = shared.lock.write().map_err(|_| broken())?;
        // SAFETY: the lock excludes other writers and readers, and the announcement, which outlives this call, those who glance.
        work(unsafe { &mut *shared.value.get() })
    }
}

/// The exception for a value that a bug has left half changed.
#[cold]
fn broken() -> PyErr {
    PyRuntimeError::new_err(
        "the filter is not usable after an internal error; build or load it again",
    )
}
