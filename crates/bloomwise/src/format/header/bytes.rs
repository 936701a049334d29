//! The bytes of a header, written and read.

use super::{ALIGNMENT, FIXED, Header, SUMMED, VERSION};
use crate::cells::storage::eight;
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Form, Head, read_exact};
use crate::filter::family::Family;
use crate::filter::profile::Profile;
use crate::filter::sizing::{MIN_RATE, Size};
use crate::format::expect_sum;
use crate::format::short::is_short;
use crate::keys::hash::Hashing;
use std::io::Read;
use xxhash_rust::xxh3::xxh3_64;

/// The first eight bytes of every file.
const MAGIC: [u8; 8] = *b"BLOOMWIS";

/// The most parameters.
const MAX_PARAMETERS: u64 = 480;

const _: () = assert!(FIXED as u64 + 8 * MAX_PARAMETERS + ALIGNMENT <= Header::MAX_LEN as u64);

impl Header {
    /// The header of a filter.
    pub(in crate::format) fn of<B: Body + ?Sized>(filter: &B) -> Self {
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
                profile: Profile::new(Hashing::default(), 0, Size::Bits(64)),
            },
        };
        let summed = [&fixed[..SUMMED], &parameters].concat();
        expect_sum("the header", &summed, header.sum)?;
        Ok(Header {
            head: read_head(&fixed)?,
            ..header
        })
    }

    /// All bytes before the payload.
    pub(in crate::format) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.fixed().to_vec();
        bytes.extend(self.sum.to_le_bytes());
        bytes.extend(self.parameters.iter().flat_map(|word| word.to_le_bytes()));
        bytes.resize(self.payload_start() as usize, 0);
        bytes
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
pub(in crate::format) fn expect_count(parameters: u64) -> Result<()> {
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
pub(in crate::format) fn family_of(tag: u16) -> Result<Family> {
    Family::from_tag(tag).ok_or_else(|| {
        let got = format!("number {tag}");
        Error::field("the family", got, "one that this program knows")
    })
}

/// The rate in a file, where 0 means none. Writers never write minus zero, so it is an error.
pub(in crate::format) fn rate_of(rate: f64) -> Result<Option<f64>> {
    if rate.to_bits() == 0 {
        return Ok(None);
    }
    if (MIN_RATE..1.0).contains(&rate) {
        return Ok(Some(rate));
    }
    let expected = format!("0 or a rate from {MIN_RATE} to below 1");
    Err(Error::field("the rate that was asked for", rate, expected))
}
