//! Words in and out: what families use to write themselves down and to read themselves back.
//!
//! A file is a sequence of 64-bit little-endian words (`docs/format.md`). [`Writer`] sends words on while it sums
//! them up; [`Reader`] hands them out, checks every length before it is used, and names the field in its errors. A
//! family implements [`Body`]: a few words of parameters and a payload of exactly [`Filter::size_in_bits`] bits.
//! Header, version, checksum and files are the business of [`crate::format`].

use crate::cells::PackedArray;
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::Filter;
use crate::hash::Hashing;
use crate::probe::Placement;
use crate::sizing::{MAX_BITS, MAX_FUNCTIONS};
use std::io;
use xxhash_rust::xxh3::Xxh3;

/// What the header of a file says about the filter in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its family.
    pub family: Family,
    /// How it hashes.
    pub hashing: Hashing,
    /// How many keys it holds, as its family counts them.
    pub keys: u64,
}

impl Head {
    /// The head of a filter without keys.
    pub fn new(family: Family, hashing: Hashing) -> Self {
        Head {
            family,
            hashing,
            keys: 0,
        }
    }

    /// Counts keys that were added. A file may claim any number, so the count stops at the largest.
    pub fn add_keys(&mut self, count: usize) {
        self.keys = self.keys.saturating_add(count as u64);
    }

    /// How a filter of this family finds positions in an array.
    #[inline]
    pub fn placement(&self) -> Placement {
        match self.family {
            Family::Personalized | Family::PersonalizedCounting => Placement::Walk,
            _ => Placement::Spread,
        }
    }

    /// An error unless the file holds one of these families.
    pub fn expect(&self, families: &[Family]) -> Result<()> {
        if families.contains(&self.family) {
            return Ok(());
        }
        let names: Vec<_> = families.iter().map(|family| family.name()).collect();
        let got = self.family.name();
        Err(Error::field("the family", got, names.join(" or ")))
    }
}

/// A filter that can be written down and read back.
pub trait Body: Filter + Sized {
    /// What the header shall say.
    fn head(&self) -> Head;

    /// The words that, with the head, fix everything but the payload.
    fn parameters(&self) -> Vec<u64>;

    /// Writes the payload: as many words as [`Filter::size_in_bits`] says.
    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()>;

    /// Reads what [`Body::parameters`] and [`Body::write_payload`] gave. No byte is to be trusted; words that nobody
    /// reads are found by the caller.
    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self>;
}

/// Sends words to a sink, little-endian, and keeps their checksum.
pub struct Writer<'a> {
    sink: &'a mut dyn io::Write,
    sum: Xxh3,
    buffer: Vec<u8>,
}

impl<'a> Writer<'a> {
    /// Bytes that are gathered before they are sent on.
    const BUFFER: usize = 1 << 16;

    /// A writer at the start of a file.
    pub fn new(sink: &'a mut dyn io::Write) -> Self {
        Writer {
            sink,
            sum: Xxh3::new(),
            buffer: Vec::with_capacity(Self::BUFFER),
        }
    }

    /// Writes words.
    pub fn words(&mut self, words: impl IntoIterator<Item = u64>) -> io::Result<()> {
        for word in words {
            self.buffer.extend_from_slice(&word.to_le_bytes());
            if self.buffer.len() == Self::BUFFER {
                self.send()?;
            }
        }
        Ok(())
    }

    /// Ends the file with the checksum of all that was written.
    pub fn finish(mut self) -> io::Result<()> {
        self.send()?;
        self.sink.write_all(&self.sum.digest().to_le_bytes())?;
        self.sink.flush()
    }

    fn send(&mut self) -> io::Result<()> {
        self.sum.update(&self.buffer);
        self.sink.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// Hands out the words of a part of a file.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes }
    }

    /// The next word.
    pub fn word(&mut self, field: &'static str) -> Result<u64> {
        let mut words = self.words(1, field)?;
        // One word was asked for and given, so there is one.
        Ok(words.next().unwrap_or(0))
    }

    /// The next word, which must lie in a range.
    pub fn word_in(
        &mut self,
        range: std::ops::RangeInclusive<u64>,
        field: &'static str,
    ) -> Result<u64> {
        let word = self.word(field)?;
        if !range.contains(&word) {
            let expected = match (range.start(), range.end()) {
                (low, high) if low == high => low.to_string(),
                (low, high) => format!("a number from {low} to {high}"),
            };
            return Err(Error::field(field, word, expected));
        }
        Ok(word)
    }

    /// The next word, which must be a multiple of `step` above 0.
    pub fn word_of(&mut self, step: u64, field: &'static str) -> Result<u64> {
        let word = self.word(field)?;
        if word == 0 || word > MAX_BITS || !word.is_multiple_of(step) {
            let expected = format!("a multiple of {step} from {step} to {MAX_BITS}");
            return Err(Error::field(field, word, expected));
        }
        Ok(word)
    }

    /// The next word as a number of hash functions.
    pub fn functions(&mut self) -> Result<u32> {
        let functions = self.word_in(1..=u64::from(MAX_FUNCTIONS), "the number of functions")?;
        Ok(functions as u32)
    }

    /// The next so many words.
    pub fn words(
        &mut self,
        count: u64,
        field: &'static str,
    ) -> Result<impl ExactSizeIterator<Item = u64> + use<'a>> {
        let bytes = self.bytes(count.saturating_mul(8), field)?;
        Ok(bytes.as_chunks().0.iter().map(|&b| u64::from_le_bytes(b)))
    }

    /// The next so many bytes.
    pub fn bytes(&mut self, count: u64, field: &'static str) -> Result<&'a [u8]> {
        let split = usize::try_from(count).ok();
        let split = split.and_then(|count| self.bytes.split_at_checked(count));
        let (taken, rest) = split.ok_or(Error::Length {
            field,
            expected: count,
            got: self.bytes.len() as u64,
        })?;
        self.bytes = rest;
        Ok(taken)
    }

    /// An error if bytes are left over.
    pub fn finish(self, field: &'static str) -> Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let got = format!("{} bytes too long", self.bytes.len());
        Err(Error::field(field, got, "nothing after its last word"))
    }
}

/// Reads an array of counters, whose number is a parameter and fills whole words.
pub fn read_counters(
    parameters: &mut Reader<'_>,
    payload: &mut Reader<'_>,
    width: u32,
) -> Result<PackedArray> {
    let counters = parameters.word_of(64 / u64::from(width), "the counters")?;
    let count = PackedArray::words_for(counters, width);
    let words = payload.words(count, "the counters")?;
    let wrong = || Error::field("the counters", counters, "as many as the payload holds");
    PackedArray::from_words(words, counters, width)?.ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_they_went() {
        let words: Vec<u64> = (0..20_000u64)
            .map(|i| i.wrapping_mul(0x0123_4567_89AB_CDEF))
            .collect();
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        writer
            .words(words.iter().copied())
            .expect("memory takes all");
        writer.finish().expect("memory takes all");
        assert_eq!(bytes.len(), 20_001 * 8);
        assert_eq!(&bytes[8..16], &words[1].to_le_bytes());

        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.word("first").expect("is there"), 0);
        let rest = reader.words(19_999, "rest").expect("are there");
        assert!(rest.eq(words[1..].iter().copied()));
        let sum = xxhash_rust::xxh3::xxh3_64(&bytes[..160_000]);
        assert_eq!(reader.word("sum").expect("is there"), sum);
        reader.finish("file").expect("all was read");
    }

    #[test]
    fn lengths_are_checked_before_they_are_used() {
        let bytes = [0; 20];
        for count in [3, 1 << 40, u64::MAX] {
            let error = Reader::new(&bytes).words(count, "the cells").map(|_| ());
            assert!(matches!(
                error,
                Err(Error::Length {
                    field: "the cells",
                    got: 20,
                    ..
                })
            ));
        }
        let mut reader = Reader::new(&bytes);
        assert!(reader.word_in(1..=5, "functions").is_err());
        assert!(reader.finish("file").is_err());
    }
}
