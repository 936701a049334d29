//! Operations that some filters have beside queries.

use crate::error::Error;

/// An operation that not all families have.
///
/// ```
/// use bloomwise::{Family, Operation};
///
/// assert!(Family::Counting.can(Operation::Remove));
/// let error = Family::Bloom.check(Operation::Remove).unwrap_err();
/// assert!(error.to_string().starts_with("a bloom filter cannot remove keys"), "{error}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Add a key.
    Insert,
    /// Remove a key.
    Remove,
    /// Prevent a false positive on a key outside of the set.
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

    /// The error for an operation that filters of several shards do not have, whatever their family.
    pub(crate) fn of_shards(self) -> Error {
        Error::Unsupported {
            family: "sharded",
            operation: self.verb(),
            instead: "build one filter of all keys",
        }
    }

    /// The error for an operation that patched filters do not have, whatever their family.
    pub(crate) fn of_patched(self) -> Error {
        Error::Unsupported {
            family: "patched",
            operation: self.verb(),
            instead: "make a patch of all that changed since its base (bloomwise diff)",
        }
    }
}
