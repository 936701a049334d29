//! One change of a filter at a time.
//!
//! Two updates that load the same file and save it one after the other would lose the keys of the first. So an update
//! locks the file from before it is loaded until after it is replaced. Saving puts a new file in the place of the old
//! one: whoever waited for the lock then holds that of a file which is no longer there, and has to begin again.

use crate::progress;
use anyhow::{Result, anyhow};
use same_file::Handle;
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file and waits until nobody else has it locked. It is locked until it is dropped.
pub fn open_locked(path: &Path) -> Result<File> {
    let name = path.display();
    loop {
        let file = File::open(path)
            .map_err(|error| anyhow!("{name}: {error}; name a filter that was built before"))?;
        let locked = progress::during("waiting for another update", || file.lock());
        locked.map_err(|error| {
            anyhow!("{name} cannot be locked ({error}); write to another file with -o")
        })?;
        if is_still(path, &file).unwrap_or(false) {
            return Ok(file);
        }
    }
}

/// Whether this is still the file of that name.
fn is_still(path: &Path, file: &File) -> io::Result<bool> {
    Ok(Handle::from_path(path)? == Handle::from_file(file.try_clone()?)?)
}
