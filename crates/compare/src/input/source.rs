//! Opens an input as a stream of bytes, decompresses it, and reports progress.
//!
//! The first bytes reveal the compression: gzip and zstd files begin with bytes that no text begins with. If the name ends in
//! `.gz` or `.zst`, the first bytes must agree. A gzip file may have several members and a zstd file several frames; all are
//! read. A byte order mark at the beginning is removed. Progress counts the compressed bytes, because the decompressed
//! size is unknown.

use super::Input;
use super::gzip_members::GzipMembers;
use super::named::Bytes;
use super::origin::Origin;
use crate::host::{Host, Progress, Work};
use crate::path::{is_dash, shown};
use crate::{Error, Result};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// How many bytes are read at a time.
const BUFFER: usize = 1 << 16;

/// The largest window of zstd files, as a power of two: that of `zstd --long=31`.
#[cfg(feature = "zstd")]
const ZSTD_WINDOW: u32 = if cfg!(target_pointer_width = "64") {
    31
} else {
    30
};

/// The mark that some editors put before the first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// With gzip.
    Gzip,
    /// With zstd.
    Zstd,
}

impl Compression {
    /// Detects the compression from the first four bytes.
    fn detect(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            // A frame, or a skippable frame, which parallel compressors put before each frame.
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// The name in errors.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "uncompressed",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }
}

/// The decompressed bytes of a file.
pub struct Source<'a> {
    /// The file, for errors.
    pub origin: Origin,
    /// The bytes.
    pub bytes: Box<dyn BufRead + 'a>,
}

impl<'a> Source<'a> {
    /// Opens an input.
    pub fn open(input: Input<'a>, host: &'a dyn Host) -> Result<Self> {
        let Input {
            name,
            compression: named,
            bytes,
            ..
        } = input;
        let (inner, total): (Box<dyn Read + 'a>, _) = match bytes {
            Bytes::Stream(stream) => (stream, None),
            Bytes::Path(path) if is_dash(path) => (Box::new(io::stdin()), None),
            Bytes::Path(path) => {
                let file = open_file(path)?;
                let regular = file.metadata().ok().filter(std::fs::Metadata::is_file);
                (Box::new(file), regular.map(|file| file.len()))
            }
        };
        let progress = host.begin(Work::Reading {
            name: &name,
            bytes: total,
        });
        let compression = Compression::None;
        let mut origin = Origin { name, compression };
        let metered = Metered {
            inner,
            host,
            progress,
        };
        let started = start(metered, 4).map_err(|error| origin.unreadable(1, &error));
        let (head, rest) = started?;
        origin.compression = Compression::detect(&head);
        if named != Compression::None && origin.compression != named {
            let (name, named) = (origin.name, named.name());
            // Even without any content a compressed file has a few bytes.
            if head.is_empty() {
                return Err(Error::invalid(format!(
                    "{name}: the {named} data is truncated: the file is empty; get a new copy of the file"
                )));
            }
            return Err(Error::invalid(format!(
                "{name}: the name says {named}, but the first bytes do not; rename the file or get a new copy"
            )));
        }
        let compressed = BufReader::with_capacity(BUFFER, Cursor::new(head).chain(rest));
        let bytes = decompress(compressed, origin.compression).and_then(|bytes| {
            let (mut head, rest) = start(bytes, BYTE_ORDER_MARK.len())?;
            if head == BYTE_ORDER_MARK {
                head.clear();
            }
            let bytes = Cursor::new(head).chain(rest);
            Ok(Box::new(BufReader::with_capacity(BUFFER, bytes)))
        });
        let bytes = bytes.map_err(|error| origin.unreadable(1, &error))?;
        Ok(Source { origin, bytes })
    }
}

/// Splits a stream into its first `length` bytes, or fewer if it is shorter, and the rest.
fn start<R: Read>(mut bytes: R, length: usize) -> io::Result<(Vec<u8>, R)> {
    let mut head = Vec::new();
    bytes.by_ref().take(length as u64).read_to_end(&mut head)?;
    Ok((head, bytes))
}

/// Decompresses a stream.
fn decompress<'a>(
    compressed: impl BufRead + 'a,
    compression: Compression,
) -> io::Result<Box<dyn Read + 'a>> {
    Ok(match compression {
        Compression::None => Box::new(compressed),
        Compression::Gzip => Box::new(GzipMembers::new(compressed)),
        #[cfg(not(feature = "zstd"))]
        Compression::Zstd => {
            return Err(io::Error::other("this build cannot decompress zstd"));
        }
        #[cfg(feature = "zstd")]
        Compression::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(compressed)?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            Box::new(decoder)
        }
    })
}

/// Opens a file of keys.
pub fn open_file(path: &Path) -> Result<File> {
    let name = shown(path);
    let file = File::open(path).map_err(|error| {
        Error::invalid(format!(
            "{name}: {error}; name a file of keys, or - for standard input"
        ))
    })?;
    if file.metadata().is_ok_and(|file| file.is_dir()) {
        return Err(Error::invalid(format!(
            "{name} is a directory; name a file of keys, or - for standard input"
        )));
    }
    Ok(file)
}

/// A stream that says how much of it has been read, and ends when the front end ends the work.
struct Metered<'a> {
    /// The stream.
    inner: Box<dyn Read + 'a>,
    /// The program that reads.
    host: &'a dyn Host,
    /// Hears how much has been read.
    progress: Box<dyn Progress + 'a>,
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.host.is_cancelled() {
            return Err(io::Error::other(Error::Cancelled));
        }
        let read = self.inner.read(buffer)?;
        self.progress.advance(read as u64);
        Ok(read)
    }
}
