//! What some filters can do beside answering.

use crate::error::Error;

/// Something that not all families can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Add a key.
    Insert,
    /// Remove a key.
    Remove,
    /// Protect a key outside of the set from being a false positive.
    Guard,
    /// Add all keys of another filter.
    Union,
}

impl Operation {
    /// The operation as a verb.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Operation::Insert => "insert keys",
            Operation::Remove => "remove keys",
            Operation::Guard => "guard keys",
            Operation::Union => "be united with another",
        }
    }

    /// The error that says that a filter of several shards does not have the operation, whatever its family.
    pub(crate) fn of_shards(self) -> Error {
        Error::Unsupported {
            family: "sharded",
            operation: self.verb(),
            instead: "build one filter of all keys",
        }
    }

    /// The error that says that a patched filter does not have the operation, whatever its family.
    pub(crate) fn of_patched(self) -> Error {
        Error::Unsupported {
            family: "patched",
            operation: self.verb(),
            instead: "make a patch of all that changed since its base (bloomwise diff)",
        }
    }
}
