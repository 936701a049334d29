//! Exceptions, and how work leaves the interpreter lock.
//!
//! Python has names for files that cannot be read, for wrong types and for too little memory. Everything else is [`Error`], with the one line that the
//! library has for it. A panic is a bug; it becomes a `RuntimeError`, so that a program can handle it like any other exception.

use bloomwise_compare::Setting;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

pyo3::create_exception!(
    bloomwise,
    Error,
    PyValueError,
    "What is wrong, where, and what to do, in one line.\n\nIt is a ValueError."
);

/// The exception for an error of the library.
pub fn raise(error: bloomwise::Error) -> PyErr {
    match error {
        bloomwise::Error::File { path, source, .. } => match source.raw_os_error() {
            // With a number, Python chooses the subclass: FileNotFoundError, PermissionError.
            Some(code) => {
                let text = source.to_string();
                let text = text.split(" (os error").next().unwrap_or_default();
                PyOSError::new_err((code, text.to_string(), path))
            }
            None => PyOSError::new_err(format!("{}: {source}", path.display())),
        },
        error @ bloomwise::Error::OutOfMemory { .. } => PyMemoryError::new_err(error.to_string()),
        // The library does not know the names of Python's arguments.
        bloomwise::Error::NoCapacity => Error::new_err(
            "there are no keys, so the size of the filter is not known; give the number of keys that it will hold with capacity=",
        ),
        error @ bloomwise::Error::Growth { .. } => Error::new_err(format!("{error} with memory=")),
        error => Error::new_err(error.to_string()),
    }
}

/// The exception for an error of a comparison.
pub fn raise_compared(error: bloomwise_compare::Error) -> PyErr {
    match error {
        bloomwise_compare::Error::Library(error) => raise(error),
        error @ bloomwise_compare::Error::Memory { .. } => {
            PyMemoryError::new_err(error.shown(&argument))
        }
        error => Error::new_err(error.shown(&argument)),
    }
}

/// A setting as the argument that has its value: `bits_per_key=10`.
fn argument(setting: &Setting) -> String {
    match (setting.name, &setting.value) {
        // They are arguments of their own.
        ("settings", _) => setting.name.to_string(),
        (name, Some(value)) => format!("{name}={value}"),
        (name, None) => format!("{name}="),
    }
}

/// Runs work that does not touch Python objects without the interpreter lock.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    // Locks are poisoned by panics, so nobody sees a filter that was left half changed.
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .unwrap_or_else(|panic| Err(bug(&*panic)))
}

#[cold]
fn bug(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_default().replace('\n', " ");
    PyRuntimeError::new_err(format!(
        "internal error: {text}; this is a bug, please report it"
    ))
}
