//! [`Persist`]: filters as bytes and as files.

use super::check::{is_sound, verify};
use super::read::{load, read_body, read_payload};
use super::read_back::read_back;
use super::write::{Last, expect_sound, write};
use super::{Arriving, Check, Form, Header, atomic, byte_range, header, short};
use crate::cells::doubt::Doubt;
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Source};
use crate::filter::contract::sealed;
use bytes::Bytes;
use std::io::{self, Read};
use std::path::Path;

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
    /// The errors of [`Persist::from_bytes`]; [`Check::Header`] and [`Check::FirstUse`] detect only some of them.
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
    /// A file of that name exists; also the errors of [`Persist::save`].
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
