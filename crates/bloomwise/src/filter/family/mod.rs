//! Families by name and by tag, and their operations. The facts are in `table.rs`.

mod table;

use crate::error::{Error, Result};
use crate::filter::did_you_mean::did_you_mean;
pub use crate::filter::operation::Operation;
pub use table::Family;
use table::{FAMILIES, Row, TABLE};

impl Family {
    /// All families, in the order of their tags.
    pub const ALL: [Family; FAMILIES.len()] = FAMILIES;

    /// The row of the family.
    fn row(self) -> &'static Row {
        &TABLE[self as usize - 1]
    }

    /// The name of the family, as front ends show it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What the family is good for, in one line.
    pub fn about(self) -> &'static str {
        self.row().about
    }

    /// The number of the family in files.
    pub fn tag(self) -> u16 {
        self as u16
    }

    /// The family with this tag.
    pub fn from_tag(tag: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.tag() == tag)
    }

    /// The largest size in bits of the family's smallest filter. A filter that is asked for less may take up to this many.
    pub fn least_bits(self) -> u64 {
        self.row().least_bits
    }

    /// How the family uses known negatives.
    pub(crate) fn negatives(self) -> Negatives {
        self.row().negatives
    }

    /// Whether a query reads one or two cache lines instead of one for each function.
    pub(crate) fn reads_few_lines(self) -> bool {
        self.row().few_lines
    }

    /// Whether the family has an operation.
    pub fn can(self, operation: Operation) -> bool {
        self.row().operations.contains(&operation)
    }

    /// Returns an error that says what to do instead, unless the family has the operation.
    pub fn check(self, operation: Operation) -> Result<()> {
        if self.can(operation) {
            return Ok(());
        }
        Err(self.unsupported(operation))
    }

    /// The error for an operation that the family does not have. It says what to do instead.
    pub(crate) fn unsupported(self, operation: Operation) -> Error {
        let fixed = !self.can(Operation::Insert);
        let instead = match operation {
            Operation::Union => "build one filter of all keys, or use bloom, blocked or counting",
            _ if fixed => "make a patch of what changed (bloomwise diff), or build it again",
            Operation::Insert => "build it again with all keys",
            Operation::Remove => "use cuckoo or counting for a set that shrinks",
            Operation::Guard if self.negatives() == Negatives::Repaired => {
                "build it again with the keys among the known negatives"
            }
            Operation::Guard => "use cuckoo, or guarded for a fixed set",
        };
        Error::Unsupported {
            family: self.name(),
            operation: operation.verb(),
            instead,
        }
    }
}

/// How a family uses known negatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Negatives {
    /// It ignores them.
    Ignored,
    /// The build fixes false positives on them. Each later insertion undoes some of the fixes. Without negatives it is a plain filter.
    Repaired,
    /// The build guards them, and later insertions keep the guards. Without negatives a simpler family is as good.
    Built,
    /// The filter stores what it needs to deny them. It is useful without negatives too.
    Kept,
}

impl std::str::FromStr for Family {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|family| family.name() == name);
        found.ok_or_else(|| Error::UnknownFamily {
            got: name.to_string(),
            valid: Self::ALL.map(Family::name).join(", "),
            closest: did_you_mean(name, Self::ALL.into_iter().map(Family::name)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compiler asks for a row of each variant, but cannot count them.
    #[test]
    fn every_variant_is_in_the_list() {
        let source = include_str!("table.rs");
        let variants = source.lines().filter_map(|line| {
            let (name, tag) = line
                .strip_prefix("    ")?
                .strip_suffix(',')?
                .split_once(" = ")?;
            Some((name, tag.parse::<u16>().ok()?))
        });
        let mut count = 0;
        for (name, tag) in variants {
            let family = Family::from_tag(tag).map(|family| format!("{family:?}"));
            assert_eq!(
                family.as_deref(),
                Some(name),
                "add it to FAMILIES in table.rs"
            );
            count += 1;
        }
        assert_eq!(count, Family::ALL.len());
    }

    #[test]
    fn names_and_tags_are_unique() {
        for family in Family::ALL {
            assert_eq!(Family::from_tag(family.tag()), Some(family));
            assert_eq!(family.name().parse::<Family>().expect("a name"), family);
        }
        assert_eq!(Family::from_tag(0), None);
        let text = "blom".parse::<Family>().expect_err("no name").to_string();
        assert!(text.contains("bloom, blocked, counting, habf"), "{text}");
    }
}
