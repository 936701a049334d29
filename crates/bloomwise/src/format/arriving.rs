//! A file that arrives in chunks.
//!
//! The header says how long the file is, so all memory is allocated when the header has arrived. Each chunk is copied to its place and added to
//! the checksums at once. When the last chunk arrives, only the checksums have to be compared and the cells checked.
//!
//! A filter that accepts changes owns its cells. If it has one array, the received payload becomes that array; if it has several, they are
//! copied. A filter of a fixed set, or of several shards, answers from the payload, and its copies share it.

use super::{Header, Persist};
use crate::cells::storage::{PADDING, Storage};
use crate::error::{Error, Result};
use crate::filter::codec::{Form, Source, Sums};
use crate::filter::family::Operation;
use std::fmt;

/// The part of a file that has been received so far.
///
/// ```
/// use bloomwise::format::{Arriving, Header};
/// use bloomwise::{AnyFilter, Bloom, Filter, Persist, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let file = Bloom::builder(Size::Rate(0.01)).build_from_keys(0..10_000)?.to_bytes();
/// let header = Header::read(&file[..])?;
/// assert!(header.encoded_len() < 20_000, "compared with a limit");
/// let mut arriving = Arriving::new(header)?;
/// for chunk in file.chunks(5000) {
///     arriving.push(chunk)?;
/// }
/// let filter: AnyFilter = arriving.finish()?;
/// assert!((0..10_000).all(|key| filter.contains(key)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Arriving {
    /// What the header says, such as the length of the file.
    header: Header,
    /// What was received before the payload.
    start: Vec<u8>,
    /// The payload, zero where no bytes have arrived.
    payload: Storage,
    /// The bytes of the payload that were received.
    filled: usize,
    /// The checksums of the payload so far.
    sums: Sums,
    /// What was received after the payload.
    table: Vec<u8>,
}

impl Arriving {
    /// Allocates memory for the file of this header. The header may come from anyone: compare [`Header::encoded_len`] with a limit first.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new(header: Header) -> Result<Self> {
        let padding = if is_owned(&header) { 0 } else { PADDING as u64 };
        let payload = payload_len(&header).saturating_add(padding);
        Ok(Arriving {
            payload: Storage::new(payload)?,
            header,
            start: Vec::new(),
            filled: 0,
            sums: Sums::default(),
            table: Vec::new(),
        })
    }

    /// Takes the next bytes of the file, starting with its first.
    ///
    /// # Errors
    ///
    /// The file would be longer than its header says. Then no bytes are taken.
    pub fn push(&mut self, mut chunk: &[u8]) -> Result<()> {
        let end = self.received().saturating_add(chunk.len() as u64);
        if end > self.total() {
            self.header.expect_file_len(end)?;
        }
        let start = self.header.payload_start() - self.start.len() as u64;
        self.start.extend_from_slice(first(&mut chunk, start));
        let cells = first(&mut chunk, payload_len(&self.header) - self.filled as u64);
        self.payload.padded_mut()[self.filled..][..cells.len()].copy_from_slice(cells);
        self.sums.update(cells);
        self.filled += cells.len();
        self.table.extend_from_slice(chunk);
        Ok(())
    }

    /// The length of the complete file in bytes.
    pub fn total(&self) -> u64 {
        self.header.encoded_len()
    }

    /// The number of bytes received so far.
    pub fn received(&self) -> u64 {
        (self.start.len() + self.filled + self.table.len()) as u64
    }

    /// The received bytes, in order, as three slices. The chunks do not affect where they are cut.
    pub fn parts(&self) -> [&[u8]; 3] {
        let cells = &self.payload.bytes()[..self.filled];
        [&self.start, cells, &self.table]
    }

    /// The filter, once the file is complete.
    ///
    /// # Errors
    ///
    /// The file is incomplete, or is not exactly what [`Persist::to_bytes`] gives for a filter of this type.
    pub fn finish<F: Persist>(self) -> Result<F> {
        F::from_arrived(self)
    }

    /// The header and the payload of a file whose checksums match.
    pub(super) fn into_source(self) -> Result<(Header, Source<'static>)> {
        self.header.expect_file_len(self.received())?;
        if self.start != self.header.to_bytes() {
            let got = "another header";
            return Err(Error::field(
                "the start of the file",
                got,
                "its header and zeros",
            ));
        }
        self.header.check_sums(self.sums, &mut &self.table[..])?;
        let source = match is_owned(&self.header) {
            true => Source::Owned(self.payload, 0),
            false => Source::Borrowed(self.payload.into_shared(), None),
        };
        Ok((self.header, source))
    }
}

/// Whether the filter of a file must own its cells because it accepts changes. A change to one shard copies only that shard.
fn is_owned(header: &Header) -> bool {
    header.form() == Form::Plain && header.family().can(Operation::Insert)
}

/// The length of the payload in bytes.
fn payload_len(header: &Header) -> u64 {
    header.payload_words().saturating_mul(8)
}

/// Takes the first bytes of a chunk, at most `most`.
fn first<'a>(chunk: &mut &'a [u8], most: u64) -> &'a [u8] {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let (first, rest) = chunk.split_at(chunk.len().min(most));
    *chunk = rest;
    first
}

impl fmt::Debug for Arriving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Arriving({} of {} bytes)", self.received(), self.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::insert::Insert;
    use crate::{Bloom, Filter, Growing, Guarded, KeySets, Size};

    /// Keys of the filters; Miri is slow.
    const KEYS: u64 = if cfg!(miri) { 300 } else { 2000 };

    fn arrived<F: Persist>(file: &[u8], chunk: usize) -> Result<F> {
        let mut arriving = Arriving::new(Header::read(file)?)?;
        for chunk in file.chunks(chunk) {
            arriving.push(chunk)?;
        }
        arriving.finish()
    }

    #[test]
    fn file_in_chunks_is_the_file() {
        let bloom = Bloom::builder(Size::BitsPerKey(12.0)).build_from_keys(0..KEYS);
        let bloom = bloom.expect("sound");
        let mut growing = Growing::builder(Size::Rate(0.01))
            .capacity(100)
            .create()
            .expect("sound");
        growing.extend(0..KEYS);
        let mut sets = KeySets::builder(crate::Hashing::default());
        sets.positives(0..KEYS / 4)
            .negatives((KEYS..KEYS + KEYS / 4).map(|key| (key, 1.0)));
        let guarded = Guarded::builder(Size::BitsPerKey(10.0)).build(&sets.build().expect("sound"));
        let guarded = guarded.expect("sound");
        for chunk in [1, 7, 64, 333, 1 << 20] {
            let again: Bloom = arrived(&bloom.to_bytes(), chunk).expect("whole");
            assert_eq!(again, bloom);
            let mut again: Growing = arrived(&growing.to_bytes(), chunk).expect("whole");
            assert_eq!(again, growing);
            again.extend(KEYS..2 * KEYS);
            assert!((0..2 * KEYS).all(|key| again.contains(key)));
            let again: Guarded = arrived(&guarded.to_bytes(), chunk).expect("whole");
            assert_eq!(again, guarded);
        }
    }

    #[test]
    fn what_was_received_does_not_depend_on_the_chunks() {
        let bloom = Bloom::builder(Size::BitsPerKey(12.0)).build_from_keys(0..KEYS);
        let file = bloom.expect("sound").to_bytes();
        for length in [0, 79, 130, file.len() / 2, file.len() - 3, file.len()] {
            let of = |chunk: usize| {
                let header = Header::read(&file[..]).expect("sound");
                let mut arriving = Arriving::new(header).expect("memory");
                for chunk in file[..length].chunks(chunk) {
                    arriving.push(chunk).expect("the next");
                }
                assert_eq!(arriving.received(), length as u64);
                assert_eq!(arriving.parts().concat(), &file[..length]);
                arriving.parts().map(<[u8]>::len)
            };
            assert_eq!(of(17), of(1 << 20));
        }
    }

    #[test]
    fn damage_is_an_error_wherever_it_is() {
        let bloom = Bloom::builder(Size::BitsPerKey(12.0)).build_from_keys(0..300u64);
        let file = bloom.expect("sound").to_bytes();
        let header = || Header::read(&file[..]).expect("sound");
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 4;
            let mut arriving = Arriving::new(header()).expect("memory");
            arriving.push(&damaged).expect("as long");
            assert!(arriving.finish::<Bloom>().is_err(), "byte {at}");
        }
        let mut arriving = Arriving::new(header()).expect("memory");
        arriving.push(&file[..file.len() - 1]).expect("the start");
        assert!(arriving.push(b"ab").is_err(), "too long");
        assert!(arriving.clone().finish::<Bloom>().is_err(), "too short");
        arriving
            .push(&file[file.len() - 1..])
            .expect("the last byte");
        assert!(arriving.finish::<Bloom>().is_ok());
    }
}
