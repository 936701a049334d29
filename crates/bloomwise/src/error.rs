//! What can go wrong, and what to do about it.
//!
//! Every message fits on one line, names the thing that is wrong, and says what was expected, so that a front end can
//! show it as it is.

use std::path::{Path, PathBuf};

/// The result of every operation of this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter lies outside of what the family can do.
    #[error("{name} is {got}, expected {expected}")]
    Parameter {
        /// Which parameter.
        name: &'static str,
        /// What was passed.
        got: String,
        /// What would have been right.
        expected: String,
    },

    /// No family has this name.
    #[error("there is no kind \"{got}\"; the kinds are: {valid}")]
    UnknownFamily {
        /// The name that was asked for.
        got: String,
        /// All names, separated by commas.
        valid: String,
    },

    /// The family has nothing of this name.
    #[error("{family} has no {what} \"{got}\"; it has: {valid}")]
    UnknownName {
        /// The family that was asked.
        family: &'static str,
        /// What was asked for: a setting or a preset.
        what: &'static str,
        /// The name that was asked for.
        got: String,
        /// The names the family knows, separated by commas, or `none`.
        valid: String,
    },

    /// The family cannot do this.
    #[error("a {family} filter cannot {operation}; {instead}")]
    Unsupported {
        /// The family that was asked.
        family: &'static str,
        /// What it was asked for, as a verb.
        operation: &'static str,
        /// What to do instead.
        instead: &'static str,
    },

    /// The cost of a negative is no cost.
    #[error("the cost of negative {index} is {cost}; costs are finite and not below zero")]
    Cost {
        /// Which negative, counted from 0 in the order they were given.
        index: usize,
        /// Its cost.
        cost: f64,
    },

    /// Two filters cannot be joined because they were built differently.
    #[error(
        "the filters differ in {what} ({left} and {right}); only filters built alike can be joined"
    )]
    Mismatch {
        /// In what they differ.
        what: &'static str,
        /// The value of the filter that was to change.
        left: String,
        /// The value of the other one.
        right: String,
    },

    /// The memory for the cells was refused.
    #[error("{bytes} bytes of memory for the cells are not to be had; ask for a smaller filter")]
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: u64,
    },

    /// The bytes do not start like a filter.
    #[error(
        "not a bloomwise filter: the first 8 bytes are not \"BLOOMWIS\"; name a file that bloomwise wrote"
    )]
    NotAFilter,

    /// The bytes come from another version of the format.
    #[error(
        "format version {got}, this program reads version {expected}; use the program that wrote the file, or build it again"
    )]
    Version {
        /// The version this crate reads.
        expected: u16,
        /// The version in the file.
        got: u16,
    },

    /// The bytes end too early or go on too long.
    #[error(
        "the filter is damaged: {field} needs {expected} bytes, there are {got}; restore the file or build it again"
    )]
    Length {
        /// The field that does not fit.
        field: &'static str,
        /// How many bytes it must have.
        expected: u64,
        /// How many there are.
        got: u64,
    },

    /// A field holds a value that no writer produces.
    #[error(
        "the filter is damaged: {field} is {got}, expected {expected}; restore the file or build it again"
    )]
    Field {
        /// The field that is wrong.
        field: &'static str,
        /// What a sound file holds there.
        expected: String,
        /// What this one holds.
        got: String,
    },

    /// The checksum does not fit the bytes.
    #[error(
        "the filter is damaged: its checksum is {got:016x}, its bytes give {expected:016x}; restore the file or build it again"
    )]
    Checksum {
        /// The checksum of the bytes.
        expected: u64,
        /// The checksum that stands in the file.
        got: u64,
    },

    /// The operating system refused to read or write.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file that was to be read or written.
        path: PathBuf,
        /// What the operating system said.
        reason: std::io::Error,
    },
}

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

    pub(crate) fn io(path: &Path, reason: std::io::Error) -> Self {
        Error::Io {
            path: path.to_path_buf(),
            reason,
        }
    }
}
