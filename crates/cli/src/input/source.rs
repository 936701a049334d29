//! A file, or standard input, as a stream of bytes: opened, unpacked, and with a bar that shows how far it is.
//!
//! How the bytes are packed, they say themselves: gzip and zstd begin with bytes that no text begins with. A name that
//! ends in `.gz` or `.zst` only has to agree. A gzip file may have several members and a zstd file several frames; all
//! are read. The byte order mark that some editors put before a text is no part of it. The bar counts the bytes of the
//! file as it lies on the disk, since nobody knows how many they will be unpacked.

use super::gzip::Members;
use crate::args::is_dash;
use crate::progress::Bar;
use anyhow::{Result, anyhow, bail};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 16;

/// The most that zstd may look back, as a power of two: what `zstd --long=31` makes.
const ZSTD_WINDOW: u32 = if cfg!(target_pointer_width = "64") {
    31
} else {
    30
};

/// What some editors put before the first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    None,
    /// By gzip.
    Gzip,
    /// By zstd.
    Zstd,
}

impl Packing {
    /// What the first four bytes say.
    fn of(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            // A frame, or one that is to be skipped and tells parallel unpackers about the next.
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Packing::Zstd,
            _ => Packing::None,
        }
    }

    /// The name for people.
    fn name(self) -> &'static str {
        match self {
            Packing::None => "unpacked",
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
        }
    }
}

/// Where bytes come from; it names the place when something is wrong with them.
pub struct Origin {
    /// The file.
    name: String,
    /// How it is compressed.
    packing: Packing,
}

impl Origin {
    /// The place of a line for an error.
    pub fn line(&self, line: u64) -> String {
        format!("{}, line {line}", self.name)
    }

    /// The file for an error that concerns all of it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error for bytes that could not be read, at this line.
    pub fn unreadable(&self, line: u64, error: &io::Error) -> anyhow::Error {
        let (place, packing) = (self.line(line), self.packing.name());
        if error.kind() == ErrorKind::OutOfMemory {
            return anyhow!("{place} is too long for memory; name a file of keys");
        }
        match self.packing {
            Packing::None => {
                anyhow!("{place}: cannot be read ({error}); check the file and its disk")
            }
            Packing::Gzip | Packing::Zstd => anyhow!(
                "{place}: the {packing} data is damaged or cut off ({error}); get the file again"
            ),
        }
    }
}

/// The unpacked bytes of a file.
pub struct Source {
    /// Where they come from.
    pub origin: Origin,
    /// The bytes.
    pub bytes: Box<dyn BufRead>,
}

impl Source {
    /// Opens a file whose name says that it is packed so, or standard input for `-`.
    pub fn open(path: &Path, named: Packing) -> Result<Self> {
        let name = name(path);
        let (inner, total): (Box<dyn Read>, _) = if is_dash(path) {
            (Box::new(io::stdin()), None)
        } else {
            let file = open_file(path)?;
            let ordinary = file.metadata().ok().filter(std::fs::Metadata::is_file);
            (Box::new(file), ordinary.map(|file| file.len()))
        };
        let bar = Bar::new(name.clone(), total);
        let packing = Packing::None;
        let mut origin = Origin { name, packing };
        let metered = Metered { inner, bar };
        let started = start(metered, 4).map_err(|error| origin.unreadable(1, &error));
        let (head, packed) = started?;
        origin.packing = Packing::of(&head);
        if named != Packing::None && origin.packing != named && !head.is_empty() {
            let (name, named) = (origin.name, named.name());
            bail!(
                "{name}: its name says {named}, its first bytes do not; rename it or get it again"
            );
        }
        let packed = BufReader::with_capacity(BUFFER, Cursor::new(head).chain(packed));
        let bytes = unpack(packed, origin.packing).and_then(|bytes| {
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

/// The name of a file of keys for people.
pub fn name(path: &Path) -> String {
    if is_dash(path) {
        return "standard input".to_string();
    }
    path.display().to_string()
}

/// The first bytes of a stream, fewer where it ends earlier, and the rest of it.
fn start<R: Read>(mut bytes: R, length: usize) -> io::Result<(Vec<u8>, R)> {
    let mut head = Vec::new();
    bytes.by_ref().take(length as u64).read_to_end(&mut head)?;
    Ok((head, bytes))
}

/// The bytes that were packed.
fn unpack(packed: impl BufRead + 'static, packing: Packing) -> io::Result<Box<dyn Read>> {
    Ok(match packing {
        Packing::None => Box::new(packed),
        Packing::Gzip => Box::new(Members::new(packed)),
        Packing::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(packed)?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            Box::new(decoder)
        }
    })
}

/// Opens a file of keys.
pub fn open_file(path: &Path) -> Result<File> {
    let name = path.display();
    let file = File::open(path).map_err(|error| {
        anyhow!("{name}: {error}; name a file of keys, or - for standard input")
    })?;
    if file.metadata().is_ok_and(|file| file.is_dir()) {
        bail!("{name} is a directory; name a file of keys, or - for standard input");
    }
    Ok(file)
}

/// A stream that tells a bar what was read of it.
struct Metered<R> {
    /// The stream.
    inner: R,
    /// The bar, which goes when the stream goes.
    bar: Bar,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bar.advance(read as u64);
        Ok(read)
    }
}
