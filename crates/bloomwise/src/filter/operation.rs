//! Operations other than queries that some families support.

use crate::error::{Error, Result};
use crate::filter::did_you_mean::did_you_mean;
use std::str::FromStr;

/// An operation that not all families have.
///
/// ```
/// use bloomwise::{Family, Operation};
///
/// # fn main() -> bloomwise::Result<()> {
/// assert_eq!("remove".parse::<Operation>()?, Operation::Remove);
/// assert!(Family::Counting.can(Operation::Remove));
/// let error = Family::Bloom.check(Operation::Remove).unwrap_err();
/// assert!(error.to_string().starts_with("a bloom filter cannot remove keys"), "{error}");
/// # Ok(())
/// # }
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
    /// All operations.
    pub const ALL: [Operation; 4] = [
        Operation::Insert,
        Operation::Remove,
        Operation::Guard,
        Operation::Union,
    ];

    /// The name, which [`str::parse`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Insert => "insert",
            Operation::Remove => "remove",
            Operation::Guard => "guard",
            Operation::Union => "union",
        }
    }

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

/// Reads a name.
impl FromStr for Operation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|known| known.name() == name);
        found.ok_or_else(|| Error::UnknownOperation {
            got: name.to_string(),
            valid: Self::ALL.map(Operation::name).join(", "),
            closest: did_you_mean(name, Self::ALL.into_iter().map(Operation::name)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_similar_ones_suggested() {
        for operation in Operation::ALL {
            let parsed = operation.name().parse::<Operation>();
            assert_eq!(parsed.ok(), Some(operation));
        }
        let error = "insrt".parse::<Operation>().expect_err("no operation");
        let expected = "there is no operation \"insrt\" (did you mean insert?); choose one of: insert, remove, guard, union";
        assert_eq!(error.to_string(), expected);
    }
}
