//! The size that a caller asks for, and which sizes a filter can have.

use super::{MAX_BITS, MIN_RATE};
use crate::error::{Error, Result};

/// The size of a filter. It covers everything the filter needs to answer queries, but not the header of its file.
///
/// A filter never takes more than [`Size::Bits`] or [`Size::BitsPerKey`] say, however many keys it gets. Only the smallest
/// filter of its family may be larger: 64 bits, or 384 bits of the seesaw families, or 512 bits of `blocked`, `balanced`, `cuckoo` and
/// `habf-cache`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Size {
    /// The number of bits.
    Bits(u64),
    /// The number of bits per key, for as many keys as the capacity.
    BitsPerKey(f64),
    /// The highest false positive rate of a filter that holds its capacity. The filter takes the fewest bits that keep it.
    Rate(f64),
}

impl Size {
    /// The number of bits that a filter for `keys` keys may take; `None` if the size is a rate.
    ///
    /// # Errors
    ///
    /// No filter can have this size, whatever its family.
    pub(crate) fn budget(self, keys: u64) -> Result<Option<u64>> {
        let bits = match self {
            Size::Bits(0) => return Err(Error::parameter("the size", "0 bits", "at least 1 bit")),
            Size::Bits(bits) => bits,
            // A product beyond the largest number becomes the largest number.
            Size::BitsPerKey(each) if each.is_finite() && each > 0.0 => (each * keys as f64) as u64,
            Size::BitsPerKey(each) => {
                let expected = "a finite number above zero";
                return Err(Error::parameter("bits per key", each, expected));
            }
            Size::Rate(rate) if (MIN_RATE..1.0).contains(&rate) => return Ok(None),
            Size::Rate(rate) => {
                let expected = format!("a rate from {MIN_RATE:e} to below 1");
                return Err(Error::parameter("the false positive rate", rate, expected));
            }
        };
        expect_bits(bits).map(Some)
    }
}

/// An error if `bits` is more than a filter can have.
pub(crate) fn expect_bits(bits: u64) -> Result<u64> {
    if bits <= MAX_BITS {
        return Ok(bits);
    }
    let (got, expected) = (format!("{bits} bits"), format!("at most {MAX_BITS} bits"));
    Err(Error::parameter("the size", got, expected))
}
