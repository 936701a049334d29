//! The cells that filters are made of. What the bits mean is written in the families; how they are kept, here.
//!
//! | type | a cell is | used for |
//! |---|---|---|
//! | [`BitArray`] | one bit | Bloom filters, marks |
//! | [`PackedArray`] | `w` bits, 1 to 32 | counters that stick at their maximum, chain cells, loads, fingerprints |
//! | [`BlockArray`] | one bit, 512 of them in a cache line | filters that read one line for a key |
//!
//! All keep their bits in 64-bit words, bit `i` of the array being bit `i % 64` of word `i / 64`; files hold these
//! words little-endian. A position outside of an array is a mistake of the family: it panics, or at worst names a cell
//! of the array's last line. Lengths that come from a caller or a file are checked before an array is made. Shown with
//! `Debug`, an array tells its size and not its cells.

mod bits;
mod block;
mod packed;
mod words;

pub use bits::BitArray;
pub use block::{Block, BlockArray};
pub use packed::PackedArray;

use crate::error::{Error, Result};
use words::Words;

/// `count` items of value `zero`, or an error if there is no memory for them.
pub(crate) fn zeroed<T: Clone>(count: u64, zero: T) -> Result<Vec<T>> {
    let refused = || Error::OutOfMemory {
        bytes: count.saturating_mul(size_of::<T>() as u64),
    };
    let count = usize::try_from(count).map_err(|_| refused())?;
    let mut items = Vec::new();
    items.try_reserve_exact(count).map_err(|_| refused())?;
    items.resize(count, zero);
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        assert!(matches!(
            BitArray::new(1 << 62),
            Err(Error::OutOfMemory { .. })
        ));
        assert!(BlockArray::new(1 << 62).is_err());
        assert!(PackedArray::new(1 << 58, 8).is_err());
    }
}
