//! Filters as strings of an RDB file.
//!
//! A filter is written as the number of its bytes and then the bytes, in strings of at most 1 MiB. So saving needs no copy of the filter, and
//! loading knows from the first string whether the limits allow it.

use crate::incoming::Incoming;
use crate::limits::Budget;
use bloomwise::{AnyFilter, Header, Persist};
use std::ffi::c_char;
use std::io::{self, Read, Write};
use valkey_module::raw;

/// The bytes of a string.
const CHUNK: usize = 1 << 20;

/// The file that the server saves to or loads from.
pub struct Rdb(pub *mut raw::RedisModuleIO);

impl Rdb {
    /// Writes a filter.
    pub fn save_filter(&self, filter: &AnyFilter) {
        raw::save_unsigned(self.0, filter.encoded_len());
        let mut strings = Strings {
            rdb: self,
            buffer: Vec::with_capacity(CHUNK.min(filter.encoded_len() as usize)),
        };
        // The server remembers that it could not write; there is nobody to tell here.
        _ = filter.write_to(&mut strings);
    }

    /// Writes a filter that is arriving.
    pub fn save_incoming(&self, incoming: &Incoming) {
        raw::save_unsigned(self.0, incoming.received());
        for chunk in incoming.chunks() {
            chunk.chunks(CHUNK).for_each(|part| self.save_string(part));
        }
    }

    /// Writes a string.
    fn save_string(&self, bytes: &[u8]) {
        raw::save_slice(self.0, bytes);
    }

    /// Reads a number; `None` if there is none.
    pub fn load_number(&self) -> Option<u64> {
        raw::load_unsigned(self.0).ok()
    }

    /// Reads a filter; `None` if it is damaged or too large.
    pub fn load_filter(&self, budget: &mut Budget) -> Option<AnyFilter> {
        let total = self.load_number()?;
        let first = self.load_string()?;
        let header = Header::read(&first[..]).ok()?;
        let bytes = header.size_in_bits() / 8;
        if header.encoded_len() != total || budget.take(bytes, bytes).is_err() {
            return None;
        }
        let mut source = Loading {
            rdb: self,
            string: first,
            at: 0,
            left: total,
        };
        let filter = AnyFilter::read_from(&mut source).ok()?;
        (source.left == 0 && source.at == source.string.len()).then_some(filter)
    }

    /// Reads a filter that was arriving; `None` if it is damaged or too large.
    pub fn load_incoming(&self, budget: &mut Budget) -> Option<Incoming> {
        let received = self.load_number()?;
        let mut incoming = Incoming::start(&self.load_string()?, None, budget).ok()?;
        while incoming.received() < received {
            let chunk = self.load_string()?;
            if chunk.is_empty() {
                return None;
            }
            incoming.push(incoming.received(), &chunk).ok()?;
        }
        (incoming.received() == received && !incoming.is_complete()).then_some(incoming)
    }

    /// Reads a string; `None` if there is none.
    fn load_string(&self) -> Option<Vec<u8>> {
        let mut length = 0;
        // SAFETY: the server calls us with this file, and the function pointers were set when the module was initialized. The string
        // that it returns, if it is not null, has that many bytes and is ours to free.
        unsafe {
            let start: *mut c_char = raw::RedisModule_LoadStringBuffer?(self.0, &mut length);
            if start.is_null() {
                return None;
            }
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec();
            raw::RedisModule_Free?(start.cast());
            (!raw::is_io_error(self.0)).then_some(bytes)
        }
    }
}

/// Writes strings of [`CHUNK`] bytes; the last one may be shorter.
struct Strings<'a> {
    /// The file.
    rdb: &'a Rdb,
    /// What does not fill a string yet.
    buffer: Vec<u8>,
}

impl Write for Strings<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = CHUNK - self.buffer.len();
        let taken = room.min(bytes.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        if self.buffer.len() == CHUNK {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.rdb.save_string(&self.buffer);
            self.buffer.clear();
        }
        Ok(())
    }
}

/// Reads strings one after the other.
struct Loading<'a> {
    /// The file.
    rdb: &'a Rdb,
    /// The string that is being read.
    string: Vec<u8>,
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
        if self.at == self.string.len() {
            let next = self.rdb.load_string();
            self.string = next.ok_or(io::ErrorKind::UnexpectedEof)?;
            self.at = 0;
        }
        let read = (&self.string[self.at..]).read(buffer)?;
        self.at += read;
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}
