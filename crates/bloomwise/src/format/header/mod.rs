//! The header of a file: what is known about a filter without its cells.
//!
//! | byte | bytes | field |
//! |---|---|---|
//! | 0 | 8 | `BLOOMWIS` |
//! | 8 | 2 | version, 2 |
//! | 10 | 2 | family |
//! | 12 | 1 | hash |
//! | 13 | 1 | form: 0 one filter, 1 shards, 2 a base and its patch, 3 a patch |
//! | 14 | 2 | 0 |
//! | 16 | 16 | seed or key of the hash |
//! | 32 | 8 | number of keys |
//! | 40 | 8 | capacity, 0 if none was given |
//! | 48 | 8 | false positive rate that was asked for, as IEEE 754 double, 0 if none was |
//! | 56 | 8 | `p`, the number of parameters |
//! | 64 | 8 | words of the payload |
//! | 72 | 8 | XXH3-64 of the 72 bytes before and of the parameters |
//! | 80 | 8 `p` | parameters |

mod bytes;
mod sums;

pub(super) use bytes::{expect_count, family_of, rate_of};

use crate::error::{Error, Result};
use crate::filter::codec::{CHUNK, Form, Head};
use crate::filter::family::Family;
use crate::keys::hash::Hashing;

/// The version of the format that this crate writes and reads.
pub const VERSION: u16 = 2;

/// The payload starts at a multiple of this, so that a mapped file has its cells on cache lines.
pub(super) const ALIGNMENT: u64 = 64;

/// Bytes before the header's checksum.
const SUMMED: usize = 72;

/// Bytes before the parameters.
const FIXED: usize = SUMMED + 8;

/// What the header of a file says. Reading it does not read the payload.
///
/// ```
/// use bloomwise::format::Header;
/// use bloomwise::{Bloom, Family, Persist, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let bytes = Bloom::builder(Size::Rate(0.01)).build_from_keys(["ant", "bee"])?.to_bytes();
/// let header = Header::read(&bytes[..])?;
/// assert_eq!((header.family(), header.keys(), header.capacity()), (Family::Bloom, 2, Some(2)));
/// assert_eq!(header.target_rate(), Some(0.01));
/// assert_eq!(header.encoded_len(), bytes.len() as u64);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Family, form and profile.
    head: Head,
    /// The numbers that the family needs to read its payload.
    parameters: Vec<u64>,
    /// The length of the payload in words of 8 bytes.
    payload_words: u64,
    /// The header's checksum, which the table of checksums includes.
    sum: u64,
}

impl Header {
    /// The most bytes before the payload. The first `MAX_LEN` bytes of a file are enough to read its header.
    pub const MAX_LEN: usize = 4096;

    /// The version of the format.
    pub fn version(&self) -> u16 {
        VERSION
    }

    /// The family of the filter.
    pub fn family(&self) -> Family {
        self.head.family
    }

    /// Whether the file holds one filter, shards, a patched filter or a patch.
    pub fn form(&self) -> Form {
        self.head.form
    }

    /// How the filter hashes keys.
    pub fn hashing(&self) -> Hashing {
        self.head.profile.hashing
    }

    /// The number of keys in the filter, as its family counts them.
    pub fn keys(&self) -> u64 {
        self.head.profile.keys
    }

    /// The number of keys that the filter was planned for, if one was given.
    pub fn capacity(&self) -> Option<u64> {
        self.head.profile.capacity
    }

    /// The false positive rate that was asked for, if one was.
    pub fn target_rate(&self) -> Option<f64> {
        self.head.profile.target_rate
    }

    /// The size of the payload in bits: [`crate::Filter::size_in_bits`], plus the headers of the filter's parts if it has parts.
    pub fn size_in_bits(&self) -> u64 {
        self.payload_words.saturating_mul(64)
    }

    /// The length of the whole file in bytes.
    pub fn encoded_len(&self) -> u64 {
        encoded_len(self.parameters.len() as u64, self.payload_words)
    }

    pub(super) fn head(&self) -> Head {
        self.head
    }

    pub(super) fn parameters(&self) -> &[u64] {
        &self.parameters
    }

    pub(super) fn payload_words(&self) -> u64 {
        self.payload_words
    }

    /// The number of zero bytes between the parameters and the payload.
    pub(super) fn padding(&self) -> u64 {
        self.payload_start() - (FIXED + 8 * self.parameters.len()) as u64
    }

    /// The position of the first byte of the payload.
    pub(super) fn payload_start(&self) -> u64 {
        payload_start(self.parameters.len() as u64)
    }

    /// Returns an error unless all bytes between the parameters and the payload are 0.
    pub(super) fn expect_padding(&self, before_payload: &[u8]) -> Result<()> {
        expect_zeros(&before_payload[FIXED + 8 * self.parameters.len()..])
    }

    /// Returns an error unless `len` is the length of the file that the header gives.
    pub(super) fn expect_file_len(&self, len: u64) -> Result<()> {
        let expected = self.encoded_len();
        if len == expected {
            return Ok(());
        }
        Err(Error::Length {
            field: "the file",
            expected,
            got: len,
        })
    }
}

/// Returns an error unless all bytes are 0.
pub(super) fn expect_zeros(padding: &[u8]) -> Result<()> {
    match padding.iter().find(|&&byte| byte != 0) {
        Some(byte) => Err(Error::field("a byte of the padding", byte, "0")),
        None => Ok(()),
    }
}

/// The position of the payload in a file with this many parameters.
fn payload_start(parameters: u64) -> u64 {
    (FIXED as u64 + 8 * parameters).next_multiple_of(ALIGNMENT)
}

/// The bytes of a file with this many parameters and payload words.
pub(super) fn encoded_len(parameters: u64, payload_words: u64) -> u64 {
    let payload = payload_words.saturating_mul(8);
    let table = 8 * payload.div_ceil(CHUNK as u64) + 8;
    payload_start(parameters)
        .saturating_add(payload)
        .saturating_add(table)
}
