//! Filters inside the payload of a filter: complete files, one after the other.
//!
//! ```text
//! directory   a word for each file: its length in bytes
//! padding     zeros up to the next multiple of 64 bytes
//! files       each followed by zeros up to the next multiple of 64 bytes
//! ```
//!
//! The payload starts at a multiple of 64 bytes, and so do the files and their payloads. Each file has its own header and checksums, so one
//! file can be verified without the others. The outer filter's parameters contain a checksum of the directory.

use super::header::{ALIGNMENT, encoded_len};
use super::{Check, Header, Persist, write};
use crate::error::{Error, Result};
use crate::filter::codec::{Body, Form, Head, Payload, Writer};
use crate::filter::family::Family;
use bytes::Bytes;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// A filter inside of another one, and the file that it was read from unless it has changed.
#[derive(Clone, Debug)]
pub(crate) struct Nested<F> {
    /// The filter, which may answer from `file`.
    pub filter: F,
    /// The bytes of the file. Empty if the filter was not read from a file, or has changed.
    file: Bytes,
}

/// Parts are equal if their filters are.
impl<F: PartialEq> PartialEq for Nested<F> {
    fn eq(&self, other: &Self) -> bool {
        self.filter == other.filter
    }
}

impl<F: Body> Nested<F> {
    /// A part that holds a new filter.
    pub fn new(filter: F) -> Self {
        Nested {
            filter,
            file: Bytes::new(),
        }
    }

    /// The bytes to write for this part.
    pub fn written(&self) -> Written<'_> {
        Written {
            filter: &self.filter,
            file: &self.file,
        }
    }

    /// The filter, to be changed. The caller has verified its file, which is dropped together with its checksums.
    pub fn filter_mut(&mut self) -> &mut F {
        self.file = Bytes::new();
        &mut self.filter
    }

    /// The checksum that identifies the filter ([`Persist::checksum`]), as its file states it. Only [`Nested::check`] verifies it.
    pub fn stated_checksum(&self) -> u64 {
        match self.file.last_chunk() {
            Some(&word) => u64::from_le_bytes(word),
            None => self.filter.checksum(),
        }
    }

    /// Returns an error unless the file of the filter is sound. Reads all of it.
    pub fn check(&self) -> Result<()> {
        match self.file.is_empty() {
            true => self.filter.check(),
            false => F::from_owner(self.file.clone(), Check::Whole).map(|_| ()),
        }
    }
}

/// The bytes to write for a part: the file that it was read from, unchanged, or a new file. So undetected damage keeps its wrong
/// checksums and is found later.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a> {
    /// The filter.
    filter: &'a dyn Body,
    /// The file that the filter was read from; empty if there is none.
    file: &'a [u8],
}

impl Written<'_> {
    /// The length of the file in bytes.
    fn len(&self) -> u64 {
        match self.file.len() as u64 {
            0 => encoded_len(
                self.filter.parameters().len() as u64,
                self.filter.payload_words(),
            ),
            length => length,
        }
    }
}

/// The length in words of a payload of these files.
pub(crate) fn words(parts: &[Written<'_>]) -> u64 {
    let files = parts.iter().map(|part| aligned(part.len()));
    let bytes = files.fold(aligned(8 * parts.len() as u64), u64::saturating_add);
    bytes / 8
}

/// The checksum of the directory.
pub(crate) fn directory_sum(parts: &[Written<'_>]) -> u64 {
    let lengths = parts.iter().map(Written::len);
    let bytes: Vec<u8> = lengths.flat_map(u64::to_le_bytes).collect();
    xxh3_64(&bytes)
}

/// Writes directory and files.
pub(crate) fn write_all(parts: &[Written<'_>], writer: &mut Writer<'_>) -> io::Result<()> {
    let lengths: Vec<u64> = parts.iter().map(Written::len).collect();
    writer.words(lengths.iter().copied())?;
    pad(8 * lengths.len() as u64, writer)?;
    for (part, length) in parts.iter().zip(lengths) {
        match part.file {
            [] => {
                let doubt = write(part.filter, writer)?;
                writer.doubt(doubt.as_ref());
            }
            file => writer.write_all(file)?,
        }
        pad(length, writer)?;
    }
    Ok(())
}

/// Reads a directory of `count` files that has the checksum `sum`, and returns their lengths. [`read`] then reads one file after the other.
pub(crate) fn read_directory(count: u64, sum: u64, payload: &mut Payload<'_>) -> Result<Vec<u64>> {
    let lengths = payload.words(count, "the directory")?;
    let bytes: Vec<u8> = lengths.iter().flat_map(|word| word.to_le_bytes()).collect();
    super::expect_sum("the directory", &bytes, sum)?;
    skip_padding(8 * count, payload)?;
    Ok(lengths)
}

/// Reads a file of this length, which must have one of `forms`. Only its header is verified; [`Nested::check`] verifies the rest.
///
/// `forms` limits how deep files are nested. Otherwise a file could hold a file that holds a file, and so on, until the stack overflows.
/// Patched filters hold filters of shards, but no filter holds patched filters.
pub(crate) fn read<F: Body>(
    length: u64,
    forms: &[Form],
    payload: &mut Payload<'_>,
) -> Result<Nested<F>> {
    let words = length.div_ceil(8);
    let file = payload.shared(words, "a part")?;
    let file = file.slice(..length as usize);
    skip_padding(8 * words, payload)?;
    let form = Header::read(&file[..])?.form();
    if !forms.contains(&form) {
        let names: Vec<_> = forms.iter().map(|form| form.name()).collect();
        let field = "the form of one of its parts";
        return Err(Error::field(field, form.name(), names.join(" or ")));
    }
    let filter = F::from_owner(file.clone(), Check::Header)?;
    Ok(Nested { filter, file })
}

/// The next multiple of the alignment.
fn aligned(bytes: u64) -> u64 {
    bytes
        .checked_next_multiple_of(ALIGNMENT)
        .unwrap_or(u64::MAX)
}

/// Writes the zeros that follow `bytes` bytes.
fn pad(bytes: u64, writer: &mut Writer<'_>) -> io::Result<()> {
    let zeros = [0; ALIGNMENT as usize];
    writer.write_all(&zeros[..(aligned(bytes) - bytes) as usize])
}

/// Reads the zeros that follow `bytes` bytes, which are whole words.
fn skip_padding(bytes: u64, payload: &mut Payload<'_>) -> Result<()> {
    let words = payload.words((aligned(bytes) - bytes) / 8, "the padding")?;
    match words.iter().find(|&&word| word != 0) {
        Some(word) => Err(Error::field("a word of the padding", word, "0")),
        None => Ok(()),
    }
}

/// Returns an error unless the header agrees with its parts.
pub(crate) fn expect_head<B: Body>(head: &Head, filter: &B) -> Result<()> {
    let own = filter.head();
    if *head == own {
        return Ok(());
    }
    let shown =
        |family: Family, keys: u64| format!("that of a {} filter of {keys} keys", family.name());
    let got = shown(head.family, head.profile.keys);
    let expected = shown(own.family, own.profile.keys);
    Err(Error::field(
        "the header",
        got,
        format!("what its parts say, {expected}"),
    ))
}
