//! The table of families: their tags in files, their names elsewhere, and what they can do.

use crate::error::{Error, Result};
use crate::filter::closest::closest;

/// The kinds of filters. The number is the tag of the family in files and never changes. It fits one byte, as the short form needs: the compiler refuses a
/// larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Family {
    /// [`crate::Bloom`]
    Bloom = 1,
    /// [`crate::Blocked`]
    Blocked = 2,
    /// [`crate::Counting`]
    Counting = 3,
    /// [`crate::Habf`]
    Habf = 4,
    /// [`crate::Habf`], built with `fast()`
    HabfFast = 5,
    /// [`crate::Habf`], built with `cache()`
    HabfCache = 6,
    /// [`crate::Seesaw`]
    Seesaw = 7,
    /// [`crate::Seesaw`], built with `adaptive()`
    SeesawAdaptive = 8,
    /// [`crate::Balanced`]
    Balanced = 9,
    /// [`crate::Bloom`], built as [`crate::personalized`]
    Personalized = 10,
    /// [`crate::Counting`], built as [`crate::personalized`]
    PersonalizedCounting = 11,
    /// [`crate::PersonalizedRejecting`]
    PersonalizedRejecting = 12,
    /// [`crate::Guarded`]
    Guarded = 13,
    /// [`crate::Growing`]
    Growing = 14,
    /// [`crate::Cuckoo`]
    Cuckoo = 15,
}

impl Family {
    /// All families, in the order of their tags.
    pub const ALL: [Family; 15] = [
        Family::Bloom,
        Family::Blocked,
        Family::Counting,
        Family::Habf,
        Family::HabfFast,
        Family::HabfCache,
        Family::Seesaw,
        Family::SeesawAdaptive,
        Family::Balanced,
        Family::Personalized,
        Family::PersonalizedCounting,
        Family::PersonalizedRejecting,
        Family::Guarded,
        Family::Growing,
        Family::Cuckoo,
    ];

    /// The name of the family, as front ends show it.
    pub fn name(self) -> &'static str {
        match self {
            Family::Bloom => "bloom",
            Family::Blocked => "blocked",
            Family::Counting => "counting",
            Family::Habf => "habf",
            Family::HabfFast => "habf-fast",
            Family::HabfCache => "habf-cache",
            Family::Seesaw => "seesaw",
            Family::SeesawAdaptive => "seesaw-adaptive",
            Family::Balanced => "balanced",
            Family::Personalized => "personalized",
            Family::PersonalizedCounting => "personalized-counting",
            Family::PersonalizedRejecting => "personalized-rejecting",
            Family::Guarded => "guarded",
            Family::Growing => "growing",
            Family::Cuckoo => "cuckoo",
        }
    }

    /// What the family is good for, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Family::Bloom => {
                "the classic: fewest false positives of the plain kinds; filters can be united"
            }
            Family::Blocked => "one cache line per key: fastest, slightly more false positives",
            Family::Counting => "4-bit counters: keys can be removed, four times the space",
            Family::Habf => {
                "changes the hash functions of some keys, so that most known negatives are answered correctly"
            }
            Family::HabfFast => "habf with double hashing: faster to build, more false positives",
            Family::HabfCache => "habf with at most two cache lines per key: for large sets",
            Family::Seesaw => {
                "keys can be removed, most known negatives are answered correctly; 30 % more space than counting"
            }
            Family::SeesawAdaptive => {
                "seesaw whose keys to guard can be given at any time; they improve as keys come and go"
            }
            Family::Balanced => {
                "evenly filled blocks, little more than one read per key: for low rates, 16 bits per key and more"
            }
            Family::Personalized => {
                "each key has its own hash functions: the rate of bloom, slower; for study"
            }
            Family::PersonalizedCounting => {
                "personalized over 4-bit counters: keys can be removed and counted"
            }
            Family::PersonalizedRejecting => {
                "personalized, with an exact list of the keys that collide too much"
            }
            Family::Growing => {
                "a chain of bloom filters, for sets of unknown size: the rate stays bounded"
            }
            Family::Cuckoo => {
                "fingerprints: keys can be removed, costly mistakes are excepted at any time; about 11 bits per key"
            }
            Family::Guarded => "fixed sets: no false positive on known negatives, fewest on others",
        }
    }

    /// The number of the family in files.
    pub fn tag(self) -> u16 {
        self as u16
    }

    /// The family with this tag.
    pub fn from_tag(tag: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.tag() == tag)
    }
}

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
    fn verb(self) -> &'static str {
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

impl Family {
    /// Whether the family has an operation.
    pub fn can(self, operation: Operation) -> bool {
        use Family::{Blocked, Bloom, Counting, Cuckoo, Guarded, Seesaw, SeesawAdaptive};
        use Family::{Personalized, PersonalizedCounting};
        match operation {
            Operation::Insert => self != Guarded,
            Operation::Remove => {
                matches!(
                    self,
                    Counting | PersonalizedCounting | Seesaw | SeesawAdaptive | Cuckoo
                )
            }
            Operation::Guard => matches!(self, SeesawAdaptive | Cuckoo),
            Operation::Union => {
                matches!(
                    self,
                    Bloom | Blocked | Counting | Personalized | PersonalizedCounting
                )
            }
        }
    }

    /// An error that says what to do instead, unless the family has the operation.
    pub fn check(self, operation: Operation) -> Result<()> {
        if self.can(operation) {
            return Ok(());
        }
        Err(self.unsupported(operation))
    }

    /// The error that says that the family does not have the operation, and what to do instead.
    pub(crate) fn unsupported(self, operation: Operation) -> Error {
        let instead = match operation {
            Operation::Insert | Operation::Remove | Operation::Guard if self == Family::Guarded => {
                "make a patch of what changed (bloomwise diff), or build it again"
            }
            Operation::Insert => "build it again with all keys",
            Operation::Remove => "use cuckoo or counting for a set that shrinks",
            Operation::Union => "build one filter of all keys, or use bloom, blocked or counting",
            Operation::Guard => match self {
                Family::Habf | Family::HabfFast | Family::HabfCache => {
                    "build it again with the keys among the known negatives"
                }
                _ => "use cuckoo, or guarded for a fixed set",
            },
        };
        Error::Unsupported {
            family: self.name(),
            operation: operation.verb(),
            instead,
        }
    }
}

impl std::str::FromStr for Family {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|family| family.name() == name);
        found.ok_or_else(|| Error::UnknownFamily {
            got: name.to_string(),
            valid: Self::ALL.map(Family::name).join(", "),
            closest: closest(name, Self::ALL.into_iter().map(Family::name)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
