//! The table of families. A family has a variant and a row here, a folder in `families`, and a variant of [`crate::AnyFilter`].

use super::Negatives::{self, Built, Ignored, Kept, Repaired};
use super::Operation::{self, Guard, Insert, Remove, Union};

/// The kinds of filters. The number of a kind is its tag in files and never changes. It fits in one byte, as the short form requires; the
/// compiler refuses a larger one.
///
/// ```
/// use bloomwise::Family;
///
/// # fn main() -> bloomwise::Result<()> {
/// assert_eq!("habf-fast".parse::<Family>()?, Family::HabfFast);
/// assert_eq!(Family::HabfFast.name(), "habf-fast");
/// assert_eq!(Family::from_tag(Family::Cuckoo.tag()), Some(Family::Cuckoo));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Family {
    /// The classic, with the fewest false positives of the plain kinds: [`crate::Bloom`].
    Bloom = 1,
    /// One cache line per key, and the fastest: [`crate::Blocked`].
    Blocked = 2,
    /// 4-bit counters, so that keys can be removed: [`crate::Counting`].
    Counting = 3,
    /// Changes the hash functions of some keys, so that most known negatives are denied: [`crate::Habf`].
    Habf = 4,
    /// `Habf` with double hashing, faster to build: [`crate::Habf`], built with `fast()`.
    HabfFast = 5,
    /// `Habf` with at most two cache lines per key: [`crate::Habf`], built with `cache()`.
    HabfCache = 6,
    /// Counters and marks: keys can be removed, and most known negatives are denied: [`crate::Seesaw`].
    Seesaw = 7,
    /// `Seesaw` that can be told at any time which keys to guard: [`crate::Seesaw`], built with `adaptive()`.
    SeesawAdaptive = 8,
    /// Evenly filled blocks, for low rates: [`crate::Balanced`].
    Balanced = 9,
    /// Each key has its own hash functions: [`crate::Bloom`], built as [`crate::personalized`].
    Personalized = 10,
    /// `Personalized` over 4-bit counters: [`crate::Counting`], built as [`crate::personalized`].
    PersonalizedCounting = 11,
    /// `Personalized` with a list of keys that collide too much: [`crate::personalized::PersonalizedRejecting`].
    PersonalizedRejecting = 12,
    /// Fixed sets, without false positives on known negatives: [`crate::Guarded`].
    Guarded = 13,
    /// A chain of Bloom filters, for sets of unknown size: [`crate::Growing`].
    Growing = 14,
    /// Fingerprints: keys can be removed, and costly mistakes excepted: [`crate::Cuckoo`].
    Cuckoo = 15,
}

/// The facts about a family that need no filter.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// The name that users see.
    pub name: &'static str,
    /// What it is good for, in one line.
    pub about: &'static str,
    /// The operations of its filters, other than queries.
    pub operations: &'static [Operation],
    /// How it uses known negatives.
    pub negatives: Negatives,
    /// Whether a query reads one or two cache lines instead of one for each function.
    pub few_lines: bool,
    /// The largest size in bits of its smallest filter.
    pub least_bits: u64,
}

/// The facts about a family.
const fn facts(family: Family) -> Row {
    match family {
        Family::Bloom => row("bloom")
            .about("the classic: fewest false positives of the plain kinds; filters can be united")
            .can(&[Insert, Union]),
        Family::Blocked => row("blocked")
            .about("one cache line per key: fastest, slightly more false positives")
            .can(&[Insert, Union])
            .few_lines(),
        Family::Counting => row("counting")
            .about("4-bit counters: keys can be removed, four times the space")
            .can(&[Insert, Remove, Union]),
        Family::Habf => row("habf")
            .about("changes the hash functions of some keys, so that most known negatives are answered correctly")
            .can(&[Insert])
            .negatives(Repaired),
        Family::HabfFast => row("habf-fast")
            .about("habf with double hashing: faster to build, more false positives")
            .can(&[Insert])
            .negatives(Repaired),
        Family::HabfCache => row("habf-cache")
            .about("habf with at most two cache lines per key: for large sets")
            .can(&[Insert])
            .negatives(Repaired)
            .few_lines(),
        Family::Seesaw => row("seesaw")
            .about("keys can be removed, most known negatives are answered correctly; 30 % more space than counting")
            .can(&[Insert, Remove])
            .negatives(Built)
            .least_bits(5 * 64),
        Family::SeesawAdaptive => row("seesaw-adaptive")
            .about("seesaw that can be told at any time which keys to guard; their rate improves as keys are replaced")
            .can(&[Insert, Remove, Guard])
            .negatives(Kept)
            .least_bits(6 * 64),
        Family::Balanced => row("balanced")
            .about("evenly filled blocks, little more than one read per key: for low rates, 16 bits per key and more")
            .can(&[Insert])
            .few_lines(),
        Family::Personalized => row("personalized")
            .about("each key has its own hash functions: the rate of bloom, slower; for study")
            .can(&[Insert, Union]),
        Family::PersonalizedCounting => row("personalized-counting")
            .about("personalized over 4-bit counters: keys can be removed and counted")
            .can(&[Insert, Remove, Union]),
        Family::PersonalizedRejecting => row("personalized-rejecting")
            .about("personalized, with an exact list of the keys that collide too much")
            .can(&[Insert]),
        Family::Guarded => row("guarded")
            .about("fixed sets: no false positive on known negatives, fewest on others")
            .negatives(Kept),
        Family::Growing => row("growing")
            .about("a chain of bloom filters, for sets of unknown size: the rate stays bounded")
            .can(&[Insert]),
        Family::Cuckoo => row("cuckoo")
            .about("fingerprints: keys can be removed, costly mistakes are excepted at any time; about 11 bits per key")
            .can(&[Insert, Remove, Guard])
            .negatives(Kept)
            .least_bits(512),
    }
}

/// A row of a family that has no further operations, ignores negatives, and reads a cache line for each function.
const fn row(name: &'static str) -> Row {
    Row {
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

/// All families, in the order of their tags.
pub(super) const FAMILIES: [Family; 15] = [
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

/// The row of each family. Building the array proves that the place of a row follows from the tag of its family.
pub(super) const TABLE: [Row; FAMILIES.len()] = {
    let mut table = [facts(FAMILIES[0]); FAMILIES.len()];
    let mut number = 0;
    while number < FAMILIES.len() {
        table[number] = facts(FAMILIES[number]);
        assert!(
            FAMILIES[number] as usize == number + 1,
            "a family out of order"
        );
        number += 1;
    }
    table
};
