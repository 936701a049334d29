//! How much is verified, and the verification of a whole file.

use super::Header;
use crate::error::{Error, Result};
use crate::filter::codec::Sums;
use xxhash_rust::xxh3::xxh3_64;

/// How much of a filter is verified before it answers.
///
/// ```
/// use bloomwise::format::Check;
/// use bloomwise::{Blocked, Filter, Persist, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let filter = Blocked::builder(Size::BitsPerKey(12.0)).build_from_keys(0..1000)?;
/// let mut bytes = filter.to_bytes();
/// bytes[500] ^= 1;
/// assert!(Blocked::from_owner(bytes.clone(), Check::Whole).is_err(), "a checksum does not match");
/// let damaged = Blocked::from_owner(bytes, Check::Header)?;
/// assert!(damaged.save(std::env::temp_dir().join("damaged")).is_err(), "found when it is written");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Check {
    /// Everything: all checksums and all cells. Reads all bytes.
    Whole,
    /// Header and parameters. For bytes that were verified before, or are verified elsewhere.
    Header,
    /// Header and parameters at once, and each shard of a filter of several shards at its first query. A damaged shard answers "yes" to every
    /// query, so it denies no key. A filter without shards is verified completely at once.
    FirstUse,
}

/// Whether the checksums of a file match.
pub(super) fn is_sound(file: &[u8]) -> bool {
    Header::read(file).is_ok_and(|header| {
        header.expect_file_len(file.len() as u64).is_ok() && verify(&header, file).is_ok()
    })
}

/// Returns an error unless the checksums of a file match. The file must have the length that its header gives.
pub(super) fn verify(header: &Header, file: &[u8]) -> Result<()> {
    let (before, rest) = file.split_at(header.payload_start() as usize);
    let (payload, mut table) = rest.split_at(8 * header.payload_words() as usize);
    let mut sums = Sums::default();
    sums.update(payload);
    header.check_sums(sums, &mut table)?;
    header.expect_padding(before)
}

/// Returns an error unless `got`, read from the file, is the checksum of `bytes`.
pub(super) fn expect_sum(part: impl ToString, bytes: &[u8], got: u64) -> Result<()> {
    let expected = xxh3_64(bytes);
    if got == expected {
        return Ok(());
    }
    Err(Error::Checksum {
        part: part.to_string(),
        expected,
        got,
    })
}
