//! Arrays of cells, and what belongs to them. This module stores bits; families define what they mean.
//!
//! | type | a cell is | used for |
//! |---|---|---|
//! | [`BitArray`] | one bit | Bloom filters, marks |
//! | [`PackedArray`] | `w` bits, 1 to 32 | cells of chains, numbers of keys in blocks |
//! | [`PackedArray`] with [`Counters`](counters::Counters) | 4 bits | counters that stick at their maximum |
//! | [`BlockArray`] | one bit, 512 of them in a block | filters that read one cache line for a key |
//!
//! In a filter of one thread, [`storage::Storage`] holds the bytes, whether the filter owns them or not. In a filter that threads share,
//! [`atomic_words::AtomicWords`] holds them. [`Bits`] and [`Counters`](counters::Counters) work on the words of either.
//!
//! | module | contents |
//! |---|---|
//! | [`storage`] | bytes that the filter owns or borrows |
//! | [`doubt`] | bytes that have not been verified, and their copies |
//! | [`words`], [`access`] | the words of an array, of one thread or of many; reading and changing cells in them |
//! | [`stash`] | an exact list of keys, which a family keeps in addition to its cells |
//!
//! All arrays keep their bits in the same order, in memory and in files: bit `p` of an array is bit `p % 8` of byte `p / 8`. A
//! position outside of an array is a bug in the family. It panics, or reaches another cell in the array's last line.
//! Lengths that come from a caller or a file are checked before an array is created. `Debug` shows the size of an array
//! instead of its cells.

pub(crate) mod access;
pub(crate) mod atomic_words;
mod bits;
mod block;
pub(crate) mod counters;
pub(crate) mod doubt;
mod packed;
pub(crate) mod stash;
pub(crate) mod storage;
pub(crate) mod words;

pub use bits::{BitArray, Bits};
pub use block::{Block, BlockArray};
pub use packed::{PackedArray, PackedView};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    #[cfg_attr(
        miri,
        ignore = "Miri ends at an allocation that the machine cannot make"
    )]
    fn missing_memory_is_an_error() {
        let refused = BitArray::new(1 << 62);
        assert!(matches!(refused, Err(Error::OutOfMemory { .. })));
        assert!(BlockArray::new(1 << 62).is_err());
        assert!(PackedArray::new(1 << 58, 8).is_err());
    }
}
