//! The rule of a filter: it gives every key a class.

use super::file::RuleHead;
use super::measure::{Measure, Values};
use super::model::LOGS;
use super::sample::{Sample, Side};
use super::training::train;
use super::{grouping, measure};
use crate::error::{Error, Result};
use crate::keys::hash::{Digest, Hashing};
use crate::keys::key::Key;
use std::fmt;

/// The most classes.
pub(crate) const MOST_CLASSES: usize = 64;

/// What decides about the class of a key.
///
/// It is written as on the command line:
///
/// ```
/// use bloomwise::unstable::classes::Reads;
///
/// # fn main() -> bloomwise::Result<()> {
/// assert_eq!("suffix:.".parse::<Reads>()?, Reads::Suffix(b'.'));
/// assert_eq!(Reads::Learned.to_string(), "learned");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reads {
    /// A model of the whole key.
    #[default]
    Learned,
    /// The bytes before the first of these bytes.
    Prefix(u8),
    /// The bytes after the last of these bytes.
    Suffix(u8),
    /// The number of bytes.
    Length,
    /// The first byte, which the caller puts before each key.
    First,
}

impl fmt::Display for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reads::Learned => f.write_str("learned"),
            Reads::Prefix(separator) => write!(f, "prefix:{}", separator.escape_ascii()),
            Reads::Suffix(separator) => write!(f, "suffix:{}", separator.escape_ascii()),
            Reads::Length => f.write_str("length"),
            Reads::First => f.write_str("first"),
        }
    }
}

impl std::str::FromStr for Reads {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let separated = text.split_once(':');
        match (
            text,
            separated.map(|(name, separator)| (name, separator.as_bytes())),
        ) {
            ("learned", _) => Ok(Reads::Learned),
            ("length", _) => Ok(Reads::Length),
            ("first", _) => Ok(Reads::First),
            (_, Some(("prefix", &[separator]))) => Ok(Reads::Prefix(separator)),
            (_, Some(("suffix", &[separator]))) => Ok(Reads::Suffix(separator)),
            _ => {
                let expected =
                    "learned, prefix:SEP, suffix:SEP, length or first, where SEP is one byte";
                Err(Error::parameter("rule", format!("{text:?}"), expected))
            }
        }
    }
}

/// A rule that gives every key a class, a number below [`Rule::classes`].
#[derive(Clone, PartialEq, Eq)]
pub struct Rule {
    /// What it reads from a key.
    measure: Measure,
    /// The class of each cell, below `count`.
    table: Box<[u8]>,
    /// The number of classes.
    count: u8,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule")
            .field("reads", &self.reads())
            .field("classes", &self.classes())
            .field("bits", &self.size_in_bits())
            .finish()
    }
}

impl Rule {
    /// Makes a rule of at most `classes` classes, 2 to 64, that takes about `bytes` bytes. Returns `None` if there is nothing to tell apart: if the
    /// sample has only keys of one side, or all keys have one class.
    pub fn learn(sample: Sample, reads: Reads, classes: usize, bytes: u64) -> Option<Self> {
        let examples = sample.examples();
        let measure = match reads {
            Reads::Learned => {
                let log = bytes.max(1).ilog2().clamp(*LOGS.start(), *LOGS.end());
                Measure::Learned(train(&examples, log))
            }
            Reads::Prefix(separator) | Reads::Suffix(separator) => {
                let cells = bytes.saturating_mul(8) / BITS_OF_CELL;
                let cells = cells.clamp(1, measure::MOST_CELLS as u64) as usize;
                let values = Values { separator, cells };
                match reads {
                    Reads::Prefix(_) => Measure::Prefix(values),
                    _ => Measure::Suffix(values),
                }
            }
            Reads::Length => Measure::Length,
            Reads::First => Measure::First,
        };
        let mut cells = vec![grouping::Tally::default(); measure.cells()];
        for example in examples.iter() {
            let cell = &mut cells[measure.cell(example.key)];
            match example.side {
                Side::Positive => cell.positives += 1,
                Side::Negative => cell.negatives += 1,
                Side::HeldOut => {}
            }
        }
        let classes = classes.clamp(2, MOST_CLASSES);
        let table = grouping::group(&cells, measure.is_ordered(), classes);
        let count = 1 + usize::from(table.iter().copied().max()?);
        Self::new(measure, table.into(), count).filter(|_| count > 1)
    }

    /// The rule with this table of `count` classes; `None` if it does not fit the measure or has too many classes.
    pub(super) fn new(measure: Measure, table: Box<[u8]>, count: usize) -> Option<Self> {
        let below = table.iter().all(|&class| usize::from(class) < count);
        let valid = table.len() == measure.cells() && (1..=MOST_CLASSES).contains(&count);
        (valid && below).then_some(Rule {
            measure,
            table,
            count: count as u8,
        })
    }

    /// What it reads from a key.
    pub(super) fn measure(&self) -> &Measure {
        &self.measure
    }

    /// The class of each cell.
    pub(super) fn table(&self) -> &[u8] {
        &self.table
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        usize::from(self.count)
    }

    /// What decides about the class of a key.
    pub fn reads(&self) -> Reads {
        match &self.measure {
            Measure::Learned(_) => Reads::Learned,
            Measure::Prefix(values) => Reads::Prefix(values.separator),
            Measure::Suffix(values) => Reads::Suffix(values.separator),
            Measure::Length => Reads::Length,
            Measure::First => Reads::First,
        }
    }

    /// The class of a key.
    #[inline]
    pub fn class(&self, key: impl Key) -> usize {
        key.with_bytes(|bytes| usize::from(self.table[self.measure.cell(bytes)]))
    }

    /// The digest of a key, with its class in the lowest byte of the upper half.
    #[inline]
    pub fn digest(&self, hashing: Hashing, key: impl Key) -> Digest {
        key.with_bytes(|bytes| {
            let class = self.table[self.measure.cell(bytes)];
            hashing.digest(bytes).with_class(class)
        })
    }

    /// The size of the rule in files: its weights and its table.
    pub fn size_in_bits(&self) -> u64 {
        64 * RuleHead::of(self).payload_words()
    }
}

/// About the bits that a cell of prefixes or suffixes takes.
const BITS_OF_CELL: u64 = 5;
