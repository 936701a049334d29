//! The table of families: their tags in files and their names everywhere else.

use crate::error::{Error, Result};

/// The kinds of filters. The number is the family's tag in a file and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Family {
    /// [`crate::Bloom`]
    Bloom = 1,
    /// [`crate::Blocked`]
    Blocked = 2,
    /// [`crate::Counting`]
    Counting = 3,
    /// [`crate::Habf`]
    Habf = 4,
    /// [`crate::Habf`], built with [`crate::habf::HabfBuilder::fast`]
    HabfFast = 5,
    /// [`crate::Habf`], built with [`crate::habf::HabfBuilder::cache`]
    HabfCache = 6,
    /// [`crate::Seesaw`]
    Seesaw = 7,
    /// [`crate::Seesaw`], built with [`crate::seesaw::SeesawBuilder::adaptive`]
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
}

impl Family {
    /// All families, in the order of their tags.
    pub const ALL: [Family; 13] = [
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
    ];

    /// The name by which front ends know it.
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
        }
    }

    /// What it is good for, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Family::Bloom => {
                "the classic: fewest false positives of the plain kinds, grows, can be joined"
            }
            Family::Blocked => "one cache line per key: fastest, slightly more false positives",
            Family::Counting => "4-bit counters: keys can be removed again, four times the space",
            Family::Habf => {
                "changes functions of some keys so that costly known negatives are answered right"
            }
            Family::HabfFast => "the same with double hashing: built faster, more false positives",
            Family::HabfCache => "the same at two cache lines per key at most: for large sets",
            Family::Seesaw => {
                "keys can be removed again, costly known negatives are answered right; three tenths more space than counting"
            }
            Family::SeesawAdaptive => {
                "the same, and keys can be guarded at any time: they are answered better as keys come and go"
            }
            Family::Balanced => {
                "blocks filled evenly, little more than one read per key: for low rates, 16 bits per key and more"
            }
            Family::Personalized => {
                "every key walks its own way: the rate of bloom, slower; for study"
            }
            Family::PersonalizedCounting => {
                "the same over 4-bit counters: keys can be removed and counted"
            }
            Family::PersonalizedRejecting => {
                "the same, with keys that collide too much in an exact list"
            }
            Family::Guarded => {
                "fixed sets: no false positive on known negatives, fewest on others; built once"
            }
        }
    }

    /// The number by which files name it.
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
pub enum Operation {
    /// Add a key.
    Insert,
    /// Take a key out.
    Remove,
    /// Guard a key outside of the set against being taken for one inside.
    Guard,
}

impl Family {
    /// An error, which says what to do instead, unless the family can do this.
    pub fn check(self, operation: Operation) -> Result<()> {
        let (can, verb, instead) = match operation {
            Operation::Insert => (
                self != Family::Guarded,
                "insert keys",
                "build it again with all keys",
            ),
            Operation::Remove => (
                matches!(
                    self,
                    Family::Counting
                        | Family::PersonalizedCounting
                        | Family::Seesaw
                        | Family::SeesawAdaptive
                ),
                "remove keys",
                "build a counting filter for a set that shrinks",
            ),
            Operation::Guard => (
                self == Family::SeesawAdaptive,
                "guard keys",
                self.instead_of_guarding(),
            ),
        };
        if can {
            return Ok(());
        }
        Err(Error::Unsupported {
            family: self.name(),
            operation: verb,
            instead,
        })
    }
}

impl Family {
    fn instead_of_guarding(self) -> &'static str {
        match self {
            Family::Habf | Family::HabfFast | Family::HabfCache | Family::Guarded => {
                "build it again with them among the known negatives"
            }
            Family::Seesaw => {
                "build it again with them among the known negatives, or build seesaw-adaptive"
            }
            _ => "it treats all keys outside of its set alike",
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
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tags_lead_back_to_their_family() {
        for family in Family::ALL {
            assert_eq!(Family::from_tag(family.tag()), Some(family));
            assert_eq!(family.name().parse::<Family>().expect("a name"), family);
        }
        assert_eq!(Family::from_tag(0), None);
        let text = "blom".parse::<Family>().expect_err("no name").to_string();
        assert!(text.contains("bloom, blocked, counting, habf"), "{text}");
    }
}
