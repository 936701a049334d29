//! Makes errors.

use super::{Error, Result};
use std::io;
use std::path::Path;

impl Error {
    pub(crate) fn parameter(
        name: &'static str,
        got: impl ToString,
        expected: impl ToString,
    ) -> Self {
        Error::Parameter {
            name,
            got: got.to_string(),
            expected: expected.to_string(),
        }
    }

    pub(crate) fn field(field: &'static str, got: impl ToString, expected: impl ToString) -> Self {
        Error::Field {
            field,
            got: got.to_string(),
            expected: expected.to_string(),
        }
    }

    pub(crate) fn file(path: &Path, source: io::Error) -> Self {
        Error::File {
            path: path.to_path_buf(),
            source,
        }
    }

    /// The error with the path of the file that was read, unless memory ran out.
    pub(crate) fn in_file(self, path: &Path) -> Self {
        match self {
            Error::Stream { source, .. } => Error::file(path, source),
            error @ (Error::File { .. } | Error::OutOfMemory { .. }) => error,
            error => Error::Unreadable {
                path: path.to_path_buf(),
                source: Box::new(error),
            },
        }
    }

    pub(crate) fn reading(source: io::Error) -> Self {
        Error::Stream {
            action: "reading",
            source,
        }
    }

    pub(crate) fn mismatch(what: &'static str, left: impl ToString, right: impl ToString) -> Self {
        Error::Mismatch {
            what,
            left: left.to_string(),
            right: right.to_string(),
        }
    }
}

/// Returns an error unless two things agree in `what`.
pub(crate) fn expect_equal<T: PartialEq + ToString>(
    what: &'static str,
    left: T,
    right: T,
) -> Result<()> {
    if left == right {
        return Ok(());
    }
    Err(Error::mismatch(what, left, right))
}
