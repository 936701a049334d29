//! Maps files. No other module does.

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

/// Filters that answer from mapped files. The system reads pages as queries need them, and all processes that map a file share the pages. With
/// [`Check::Header`], opening a file takes the same short time whatever its size. Every filter that can be saved has these methods.
///
/// The safe alternative is [`Persist::load`], which copies the file into memory.
pub trait MapFile: Persist {
    /// A filter that answers from a mapped file.
    ///
    /// # Safety
    ///
    /// While a filter answers from the file, no process may change or truncate it, this process included. A change is a data race: the
    /// filter may answer anything. Truncation ends the process with a signal. Replacing the file with another one of the same name is fine,
    /// and [`Persist::save`] does that.
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
    /// The file cannot be mapped, or `check` finds that it does not hold exactly one filter of this type.
    unsafe fn open(path: impl AsRef<Path>, check: Check) -> Result<Self>;

    /// A filter that answers from a part of a mapped file, for example a filter inside another file.
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

/// Maps a temporary file that this program has written and does not change any more.
pub(super) fn map_own(file: &File, check: Check) -> io::Result<Mapped> {
    let length = file.metadata()?.len();
    // SAFETY: this program chose the name of the temporary file and gave it to no other.
    unsafe { map_part(file, 0..length, check) }
}

/// The bytes of a mapped file.
pub(super) enum Mapped {
    /// A mapping of the file's pages.
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

/// A mapping that keeps its file open as long as it lives.
pub(super) struct Kept<F> {
    /// The mapped bytes.
    pub pages: Mapped,
    /// The file. It is dropped after the pages, because fields are dropped in order.
    pub _file: F,
}

impl<F> AsRef<[u8]> for Kept<F> {
    fn as_ref(&self) -> &[u8] {
        self.pages.as_ref()
    }
}

/// Maps a part of a file for reading. `check` tells the system how much of it will be read at once.
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
        // A query reads single cache lines, so reading ahead would only evict other pages. Verifying checksums is much faster with reading
        // ahead. If the system ignores the advice, answers stay correct.
        let _ = pages.advise(memmap2::Advice::Random);
    }
    #[cfg(not(unix))]
    let _ = check;
    Ok(Mapped::Pages(pages))
}
