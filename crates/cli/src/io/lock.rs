//! Makes sure that only one process replaces a filter at a time.
//!
//! If two processes loaded the same file and saved it one after the other, the keys of the first would be lost. So an update
//! locks the file before it loads it, and unlocks it after it has replaced it. A build or an update that replaces a file with
//! `--force` does not read it, so it takes the lock only to save: it then replaces what an update has finished, never what an
//! update has loaded and will save.
//!
//! Saving puts a new file in place of the old one. A process that waited for the lock then holds the lock of a file that is
//! gone, so it opens the new file and tries again.

use crate::io::progress;
use anyhow::{Result, anyhow};
use bloomwise::unstable::atomic::open_to_lock;
use bloomwise_compare::path::shown;
use same_file::Handle;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens a file and waits until no other process has it locked. The lock lasts until the file is dropped. `None` if there is no
/// such file.
pub fn open_locked(path: &Path) -> Result<Option<File>> {
    loop {
        let file = match open_to_lock(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refused(path, &error)),
        };
        let locked = progress::during("waiting for another update", || file.lock());
        locked.map_err(|error| refused(path, &error))?;
        match is_current(path, &file) {
            Ok(true) => return Ok(Some(file)),
            Ok(false) => {}
            // The next attempt to open the file reports that.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(refused(path, &error)),
        }
    }
}

/// Returns an error if a file can never be locked. Another process may have it locked now.
pub fn check(path: &Path) -> Result<()> {
    let tried = open_to_lock(path).map(|file| file.try_lock());
    match tried {
        Ok(Ok(()) | Err(TryLockError::WouldBlock)) => Ok(()),
        Ok(Err(TryLockError::Error(error))) | Err(error) => Err(refused(path, &error)),
    }
}

/// The error for a file that cannot be locked.
fn refused(path: &Path, error: &io::Error) -> anyhow::Error {
    let name = shown(path);
    anyhow!("{name} cannot be locked ({error}); write to another file with -o")
}

/// Whether `path` still leads to `file`.
fn is_current(path: &Path, file: &File) -> io::Result<bool> {
    Ok(Handle::from_path(path)? == Handle::from_file(file.try_clone()?)?)
}
