//! A layer, and a chain of layers.
//!
//! Each layer of a chain holds the keys that the layers before it have bumped. The last layer has no thresholds: it holds
//! all that are left. A query asks the first layer that holds its key; that is the first one for 24 keys in 25.

use super::equation::Equation;
use super::shape::Shape;
use super::thresholds::{BUCKET, Thresholds};

/// One layer of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Layer {
    /// What is applied to the digest of the layer before.
    pub salt: u64,
    /// Its rows and columns.
    pub shape: Shape,
    /// How its thresholds are written.
    pub thresholds: Thresholds,
    /// The bit of the filter where its rows start. If it has thresholds, that is the start of a word, and they follow the rows.
    pub first_bit: u64,
}

impl Layer {
    /// A layer that starts at bit `from` of the filter, or at the next word if it has thresholds.
    pub fn new(from: u64, salt: u64, shape: Shape, thresholds: Thresholds) -> Self {
        let first_bit = match thresholds {
            Thresholds::None => from,
            Thresholds::One | Thresholds::Two => from.next_multiple_of(64),
        };
        Layer {
            salt,
            shape,
            thresholds,
            first_bit,
        }
    }

    /// The bit behind its rows and thresholds.
    pub fn end(&self) -> u64 {
        self.first_bit + self.shape.bits() + self.thresholds.words(self.shape.rows) * 64
    }

    /// The byte of the filter where the thresholds start.
    #[inline(always)]
    pub fn codes_byte(&self) -> usize {
        ((self.first_bit + self.shape.bits()) / 8) as usize
    }

    /// Whether the rows satisfy an equation in the columns of the mask `columns`.
    pub fn satisfies(&self, bytes: &[u8], equation: &Equation, columns: u32) -> bool {
        self.shape
            .satisfies(bytes, self.first_bit, equation, columns)
    }

    /// Whether a key that starts in this row was bumped: from the fingerprint, and from the guard.
    #[inline(always)]
    pub fn bumped(&self, bytes: &[u8], start: u64) -> (bool, bool) {
        let codes = &bytes[self.codes_byte()..];
        let (first, second) = self.thresholds.of_bucket(codes, start / BUCKET);
        let offset = start % BUCKET;
        (offset < first, offset < second)
    }
}

/// The share of non-members that a chain accepts. Each layer counts by its rows, which follow the number of its keys.
pub(in super::super) fn rate<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> f64 {
    let (mut rows, mut accepted) = (0.0, 0.0);
    for shape in shapes {
        rows += shape.rows as f64;
        accepted += shape.rows as f64 * shape.rate();
    }
    if rows > 0.0 { accepted / rows } else { 1.0 }
}
