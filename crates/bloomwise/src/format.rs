//! Filters as bytes and as files.
//!
//! A file is a sequence of 64-bit little-endian words: a header of eight, the parameters of the family, zeros up to the
//! next multiple of 64 bytes, the payload, and the checksum of all that. `docs/format.md` has every field.
//!
//! What is written is whole or absent: [`Persist::save`] writes a new file in the same folder, waits until it is on the
//! disk, and renames it. What is read is not trusted: lengths are compared with what is there before anything is
//! allocated, the checksum must fit, every field must hold a value that a writer can have written, and all must have
//! been used.

use crate::codec::{Body, Head, Reader, Writer};
use crate::error::{Error, Result};
use crate::family::Family;
use crate::hash::Hashing;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// The version of the format that this crate writes and reads.
pub const VERSION: u16 = 1;

/// The first eight bytes of every file.
const MAGIC: [u8; 8] = *b"BLOOMWIS";

/// The payload starts at a multiple of this, so that a mapped file has its cells on cache lines.
const ALIGNMENT: u64 = 64;

/// The most words of parameters, which keeps everything before the payload under 4 KiB.
const MAX_PARAMETERS: u64 = 256;

/// Saving and loading, for every filter.
pub trait Persist: Body {
    /// Writes the filter.
    fn write_to(&self, sink: &mut dyn io::Write) -> io::Result<()> {
        let (head, parameters) = (self.head(), self.parameters());
        let mut writer = Writer::new(sink);
        let kind = u64::from(VERSION)
            | u64::from(head.family.tag()) << 16
            | u64::from(head.hashing.id()) << 32;
        let seed = head.hashing.seed();
        writer.words([
            u64::from_le_bytes(MAGIC),
            kind,
            seed as u64,
            (seed >> 64) as u64,
            head.keys,
            parameters.len() as u64,
            self.size_in_bits() / 64,
            0,
        ])?;
        let padding = padding_after(parameters.len() as u64);
        writer.words(parameters)?;
        writer.words((0..padding).map(|_| 0))?;
        self.write_payload(&mut writer)?;
        writer.finish()
    }

    /// The filter as bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let words = 8 + self.parameters().len() + 8 + 1;
        let mut bytes = Vec::with_capacity(8 * words + (self.size_in_bits() / 8) as usize);
        // Writing into memory cannot fail.
        self.write_to(&mut bytes).unwrap_or(());
        bytes
    }

    /// The filter that these bytes hold, and nothing but it.
    ///
    /// # Errors
    ///
    /// Bytes that are not exactly what [`Persist::write_to`] gives for some filter of this type.
    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut file = Reader::new(bytes);
        if file.bytes(8, "the magic").ok() != Some(&MAGIC) {
            return Err(Error::NotAFilter);
        }
        let version = file.word("the kind of the filter")?;
        // Another version may have laid out everything else differently, its checksum included.
        if version as u16 != VERSION {
            return Err(Error::Version {
                expected: VERSION,
                got: version as u16,
            });
        }
        check_sum(bytes)?;
        let (head, mut file) = read_head(bytes)?;
        let parameter_words = file.word_in(0..=MAX_PARAMETERS, "the number of parameters")?;
        let payload_words = file.word("the length of the payload")?;
        file.word_in(0..=0, "the last word of the header")?;
        let mut parameters = Reader::new(file.bytes(8 * parameter_words, "the parameters")?);
        for _ in 0..padding_after(parameter_words) {
            file.word_in(0..=0, "the padding")?;
        }
        let payload = file.bytes(payload_words.saturating_mul(8), "the payload")?;
        file.bytes(8, "the checksum")?;
        file.finish("the file")?;
        let mut payload = Reader::new(payload);
        let filter = Self::read(&head, &mut parameters, &mut payload)?;
        parameters.finish("the parameters")?;
        payload.finish("the payload")?;
        Ok(filter)
    }

    /// Writes the filter to a file, which is replaced at once or not at all.
    ///
    /// # Errors
    ///
    /// Whatever the operating system refuses. The old file, if there was one, is then as it was.
    fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let saved = replace(path, &mut |file| self.write_to(file));
        saved.map_err(|reason| Error::io(path, reason))
    }

    /// Writes the filter to a file that must not exist, not even by the time the filter is written.
    ///
    /// # Errors
    ///
    /// Something of that name exists, or whatever else the operating system refuses.
    fn save_new(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let saved = create(path, &mut |file| self.write_to(file));
        saved.map_err(|reason| Error::io(path, reason))
    }

    /// Reads a filter from a file.
    ///
    /// # Errors
    ///
    /// Whatever the operating system refuses, and everything that [`Persist::from_bytes`] does.
    fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|reason| Error::io(path, reason))?;
        Self::from_bytes(&bytes)
    }
}

impl<B: Body> Persist for B {}

/// Words of zeros between the parameters and the payload.
fn padding_after(parameters: u64) -> u64 {
    let aligned = parameters.next_multiple_of(ALIGNMENT / 8);
    aligned - parameters
}

/// An error unless the last word is the checksum of all before it.
fn check_sum(bytes: &[u8]) -> Result<()> {
    let summed = bytes.len().saturating_sub(8);
    let got = Reader::new(&bytes[summed..]).word("the checksum")?;
    let expected = xxh3_64(&bytes[..summed]);
    if got != expected {
        return Err(Error::Checksum { expected, got });
    }
    Ok(())
}

/// The first five words of a file, and a reader of what follows them.
fn read_head(bytes: &[u8]) -> Result<(Head, Reader<'_>)> {
    let mut file = Reader::new(bytes);
    file.word("the magic")?;
    let kind = file.word("the kind of the filter")?;
    let (tag, hash, rest) = ((kind >> 16) as u16, (kind >> 32) as u8, kind >> 40);
    let family = Family::from_tag(tag).ok_or_else(|| {
        Error::field(
            "the family",
            format!("number {tag}"),
            "one that this program knows",
        )
    })?;
    if rest != 0 {
        return Err(Error::field("the end of the second word", rest, "0"));
    }
    let low = file.word("the seed")?;
    let high = file.word("the seed")?;
    let hashing = match (hash, high) {
        (1, 0) => Hashing::Xxh3 { seed: low },
        (1, _) => return Err(Error::field("the upper half of the seed", high, "0")),
        (2, _) => Hashing::SipHash {
            key: u128::from(high) << 64 | u128::from(low),
        },
        _ => return Err(Error::field("the hash", format!("number {hash}"), "1 or 2")),
    };
    let keys = file.word("the number of keys")?;
    let head = Head {
        family,
        hashing,
        keys,
    };
    Ok((head, file))
}

/// Writes what a file shall hold.
type Write<'a> = &'a mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>;

/// Writes a new file beside the old one, and gives it the old one's name.
fn replace(path: &Path, write: Write<'_>) -> io::Result<()> {
    // A link stays a link: what it leads to is replaced.
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(_) if path.is_symlink() => {
            return Err(io::Error::other(
                "is a link that leads nowhere; remove it first",
            ));
        }
        Err(_) => path.to_path_buf(),
    };
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(io::Error::other("is not a file; name a file to write to"));
    }
    let permissions = old.map(|old| old.permissions());
    beside(&target, permissions, write, |temporary| {
        fs::rename(temporary, &target)
    })
}

/// Writes a new file beside the place it shall have, and links it there, which fails if the place is taken.
fn create(path: &Path, write: Write<'_>) -> io::Result<()> {
    use io::ErrorKind::{PermissionDenied, Unsupported};
    beside(path, None, write, |temporary| {
        match fs::hard_link(temporary, path) {
            Ok(()) => fs::remove_file(temporary),
            // Some file systems have no links. There, somebody who takes the place between these two lines loses it.
            Err(refused) if matches!(refused.kind(), PermissionDenied | Unsupported) => {
                match fs::symlink_metadata(path) {
                    Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                    Err(_) => fs::rename(temporary, path),
                }
            }
            Err(other) => Err(other),
        }
    })
}

/// Writes a temporary file in the folder of the target, waits until it is on the disk, and puts it in place.
fn beside(
    target: &Path,
    permissions: Option<fs::Permissions>,
    write: Write<'_>,
    put_in_place: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let (mut file, temporary) = temporary_beside(target)?;
    let written = (|| {
        // Before the first byte: what others may not read they shall not read now.
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        write(&mut file)?;
        file.sync_all()?;
        put_in_place(&temporary)
    })();
    if written.is_err() {
        // What went wrong before is what the caller needs to know.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file in the folder of the target.
fn temporary_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    if target.file_name().is_none() {
        return Err(io::Error::other("has no file name"));
    }
    loop {
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let name = format!(".bloomwise.{}.{serial}.tmp", std::process::id());
        let temporary = target.with_file_name(name);
        match File::create_new(&temporary) {
            // Somebody else's: a process of the same number on another machine that shares the folder.
            Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (file, temporary)),
        }
    }
}
