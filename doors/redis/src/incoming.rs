//! A filter that arrives in chunks.
//!
//! A file of 100 MB should not be one command: it would stop all other clients while the server reads it. So a client sends it piece by
//! piece, in order. The first piece holds the header, which has its own checksum and says how long the file is: the size is
//! compared with the limits, and then memory is taken for all of it. Each piece is verified as it arrives, so the last one takes little longer.
//!
//! Until then the key answers from the filter it had before, or with an error if it had none. It never answers from a part.

use crate::ffi::{Call, Target};
use crate::limits::{Budget, TooLarge};
use crate::value::Broken;
use bloomwise::format::{Arriving, Header};
use bloomwise::{AnyFilter, Error, Persist};
use valkey_module::ValkeyError;

/// The part of a file that has been received so far. Boxed, since most keys have none.
#[derive(Clone, Debug)]
pub struct Incoming(Box<Arriving>);

/// Why bytes were refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// They are not those of a filter.
    #[error(transparent)]
    Filter(#[from] Error),
    /// The filter would be too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The key was left half changed.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The header is not complete.
    #[error(
        "the first chunk has no whole header; send at least {} bytes first",
        Header::MAX_LEN
    )]
    Cut,
    /// The client gives another length than the header.
    #[error(
        "the file was said to have {given} bytes, and its header says {total}; give the length of the file"
    )]
    OtherLength {
        /// What the client gives.
        given: u64,
        /// What the header says.
        total: u64,
    },
    /// A chunk was left out, or comes again.
    #[error("the chunk starts at byte {got}, expected {expected}; send the chunks in order")]
    NotTheNext {
        /// Where it starts.
        got: u64,
        /// The bytes that were received.
        expected: u64,
    },
    /// The chunk is longer than the rest of the file.
    #[error("the chunk ends at byte {end}, and the filter has {total}; send only the filter")]
    TooLong {
        /// Where the chunk ends.
        end: u64,
        /// The bytes of the file.
        total: u64,
    },
    /// There was no first chunk.
    #[error("no filter is arriving; send the first chunk first")]
    NotStarted,
}

impl Incoming {
    /// Starts with the first chunk of a file, of `total` bytes if that is known.
    ///
    /// # Errors
    ///
    /// The chunk does not start like a filter, does not hold its header, or the filter would be too large.
    pub fn start(first: &[u8], total: Option<u64>, budget: &mut Budget) -> Result<Self, Refused> {
        let header = checked_header(first, budget)?;
        expect_total(header.encoded_len(), total)?;
        let mut incoming = Incoming(Box::new(Arriving::new(header)?));
        incoming.push(0, total, first)?;
        Ok(incoming)
    }

    /// Adds the next chunk, which starts at byte `offset` of the file, of `total` bytes if that is known.
    ///
    /// # Errors
    ///
    /// It is not the next one, or longer than the file. Nothing is added.
    pub fn push(&mut self, offset: u64, total: Option<u64>, chunk: &[u8]) -> Result<(), Refused> {
        expect_total(self.total(), total)?;
        let (expected, total) = (self.received(), self.total());
        if offset != expected {
            let got = offset;
            return Err(Refused::NotTheNext { got, expected });
        }
        let end = expected.saturating_add(chunk.len() as u64);
        if end > total {
            return Err(Refused::TooLong { end, total });
        }
        Ok(self.0.push(chunk)?)
    }

    /// Whether the whole file was received.
    pub fn is_complete(&self) -> bool {
        self.received() == self.total()
    }

    /// The bytes of the file.
    pub fn total(&self) -> u64 {
        self.0.total()
    }

    /// The bytes that were received.
    pub fn received(&self) -> u64 {
        self.0.received()
    }

    /// What was received, in order. Where it is cut does not depend on the chunks.
    pub fn parts(&self) -> [&[u8]; 3] {
        self.0.parts()
    }

    /// The filter.
    ///
    /// # Errors
    ///
    /// The file is damaged or not complete.
    pub fn finish(self) -> Result<AnyFilter, Error> {
        (*self.0).finish()
    }
}

/// Receives a chunk of a file, of `total` bytes if that is known. If the file is complete and damaged, it is forgotten, on replicas, too.
///
/// # Errors
///
/// The chunk is not the next one, or the limits or the filter refuse it.
pub fn receive(
    call: &Call<'_>,
    target: Target<'_>,
    offset: u64,
    total: Option<u64>,
    chunk: &[u8],
) -> Result<(), Refused> {
    let Target { value, budget, .. } = target;
    let had = value.incoming().is_some();
    let received = value.receive(offset, total, chunk, budget);
    if received.is_err() && had && value.incoming().is_none() {
        call.replicate_as("BW.LOAD", &[b"", b"ABORT"]);
    }
    received
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

/// The header at the start of a file, if the limits allow such a filter.
///
/// # Errors
///
/// There is no whole header, or the filter would be too large.
pub fn checked_header(start: &[u8], budget: &mut Budget) -> Result<Header, Refused> {
    let header = match Header::read(start) {
        Err(Error::Length { .. }) if start.len() < Header::MAX_LEN => return Err(Refused::Cut),
        header => header?,
    };
    let bytes = header.size_in_bits() / 8;
    budget.take(bytes, bytes)?;
    Ok(header)
}

/// An error unless the length that a client gives is that of the header.
fn expect_total(total: u64, given: Option<u64>) -> Result<(), Refused> {
    match given {
        Some(given) if given != total => Err(Refused::OtherLength { given, total }),
        _ => Ok(()),
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
        let mut chunks = bytes.chunks(4096);
        let first = chunks.next().expect("one");
        let mut incoming =
            Incoming::start(first, None, &mut Budget::unlimited()).expect("a filter");
        for chunk in chunks {
            assert!(!incoming.is_complete());
            incoming
                .push(incoming.received(), None, chunk)
                .expect("the next");
        }
        assert!(incoming.is_complete() && incoming.total() == bytes.len() as u64);
        assert_eq!(incoming.parts().concat(), bytes);
        let filter = incoming.finish().expect("whole");
        assert!((0..10_000u64).all(|key| filter.contains(key)));
    }

    #[test]
    fn wrong_chunks_are_errors_that_change_nothing() {
        let bytes = bytes();
        let mut incoming =
            Incoming::start(&bytes[..5000], None, &mut Budget::unlimited()).expect("a filter");
        let before = incoming.received();
        for (offset, chunk) in [
            (0, &bytes[..10]),
            (4999, &bytes[4999..]),
            (5001, &bytes[5001..]),
        ] {
            let error = incoming
                .push(offset, None, chunk)
                .expect_err("not the next");
            assert!(error.to_string().contains("expected 5000"), "{error}");
        }
        let error = incoming.push(5000, None, &bytes).expect_err("too long");
        assert!(error.to_string().contains("and the filter has"), "{error}");
        assert_eq!(incoming.received(), before);
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
        incoming.push(5000, None, &bytes[5000..]).expect("the rest");
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
