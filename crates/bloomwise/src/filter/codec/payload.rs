//! Reads the payload of a filter, from a stream or from memory.

use super::writer::Sums;
use crate::cells::doubt::Doubt;
use crate::cells::storage::Storage;
use crate::error::{Error, Result};
use crate::machine::memory::{Need, reserve};
use bytes::Bytes;
use std::io::{self, Read};

/// Reads the payload of a filter, which is copied from a stream, borrowed, or moved.
pub struct Payload<'a> {
    /// Where the payload comes from.
    source: Source<'a>,
    /// The bytes that have not been read yet.
    left: u64,
}

/// Where a payload comes from.
pub enum Source<'a> {
    /// A stream, and the checksums of the bytes read so far.
    Stream(&'a mut dyn Read, Box<Sums>),
    /// Bytes that another owner holds: the rest of the payload and of the file. The doubt is set unless the bytes have been verified.
    Borrowed(Bytes, Option<Doubt>),
    /// The whole payload, and how many of its bytes have been read. A filter with one array takes over the payload; other filters copy
    /// their arrays from it.
    Owned(Storage, usize),
}

impl<'a> Payload<'a> {
    /// Starts reading a payload of `words` words.
    pub fn new(source: Source<'a>, words: u64) -> Self {
        Payload {
            source,
            left: words.saturating_mul(8),
        }
    }

    /// Whether the payload is borrowed. Then [`Payload::storage`] does not copy.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.source, Source::Borrowed(..))
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
            Source::Borrowed(rest, doubt) => {
                let short = |rest: &Bytes| Error::Length {
                    field,
                    expected: bytes,
                    got: rest.len() as u64,
                };
                let len = usize::try_from(bytes).map_err(|_| short(rest))?;
                let storage = Storage::borrow(rest.clone(), len).ok_or_else(|| short(rest))?;
                *rest = rest.slice(len..);
                Ok(storage.with_doubt(doubt.clone()))
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

    /// The next `words` words as shared bytes: in place if the payload is borrowed, else copied from the stream.
    pub fn shared(&mut self, words: u64, field: &'static str) -> Result<Bytes> {
        let storage = self.storage(words, field)?;
        Ok(storage.into_shared())
    }

    /// The next `count` words, copied.
    pub fn words(&mut self, count: u64, field: &'static str) -> Result<Vec<u64>> {
        self.items(count, field, |word| word)
    }

    /// The next `count` words, each converted by `make`. A stream is never in memory as a whole.
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
        reserve(&mut items, count, Need::Cells)?;
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

    /// Consumes `words` words and returns their length in bytes.
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

    /// The source after the payload. Returns an error if words of the payload are left over.
    pub fn finish(self) -> Result<Source<'a>> {
        if self.left == 0 {
            return Ok(self.source);
        }
        let got = format!("{} bytes too long", self.left);
        Err(Error::field("the payload", got, "no more bytes"))
    }
}

/// Fills `part` from a stream. `field` needs `expected` bytes, `got` of which have been read before.
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
    use super::super::writer::{CHUNK, Writer};
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
        let (sums, _) = writer.finish();
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
