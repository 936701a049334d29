//! What a rule reads from a key: a small number, its *cell*.

use super::model::{self, Model};
use xxhash_rust::xxh3::xxh3_64;

/// The most cells of prefixes or suffixes.
pub(super) const MOST_CELLS: usize = 1 << 16;

/// What a rule reads from a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The score of a model.
    Learned(Model),
    /// The bytes before the first separator; the whole key if it has none. The cell is a hash of them.
    Prefix(Values),
    /// The bytes after the last separator; the whole key if it has none. The cell is a hash of them.
    Suffix(Values),
    /// The number of bytes, at most 255.
    Length,
    /// The first byte, which the caller puts before the key; 0 if the key is empty.
    First,
}

/// How a part of a key becomes a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Values {
    /// The byte that ends or starts the part.
    pub separator: u8,
    /// The number of cells, at least 1 and at most [`MOST_CELLS`].
    pub cells: usize,
}

impl Values {
    /// The cell of a part.
    #[inline]
    fn cell(self, part: &[u8]) -> usize {
        ((u128::from(xxh3_64(part)) * self.cells as u128) >> 64) as usize
    }
}

impl Measure {
    /// The number of cells.
    pub fn cells(&self) -> usize {
        match self {
            Measure::Learned(_) => model::CELLS,
            Measure::Prefix(values) | Measure::Suffix(values) => values.cells,
            Measure::Length | Measure::First => 256,
        }
    }

    /// The cell of a key, below [`Measure::cells`].
    #[inline]
    pub fn cell(&self, key: &[u8]) -> usize {
        match self {
            Measure::Learned(model) => model.cell(key),
            Measure::Prefix(values) => {
                let end = key.iter().position(|&byte| byte == values.separator);
                values.cell(&key[..end.unwrap_or(key.len())])
            }
            Measure::Suffix(values) => {
                let before = key.iter().rposition(|&byte| byte == values.separator);
                values.cell(&key[before.map_or(0, |at| at + 1)..])
            }
            Measure::Length => key.len().min(255),
            Measure::First => key.first().copied().map_or(0, usize::from),
        }
    }

    /// Whether keys of higher cells are more often in the set, so that a class should be a range of cells.
    pub fn is_ordered(&self) -> bool {
        matches!(self, Measure::Learned(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_keys_choose_cells() {
        let values = Values {
            separator: b'.',
            cells: 1000,
        };
        let (prefix, suffix) = (Measure::Prefix(values), Measure::Suffix(values));
        let cell = |part: &str| values.cell(part.as_bytes());
        for (key, first, last) in [
            ("www.example.org", "www", "org"),
            ("localhost", "localhost", "localhost"),
            (".", "", ""),
            ("", "", ""),
            ("a.", "a", ""),
        ] {
            let key = key.as_bytes();
            assert_eq!(
                (prefix.cell(key), suffix.cell(key)),
                (cell(first), cell(last))
            );
            assert!(prefix.cell(key) < prefix.cells());
        }
    }

    #[test]
    fn lengths_and_first_bytes_are_cells() {
        assert_eq!(Measure::Length.cell(b"ant"), 3);
        assert_eq!(Measure::Length.cell(&[0; 1000]), 255);
        assert_eq!(
            (Measure::First.cell(b"\x07ant"), Measure::First.cell(b"")),
            (7, 0)
        );
    }
}
