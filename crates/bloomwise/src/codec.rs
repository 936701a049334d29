//! What families use to write themselves down and to read themselves back.
//!
//! A family implements [`Body`]: a few words of parameters, and a payload, for families of exactly [`Filter::size_in_bits`] bits.
//! [`Writer`] sends the payload on and sums it up. [`Parameters`] and [`Payload`] hand out what was written, check every
//! length before it is used, and name the field in their errors. Header, versions and files are the business of
//! [`crate::format`].

use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::{Filter, Lookup};
use crate::profile::Profile;
use crate::sizing::{MAX_BITS, MAX_FUNCTIONS};
use crate::storage::{Storage, reserve};
use bytes::Bytes;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use xxhash_rust::xxh3::Xxh3;

/// Bytes of the payload that share a checksum.
pub const CHUNK: usize = 1 << 20;

/// A filter that can be written down and read back.
pub trait Body: Filter + Lookup {
    /// The words that, with family and profile, determine everything but the payload.
    fn parameters(&self) -> Vec<u64>;

    /// The words of the payload. Only filters made of other filters have more than [`Filter::size_in_bits`]: the headers of those.
    fn payload_words(&self) -> u64 {
        self.size_in_bits() / 64
    }

    /// Writes the payload: as many words as [`Body::payload_words`] says.
    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()>;

    /// Reads what [`Body::parameters`] and [`Body::write_payload`] gave, without a scan of the cells. No word may be
    /// trusted: whatever the words, queries must neither panic nor read outside of the cells. The caller finds words that
    /// nobody reads.
    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self>
    where
        Self: Sized;

    /// An error if the cells hold what no filter writes. Scans them.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// How the filter is put together.
    fn form(&self) -> Form {
        Form::Plain
    }

    /// Says that the cells need not be verified before they are queried first, for filters that would do so.
    fn trust(&self) {}
}

/// How the filter of a file is put together. The number stands in files and never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// One filter.
    #[default]
    Plain = 0,
    /// Several filters of one family, each for a share of the keys: [`crate::Sharded`].
    Sharded = 1,
    /// A filter and what changed since it was built: [`crate::Patched`].
    Patched = 2,
    /// What changed since a filter was built; no filter of its own: [`crate::Patch`].
    Patch = 3,
}

impl Form {
    /// All forms, in the order of their numbers.
    const ALL: [Form; 4] = [Form::Plain, Form::Sharded, Form::Patched, Form::Patch];

    /// The form with this number.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|form| *form as u8 == number)
    }

    /// The name in errors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Sharded => "sharded",
            Form::Patched => "patched",
            Form::Patch => "patch",
        }
    }
}

/// What the header of a file says about the filter in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// Its family.
    pub family: Family,
    /// How it is put together.
    pub form: Form,
    /// The rest.
    pub profile: Profile,
}

impl Head {
    /// What the file holds, for errors.
    pub fn name(&self) -> &'static str {
        match self.form {
            Form::Plain => self.family.name(),
            form => form.name(),
        }
    }

    /// An error unless the file holds one filter of one of these families.
    pub fn expect(&self, families: &[Family]) -> Result<()> {
        if self.form == Form::Plain && families.contains(&self.family) {
            return Ok(());
        }
        let names: Vec<_> = families.iter().map(|family| family.name()).collect();
        Err(Error::OtherFamily {
            expected: names.join(" or "),
            got: self.name(),
        })
    }
}

/// Sends a payload to a sink and keeps its checksums.
pub struct Writer<'a> {
    sink: &'a mut dyn io::Write,
    /// `None` if nobody needs them.
    sums: Option<Sums>,
}

impl<'a> Writer<'a> {
    /// A writer at the start of a payload.
    pub fn new(sink: &'a mut dyn io::Write) -> Self {
        Writer {
            sink,
            sums: Some(Sums::default()),
        }
    }

    /// A writer at the start of a payload whose checksums nobody needs.
    pub fn without_sums(sink: &'a mut dyn io::Write) -> Self {
        Writer { sink, sums: None }
    }

    /// Writes the bytes of an array.
    pub(crate) fn storage(&mut self, storage: &Storage) -> io::Result<()> {
        self.bytes(storage.bytes())
    }

    /// Writes words, little-endian.
    pub fn words(&mut self, words: impl IntoIterator<Item = u64>) -> io::Result<()> {
        let mut buffer = Vec::with_capacity(1 << 13);
        for word in words {
            buffer.extend_from_slice(&word.to_le_bytes());
            if buffer.len() == buffer.capacity() {
                self.bytes(&buffer)?;
                buffer.clear();
            }
        }
        self.bytes(&buffer)
    }

    /// The checksums of what was written.
    pub fn finish(self) -> Vec<u64> {
        self.sums.map(Sums::finish).unwrap_or_default()
    }

    /// Writes bytes in pieces, so that a sink that ends early spares the checksums of the rest.
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.chunks(CHUNK) {
            self.sink.write_all(piece)?;
            if let Some(sums) = &mut self.sums {
                sums.update(piece);
            }
        }
        Ok(())
    }
}

/// A payload may hold whole files.
impl io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Checksums of a payload, one for each [`CHUNK`] of it.
#[derive(Clone, Default)]
pub struct Sums {
    state: Xxh3,
    /// Bytes of the current chunk.
    filled: usize,
    done: Vec<u64>,
}

impl Sums {
    /// Adds bytes of the payload.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK - self.filled));
            self.state.update(now);
            self.filled += now.len();
            bytes = later;
            if self.filled == CHUNK {
                self.end_chunk();
            }
        }
    }

    /// The checksums of all chunks.
    pub fn finish(mut self) -> Vec<u64> {
        if self.filled > 0 {
            self.end_chunk();
        }
        self.done
    }

    fn end_chunk(&mut self) {
        self.done.push(self.state.digest());
        self.state.reset();
        self.filled = 0;
    }
}

/// Hands out the parameters of a filter.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    words: &'a [u64],
}

impl<'a> Parameters<'a> {
    /// A reader of these words.
    pub fn new(words: &'a [u64]) -> Self {
        Parameters { words }
    }

    /// The next word.
    pub fn word(&mut self, field: &'static str) -> Result<u64> {
        Ok(self.words(1, field)?[0])
    }

    /// The next word, which must lie in a range.
    pub fn word_in(&mut self, range: RangeInclusive<u64>, field: &'static str) -> Result<u64> {
        let word = self.word(field)?;
        if !range.contains(&word) {
            let (low, high) = (range.start(), range.end());
            let expected = if low == high {
                low.to_string()
            } else {
                format!("a number from {low} to {high}")
            };
            return Err(Error::field(field, word, expected));
        }
        Ok(word)
    }

    /// The next word, which must be a multiple of `step` above 0.
    pub fn multiple_of(&mut self, step: u64, field: &'static str) -> Result<u64> {
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

    /// The next `count` words.
    pub fn words(&mut self, count: usize, field: &'static str) -> Result<&'a [u64]> {
        let split = self.words.split_at_checked(count);
        let (taken, rest) = split.ok_or(Error::Length {
            field,
            expected: 8 * count as u64,
            got: 8 * self.words.len() as u64,
        })?;
        self.words = rest;
        Ok(taken)
    }

    /// An error if words are left over.
    pub fn finish(self) -> Result<()> {
        if self.words.is_empty() {
            return Ok(());
        }
        let got = format!("{} words too long", self.words.len());
        Err(Error::field("the list of parameters", got, "no more words"))
    }
}

/// Hands out the payload of a filter: copied from a stream, borrowed, or handed over.
pub struct Payload<'a> {
    source: Source<'a>,
    /// Bytes that are left.
    left: u64,
}

/// Where a payload comes from.
pub enum Source<'a> {
    /// A stream, and the checksums of what was read.
    Stream(&'a mut dyn Read, Box<Sums>),
    /// Bytes that someone else holds: the rest of the payload and what follows it in the file.
    Borrowed(Bytes),
    /// The whole payload, and how many of its bytes were handed out. A filter of one array gets it as it is; the arrays of others are copied from it.
    Owned(Storage, usize),
}

impl<'a> Payload<'a> {
    /// A payload of `words` words.
    pub fn new(source: Source<'a>, words: u64) -> Self {
        Payload {
            source,
            left: words.saturating_mul(8),
        }
    }

    /// Whether the payload is borrowed, so that [`Payload::storage`] copies nothing.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.source, Source::Borrowed(_))
    }

    /// The next `words` words as the bytes of an array.
    pub(crate) fn storage(&mut self, words: u64, field: &'static str) -> Result<Storage> {
        let bytes = self.take(words, field)?;
        match &mut self.source {
            Source::Stream(source, sums) => {
                let mut got = 0;
                Storage::read(bytes, |part| {
                    read_exact(source, part, field, bytes, &mut got)?;
                    sums.update(part);
                    Ok(())
                })
            }
            Source::Borrowed(rest) => {
                let short = |rest: &Bytes| Error::Length {
                    field,
                    expected: bytes,
                    got: rest.len() as u64,
                };
                let len = usize::try_from(bytes).map_err(|_| short(rest))?;
                let storage = Storage::borrow(rest.clone(), len).ok_or_else(|| short(rest))?;
                *rest = rest.slice(len..);
                Ok(storage)
            }
            Source::Owned(all, _) if all.len() as u64 == bytes => Ok(std::mem::take(all)),
            Source::Owned(all, at) => {
                let mut rest = &all.bytes()[*at..];
                *at += bytes as usize;
                Storage::read(bytes, |part| {
                    // `take` has checked that enough bytes are left.
                    let (now, later) = rest.split_at(part.len());
                    part.copy_from_slice(now);
                    rest = later;
                    Ok(())
                })
            }
        }
    }

    /// The next `words` words as bytes that can be shared: in place if the payload is borrowed, else copied from the stream.
    pub fn shared(&mut self, words: u64, field: &'static str) -> Result<Bytes> {
        let storage = self.storage(words, field)?;
        Ok(storage.into_shared())
    }

    /// The next `count` words, copied.
    pub fn words(&mut self, count: u64, field: &'static str) -> Result<Vec<u64>> {
        self.items(count, field, |word| word)
    }

    /// What `make` makes of each of the next `count` words. A stream is never in memory as a whole.
    pub fn items<T>(
        &mut self,
        count: u64,
        field: &'static str,
        make: impl Fn(u64) -> T,
    ) -> Result<Vec<T>> {
        if !matches!(self.source, Source::Stream(..)) {
            return Ok(self.storage(count, field)?.words().map(make).collect());
        }
        let bytes = self.take(count, field)?;
        let mut items = Vec::new();
        reserve(&mut items, count)?;
        let (mut buffer, mut got) = ([0; 1 << 13], 0);
        while let Source::Stream(source, sums) = &mut self.source
            && got < bytes
        {
            let part = &mut buffer[..(bytes - got).min(1 << 13) as usize];
            read_exact(source, part, field, bytes, &mut got)?;
            sums.update(part);
            let (words, _) = part.as_chunks();
            items.extend(words.iter().map(|&word| make(u64::from_le_bytes(word))));
        }
        Ok(items)
    }

    /// Takes `words` words of what is left, and returns how many bytes they are.
    fn take(&mut self, words: u64, field: &'static str) -> Result<u64> {
        let bytes = words.saturating_mul(8);
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or(Error::Length {
            field,
            expected: bytes,
            got: self.left,
        })?;
        Ok(bytes)
    }

    /// The source behind the payload, and an error if words of the payload are left over.
    pub fn finish(self) -> Result<Source<'a>> {
        if self.left == 0 {
            return Ok(self.source);
        }
        let got = format!("{} bytes too long", self.left);
        Err(Error::field("the payload", got, "no more bytes"))
    }
}

/// Fills `part`. `field` needs `expected` bytes, of which `got` have come before.
pub fn read_exact(
    source: &mut dyn Read,
    mut part: &mut [u8],
    field: &'static str,
    expected: u64,
    got: &mut u64,
) -> Result<()> {
    while !part.is_empty() {
        match source.read(part) {
            Ok(0) => {
                let got = *got;
                return Err(Error::Length {
                    field,
                    expected,
                    got,
                });
            }
            Ok(read) => {
                *got += read as u64;
                part = &mut part[read..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::reading(error)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    #[test]
    fn words_come_back_as_they_went() {
        // More than two chunks; Miri takes minutes for one.
        let count: u64 = if cfg!(miri) { 1000 } else { 300_000 };
        let words: Vec<u64> = (0..count)
            .map(|i| i.wrapping_mul(0x0123_4567_89AB_CDEF))
            .collect();
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        writer
            .words(words.iter().copied())
            .expect("memory takes all");
        let sums = writer.finish();
        assert_eq!(bytes.len(), 8 * words.len());
        assert_eq!(sums, bytes.chunks(CHUNK).map(xxh3_64).collect::<Vec<_>>());

        let mut stream = bytes.as_slice();
        let source = Source::Stream(&mut stream, Box::default());
        let mut payload = Payload::new(source, words.len() as u64);
        assert_eq!(payload.words(1, "first").expect("is there"), words[..1]);
        assert_eq!(
            payload.words(count - 1, "rest").expect("are there"),
            words[1..]
        );
        assert!(payload.words(1, "more").is_err());
        let Ok(Source::Stream(_, read)) = payload.finish() else {
            panic!("all was read");
        };
        assert_eq!(read.finish(), sums);
    }

    #[test]
    fn writer_stops_with_its_sink() {
        struct Ends;

        impl io::Write for Ends {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                assert!(bytes.len() <= CHUNK);
                Err(io::ErrorKind::WriteZero.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (mut ends, bytes) = (Ends, vec![7; 3 * CHUNK]);
        let mut writer = Writer::new(&mut ends);
        assert!(writer.bytes(&bytes).is_err());
        assert!(writer.finish().is_empty(), "nothing was summed up");
    }

    #[test]
    fn owned_payload_is_handed_over_whole_or_copied_in_parts() {
        let all: Vec<u8> = (0..64).collect();
        let owned = || Payload::new(Source::Owned(Storage::copy_of(&all), 0), 8);
        let mut payload = owned();
        assert_eq!(payload.storage(8, "all").expect("is there").bytes(), all);
        assert!(payload.storage(1, "more").is_err() && payload.finish().is_ok());
        let mut payload = owned();
        assert_eq!(
            payload.storage(3, "first").expect("is there").bytes(),
            &all[..24]
        );
        let rest = payload.words(5, "rest").expect("are there");
        assert_eq!(rest[4].to_le_bytes(), all[56..]);
        assert!(payload.finish().is_ok());
    }

    #[test]
    fn lengths_are_checked_before_they_are_used() {
        for count in [3, 1 << 40, u64::MAX] {
            let mut stream: &[u8] = &[0; 16];
            let source = Source::Stream(&mut stream, Box::default());
            let error = Payload::new(source, 2).words(count, "the cells");
            assert!(matches!(
                error,
                Err(Error::Length {
                    field: "the cells",
                    got: 16,
                    ..
                })
            ));
        }
        let mut parameters = Parameters::new(&[0, 7]);
        assert!(parameters.word_in(1..=5, "the functions").is_err());
        assert!(parameters.clone().finish().is_err());
        assert_eq!(parameters.word("another").expect("is there"), 7);
        assert!(parameters.word("a third").is_err());
        assert!(parameters.finish().is_ok());
    }

    #[test]
    fn truncated_stream_is_an_error_with_both_lengths() {
        let mut stream: &[u8] = &[0; 20];
        let source = Source::Stream(&mut stream, Box::default());
        let error = Payload::new(source, 3).words(3, "the cells");
        assert!(matches!(
            error,
            Err(Error::Length {
                field: "the cells",
                expected: 24,
                got: 20
            })
        ));
    }
}
