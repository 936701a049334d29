//! Files that are complete or absent.
//!
//! A new file is written under a temporary name in the folder of its target ([`Temporary`]), synced to the disk and read back. Then it gets its
//! final name. Whatever can be checked about the target is checked before the first byte is written. [`check`] does only that, for programs
//! that work for a long time before they save.

use super::temporary::Temporary;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Writes the content of a file.
pub type WriteContent<'a> = &'a mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>;

/// Reads the new file back before it gets its name. Returns an error if the content is wrong.
pub type ReadBack<'a> = &'a mut dyn FnMut(&mut File) -> io::Result<()>;

/// Replaces a file, or creates it. A new file has the permissions of the old one. If the path is a link, its target is replaced.
///
/// # Errors
///
/// The operating system refuses, the path is not a file, or `write` or `read_back` fails. The old file is then unchanged.
///
/// ```
/// use bloomwise::unstable::atomic;
///
/// # fn main() -> std::io::Result<()> {
/// let path = std::env::temp_dir().join(format!("replace-{}", std::process::id()));
/// atomic::replace(&path, &mut |sink| sink.write_all(b"ant"), &mut |_| Ok(()))?;
/// assert_eq!(std::fs::read(&path)?, b"ant");
/// # std::fs::remove_file(&path)
/// # }
/// ```
pub fn replace(path: &Path, write: WriteContent<'_>, read_back: ReadBack<'_>) -> io::Result<()> {
    let (target, old) = file_to_replace(path)?;
    let permissions = old.map(|old| old.permissions());
    beside(&target, permissions, write, read_back, |temporary| {
        fs::rename(temporary, &target)
    })
}

/// Returns an error if [`replace`] is known to fail for this path: no file can have the path, or no file can be created in its folder.
///
/// # Errors
///
/// Those that [`replace`] returns before it writes anything.
pub fn check(path: &Path) -> io::Result<()> {
    let (target, _) = file_to_replace(path)?;
    Temporary::beside(&target)?.remove()
}

/// Creates a file. It must not exist.
///
/// # Errors
///
/// The operating system refuses, the file exists when it has been written, or `write` or `read_back` fails. Then no file is created.
pub fn create(path: &Path, write: WriteContent<'_>, read_back: ReadBack<'_>) -> io::Result<()> {
    use ErrorKind::{PermissionDenied, Unsupported};
    check_name(path)?;
    beside(path, None, write, read_back, |temporary| {
        // This fails if another file has taken the name in the meantime.
        match fs::hard_link(temporary, path) {
            // The file has its name. A temporary name that cannot be removed does not change that.
            Ok(()) => {
                let _ = fs::remove_file(temporary);
                Ok(())
            }
            // Some file systems have no links. There, a file that appears between these two lines is replaced.
            Err(refused) if matches!(refused.kind(), PermissionDenied | Unsupported) => {
                match fs::symlink_metadata(path) {
                    Ok(_) => Err(ErrorKind::AlreadyExists.into()),
                    Err(_) => fs::rename(temporary, path),
                }
            }
            Err(other) => Err(other),
        }
    })
}

/// The file that a path leads to, with its metadata if it exists. For a link this is the target, so the link stays a link.
fn file_to_replace(path: &Path) -> io::Result<(PathBuf, Option<fs::Metadata>)> {
    check_name(path)?;
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
    Ok((target, old))
}

/// Returns an error for a path that no file can have, for example because it is too long.
fn check_name(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a temporary file in the folder of the target, syncs it to the disk, reads it back, and calls `put_in_place`.
fn beside(
    target: &Path,
    permissions: Option<fs::Permissions>,
    write: WriteContent<'_>,
    read_back: ReadBack<'_>,
    put_in_place: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let mut temporary = Temporary::beside(target)?;
    let written = (|| {
        // Before the first byte, so that no process can read what it may not.
        if let Some(permissions) = permissions {
            temporary.file.set_permissions(permissions)?;
        }
        write(&mut temporary.file)?;
        temporary.file.sync_all()?;
        read_back(&mut temporary.file)?;
        put_in_place(&temporary.path)?;
        sync_folder(target);
        Ok(())
    })();
    if written.is_err() {
        // The caller needs the first error, not the error of the cleanup.
        let _ = temporary.remove();
    }
    written
}

/// Syncs the folder of a file, so that the file's new name survives a crash. Not all systems support it, and the file has its name either way.
fn sync_folder(target: &Path) {
    let parent = target
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use crate::format::Persist;
    use crate::threads::shared::Shareable;
    use crate::{Bloom, Filter, Size};
    use std::fs;

    #[test]
    #[cfg_attr(miri, ignore = "Miri cannot sync files")]
    fn file_that_cannot_be_read_again_replaces_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f.bw");
        let sound = Bloom::builder(Size::Rate(0.01)).build_from_keys(0..100u64);
        let sound = sound.expect("sound");
        sound.save(&path).expect("sound");
        let before = fs::read(&path).expect("it was saved");
        let (shape, cells, mut profile) = sound.into_parts();
        // Readers refuse this rate.
        profile.target_rate = Some(2.0);
        let lying = Bloom::from_parts(shape, cells, profile);
        assert!(lying.contains(7u64));
        let new = folder.path().join("new.bw");
        for error in [lying.save(&path), lying.save_new(&new)] {
            let text = error.expect_err("it cannot be read").to_string();
            assert!(
                text.contains("cannot be read again") && text.contains("rate"),
                "{text}"
            );
            assert!(!text.contains('\n'), "{text}");
        }
        assert_eq!(fs::read(&path).expect("unchanged"), before);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
