//! Maps files. The only place that does.

#![expect(
    unsafe_code,
    reason = "a mapped file may be changed by others; the page of `format` says what follows"
)]

use super::Check;
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

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

/// Maps a file for reading. `check` says how much of it will be verified.
pub(super) fn map(path: &Path, check: Check) -> io::Result<Mapped> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    map_part(&file, 0..length, check)
}

/// Maps a part of a file for reading. `check` says how much of it will be verified.
pub(super) fn map_part(file: &File, part: Range<u64>, check: Check) -> io::Result<Mapped> {
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
    // SAFETY: the caller of `Persist::open` is told not to change the file. This library replaces files and never writes into them.
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
