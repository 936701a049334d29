//! Reads a saved learner: the fields first, then one counter at a time. Every field is validated.

use super::distinct::Distinct;
use super::learner::Sums;
use crate::error::{Error, Result};
use crate::keys::hash::Hashing;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use xxhash_rust::xxh3::Xxh3;

/// The first bytes of a saved learner.
pub(super) const MAGIC: &[u8; 8] = b"BLOOMLRN";

/// The version of the layout.
pub(super) const VERSION: u64 = 1;

/// How many bytes are read at a time.
const BUFFER: usize = 1 << 16;

/// A saved learner whose checksum is right. Its fields have been read, its counters have not.
pub(super) struct Saved<R> {
    /// How the learner hashes keys.
    pub hashing: Hashing,
    /// Numbers about its stream.
    pub sums: Sums,
    /// The latest time that it was given.
    pub clock: Option<f64>,
    /// The number of counters, as the file states it. It has not been verified.
    pub counters: u64,
    /// The sketch of its distinct keys.
    pub distinct: Distinct,
    /// The rest of the bytes: the counters.
    pub source: Source<io::Take<R>>,
}

impl<R: Read + Seek> Saved<R> {
    /// Checks magic, checksum and fields.
    pub fn open(mut source: R) -> Result<Self> {
        let length = source.seek(SeekFrom::End(0)).map_err(unreadable)?;
        source.rewind().map_err(unreadable)?;
        let content = length.checked_sub(8).ok_or(TOO_SHORT)?;
        let mut start = Vec::new();
        let magic = source.by_ref().take(MAGIC.len() as u64);
        magic
            .take(content)
            .read_to_end(&mut start)
            .map_err(unreadable)?;
        if start != MAGIC {
            return Err(damaged("it does not start with \"BLOOMLRN\""));
        }
        source.rewind().map_err(unreadable)?;
        let expected = checksum(source.by_ref().take(content))?;
        let mut sum = [0; 8];
        source.read_exact(&mut sum).map_err(unreadable)?;
        if expected != u64::from_le_bytes(sum) {
            return Err(damaged("the checksum does not match"));
        }
        let start = SeekFrom::Start(MAGIC.len() as u64);
        source.seek(start).map_err(unreadable)?;
        Self::read(Source::new(source.take(content - MAGIC.len() as u64)))
    }

    fn read(mut source: Source<io::Take<R>>) -> Result<Self> {
        let version = source.word()?;
        if version & 0xFFFF != VERSION || version >> 24 != 0 {
            return Err(damaged("this program does not know its version"));
        }
        let seed = u128::from(source.word()?) | u128::from(source.word()?) << 64;
        let hashing = Hashing::from_parts((version >> 16) as u8, seed)
            .map_err(|_| damaged("this program does not know its hash"))?;
        let sums = Sums {
            events: source.word()?,
            total: source.cost()?,
            offset: source.cost()?,
            bar: source.cost()?,
        };
        if sums.offset.max(sums.bar) > sums.total {
            return Err(damaged("a bound exceeds the cost of all events"));
        }
        let clock = match f64::from_bits(source.word()?) {
            time if time.is_infinite() => return Err(damaged("the time is out of range")),
            time => Some(time).filter(|time| !time.is_nan()),
        };
        let counters = source.word()?;
        let distinct = Distinct::from_registers(&source.chunk::<{ Distinct::REGISTERS }>()?)
            .ok_or_else(|| damaged("a register is out of range"))?;
        Ok(Saved {
            hashing,
            sums,
            clock,
            counters,
            distinct,
            source,
        })
    }
}

/// The checksum of these bytes.
fn checksum(source: impl Read) -> Result<u64> {
    let mut source = BufReader::with_capacity(BUFFER, source);
    let mut sum = Xxh3::new();
    loop {
        let part = source.fill_buf().map_err(unreadable)?;
        if part.is_empty() {
            return Ok(sum.digest());
        }
        sum.update(part);
        let length = part.len();
        source.consume(length);
    }
}

/// Returns bytes one field at a time.
pub(super) struct Source<R>(BufReader<R>);

impl<R: Read> Source<R> {
    fn new(source: R) -> Self {
        Source(BufReader::with_capacity(BUFFER, source))
    }

    pub fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.0
            .read_exact(bytes)
            .map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => TOO_SHORT,
                _ => unreadable(error),
            })
    }

    pub fn chunk<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut chunk = [0; N];
        self.fill(&mut chunk)?;
        Ok(chunk)
    }

    pub fn word(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.chunk()?))
    }

    /// Reads a sum of costs. Sums may be somewhat above [`super::Learner::MAX_TOTAL`].
    pub fn cost(&mut self) -> Result<f64> {
        let cost = f64::from_bits(self.word()?);
        match (0.0..=1e200).contains(&cost) {
            true => Ok(cost),
            false => Err(damaged("a cost is out of range")),
        }
    }

    pub fn is_empty(&mut self) -> Result<bool> {
        Ok(self.0.fill_buf().map_err(unreadable)?.is_empty())
    }
}

const TOO_SHORT: Error = Error::Learner {
    what: "it is too short",
};

fn unreadable(source: io::Error) -> Error {
    Error::Stream {
        action: "reading the learner of",
        source,
    }
}

/// The error for bytes that do not hold a learner.
pub(super) fn damaged(what: &'static str) -> Error {
    Error::Learner { what }
}
