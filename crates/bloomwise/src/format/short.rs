//! The short form, for small filters inside other files.
//!
//! The fields: one byte 0xB2; one byte family; one byte with the hash in its lower half, bit 4 if a seed follows, bit 5 if a rate
//! follows; the seed (8 bytes for XXH3, 16 for SipHash) unless it is 0; the rate that was asked for, if one was; as LEB128
//! numbers the keys, the capacity (0 if none was given), the number of parameters and the parameters; the payload; XXH3-64 of all these bytes.
//!
//! The short form does not contain its own length. The file that embeds it must.

use super::Check;
use super::header::{expect_count, family_of, rate_of};
use crate::cells::doubt::Doubt;
use crate::cells::storage::eight;
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Form, Head, Parameters, Payload, Source, Writer};
use crate::filter::profile::Profile;
use crate::keys::hash::Hashing;
use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

/// The first byte, for the short form of version 2.
const FORM: u8 = 0xB2;

/// The bit of the third byte that is set if a seed follows.
const SEED: u8 = 1 << 4;

/// The bit of the third byte that is set if a rate follows.
const RATE: u8 = 1 << 5;

/// Whether these bytes start like the short form.
pub(super) fn is_short(bytes: &[u8]) -> bool {
    bytes.first() == Some(&FORM)
}

/// The short form of a filter.
pub(super) fn encode<B: Body>(filter: &B) -> Vec<u8> {
    let Head {
        family, profile, ..
    } = filter.head();
    let (hashing, rate) = (profile.hashing, profile.target_rate);
    let seed = if hashing.seed_or_key() == 0 { 0 } else { SEED };
    let rated = if rate.is_some() { RATE } else { 0 };
    let mut bytes = vec![FORM, family as u8, hashing.id() | seed | rated];
    if seed != 0 {
        bytes.extend_from_slice(&hashing.seed_or_key().to_le_bytes()[..seed_len(hashing.id())]);
    }
    bytes.extend(rate.iter().flat_map(|rate| rate.to_le_bytes()));
    let parameters = filter.parameters();
    let numbers = [
        profile.keys,
        profile.capacity.unwrap_or(0),
        parameters.len() as u64,
    ];
    for number in numbers.into_iter().chain(parameters) {
        put_number(&mut bytes, number);
    }
    let mut writer = Writer::without_sums(&mut bytes);
    filter
        .write_payload(&mut writer)
        .expect("a vector accepts every write");
    let (_, doubt) = writer.finish();
    let sum = xxh3_64(&bytes);
    bytes.extend(sum.to_le_bytes());
    if doubt.is_some() {
        super::spoil(&mut bytes);
    }
    bytes
}

/// Returns an error unless the checksum of a short form is right.
fn verify(bytes: &[u8]) -> Result<()> {
    match bytes.split_last_chunk() {
        Some((body, &sum)) => super::expect_sum("the short form", body, u64::from_le_bytes(sum)),
        // The fields are incomplete; the caller detects that.
        None => Ok(()),
    }
}

/// The filter of a short form. Its cells are borrowed from `owner`, if there is one.
pub(super) fn decode<B: Body>(bytes: &[u8], owner: Option<&Bytes>, check: Check) -> Result<B> {
    let body = bytes.len().saturating_sub(8);
    let mut fields = Fields {
        bytes: &bytes[..body],
        at: 1,
    };
    if check != Check::Header {
        verify(bytes)?;
    }
    let (family, flags) = (fields.byte("the family")?, fields.byte("the hash")?);
    if flags >> 6 != 0 {
        return Err(Error::field(
            "the third byte",
            flags,
            "two zeros in its upper bits",
        ));
    }
    let seed = if flags & SEED == 0 {
        0
    } else {
        let mut seed = [0; 16];
        let given = fields.take(seed_len(flags & 15), "the seed")?;
        seed[..given.len()].copy_from_slice(given);
        if seed == [0; 16] {
            return Err(Error::field("the seed", 0, "no seed if it is 0"));
        }
        u128::from_le_bytes(seed)
    };
    let target_rate = if flags & RATE == 0 {
        None
    } else {
        let rate = fields.take(8, "the rate that was asked for")?;
        let rate = rate_of(f64::from_bits(eight(rate, 0)))?;
        let none = || Error::field("the rate that was asked for", 0, "no rate if it is 0");
        Some(rate.ok_or_else(none)?)
    };
    let head = Head {
        family: family_of(u16::from(family))?,
        form: Form::Plain,
        profile: Profile {
            hashing: Hashing::from_parts(flags & 15, seed)?,
            keys: fields.number("the number of keys")?,
            capacity: Some(fields.number("the capacity")?).filter(|&keys| keys > 0),
            target_rate,
        },
    };
    let count = fields.number("the number of parameters")?;
    expect_count(count)?;
    let parameters = (0..count).map(|_| fields.number("a parameter"));
    let parameters = parameters.collect::<Result<Vec<u64>>>()?;
    let mut payload = &bytes[fields.at..body];
    if !payload.len().is_multiple_of(8) {
        let got = format!("{} bytes long", payload.len());
        return Err(Error::field("the payload", got, "a multiple of 8 bytes"));
    }
    let words = payload.len() as u64 / 8;
    let source = match owner {
        Some(owner) => {
            let unverified = check == Check::Header;
            let doubt = unverified.then(|| Doubt::new(owner.clone(), |all| verify(all).is_ok()));
            Source::Borrowed(owner.slice(fields.at..), doubt)
        }
        None => Source::Stream(&mut payload, Box::default()),
    };
    let mut parameters = Parameters::new(&parameters);
    let mut payload = Payload::new(source, words);
    let filter = B::read(&head, &mut parameters, &mut payload)?;
    parameters.finish()?;
    payload.finish()?;
    if check != Check::Header {
        filter.check()?;
    }
    Ok(filter)
}

/// The length of a seed in bytes.
fn seed_len(hash_id: u8) -> usize {
    if hash_id == 1 { 8 } else { 16 }
}

/// Writes a number as LEB128: seven bits per byte, lowest first, with the top bit set in all bytes but the last.
fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads the fields before the payload.
struct Fields<'a> {
    /// The whole short form.
    bytes: &'a [u8],
    /// The position of the next field.
    at: usize,
}

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize, field: &'static str) -> Result<&'a [u8]> {
        let taken = self
            .bytes
            .get(self.at..self.at + count)
            .ok_or(Error::Length {
                field,
                expected: count as u64,
                got: self.bytes.len().saturating_sub(self.at) as u64,
            })?;
        self.at += count;
        Ok(taken)
    }

    fn byte(&mut self, field: &'static str) -> Result<u8> {
        Ok(self.take(1, field)?[0])
    }

    fn number(&mut self, field: &'static str) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte(field)?;
            let bits = u64::from(byte & 127);
            if bits << shift >> shift != bits || (shift > 0 && byte == 0) {
                break;
            }
            number |= bits << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(Error::field(field, "not the shortest LEB128 number", "one"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_one_way_only() {
        for number in [0, 1, 127, 128, 300, 1 << 35, u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            let mut fields = Fields {
                bytes: &bytes,
                at: 0,
            };
            assert_eq!(fields.number("n").expect("written above"), number);
            assert_eq!(fields.at, bytes.len());
        }
        let too_large = [255, 255, 255, 255, 255, 255, 255, 255, 255, 2];
        for wrong in [&[128, 0][..], &[255; 11], &too_large, &[128], &[]] {
            let mut fields = Fields {
                bytes: wrong,
                at: 0,
            };
            assert!(fields.number("n").is_err(), "{wrong:?}");
        }
    }
}
