//! A key as an equation: which rows of a layer it reads, and what their XOR must be.
//!
//! A layer sees 128 bits of a key, its digest in that layer. The upper half chooses the first row of a window of 64 rows.
//! The lower half says which rows of the window are in the equation: bit `k` stands for row `start + k`, and the first row
//! is always there. A product of the upper half gives the bits that the rows must have, one for each column.
//!
//! ```text
//! row              0   1   2   3   4   5   6   7        a window of 4 rows, for illustration
//! coefficients             1   0   1   1                start 2: rows 2, 4 and 5
//! column 0         0   1   1   0   0   1   0   0        1 ^ 0 ^ 1 = 0, must be bit 0 of the value
//! ```
//!
//! The next layer takes the digest of the one before and makes a new one of it, so that keys that were crowded in one
//! layer are spread again.

use crate::keys::hash::Digest;

/// The number of rows of a window.
pub(super) const WINDOW: u64 = 64;

/// What a layer needs to know of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::families) struct Equation {
    /// The first row.
    pub start: u64,
    /// Which rows of the window are in the equation; bit 0 is set.
    pub coefficients: u64,
    /// The bits that a positive must find, one for each column.
    pub value: u32,
}

/// The largest salt of a layer.
pub(super) const MAX_SALT: u64 = 1 << 32;

/// The digest that is used after `salt` was applied; 0 changes nothing.
#[inline(always)]
pub(super) fn salted(digest: Digest, salt: u64) -> Digest {
    match salt {
        0 => digest,
        _ => Digest {
            high: digest.function(2 * salt + 1),
            low: digest.function(2 * salt + 2),
        },
    }
}

/// The upper half of a digest, mixed so that its upper bits do not follow from the first row.
#[inline(always)]
fn mixed(digest: Digest) -> u64 {
    digest.high.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The value of a key, one bit for each column.
#[inline(always)]
pub(super) fn value(digest: Digest) -> u32 {
    (mixed(digest) >> 32) as u32
}

/// A byte of a key that is independent of its equation. It decides which keys skip the first layer.
#[inline(always)]
pub(super) fn thinning_byte(digest: Digest) -> u8 {
    (mixed(digest) >> 24) as u8
}
