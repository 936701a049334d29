//! Files that are complete or absent.
//!
//! A new file is written under a temporary name in the folder of its target, synced to the disk, and then takes its name.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes the content of a file.
pub type WriteContent<'a> = &'a mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>;

/// Replaces a file, or creates it. A new file has the permissions of the old one. A link stays a link.
///
/// # Errors
///
/// The operating system refuses, the path is no file, or `write` fails. The old file is then unchanged.
pub fn replace(path: &Path, write: WriteContent<'_>) -> io::Result<()> {
    // A link stays a link: its target is replaced.
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(_) if path.is_symlink() => {
            return Err(io::Error::other(
                "is a link without a target; remove it first",
            ));
        }
        Err(_) => path.to_path_buf(),
    };
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(io::Error::other("is not a file; give the path of a file"));
    }
    let permissions = old.map(|old| old.permissions());
    beside(&target, permissions, write, |temporary| {
        fs::rename(temporary, &target)
    })
}

/// Creates a file that must not exist.
///
/// # Errors
///
/// The operating system refuses, the file exists once it is written, or `write` fails. No file is then created.
pub fn create(path: &Path, write: WriteContent<'_>) -> io::Result<()> {
    use io::ErrorKind::{PermissionDenied, Unsupported};
    beside(path, None, write, |temporary| {
        // Fails if something has taken the name meanwhile.
        match fs::hard_link(temporary, path) {
            // The file is in place. A second name that cannot be removed changes nothing about that.
            Ok(()) => {
                let _ = fs::remove_file(temporary);
                Ok(())
            }
            // Some file systems have no links. There, a file that appears between these two lines is replaced.
            Err(refused) if matches!(refused.kind(), PermissionDenied | Unsupported) => {
                match fs::symlink_metadata(path) {
                    Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                    Err(_) => fs::rename(temporary, path),
                }
            }
            Err(other) => Err(other),
        }
    })
}

/// Writes a temporary file in the folder of the target, syncs it to the disk, and calls `put_in_place`.
fn beside(
    target: &Path,
    permissions: Option<fs::Permissions>,
    write: WriteContent<'_>,
    put_in_place: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let (mut file, temporary) = temporary_beside(target)?;
    let written = (|| {
        // Before the first byte, so that nobody reads what they may not.
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        write(&mut file)?;
        file.sync_all()?;
        put_in_place(&temporary)?;
        sync_folder(target);
        Ok(())
    })();
    if written.is_err() {
        // The caller needs the first error, not that of the cleanup.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Syncs the folder of a file, so that its new name survives a crash. Not all systems can, and the file is in place.
fn sync_folder(target: &Path) {
    let parent = target
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// A new file in the folder of the target.
fn temporary_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    if target.file_name().is_none() {
        return Err(io::Error::other(
            "has no file name; give the path of a file",
        ));
    }
    loop {
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let name = format!(".bloomwise.{}.{serial}.tmp", std::process::id());
        let temporary = target.with_file_name(name);
        match File::create_new(&temporary) {
            // A process of the same number on another machine that shares the folder.
            Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (file, temporary)),
        }
    }
}
