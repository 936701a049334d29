//! A layer of a chain, and its thresholds: which keys it holds, and which it has passed on to the next layer.
//!
//! Each layer of a chain holds the keys that the layers before it have bumped. The last layer has no thresholds: it holds
//! all that are left. A query asks the first layer that holds its key; that is the first one for 24 keys in 25.
//!
//! Rows are grouped into buckets of 128. If the keys of a bucket do not fit, those that start in its first rows are passed
//! on (*bumped*). The *threshold* of a bucket is the number of rows whose keys are bumped: 0, 16, 32 or all 128, written as
//! two bits. A query compares the offset of its start in the bucket with the threshold. Where fingerprint and guard share
//! one layer, each has its own threshold, and a bucket has four bits.
//!
//! Larger buckets have fewer thresholds but leave more rows empty. `bloomwise-lab guarded-thresholds` shows the choices.

use super::equation::Equation;
use super::shape::Shape;

/// One layer of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::families) struct Layer {
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

    /// The same layer in a larger array of bits, which has its bits `words` words later.
    pub fn moved(self, words: u64) -> Self {
        Layer {
            first_bit: self.first_bit + 64 * words,
            ..self
        }
    }

    /// The bit after its rows and thresholds.
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

/// The share of non-members that a chain accepts. Layers are weighted by their rows, which are proportional to their keys.
pub(super) fn rate<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> f64 {
    let (mut rows, mut accepted) = (0.0, 0.0);
    for shape in shapes {
        rows += shape.rows as f64;
        accepted += shape.rows as f64 * shape.rate();
    }
    if rows > 0.0 { accepted / rows } else { 1.0 }
}

/// The number of rows of a bucket.
pub(super) const BUCKET: u64 = 128;

/// The thresholds that two bits stand for.
const LEVELS: [u8; 4] = [0, 16, 32, BUCKET as u8];

/// The threshold for two bits of a code.
#[inline(always)]
pub(super) fn threshold(code: u8) -> u64 {
    u64::from(LEVELS[usize::from(code & 3)])
}

/// The two bits for a bucket whose keys were all bumped.
pub(super) const ALL_BUMPED: u8 = 3;

/// How many thresholds the buckets of a layer have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::families) enum Thresholds {
    /// None: the layer holds every key.
    None,
    /// One.
    One,
    /// Two, of the fingerprint and of the guard.
    Two,
}

impl Thresholds {
    /// The bits of a code.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        match self {
            Thresholds::None => 0,
            Thresholds::One => 2,
            Thresholds::Two => 4,
        }
    }

    /// The words of the codes of a layer of `rows` rows.
    pub fn words(self, rows: u64) -> u64 {
        (rows.div_ceil(BUCKET) * self.bits()).div_ceil(64)
    }

    /// The code of a bucket; its upper bits belong to other buckets. `codes` starts with the layer's first code.
    #[inline(always)]
    fn code(self, codes: &[u8], bucket: u64) -> u8 {
        let bit = bucket * self.bits();
        codes[(bit / 8) as usize] >> (bit % 8)
    }

    /// The thresholds of fingerprint and guard of a bucket. With one threshold they are the same.
    #[inline(always)]
    pub fn of_bucket(self, codes: &[u8], bucket: u64) -> (u64, u64) {
        match self {
            Thresholds::None => (0, 0),
            Thresholds::One => {
                let one = threshold(self.code(codes, bucket));
                (one, one)
            }
            Thresholds::Two => {
                let code = self.code(codes, bucket);
                (threshold(code), threshold(code >> 2))
            }
        }
    }

    /// The larger threshold for each code.
    pub fn larger(self) -> [u8; 16] {
        std::array::from_fn(|code| match self {
            Thresholds::None => 0,
            Thresholds::One => LEVELS[code % 4],
            Thresholds::Two => LEVELS[code % 4].max(LEVELS[code / 4]),
        })
    }

    /// Writes the codes of all buckets, which must be 0: the codes of the fingerprint, or of the guard if `guard`.
    pub fn write(self, bytes: &mut [u8], codes: &[u8], guard: bool) {
        for (bucket, &code) in codes.iter().enumerate() {
            let bit = bucket as u64 * self.bits() + 2 * u64::from(guard);
            bytes[(bit / 8) as usize] |= code << (bit % 8);
        }
    }
}
