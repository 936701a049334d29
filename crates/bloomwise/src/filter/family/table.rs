//! The table of families. A family has one row here, a folder in `families`, and a variant of [`crate::AnyFilter`].

use super::Family;
use super::Negatives::{self, Built, Ignored, Kept, Repaired};
use super::Operation::{self, Guard, Insert, Remove, Union};

/// The facts about a family that need no filter.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// The family.
    pub family: Family,
    /// The name that users see.
    pub name: &'static str,
    /// What it is good for, in one line.
    pub about: &'static str,
    /// The operations of its filters beside queries.
    pub operations: &'static [Operation],
    /// How it uses known negatives.
    pub negatives: Negatives,
    /// Whether a query reads one or two cache lines instead of one for each function.
    pub few_lines: bool,
    /// The largest size in bits of its smallest filter.
    pub least_bits: u64,
}

/// The families, in the order of their tags.
pub(super) const TABLE: [Row; 15] = [
    row(Family::Bloom, "bloom")
        .about("the classic: fewest false positives of the plain kinds; filters can be united")
        .can(&[Insert, Union]),
    row(Family::Blocked, "blocked")
        .about("one cache line per key: fastest, slightly more false positives")
        .can(&[Insert, Union])
        .few_lines(),
    row(Family::Counting, "counting")
        .about("4-bit counters: keys can be removed, four times the space")
        .can(&[Insert, Remove, Union]),
    row(Family::Habf, "habf")
        .about("changes the hash functions of some keys, so that most known negatives are answered correctly")
        .can(&[Insert])
        .negatives(Repaired),
    row(Family::HabfFast, "habf-fast")
        .about("habf with double hashing: faster to build, more false positives")
        .can(&[Insert])
        .negatives(Repaired),
    row(Family::HabfCache, "habf-cache")
        .about("habf with at most two cache lines per key: for large sets")
        .can(&[Insert])
        .negatives(Repaired)
        .few_lines(),
    row(Family::Seesaw, "seesaw")
        .about("keys can be removed, most known negatives are answered correctly; 30 % more space than counting")
        .can(&[Insert, Remove])
        .negatives(Built)
        .least_bits(5 * 64),
    row(Family::SeesawAdaptive, "seesaw-adaptive")
        .about("seesaw whose keys to guard can be given at any time; they improve as keys come and go")
        .can(&[Insert, Remove, Guard])
        .negatives(Kept)
        .least_bits(6 * 64),
    row(Family::Balanced, "balanced")
        .about("evenly filled blocks, little more than one read per key: for low rates, 16 bits per key and more")
        .can(&[Insert])
        .few_lines(),
    row(Family::Personalized, "personalized")
        .about("each key has its own hash functions: the rate of bloom, slower; for study")
        .can(&[Insert, Union]),
    row(Family::PersonalizedCounting, "personalized-counting")
        .about("personalized over 4-bit counters: keys can be removed and counted")
        .can(&[Insert, Remove, Union]),
    row(Family::PersonalizedRejecting, "personalized-rejecting")
        .about("personalized, with an exact list of the keys that collide too much")
        .can(&[Insert]),
    row(Family::Guarded, "guarded")
        .about("fixed sets: no false positive on known negatives, fewest on others")
        .negatives(Kept),
    row(Family::Growing, "growing")
        .about("a chain of bloom filters, for sets of unknown size: the rate stays bounded")
        .can(&[Insert]),
    row(Family::Cuckoo, "cuckoo")
        .about("fingerprints: keys can be removed, costly mistakes are excepted at any time; about 11 bits per key")
        .can(&[Insert, Remove, Guard])
        .negatives(Kept)
        .least_bits(512),
];

/// A row of a family that has no further operations, ignores negatives, and reads a cache line for each function.
const fn row(family: Family, name: &'static str) -> Row {
    Row {
        family,
        name,
        about: "",
        operations: &[],
        negatives: Ignored,
        few_lines: false,
        least_bits: 64,
    }
}

impl Row {
    const fn about(self, about: &'static str) -> Self {
        Row { about, ..self }
    }

    const fn can(self, operations: &'static [Operation]) -> Self {
        Row { operations, ..self }
    }

    const fn negatives(self, negatives: Negatives) -> Self {
        Row { negatives, ..self }
    }

    /// Says that a query reads one or two blocks, so the smallest filter has at least one whole block.
    const fn few_lines(self) -> Self {
        Row {
            few_lines: true,
            least_bits: 512,
            ..self
        }
    }

    const fn least_bits(self, least_bits: u64) -> Self {
        Row { least_bits, ..self }
    }
}

/// All families. Building the array proves that the row of a family follows from its tag.
pub(super) const FAMILIES: [Family; TABLE.len()] = {
    let mut all = [TABLE[0].family; TABLE.len()];
    let mut number = 0;
    while number < TABLE.len() {
        all[number] = TABLE[number].family;
        assert!(all[number] as usize == number + 1, "a row out of order");
        number += 1;
    }
    all
};
