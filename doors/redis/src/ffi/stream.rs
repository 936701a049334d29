//! Filters as strings of an RDB file.
//!
//! A filter is written as the number of its bytes and then the bytes, in strings of at most 1 MiB. So saving needs no copy of the filter, and
//! loading knows from the first string whether the limits allow it.

use super::pieces::Pieces;
use crate::incoming::{Incoming, Refused, checked_header};
use crate::limits::Budget;
use bloomwise::{AnyFilter, Error, Persist};
use std::io::{self, Read, Write};
use valkey_module::{RedisBuffer, raw};

/// The most bytes of a string.
const CHUNK: usize = 1 << 20;

/// The file that the server saves to or loads from.
pub struct Rdb(pub *mut raw::RedisModuleIO);

/// Why a key was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The filter is damaged or too large.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The module does not write this.
    #[error("{0}")]
    Unknown(&'static str),
}

impl From<Error> for Unreadable {
    fn from(error: Error) -> Self {
        Unreadable::Refused(error.into())
    }
}

impl Rdb {
    /// Writes a number.
    pub fn save_number(&self, number: u64) {
        raw::save_unsigned(self.0, number);
    }

    /// Writes a filter.
    pub fn save_filter(&self, filter: &AnyFilter) {
        let total = filter.encoded_len();
        self.save_number(total);
        // The server remembers that it could not write; there is nobody to tell here.
        _ = filter.write_to(&mut self.strings(total));
    }

    /// Writes a filter that is arriving.
    pub fn save_incoming(&self, incoming: &Incoming) {
        self.save_number(incoming.received());
        let mut strings = self.strings(incoming.received());
        for part in incoming.parts() {
            // As above.
            _ = strings.write_all(part);
        }
        _ = strings.flush();
    }

    /// Writes `total` bytes as strings.
    fn strings(&self, total: u64) -> Pieces<impl FnMut(&[u8]) + use<'_>> {
        Pieces::new(CHUNK, total, |string| raw::save_slice(self.0, string))
    }

    /// Reads a number.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn load_number(&self) -> Result<u64, Unreadable> {
        raw::load_unsigned(self.0).map_err(|_| Unreadable::Unknown("a number is missing"))
    }

    /// Reads a filter.
    ///
    /// # Errors
    ///
    /// It is damaged or too large.
    pub fn load_filter(&self, budget: &mut Budget) -> Result<AnyFilter, Unreadable> {
        let total = self.load_number()?;
        let first = self.load_string()?;
        if checked_header(first.as_ref(), budget)?.encoded_len() != total {
            return Err(Unreadable::Unknown("the length is not that of the header"));
        }
        let mut source = Loading {
            rdb: self,
            string: first,
            at: 0,
            left: total,
        };
        let filter = AnyFilter::read_from(&mut source)?;
        match source.left == 0 && source.at == source.string.as_ref().len() {
            true => Ok(filter),
            false => Err(Unreadable::Unknown("bytes follow the filter")),
        }
    }

    /// Reads a filter that was arriving.
    ///
    /// # Errors
    ///
    /// It is damaged or too large.
    pub fn load_incoming(&self, budget: &mut Budget) -> Result<Incoming, Unreadable> {
        let received = self.load_number()?;
        let mut incoming = Incoming::start(self.load_string()?.as_ref(), None, budget)?;
        while incoming.received() < received {
            let string = self.load_string()?;
            let chunk = string.as_ref();
            if chunk.is_empty() {
                return Err(Unreadable::Unknown("an empty string"));
            }
            incoming.push(incoming.received(), None, chunk)?;
        }
        match incoming.received() == received && !incoming.is_complete() {
            true => Ok(incoming),
            false => Err(Unreadable::Unknown("more bytes than were received")),
        }
    }

    /// Reads a string.
    ///
    /// # Errors
    ///
    /// There is none, or it is longer than the module writes.
    fn load_string(&self) -> Result<RedisBuffer, Unreadable> {
        let string = raw::load_string_buffer(self.0);
        let string = string.map_err(|_| Unreadable::Unknown("a string is missing"))?;
        match string.as_ref().len() <= CHUNK {
            true => Ok(string),
            false => Err(Unreadable::Unknown("a string is longer than 1 MiB")),
        }
    }
}

/// Reads strings one after the other.
struct Loading<'a> {
    /// The file.
    rdb: &'a Rdb,
    /// The string that is being read.
    string: RedisBuffer,
    /// The bytes that were read of it.
    at: usize,
    /// The bytes that are still to be read, of all strings.
    left: u64,
}

impl Read for Loading<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 || buffer.is_empty() {
            return Ok(0);
        }
        if self.at == self.string.as_ref().len() {
            self.string = self.rdb.load_string().map_err(io::Error::other)?;
            self.at = 0;
        }
        let read = (&self.string.as_ref()[self.at..]).read(buffer)?;
        self.at += read;
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}
