//! A filter that arrives in chunks.
//!
//! A file of 100 MB should not be one command: it would stop all other clients while the server reads it. So a client sends it piece by
//! piece, in order. The first piece holds the header, which has its own checksum and says how long the file is: the size is
//! compared with the limits before anything is kept. When the last byte has come, the whole file is verified.
//!
//! Until then the key answers from the filter it had before, or with an error if it had none. It never answers from a part.

use crate::limits::Budget;
use bloomwise::{AnyFilter, Error, Header, Persist};
use std::collections::VecDeque;
use std::io::{self, Read};
use valkey_module::ValkeyError;

/// The bytes of a file that surely include its header.
pub const HEADER: usize = 4096;

/// The part of a file that has come so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Incoming {
    /// The bytes of the file.
    total: u64,
    /// The bytes that have come.
    received: u64,
    /// What has come, in order.
    chunks: VecDeque<Vec<u8>>,
}

impl Incoming {
    /// Starts with the first chunk of a file, of `total` bytes if that is known.
    ///
    /// # Errors
    ///
    /// The chunk does not start like a filter, does not hold its header, or the filter would be too large.
    pub fn start(
        first: &[u8],
        total: Option<u64>,
        budget: &mut Budget,
    ) -> Result<Self, ValkeyError> {
        let mut incoming = Incoming {
            total: checked_header(first, budget)?.encoded_len(),
            ..Incoming::default()
        };
        incoming.expect_total(total)?;
        incoming.push(0, first)?;
        Ok(incoming)
    }

    /// Checks the number of bytes that a client gives.
    ///
    /// # Errors
    ///
    /// It is not that of the header.
    pub fn expect_total(&self, given: Option<u64>) -> Result<(), ValkeyError> {
        let total = self.total;
        match given {
            Some(given) if given != total => Err(ValkeyError::String(format!(
                "ERR the file was said to have {given} bytes, and its header says {total}; give the length of the file"
            ))),
            _ => Ok(()),
        }
    }

    /// Adds the next chunk, which starts at byte `offset` of the file.
    ///
    /// # Errors
    ///
    /// It is not the next one, or longer than the file. Nothing is added.
    pub fn push(&mut self, offset: u64, chunk: &[u8]) -> Result<(), ValkeyError> {
        let (received, total) = (self.received, self.total);
        if offset != received {
            let text = format!(
                "ERR the chunk starts at byte {offset}, expected {received}; send the chunks in order"
            );
            return Err(ValkeyError::String(text));
        }
        let end = received.saturating_add(chunk.len() as u64);
        if end > total {
            let text = format!(
                "ERR the chunk ends at byte {end}, and the filter has {total}; send only the filter"
            );
            return Err(ValkeyError::String(text));
        }
        self.received = end;
        if !chunk.is_empty() {
            self.chunks.push_back(chunk.to_vec());
        }
        Ok(())
    }

    /// Whether the whole file has come.
    pub fn is_complete(&self) -> bool {
        self.received == self.total
    }

    /// The bytes of the file.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The bytes that have come.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// What has come, in order.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(|chunk| &chunk[..])
    }

    /// The filter. Chunks are freed as they are read.
    ///
    /// # Errors
    ///
    /// The file is damaged or not complete.
    pub fn finish(self) -> Result<AnyFilter, Error> {
        AnyFilter::read_from(Chunks {
            chunks: self.chunks,
            at: 0,
        })
    }
}

/// The filter of a whole file.
///
/// # Errors
///
/// The file is damaged or the filter would be too large.
pub fn decode(bytes: &[u8], budget: &mut Budget) -> Result<AnyFilter, ValkeyError> {
    // The short form has no header. It holds all its cells, so the filter is no larger than the bytes.
    match checked_header(bytes, budget) {
        Err(Refused::Filter(Error::ShortForm)) => {
            budget.take(bytes.len() as u64, bytes.len() as u64)?;
        }
        header => _ = header?,
    }
    Ok(AnyFilter::from_bytes(bytes)?)
}

/// Why a header was refused.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Filter(#[from] Error),
    #[error(transparent)]
    TooLarge(#[from] crate::limits::TooLarge),
    #[error("the first chunk has no whole header; send at least {HEADER} bytes first")]
    Cut,
}

/// The header at the start of a file, if the limits allow such a filter.
fn checked_header(start: &[u8], budget: &mut Budget) -> Result<Header, Refused> {
    let header = match Header::read(start) {
        Err(Error::Length { .. }) if start.len() < HEADER => return Err(Refused::Cut),
        header => header?,
    };
    let bytes = header.size_in_bits() / 8;
    budget.take(bytes, bytes)?;
    Ok(header)
}

/// Reads chunks one after the other.
struct Chunks {
    /// Those that were not read to their end.
    chunks: VecDeque<Vec<u8>>,
    /// The bytes that were read of the first one.
    at: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(first) = self.chunks.front() else {
            return Ok(0);
        };
        let read = (&first[self.at..]).read(buffer)?;
        self.at += read;
        if self.at == first.len() {
            self.chunks.pop_front();
            self.at = 0;
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Family, Filter, Size, Spec};

    fn bytes() -> Vec<u8> {
        let spec = Spec::new(Family::Bloom).size(Size::BitsPerKey(12.0));
        spec.build_from_keys(0..10_000u64)
            .expect("sound")
            .to_bytes()
    }

    #[test]
    fn file_in_chunks_is_the_file() {
        let bytes = bytes();
        let mut chunks = bytes.chunks(HEADER);
        let first = chunks.next().expect("one");
        let mut incoming =
            Incoming::start(first, None, &mut Budget::unlimited()).expect("a filter");
        for chunk in chunks {
            assert!(!incoming.is_complete());
            incoming.push(incoming.received(), chunk).expect("the next");
        }
        assert!(incoming.is_complete() && incoming.total() == bytes.len() as u64);
        assert_eq!(incoming.chunks().collect::<Vec<_>>().concat(), bytes);
        let filter = incoming.finish().expect("whole");
        assert!((0..10_000u64).all(|key| filter.contains(key)));
    }

    #[test]
    fn wrong_chunks_are_errors_that_change_nothing() {
        let bytes = bytes();
        let mut incoming =
            Incoming::start(&bytes[..5000], None, &mut Budget::unlimited()).expect("a filter");
        let before = incoming.clone();
        for (offset, chunk) in [
            (0, &bytes[..10]),
            (4999, &bytes[4999..]),
            (5001, &bytes[5001..]),
        ] {
            let error = incoming.push(offset, chunk).expect_err("not the next");
            assert!(error.to_string().contains("expected 5000"), "{error}");
        }
        let error = incoming.push(5000, &bytes).expect_err("too long");
        assert!(error.to_string().contains("and the filter has"), "{error}");
        assert_eq!(incoming, before);
        assert!(incoming.finish().is_err(), "not complete");
        let other = Incoming::start(&bytes[..5000], Some(7), &mut Budget::unlimited());
        let other = other.expect_err("not its length");
        assert!(
            other.to_string().contains("said to have 7 bytes"),
            "{other}"
        );
        let cut =
            Incoming::start(&bytes[..50], None, &mut Budget::unlimited()).expect_err("no header");
        assert!(cut.to_string().contains("at least 4096 bytes"), "{cut}");
    }

    #[test]
    fn damaged_file_is_an_error_at_its_end() {
        let mut bytes = bytes();
        bytes[7000] ^= 1;
        let mut incoming =
            Incoming::start(&bytes[..5000], None, &mut Budget::unlimited()).expect("a header");
        incoming.push(5000, &bytes[5000..]).expect("the rest");
        assert!(matches!(incoming.finish(), Err(Error::Checksum { .. })));
        assert!(decode(&bytes, &mut Budget::unlimited()).is_err());
    }

    #[test]
    fn both_forms_are_decoded() {
        let spec = Spec::new(Family::Bloom).size(Size::BitsPerKey(12.0));
        let filter = spec.build_from_keys(["ant"]).expect("sound");
        for bytes in [filter.to_bytes(), filter.to_short_bytes()] {
            let again = decode(&bytes, &mut Budget::unlimited()).expect("a filter");
            assert_eq!(again, filter);
        }
    }
}
