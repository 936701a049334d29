//! A file, or standard input, as a stream of bytes: opened, unpacked, and with a bar that shows how far it is.
//!
//! A gzip file may have several members and a zstd file several frames; all are read. The bar counts the bytes of the
//! file as it lies on the disk, since nobody knows how many they will be unpacked.

use crate::args::is_dash;
use crate::progress::Bar;
use anyhow::{Result, anyhow, bail};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 16;

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
        let place = self.line(line);
        match self.packing {
            Packing::None => {
                anyhow!("{place}: cannot be read ({error}); check the file and its disk")
            }
            Packing::Gzip => anyhow!(
                "{place}: the gzip data is damaged or cut off ({error}); get the file again"
            ),
            Packing::Zstd => anyhow!(
                "{place}: the zstd data is damaged or cut off ({error}); get the file again"
            ),
        }
    }
}

/// The unpacked bytes of a file.
pub struct Source {
    /// Where they come from.
    pub origin: Origin,
    /// The bytes.
    pub bytes: Box<dyn Read>,
}

impl Source {
    /// Opens a file, or standard input for `-`.
    pub fn open(path: &Path, packing: Packing) -> Result<Self> {
        if is_dash(path) {
            let name = "standard input".to_string();
            let bar = Bar::new(name.clone(), None);
            let inner = io::stdin();
            return Ok(Source {
                origin: Origin { name, packing },
                bytes: Box::new(Metered { inner, bar }),
            });
        }
        let inner = open_file(path)?;
        let name = path.display().to_string();
        let ordinary = inner.metadata().ok().filter(std::fs::Metadata::is_file);
        let bar = Bar::new(name.clone(), ordinary.map(|file| file.len()));
        let origin = Origin { name, packing };
        let packed = BufReader::with_capacity(BUFFER, Metered { inner, bar });
        let bytes: Box<dyn Read> = match packing {
            Packing::None => Box::new(packed),
            Packing::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Packing::Zstd => {
                let decoder = zstd::Decoder::with_buffer(packed);
                Box::new(decoder.map_err(|error| origin.unreadable(1, &error))?)
            }
        };
        Ok(Source { origin, bytes })
    }
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
