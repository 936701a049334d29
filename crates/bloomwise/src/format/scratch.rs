//! Scratch files: large data of a build that goes to the disk and comes back.

use super::Check;
use super::mapped::{Kept, map_own};
use super::temporary::Temporary;
use crate::error::{Error, Result};
use bytes::Bytes;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A temporary file that is deleted when it is dropped, or that has no name from the start.
pub(crate) struct Scratch {
    /// The open file.
    file: File,
    /// Its folder, named in errors.
    folder: PathBuf,
    /// Deletes the file if it has a name. It is dropped after `file`, because fields are dropped in order and some systems cannot delete an
    /// open file.
    _name: Name,
}

/// The name of a file that could not be deleted while it was open. Dropping it deletes the file.
struct Name(Option<PathBuf>);

impl Scratch {
    /// An empty file in a folder.
    pub fn new(folder: &Path) -> Result<Self> {
        let created = Temporary::beside(&folder.join("filter"));
        let Temporary { file, path } = created.map_err(|error| Error::file(folder, error))?;
        let removed = fs::remove_file(&path);
        Ok(Scratch {
            file,
            folder: folder.to_path_buf(),
            _name: Name(removed.is_err().then_some(path)),
        })
    }

    /// Appends bytes.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| unusable(&self.folder, "written", source))
    }

    /// Appends what `write` writes to a stream.
    pub fn append_with<T>(&mut self, write: impl FnOnce(&File) -> Result<T>) -> Result<T> {
        write(&self.file).map_err(|error| match error {
            Error::Stream { source, .. } => unusable(&self.folder, "written", source),
            other => other,
        })
    }

    /// Fills `bytes` with those that start at `position`.
    pub fn read_at(&self, position: u64, bytes: &mut [u8]) -> Result<()> {
        let mut file = &self.file;
        let found = file.seek(SeekFrom::Start(position));
        let read = found.and_then(|_| file.read_exact(bytes));
        read.map_err(|source| unusable(&self.folder, "read", source))
    }

    /// Maps the whole file, for filters that answer from parts of it. The file is dropped with the last of them.
    pub fn map(self) -> Result<Bytes> {
        let pages = map_own(&self.file, Check::Header)
            .map_err(|source| unusable(&self.folder, "read", source))?;
        Ok(Bytes::from_owner(Kept { pages, _file: self }))
    }
}

/// The error if a temporary file cannot be written, usually because the disk is full, or cannot be read.
fn unusable(folder: &Path, action: &'static str, source: io::Error) -> Error {
    Error::Scratch {
        folder: folder.to_path_buf(),
        action,
        source,
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // An error here cannot be reported.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri cannot map files")]
    fn file_that_keeps_its_name_is_deleted_after_the_last_reader_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scratch");
        // As on a system that does not delete open files.
        let mut scratch = Scratch {
            file: File::create_new(&path).expect("a new file"),
            folder: folder.path().to_path_buf(),
            _name: Name(Some(path.clone())),
        };
        scratch.append(b"cells").expect("room");
        let pages = scratch.map().expect("it can be mapped");
        let reader = pages.slice(2..);
        drop(pages);
        assert!(path.exists() && reader == "lls");
        drop(reader);
        assert!(!path.exists());
    }

    #[test]
    fn errors_name_the_folder_and_what_failed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut scratch = Scratch::new(folder.path()).expect("a folder");
        scratch.append(b"cells").expect("room");
        let mut found = [0; 4];
        scratch.read_at(1, &mut found).expect("they are there");
        assert_eq!(&found, b"ells");
        let error = scratch.read_at(2, &mut found).expect_err("the file ends");
        let text = error.to_string();
        assert!(
            text.contains("a temporary file could not be read"),
            "{text}"
        );
        assert!(
            text.starts_with(&folder.path().display().to_string()),
            "{text}"
        );
    }
}
