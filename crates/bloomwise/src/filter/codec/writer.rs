//! Writes a payload and computes its checksums, one for each chunk.

use crate::cells::doubt::Doubt;
use crate::cells::storage::Storage;
use std::io;
use xxhash_rust::xxh3::Xxh3;

/// The bytes of the payload that share one checksum.
pub const CHUNK: usize = 1 << 20;

/// Writes a payload to a sink and keeps its checksums.
pub struct Writer<'a> {
    /// Where the bytes go.
    sink: &'a mut dyn io::Write,
    /// The checksums so far, or `None` if they are not needed.
    sums: Option<Sums>,
    /// The doubts about the bytes written so far.
    doubts: Vec<Doubt>,
}

impl<'a> Writer<'a> {
    /// A writer at the start of a payload.
    pub fn new(sink: &'a mut dyn io::Write) -> Self {
        Writer {
            sink,
            sums: Some(Sums::default()),
            doubts: Vec::new(),
        }
    }

    /// A writer at the start of a payload, without checksums.
    pub fn without_sums(sink: &'a mut dyn io::Write) -> Self {
        Writer {
            sink,
            sums: None,
            doubts: Vec::new(),
        }
    }

    /// Writes the bytes of an array.
    pub(crate) fn storage(&mut self, storage: &Storage) -> io::Result<()> {
        self.doubt(storage.doubt());
        self.bytes(storage.bytes())
    }

    /// Records that some written cells have this doubt.
    pub(crate) fn doubt(&mut self, doubt: Option<&Doubt>) {
        self.doubts.extend(doubt.cloned());
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

    /// Returns the checksums, and a doubt if the bytes are damaged.
    pub(crate) fn finish(self) -> (Vec<u64>, Option<Doubt>) {
        let sums = self.sums.map(Sums::finish).unwrap_or_default();
        (sums, self.doubts.into_iter().find(Doubt::is_damaged))
    }

    /// Writes bytes in pieces, so that no checksums are computed after a sink has ended.
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

/// Some payloads contain whole files.
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
    /// The checksum of the current chunk so far.
    state: Xxh3,
    /// The bytes in the current chunk so far.
    filled: usize,
    /// The checksums of the complete chunks.
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(writer.finish().0.is_empty(), "nothing was summed up");
    }
}
