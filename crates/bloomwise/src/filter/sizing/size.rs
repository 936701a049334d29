//! The size of a filter that a caller asks for, and its limits.

use super::{MAX_BITS, MIN_RATE};
use crate::error::Error;

/// The size of a filter. It covers everything that the filter needs to answer queries, but not the header of its file.
///
/// A filter never takes more than [`Size::Bits`] or [`Size::BitsPerKey`] allow, however many keys are added. Only the smallest
/// filter of each family may be larger: 64 bits; 320 bits for `seesaw` and 384 for `seesaw-adaptive`; 512 bits for `blocked`, `balanced`,
/// `cuckoo` and `habf-cache`.
///
/// ```
/// use bloomwise::{Bloom, Filter, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// assert_eq!(Bloom::builder(Size::Bits(1024)).capacity(100).create()?.size_in_bits(), 1024);
/// assert_eq!(Bloom::builder(Size::BitsPerKey(9.6)).capacity(100).create()?.size_in_bits(), 960);
/// let mut filter = Bloom::builder(Size::Rate(0.01)).capacity(100).create()?;
/// filter.extend(0..100);
/// assert!(filter.rate() <= 0.01);
/// # Ok(())
/// # }
/// ```
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
    /// The number of bits per key. The number of keys is the capacity.
    BitsPerKey(f64),
    /// The highest false positive rate of a filter that is at capacity. The filter takes the fewest bits that achieve it.
    Rate(f64),
}

/// Not exactly one size was given.
///
/// A front end has its own names for the sizes, so it writes the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOneSize {
    /// There is none.
    None,
    /// There are several.
    Several,
}

impl Size {
    /// The size that a user gives in one of three ways: bits per key, bytes of the whole filter, or the highest false positive rate.
    ///
    /// ```
    /// use bloomwise::Size;
    /// use bloomwise::sizing::NotOneSize;
    ///
    /// assert_eq!(Size::one_of(Some(9.6), None, None), Ok(Size::BitsPerKey(9.6)));
    /// assert_eq!(Size::one_of(None, Some(128), None), Ok(Size::Bits(1024)));
    /// assert_eq!(Size::one_of(None, Some(128), Some(0.01)), Err(NotOneSize::Several));
    /// ```
    ///
    /// # Errors
    ///
    /// There is not exactly one. Whether a filter can have the size is checked when it is planned.
    pub fn one_of(
        bits_per_key: Option<f64>,
        bytes: Option<u64>,
        rate: Option<f64>,
    ) -> Result<Self, NotOneSize> {
        match (bits_per_key, bytes, rate) {
            (Some(bits), None, None) => Ok(Size::BitsPerKey(bits)),
            // A saturated size is above what a filter can have.
            (None, Some(bytes), None) => Ok(Size::Bits(bytes.saturating_mul(8))),
            (None, None, Some(rate)) => Ok(Size::Rate(rate)),
            (None, None, None) => Err(NotOneSize::None),
            _ => Err(NotOneSize::Several),
        }
    }

    /// The number of bits that a filter for `keys` keys may take; `None` if the size is a rate.
    ///
    /// # Errors
    ///
    /// The size is out of range for all families.
    pub(crate) fn budget(self, keys: u64) -> crate::error::Result<Option<u64>> {
        let bits = match self {
            Size::Bits(0) => return Err(Error::parameter("the size", "0 bits", "at least 1 bit")),
            Size::Bits(bits) => bits,
            // A product that is too large saturates.
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

/// Returns an error if a filter cannot have this many bits.
pub(crate) fn expect_bits(bits: u64) -> crate::error::Result<u64> {
    if bits <= MAX_BITS {
        return Ok(bits);
    }
    let (got, expected) = (format!("{bits} bits"), format!("at most {MAX_BITS} bits"));
    Err(Error::parameter("the size", got, expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_size_is_a_size() {
        let (bits, bytes, rate) = (Some(1.5), Some(3), Some(0.25));
        assert_eq!(Size::one_of(bits, None, None), Ok(Size::BitsPerKey(1.5)));
        assert_eq!(Size::one_of(None, bytes, None), Ok(Size::Bits(24)));
        assert_eq!(Size::one_of(None, None, rate), Ok(Size::Rate(0.25)));
        assert_eq!(Size::one_of(None, None, None), Err(NotOneSize::None));
        for (bits, bytes, rate) in [
            (bits, bytes, None),
            (None, bytes, rate),
            (bits, bytes, rate),
        ] {
            assert_eq!(Size::one_of(bits, bytes, rate), Err(NotOneSize::Several));
        }
        let most = Size::one_of(None, Some(u64::MAX), None);
        assert_eq!(most, Ok(Size::Bits(u64::MAX)));
        assert!(Size::Bits(u64::MAX).budget(1).is_err());
    }
}
