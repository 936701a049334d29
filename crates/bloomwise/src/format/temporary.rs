//! Temporary files, which a save writes before it gives them their final names.
//!
//! # The name
//!
//! `.bloomwise.PROCESS.SERIAL.tmp` in the folder of the target, with the number of the process and a serial number. It has at most 46
//! bytes, however long the name of the target is, so the target may have the longest name that the file system allows.
//!
//! # Who deletes it
//!
//! A save that fails deletes its temporary file. A process that is killed cannot. [`remove_abandoned`] deletes what such
//! processes left in a folder. It must not delete a file that another process is writing. So a writer locks its file (an advisory lock
//! of the operating system) until the file has its final name. The lock ends with the process, however the process ends.
//! So a temporary file that can be locked may be deleted. The process number in the name cannot decide this: systems reuse numbers,
//! and machines or containers that share a folder may use the same ones.
//!
//! Three races are harmless:
//!
//! - A writer creates its file and then locks it. In between, another process may lock and delete the file. So the writer checks, under
//!   the lock, that the name still leads to its file, and takes another name if it does not.
//! - A writer may finish after another process has opened its file and before that process locks it. The name is then gone, or it
//!   belongs to a new file. So the deleting process makes the same check under the lock. A name leads to another file only after
//!   a process renamed or deleted the first file, and that takes the lock.
//! - If two processes clean a folder, one gets the lock of a file. The other skips that file.
//!
//! # Limits
//!
//! On file systems without locks, files are written without them and none are deleted. The same holds for systems
//! other than Unix: there, the standard library cannot tell whether a name leads to a given file.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How the name of every temporary file begins.
const PREFIX: &str = ".bloomwise.";

/// How the name of every temporary file ends.
const SUFFIX: &str = ".tmp";

/// How many of a writer's files may disappear before it gives up.
const ATTEMPTS: u32 = 1000;

/// A file that will get another name.
pub struct Temporary {
    /// The file. It is locked until it is dropped.
    pub file: File,
    /// Its temporary name.
    pub path: PathBuf,
}

impl Temporary {
    /// Creates a temporary file in the folder of `target`.
    pub fn beside(target: &Path) -> io::Result<Self> {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        if target.file_name().is_none() {
            return Err(io::Error::other(
                "has no file name; give the path of a file",
            ));
        }
        for _ in 0..ATTEMPTS {
            let (file, path) = loop {
                let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
                let name = format!("{PREFIX}{}.{serial}{SUFFIX}", std::process::id());
                let path = target.with_file_name(name);
                match File::create_new(&path) {
                    // A killed process had the same number, or a process on another machine that shares the folder has it.
                    Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => {}
                    created => break (created?, path),
                }
            };
            match file.try_lock() {
                // Another process that cleans the folder locked the file first.
                Err(TryLockError::WouldBlock) => {}
                Ok(()) if leads_to(&path, &file) == Some(false) => {}
                // An error means that this file system has no locks.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Temporary { file, path }),
            }
        }
        Err(io::Error::other(
            "temporary files in its folder disappear; give a path in another folder",
        ))
    }

    /// Deletes the file.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

/// Deletes the temporary files in `folder` that no running process writes. Reads the names of all files in the folder.
///
/// A file that cannot be deleted stays. That is no reason to refuse a save.
pub fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        // A link or a pipe of such a name is not ours, so it is not even opened.
        if !is_temporary(&entry.file_name()) || !entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            continue;
        }
        let path = entry.path();
        let Ok(file) = open_to_lock(&path) else {
            continue;
        };
        if file.try_lock().is_ok() && leads_to(&path, &file) == Some(true) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Opens a file in order to lock it. Some network file systems lock only files that are open for writing.
pub fn open_to_lock(path: &Path) -> io::Result<File> {
    let writable = File::options().read(true).write(true).open(path);
    writable.or_else(|_| File::open(path))
}

/// Whether a name belongs to a temporary file.
fn is_temporary(name: &OsStr) -> bool {
    let numbers = name.to_str().and_then(|name| {
        let numbers = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
        numbers.split_once('.')
    });
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, serial)| is_number(process) && is_number(serial))
}

/// Whether `path` is a name of the open `file`; `None` on systems that cannot tell.
fn leads_to(path: &Path, file: &File) -> Option<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let named = fs::symlink_metadata(path).map(id);
        let open = file.metadata().map(id);
        Some(matches!((named, open), (Ok(named), Ok(open)) if named == open))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, file);
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The names in a folder, in order.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name().into_string())
            .collect::<Result<_, _>>()
            .expect("UTF-8");
        names.sort();
        names
    }

    #[test]
    fn abandoned_file_is_removed_and_one_in_use_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("f.bw");
        let abandoned = Temporary::beside(&target).expect("a file");
        let used = Temporary::beside(&target).expect("a file");
        let name = used.path.file_name().expect("a name").to_owned();
        drop(abandoned.file);
        remove_abandoned(folder.path());
        assert_eq!(names(folder.path()), [name.to_str().expect("UTF-8")]);
        used.remove().expect("it is there");
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn only_regular_files_with_the_exact_name_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let others = [
            ".bloomwise.1.2.tmp.gz",
            ".bloomwise.1.tmp",
            ".bloomwise.1.x.tmp",
            ".bloomwise.1.2.3.tmp",
            ".bloomwise..2.tmp",
            ".bloomwise.-1.2.tmp",
            "bloomwise.1.2.tmp",
            "f.bw",
        ];
        for name in others {
            fs::write(path(name), "precious").expect("a file");
        }
        std::os::unix::fs::symlink(path("f.bw"), path(".bloomwise.3.0.tmp")).expect("a link");
        fs::create_dir(path(".bloomwise.4.0.tmp")).expect("a folder");
        let before = names(folder.path());
        fs::write(path(".bloomwise.5.0.tmp"), "left").expect("a file");
        remove_abandoned(folder.path());
        assert_eq!(names(folder.path()), before);
        assert_eq!(before.len(), others.len() + 2);
    }

    #[test]
    fn read_only_file_is_removed_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let temporary = Temporary::beside(&folder.path().join("f.bw")).expect("a file");
        let mut permissions = temporary.file.metadata().expect("a file").permissions();
        permissions.set_readonly(true);
        temporary.file.set_permissions(permissions).expect("mine");
        drop(temporary);
        remove_abandoned(folder.path());
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn writers_lose_no_file_to_threads_that_clean() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("f.bw");
        let files = if cfg!(miri) { 5 } else { 2000 };
        let writing = std::sync::atomic::AtomicBool::new(true);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while writing.load(Ordering::Relaxed) {
                        remove_abandoned(folder.path());
                    }
                });
            }
            let writers: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let mut lost = 0;
                        for _ in 0..files {
                            let temporary = Temporary::beside(&target).expect("a file");
                            lost += u32::from(temporary.remove().is_err());
                        }
                        lost
                    })
                })
                .collect();
            let lost: Vec<_> = writers
                .into_iter()
                .map(std::thread::ScopedJoinHandle::join)
                .collect();
            writing.store(false, Ordering::Relaxed);
            for lost in lost {
                assert_eq!(lost.expect("no panic"), 0);
            }
        });
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
