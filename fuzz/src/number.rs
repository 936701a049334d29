//! Numbers that are likely to break something: small ones, powers of two and their neighbours, and neighbours of a right value.

use arbitrary::Arbitrary;

/// A number, given the right one.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Number {
    /// A small number.
    Small(u8),
    /// The right number and a bit more or less.
    Near(i8),
    /// The right number with one bit flipped.
    Flipped(u8),
    /// A power of two and a bit more or less.
    Power(u8, i8),
    /// A multiple of the right number.
    Times(u8),
    /// Any number.
    Any(u64),
}

impl Number {
    /// The number that stands in the place of `right`.
    pub fn instead_of(self, right: u64) -> u64 {
        match self {
            Number::Small(number) => u64::from(number),
            Number::Near(more) => right.wrapping_add_signed(i64::from(more)),
            Number::Flipped(bit) => right ^ 1 << (bit % 64),
            Number::Power(power, more) => {
                (1u64 << (power % 64)).wrapping_add_signed(i64::from(more))
            }
            Number::Times(factor) => right.wrapping_mul(u64::from(factor)),
            Number::Any(number) => number,
        }
    }
}
