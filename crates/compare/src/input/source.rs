//! Opens an input as a stream of bytes, decompresses it, and reports progress.
//!
//! The first bytes reveal the compression: gzip and zstd files begin with bytes that no text begins with. If the name ends in
//! `.gz` or `.zst`, the first bytes must agree. A gzip file may have several members and a zstd file several frames; all are
//! read. A byte order mark at the beginning is removed. Progress counts the compressed bytes, because the decompressed
//! size is unknown.

use super::gzip_members::GzipMembers;
use super::{From, Input};
use crate::host::{Host, Progress, Work};
use crate::path::{is_dash, shown};
use crate::{Error, Result};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
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

/// The maximum length of a line or a row in bytes. Without it, a file without line ends, such as `/dev/zero`, would take all memory.
const MAX_LINE: usize = 1 << 28;

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
    fn name(self) -> &'static str {
        match self {
            Compression::None => "uncompressed",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }
}

/// The file that bytes come from; used in errors.
pub struct Origin {
    /// The name of the file.
    name: String,
    /// How the file is compressed.
    compression: Compression,
}

impl Origin {
    /// The file and the number of a line, for an error.
    pub fn line(&self, line: u64) -> String {
        format!("{}, line {line}", self.name)
    }

    /// The name of the file, for an error.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error if reading fails at `line`.
    pub fn unreadable(&self, line: u64, error: &io::Error) -> Error {
        if let Some(Error::Cancelled) = error.get_ref().and_then(|cause| cause.downcast_ref()) {
            return Error::Cancelled;
        }
        let (place, compression) = (self.line(line), self.compression.name());
        if error.kind() == ErrorKind::OutOfMemory {
            return Error::invalid(format!(
                "{place} does not fit into memory; check that this is a file of keys"
            ));
        }
        if error.kind() == ErrorKind::FileTooLarge {
            let limit = MAX_LINE >> 20;
            return Error::invalid(format!(
                "{place} is longer than {limit} MiB; check that this is a file of keys"
            ));
        }
        Error::invalid(match self.compression {
            Compression::None => {
                format!("{place}: cannot be read ({error}); check the file and the disk")
            }
            Compression::Gzip | Compression::Zstd => format!(
                "{place}: the {compression} data is damaged or truncated ({error}); get a new copy of the file"
            ),
        })
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
            from,
            ..
        } = input;
        let (inner, bytes): (Box<dyn Read + 'a>, _) = match from {
            From::Stream(stream) => (stream, None),
            From::Path(path) if is_dash(path) => (Box::new(io::stdin()), None),
            From::Path(path) => {
                let file = open_file(path)?;
                let regular = file.metadata().ok().filter(std::fs::Metadata::is_file);
                (Box::new(file), regular.map(|file| file.len()))
            }
        };
        let progress = host.begin(Work::Reading { name: &name, bytes });
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

/// Returns an error if a line or a row has become too long.
pub fn check_length(length: usize) -> io::Result<()> {
    if length > MAX_LINE {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(())
}

/// The name of a file of keys, for display.
pub fn name(path: &Path) -> String {
    if is_dash(path) {
        return "standard input".to_string();
    }
    shown(path)
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
