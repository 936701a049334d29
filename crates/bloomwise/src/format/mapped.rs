//! Maps files. The only place that does.

#![expect(
    unsafe_code,
    reason = "a file can change while it is mapped, and no check can prevent that"
)]

use super::{Check, Persist};
use crate::error::{Error, Result};
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Filters that answer from mapped files: the system reads pages as queries need them, and all processes that map a file share them. With
/// [`Check::Header`] a file of any size is ready at once. Every filter that can be saved has these methods.
///
/// The safe way is [`Persist::load`], which copies the file into memory.
pub trait MapFile: Persist {
    /// A filter that answers from a mapped file.
    ///
    /// # Safety
    ///
    /// Nothing may change or truncate the file while a filter answers from it, neither this process nor another. A change is a data race: the filter may
    /// answer anything. Truncation ends the process by a signal. Replacing the file by another of its name is fine, and [`Persist::save`] does that.
    ///
    /// ```
    /// use bloomwise::format::{Check, MapFile};
    /// use bloomwise::{AnyFilter, Blocked, Filter, Persist, Size};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("mapped-{}.bloomwise", std::process::id()));
    /// Blocked::builder(Size::BitsPerKey(12.0)).build_from_keys(["ant", "bee"])?.save(&path)?;
    /// // SAFETY: only this program knows the file, and it does not change it.
    /// let filter = unsafe { AnyFilter::open(&path, Check::Whole) }?;
    /// assert!(filter.contains("ant"));
    /// # std::fs::remove_file(&path).ok();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The file cannot be mapped, or it does not hold a filter of this type and nothing else, as far as `check` asks.
    unsafe fn open(path: impl AsRef<Path>, check: Check) -> Result<Self>;

    /// A filter that answers from a part of a mapped file, such as a filter inside of another file.
    ///
    /// # Safety
    ///
    /// As for [`MapFile::open`].
    ///
    /// # Errors
    ///
    /// As for [`MapFile::open`].
    unsafe fn open_at(file: &File, range: Range<u64>, check: Check) -> Result<Self>;
}

impl<F: Persist> MapFile for F {
    unsafe fn open(path: impl AsRef<Path>, check: Check) -> Result<Self> {
        let path = path.as_ref();
        let map = || {
            let file = File::open(path)?;
            let length = file.metadata()?.len();
            // SAFETY: the caller promises that the file does not change.
            unsafe { map_part(&file, 0..length, check) }
        };
        let pages = map().map_err(|source| Error::file(path, source))?;
        Self::from_owner(pages, check).map_err(|error| error.in_file(path))
    }

    unsafe fn open_at(file: &File, range: Range<u64>, check: Check) -> Result<Self> {
        // SAFETY: the caller promises that the file does not change.
        let pages = unsafe { map_part(file, range, check) }.map_err(Error::reading)?;
        Self::from_owner(pages, check)
    }
}

/// Maps a temporary file of this program, which has written it and changes it no more.
pub(super) fn map_own(file: &File, check: Check) -> io::Result<Mapped> {
    let length = file.metadata()?.len();
    // SAFETY: temporary files have names that no other program was given.
    unsafe { map_part(file, 0..length, check) }
}

/// The bytes of a file.
pub(super) enum Mapped {
    /// Mapped.
    Pages(Mmap),
    /// An empty file, which some systems cannot map.
    Empty,
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        match self {
            Mapped::Pages(pages) => pages,
            Mapped::Empty => &[],
        }
    }
}

/// A mapping and its file. The file is dropped after the mapping.
pub(super) struct Kept<F> {
    pub pages: Mapped,
    /// Dropped after the pages, since fields are dropped in order.
    pub _file: F,
}

impl<F> AsRef<[u8]> for Kept<F> {
    fn as_ref(&self) -> &[u8] {
        self.pages.as_ref()
    }
}

/// Maps a part of a file for reading. `check` says how much of it will be verified.
///
/// # Safety
///
/// The file must not change while it is mapped.
unsafe fn map_part(file: &File, part: Range<u64>, check: Check) -> io::Result<Mapped> {
    let invalid = |message| io::Error::new(io::ErrorKind::InvalidInput, message);
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(invalid(
            "not a regular file, so it cannot be mapped; load it instead",
        ));
    }
    let length = part.end.checked_sub(part.start);
    let Some(length) = length.filter(|_| part.end <= metadata.len()) else {
        return Err(invalid("the file ends before the part to map"));
    };
    if length == 0 {
        return Ok(Mapped::Empty);
    }
    let length = usize::try_from(length).map_err(|_| invalid("too large to be mapped"))?;
    let mut options = MmapOptions::new();
    options.offset(part.start).len(length);
    // SAFETY: the caller promises that the file does not change.
    let pages = unsafe { options.map(file) }?;
    #[cfg(unix)]
    if check == Check::Header {
        // A query reads a line here and a line there: reading ahead would only push other pages out, while checksums are much faster with it. If the
        // system does not take the advice, queries are as right as before.
        let _ = pages.advise(memmap2::Advice::Random);
    }
    #[cfg(not(unix))]
    let _ = check;
    Ok(Mapped::Pages(pages))
}
