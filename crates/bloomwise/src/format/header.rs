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

use super::short::is_short;
use crate::cells::storage::eight;
use crate::error::{Error, Result};
use crate::filter::codec::{Body, CHUNK, Form, Head, Sums, read_exact};
use crate::filter::family::Family;
use crate::filter::profile::Profile;
use crate::filter::sizing::MIN_RATE;
use crate::keys::hash::Hashing;
use std::io::Read;
use xxhash_rust::xxh3::xxh3_64;

/// The version of the format that this crate writes and reads.
pub const VERSION: u16 = 2;

/// The first eight bytes of every file.
const MAGIC: [u8; 8] = *b"BLOOMWIS";

/// The payload starts at a multiple of this, so that a mapped file has its cells on cache lines.
pub(super) const ALIGNMENT: u64 = 64;

/// Bytes before the header's checksum.
const SUMMED: usize = 72;

/// Bytes before the parameters.
const FIXED: usize = SUMMED + 8;

/// The most parameters.
const MAX_PARAMETERS: u64 = 480;

const _: () = assert!(FIXED as u64 + 8 * MAX_PARAMETERS + ALIGNMENT <= Header::MAX_LEN as u64);

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

    /// The header of a filter.
    pub(super) fn of<B: Body + ?Sized>(filter: &B) -> Self {
        let mut header = Header {
            head: filter.head(),
            parameters: filter.parameters(),
            payload_words: filter.payload_words(),
            sum: 0,
        };
        header.sum = header.sum_of(&header.fixed());
        header
    }

    /// Reads the header of a filter, up to its last parameter.
    ///
    /// # Errors
    ///
    /// The stream cannot be read, is not a filter, has another version, or is corrupt.
    pub fn read(mut source: impl Read) -> Result<Self> {
        let source: &mut dyn Read = &mut source;
        let mut fixed = [0; FIXED];
        let (magic, rest) = fixed.split_at_mut(10);
        match read_exact(source, magic, "the start", 10, &mut 0) {
            Ok(()) | Err(Error::Length { .. }) if is_short(magic) => return Err(Error::ShortForm),
            Err(Error::Length { .. }) => return Err(Error::NotAFilter),
            Ok(()) if magic[..8] != MAGIC => return Err(Error::NotAFilter),
            read => read?,
        }
        let version = u16::from_le_bytes([magic[8], magic[9]]);
        // Another version may have another layout, even for its checksum.
        if version != VERSION {
            return Err(Error::Version {
                expected: VERSION,
                got: version,
            });
        }
        read_exact(source, rest, "the header", FIXED as u64, &mut 10)?;
        let count = eight(&fixed, 56);
        expect_count(count)?;
        let mut parameters = vec![0; 8 * count as usize];
        read_exact(
            source,
            &mut parameters,
            "the list of parameters",
            8 * count,
            &mut 0,
        )?;
        let (words, _) = parameters.as_chunks();
        let header = Header {
            parameters: words.iter().map(|&word| u64::from_le_bytes(word)).collect(),
            payload_words: eight(&fixed, 64),
            sum: eight(&fixed, SUMMED),
            head: Head {
                // Replaced below, once the checksum is verified.
                family: Family::Bloom,
                form: Form::Plain,
                profile: Profile::new(Hashing::default(), 0, crate::filter::sizing::Size::Bits(64)),
            },
        };
        let summed = [&fixed[..SUMMED], &parameters].concat();
        super::expect_sum("the header", &summed, header.sum)?;
        Ok(Header {
            head: read_head(&fixed)?,
            ..header
        })
    }

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

    /// All bytes before the payload.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.fixed().to_vec();
        bytes.extend(self.sum.to_le_bytes());
        bytes.extend(self.parameters.iter().flat_map(|word| word.to_le_bytes()));
        bytes.resize(self.payload_start() as usize, 0);
        bytes
    }

    /// All bytes after the payload: its checksums, and a checksum of those and of the header's checksum.
    pub(super) fn table_of(&self, sums: &[u64]) -> Vec<u8> {
        let mut table: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        let sum = xxh3_64(&[&self.sum.to_le_bytes(), &table[..]].concat());
        table.extend(sum.to_le_bytes());
        table
    }

    /// Returns an error unless the table of checksums, read from `source`, is that of the payload.
    pub(super) fn check_sums(&self, sums: Sums, source: &mut dyn Read) -> Result<()> {
        let sums = sums.finish();
        let expected = self.table_of(&sums);
        let mut table = vec![0; expected.len()];
        let len = table.len() as u64;
        read_exact(source, &mut table, "the table of checksums", len, &mut 0)?;
        let last = table.len() - 8;
        for (chunk, (start, &sum)) in (0..last).step_by(8).zip(&sums).enumerate() {
            let got = eight(&table, start);
            if got != sum {
                return Err(Error::Checksum {
                    part: format!("chunk {chunk} of the payload"),
                    expected: sum,
                    got,
                });
            }
        }
        let summed = [&self.sum.to_le_bytes(), &table[..last]].concat();
        super::expect_sum("the table of checksums", &summed, eight(&table, last))
    }

    /// The bytes before the header's checksum.
    fn fixed(&self) -> [u8; SUMMED] {
        let Profile {
            hashing,
            keys,
            capacity,
            target_rate,
        } = self.head.profile;
        let mut fixed = [0; SUMMED];
        let mut put = |at: usize, bytes: &[u8]| fixed[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(10, &self.head.family.tag().to_le_bytes());
        put(12, &[hashing.id(), self.head.form as u8]);
        put(16, &hashing.seed_or_key().to_le_bytes());
        put(32, &keys.to_le_bytes());
        put(40, &capacity.unwrap_or(0).to_le_bytes());
        put(48, &target_rate.unwrap_or(0.0).to_le_bytes());
        put(56, &(self.parameters.len() as u64).to_le_bytes());
        put(64, &self.payload_words.to_le_bytes());
        fixed
    }

    fn sum_of(&self, fixed: &[u8; SUMMED]) -> u64 {
        let parameters = self.parameters.iter().flat_map(|word| word.to_le_bytes());
        let mut summed = fixed.to_vec();
        summed.extend(parameters);
        xxh3_64(&summed)
    }
}

/// Family and profile, from the bytes before the header's checksum.
fn read_head(fixed: &[u8; FIXED]) -> Result<Head> {
    let family = family_of(u16::from_le_bytes([fixed[10], fixed[11]]))?;
    let form = Form::from_number(fixed[13]).ok_or_else(|| {
        let got = format!("number {}", fixed[13]);
        Error::field("the form", got, "one that this program knows")
    })?;
    if fixed[14..16] != [0; 2] {
        let got = format!("{:?}", &fixed[14..16]);
        return Err(Error::field("bytes 14 and 15", got, "two zeros"));
    }
    let seed = u128::from(eight(fixed, 24)) << 64 | u128::from(eight(fixed, 16));
    let rate = f64::from_bits(eight(fixed, 48));
    Ok(Head {
        family,
        form,
        profile: Profile {
            hashing: Hashing::from_parts(fixed[12], seed)?,
            keys: eight(fixed, 32),
            capacity: Some(eight(fixed, 40)).filter(|&keys| keys > 0),
            target_rate: rate_of(rate)?,
        },
    })
}

/// Returns an error if a filter has more parameters than any writer writes.
pub(super) fn expect_count(parameters: u64) -> Result<()> {
    if parameters <= MAX_PARAMETERS {
        return Ok(());
    }
    let expected = format!("a number from 0 to {MAX_PARAMETERS}");
    Err(Error::field(
        "the number of parameters",
        parameters,
        expected,
    ))
}

/// The family of a tag.
pub(super) fn family_of(tag: u16) -> Result<Family> {
    Family::from_tag(tag).ok_or_else(|| {
        let got = format!("number {tag}");
        Error::field("the family", got, "one that this program knows")
    })
}

/// The rate in a file, where 0 means none. Writers never write minus zero, so it is an error.
pub(super) fn rate_of(rate: f64) -> Result<Option<f64>> {
    if rate.to_bits() == 0 {
        return Ok(None);
    }
    if (MIN_RATE..1.0).contains(&rate) {
        return Ok(Some(rate));
    }
    let expected = format!("0 or a rate from {MIN_RATE} to below 1");
    Err(Error::field("the rate that was asked for", rate, expected))
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
