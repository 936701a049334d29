//! Filters as bytes and as files.
//!
//! # The idea
//!
//! A file consists of a header with its own checksum, the parameters of the family, the payload (aligned to 64 bytes), a checksum for each mebibyte
//! of the payload, and a checksum of those checksums. [`crate::guide::file_format`] documents every field. A filter of a few hundred keys inside
//! another file has a [short form](Persist::to_short_bytes) with a header of about 20 bytes.
//!
//! # What is written
//!
//! A file is complete or absent. [`Persist::save`] writes a new file in the same folder, waits until it is on the disk, reads it back, and
//! renames it. If reading back fails, the old file stays and the new one is deleted. A process that is killed in between leaves the new
//! file, `.bloomwise.*.tmp`. The command line deletes such files when it next writes to the folder;
//! [`crate::unstable::atomic::remove_abandoned`] does the same for other programs.
//!
//! # What is read
//!
//! Loading trusts no byte. It verifies the header's checksum before it uses any length, and compares lengths with the available bytes. It touches
//! memory only as bytes arrive. The payload's checksums must match, every field must have a value that a writer can produce, and no bytes may
//! be left over.
//!
//! [`Persist::from_owner`] with [`Check::Header`] reads only header and parameters. The filter then answers from bytes that the caller
//! keeps. Whatever those bytes are, queries neither panic nor read outside of them.
//!
//! # Damaged cells never get a valid checksum
//!
//! With [`Check::Header`], and in a shard with [`Check::FirstUse`], loading may not notice damage. Writing the filter does:
//!
//! - Cells that have not been verified remember the bytes they came from (`Doubt`). All cells of a family are in a `Storage` or in atomic
//!   words, which pass the doubt to each copy: to a clone, to the cells after the first change, to a filter for many threads and back.
//! - One writer writes all bytes of a filter and collects the doubts. Before it writes the last checksum, it verifies the bytes in doubt. If they are
//!   damaged, it makes the last checksum wrong in every form, so reading the filter fails. [`Persist::save`] and [`Persist::write_to`]
//!   verify first, write nothing, and return [`Error::Damaged`].
//! - Shards and patched filters that have not changed are written as they were read, with their original checksums. A changed shard is an ordinary
//!   filter, and the above applies to it.
//! - Only a union brings in cells of another filter, and it refuses damaged ones. A patch is neither made from a damaged filter nor applied to one.
//!
//! # Mapped files
//!
//! `MapFile::open` (feature `mmap`, on by default) maps a file. It is `unsafe` because the caller must ensure that the file does not change. What can
//! happen to the file:
//!
//! - *It is replaced or deleted.* Nothing happens: the mapping keeps the old file until the filter is dropped. This library and its command
//!   never change a file in place. They write a new one and rename it.
//! - *Another program writes into it.* Queries answer wrongly for the cells that changed. They do not read outside of the file: lengths and
//!   parameters were copied when the file was opened, and any position computed from a cell is checked or reduced to the array. In
//!   Rust, memory that changes under a shared reference is undefined behaviour. This describes what this code does with today's compiler; it is not
//!   a promise. Make the file read-only.
//! - *It is truncated.* The system ends the process with a signal (`SIGBUS`) when a query needs a missing page. Safe code cannot turn
//!   this into an error. If others may truncate the file, use [`Persist::load`].

mod arriving;
pub(crate) mod atomic;
mod byte_range;
mod header;
#[cfg(feature = "mmap")]
mod mapped;
pub(crate) mod nested;
mod read_back;
#[cfg(feature = "mmap")]
pub(crate) mod scratch;
mod short;
pub(crate) mod temporary;

pub use crate::filter::codec::Form;
pub use arriving::Arriving;
pub use header::{Header, VERSION};
#[cfg(feature = "mmap")]
pub use mapped::MapFile;
use read_back::read_back;

use crate::cells::doubt::Doubt;
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Parameters, Payload, Source, Sums, Writer};
use crate::filter::contract::sealed;
use bytes::Bytes;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// How much of a filter is verified before it answers.
///
/// ```
/// use bloomwise::format::Check;
/// use bloomwise::{Blocked, Filter, Persist, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let filter = Blocked::builder(Size::BitsPerKey(12.0)).build_from_keys(0..1000)?;
/// let mut bytes = filter.to_bytes();
/// bytes[500] ^= 1;
/// assert!(Blocked::from_owner(bytes.clone(), Check::Whole).is_err(), "a checksum does not match");
/// let damaged = Blocked::from_owner(bytes, Check::Header)?;
/// assert!(damaged.save(std::env::temp_dir().join("damaged")).is_err(), "found when it is written");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Check {
    /// Everything: all checksums and all cells. Reads all bytes.
    Whole,
    /// Header and parameters. For bytes that were verified before, or are verified elsewhere.
    Header,
    /// Header and parameters at once, and each shard of a filter of several shards at its first query. A damaged shard answers "yes" to every
    /// query, so it denies no key. A filter without shards is verified completely at once.
    FirstUse,
}

/// Saving and loading, for every filter. The trait is sealed.
///
/// ```
/// use bloomwise::{Bloom, Filter, Persist, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let filter = Bloom::builder(Size::Rate(0.01)).build_from_keys(["ant", "bee"])?;
/// let path = std::env::temp_dir().join(format!("persist-{}.bloomwise", std::process::id()));
/// filter.save(&path)?;
/// assert!(Bloom::load(&path)? == filter);
/// std::fs::remove_file(&path).ok();
///
/// let bytes = filter.to_bytes();
/// assert_eq!(bytes.len() as u64, filter.encoded_len());
/// assert!(Bloom::from_bytes(&bytes)?.contains("ant"));
/// # Ok(())
/// # }
/// ```
pub trait Persist: Sized + sealed::Sealed {
    /// The exact number of bytes that [`Persist::write_to`] writes.
    fn encoded_len(&self) -> u64;

    /// Writes the filter.
    ///
    /// # Errors
    ///
    /// The sink cannot be written, or the filter has not been verified and is damaged.
    fn write_to(&self, sink: impl io::Write) -> Result<()>;

    /// The filter as bytes. If the filter has not been verified and is damaged, reading the bytes fails: their last checksum is wrong.
    fn to_bytes(&self) -> Vec<u8>;

    /// At most `most` of the bytes that [`Persist::to_bytes`] gives, starting at byte `from`; empty if there are no more. The call does not build all
    /// bytes, and computes checksums only if the part contains some.
    fn part(&self, from: u64, most: u64) -> Vec<u8>;

    /// The filter in its short form, for filters of a few hundred keys inside other files. The overhead is about 20 bytes
    /// instead of 150. There is one checksum, and the payload is not aligned. Filters of several shards, patched filters and patches have no
    /// short form; for them this gives the long one.
    fn to_short_bytes(&self) -> Vec<u8>;

    /// The filter that these bytes hold, in either form. The cells are copied.
    ///
    /// # Errors
    ///
    /// The bytes are not exactly what [`Persist::to_bytes`] or [`Persist::to_short_bytes`] gives for a filter of this type.
    fn from_bytes(bytes: &[u8]) -> Result<Self>;

    /// A filter that answers from the bytes of `owner`, in either form, without copying the cells. The owner may be a mapped file, a block
    /// of a cache, or a value of a database. The filter keeps the owner. The first change to the filter copies the cells.
    ///
    /// With [`Check::Header`], cells are not read before they are queried. Damaged cells then cause wrong answers, but no panic and no read outside
    /// of the bytes. Writing the filter finds the damage, see [`mod@crate::format`].
    ///
    /// # Errors
    ///
    /// Those of [`Persist::from_bytes`], of which [`Check::Header`] and [`Check::FirstUse`] detect fewer.
    fn from_owner(owner: impl AsRef<[u8]> + Send + 'static, check: Check) -> Result<Self>;

    /// The last eight bytes of [`Persist::to_bytes`], as a number: a checksum of all bytes before them. Use it to tell filters apart. It is not
    /// cryptographic.
    fn checksum(&self) -> u64;

    /// Reads a filter in its long form from a stream and stops at the filter's end.
    ///
    /// # Errors
    ///
    /// The stream cannot be read, or it does not hold a filter of this type.
    fn read_from(source: impl Read) -> Result<Self>;

    /// Writes the filter to a file. An existing file is replaced completely or not at all: the new file is read back and verified before it
    /// gets its name.
    ///
    /// # Errors
    ///
    /// The file cannot be written or cannot be read back, or the filter has not been verified and is damaged. An old file is then unchanged.
    fn save(&self, path: impl AsRef<Path>) -> Result<()>;

    /// Writes the filter to a new file. No file of this name may exist, neither before nor when the filter has been written.
    ///
    /// # Errors
    ///
    /// A file of that name exists; otherwise those of [`Persist::save`].
    fn save_new(&self, path: impl AsRef<Path>) -> Result<()>;

    /// The filter of a file that has arrived completely. [`Arriving::finish`] calls it.
    ///
    /// # Errors
    ///
    /// The file is incomplete, or is not exactly what [`Persist::to_bytes`] gives for a filter of this type.
    fn from_arrived(file: Arriving) -> Result<Self>;

    /// Reads a filter from a file, in either form. The peak memory is the size of the filter.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or it does not hold exactly one filter of this type.
    fn load(path: impl AsRef<Path>) -> Result<Self>;
}

// A blanket implementation instead of default methods, so that `Body` is not a supertrait and users cannot call its methods.
impl<B: Body> Persist for B {
    fn encoded_len(&self) -> u64 {
        header::encoded_len(self.parameters().len() as u64, self.payload_words())
    }

    fn write_to(&self, mut sink: impl io::Write) -> Result<()> {
        expect_sound(self)?;
        let written = write(self, &mut sink);
        written.map(|_| ()).map_err(|source| Error::Stream {
            action: "writing",
            source,
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.encoded_len() as usize);
        write(self, &mut bytes).expect("a vector accepts every write");
        bytes
    }

    fn part(&self, from: u64, most: u64) -> Vec<u8> {
        byte_range::byte_range(self, from, most)
    }

    fn to_short_bytes(&self) -> Vec<u8> {
        match self.form() {
            Form::Plain => short::encode(self),
            Form::Sharded | Form::Patched | Form::Patch => self.to_bytes(),
        }
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        if short::is_short(bytes) {
            return short::decode(bytes, None, Check::Whole);
        }
        let mut rest = bytes;
        let header = Header::read(&mut rest)?;
        header.expect_file_len(bytes.len() as u64)?;
        read_body(&header, &mut rest)
    }

    fn from_owner(owner: impl AsRef<[u8]> + Send + 'static, check: Check) -> Result<Self> {
        let bytes = Bytes::from_owner(owner);
        if short::is_short(&bytes) {
            return short::decode(&bytes, Some(&bytes), check);
        }
        let header = Header::read(&bytes[..])?;
        // The header's length equals the number of bytes, so no sum below overflows.
        header.expect_file_len(bytes.len() as u64)?;
        let whole = match check {
            Check::Whole => true,
            Check::Header => false,
            Check::FirstUse => header.form() != Form::Sharded,
        };
        if whole {
            verify(&header, &bytes)?;
        }
        let doubt = (!whole).then(|| Doubt::new(bytes.clone(), is_sound));
        let source = Source::Borrowed(bytes.slice(header.payload_start() as usize..), doubt);
        let (filter, _) = read_payload::<Self>(&header, source)?;
        match check {
            Check::Header => filter.trust(),
            _ if whole => filter.check()?,
            _ => {}
        }
        Ok(filter)
    }

    fn checksum(&self) -> u64 {
        let mut last = Last([0; 8]);
        write(self, &mut last).expect("every write is accepted");
        u64::from_le_bytes(last.0)
    }

    fn read_from(mut source: impl Read) -> Result<Self> {
        let header = Header::read(&mut source)?;
        read_body(&header, &mut source)
    }

    fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        expect_sound(self)?;
        let mut content = |file: &mut dyn io::Write| write(self, file).map(|_| ());
        let saved = atomic::replace(path, &mut content, &mut read_back::<Self>);
        saved.map_err(|source| Error::file(path, source))
    }

    fn save_new(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        expect_sound(self)?;
        let mut content = |file: &mut dyn io::Write| write(self, file).map(|_| ());
        let saved = atomic::create(path, &mut content, &mut read_back::<Self>);
        saved.map_err(|source| Error::file(path, source))
    }

    fn from_arrived(file: Arriving) -> Result<Self> {
        let (header, source) = file.into_source()?;
        let (filter, _) = read_payload::<Self>(&header, source)?;
        filter.check()?;
        Ok(filter)
    }

    fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        load(path).map_err(|error| error.in_file(path))
    }
}

/// Verifies the cells that have not been verified, and returns an error if they are damaged. Skips parts that are written as they were read.
pub(crate) fn expect_sound<B: Body>(filter: &B) -> Result<()> {
    let mut sink = io::sink();
    let mut writer = Writer::without_sums(&mut sink);
    filter
        .write_payload(&mut writer)
        .expect("an empty sink accepts every write");
    match writer.finish() {
        (_, Some(_)) => Err(Error::Damaged),
        (_, None) => Ok(()),
    }
}

/// Writes header, parameters, payload and checksums. If the cells are damaged, it makes the last checksum wrong and returns the doubt.
fn write<B: Body + ?Sized>(filter: &B, sink: &mut dyn io::Write) -> io::Result<Option<Doubt>> {
    write_file(filter, &Header::of(filter), sink)
}

/// Like [`write()`], for a filter whose header is known.
fn write_file<B: Body + ?Sized>(
    filter: &B,
    header: &Header,
    sink: &mut dyn io::Write,
) -> io::Result<Option<Doubt>> {
    sink.write_all(&header.to_bytes())?;
    let mut writer = Writer::new(sink);
    filter.write_payload(&mut writer)?;
    let (sums, doubt) = writer.finish();
    let mut table = header.table_of(&sums);
    if doubt.is_some() {
        spoil(&mut table);
    }
    sink.write_all(&table)?;
    sink.flush()?;
    Ok(doubt)
}

/// Makes the last checksum wrong, so that reading detects the damage.
fn spoil(bytes: &mut [u8]) {
    if let Some(last) = bytes.last_mut() {
        *last = !*last;
    }
}

/// Whether the checksums of a file match.
fn is_sound(file: &[u8]) -> bool {
    Header::read(file).is_ok_and(|header| {
        header.expect_file_len(file.len() as u64).is_ok() && verify(&header, file).is_ok()
    })
}

/// Returns an error unless the checksums of a file match. The file must have the length that its header gives.
fn verify(header: &Header, file: &[u8]) -> Result<()> {
    let (before, rest) = file.split_at(header.payload_start() as usize);
    let (payload, mut table) = rest.split_at(8 * header.payload_words() as usize);
    let mut sums = Sums::default();
    sums.update(payload);
    header.check_sums(sums, &mut table)?;
    header.expect_padding(before)
}

/// A sink that keeps only the last eight bytes.
struct Last([u8; 8]);

impl io::Write for Last {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let tail = &bytes[bytes.len().saturating_sub(8)..];
        self.0.rotate_left(tail.len());
        self.0[8 - tail.len()..].copy_from_slice(tail);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a file that holds exactly one filter. The caller adds the path to its errors.
fn load<B: Body>(path: &Path) -> Result<B> {
    let mut file = File::open(path).map_err(Error::reading)?;
    let metadata = file.metadata().map_err(Error::reading)?;
    let header = match Header::read(&mut file) {
        Err(Error::ShortForm) if metadata.is_file() => {
            // Rewind the open file instead of opening the path again: the name may belong to another file by now. Short forms are small, so
            // a file of another kind that starts alike is not read to its end.
            file.rewind().map_err(Error::reading)?;
            let bytes = read_up_to(file, metadata.len().min(MAX_SHORT))?;
            return B::from_bytes(&bytes);
        }
        header => header?,
    };
    // A pipe has no length. Reading checks its end instead.
    if metadata.is_file() {
        header.expect_file_len(metadata.len())?;
        return read_body(&header, &mut file);
    }
    let filter = read_body(&header, &mut file)?;
    let more = io::copy(&mut file.take(1), &mut io::sink()).map_err(Error::reading)?;
    header.expect_file_len(header.encoded_len() + more)?;
    Ok(filter)
}

/// The most bytes of a short form that [`Persist::load`] reads.
const MAX_SHORT: u64 = 1 << 24;

/// The first `len` bytes of a file.
fn read_up_to(file: File, len: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(len)
        .read_to_end(&mut bytes)
        .map_err(Error::reading)?;
    Ok(bytes)
}

/// Reads all that follows the header and the parameters.
fn read_body<B: Body>(header: &Header, source: &mut dyn Read) -> Result<B> {
    read_padding(header, source)?;
    let (filter, source) = read_payload::<B>(header, Source::Stream(source, Box::default()))?;
    if let Source::Stream(source, sums) = source {
        header.check_sums(*sums, source)?;
    }
    filter.check()?;
    Ok(filter)
}

/// Reads the zeros before the payload.
fn read_padding(header: &Header, source: &mut dyn Read) -> Result<()> {
    let mut padding = [0; header::ALIGNMENT as usize];
    let padding = &mut padding[..header.padding() as usize];
    let expected = padding.len() as u64;
    crate::filter::codec::read_exact(source, padding, "the padding", expected, &mut 0)?;
    header::expect_zeros(padding)
}

/// The filter of a header and a payload, and the rest of the source.
fn read_payload<'a, B: Body>(header: &Header, source: Source<'a>) -> Result<(B, Source<'a>)> {
    let mut parameters = Parameters::new(header.parameters());
    let mut payload = Payload::new(source, header.payload_words());
    let filter = B::read(&header.head(), &mut parameters, &mut payload)?;
    parameters.finish()?;
    let source = payload.finish()?;
    Ok((filter, source))
}

/// Returns an error unless `got`, read from the file, is the checksum of `bytes`.
fn expect_sum(part: impl ToString, bytes: &[u8], got: u64) -> Result<()> {
    let expected = xxh3_64(bytes);
    if got == expected {
        return Ok(());
    }
    Err(Error::Checksum {
        part: part.to_string(),
        expected,
        got,
    })
}
