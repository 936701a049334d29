//! Makes sure that only one process updates a filter at a time.
//!
//! If two processes loaded the same file and saved it one after the other, the keys of the first would be lost. So an update
//! locks the file before it loads it, and unlocks it after it has replaced it. Saving puts a new file in place of the old
//! one. A process that waited for the lock then holds the lock of a file that is gone, so it opens the new file and tries again.

use super::{filter_file, progress};
use anyhow::{Result, anyhow};
use same_file::Handle;
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file and waits until no other process has it locked. The lock lasts until the file is dropped.
pub fn open_locked(path: &Path) -> Result<File> {
    loop {
        let file = filter_file::open(path)?;
        let locked = progress::during("waiting for another update", || file.lock());
        locked.map_err(|error| {
            let name = path.display();
            anyhow!("{name} cannot be locked ({error}); write to another file with -o")
        })?;
        if is_current(path, &file).unwrap_or(false) {
            return Ok(file);
        }
    }
}

/// Whether `path` still leads to `file`.
fn is_current(path: &Path, file: &File) -> io::Result<bool> {
    Ok(Handle::from_path(path)? == Handle::from_file(file.try_clone()?)?)
}
