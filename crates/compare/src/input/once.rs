//! Inputs that can be read only once.
//!
//! Standard input has many names: `-`, `/dev/stdin`, `/dev/fd/0`, `/proc/self/fd/0`, and links to them. Who reads it first gets all
//! bytes. A second reader gets nothing, as if the file were empty. The same holds for other pipes. So a command refuses two
//! inputs that are the same pipe, or that both name standard input, before it reads anything.
//!
//! Regular files may be named twice, because each reader starts at the beginning. So may devices such as `/dev/null`.

use crate::path::{is_dash, shown};
use crate::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders that hold the open files of this process under their numbers. Standard input is number 0.
const DESCRIPTORS: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"];

/// How many links are followed. Linux follows 40.
const MAX_LINKS: usize = 40;

/// Returns an error if two of the inputs are the same pipe or both are standard input.
pub fn check_read_once(inputs: &[Option<&Path>]) -> Result<()> {
    let inputs: Vec<&Path> = inputs.iter().copied().flatten().collect();
    for (at, first) in inputs.iter().enumerate() {
        for second in &inputs[at + 1..] {
            let names = format!("{} and {}", shown(first), shown(second));
            if is_standard_input(first) && is_standard_input(second) {
                return Err(Error::invalid(format!(
                    "standard input is named more than once ({names}); it can be read only once, use files for the others"
                )));
            }
            if same_pipe(first, second) {
                return Err(Error::invalid(format!(
                    "{names} are the same pipe; it can be read only once, use files for the others"
                )));
            }
        }
    }
    Ok(())
}

/// Whether a path is one of the names of standard input, or a link to one.
fn is_standard_input(path: &Path) -> bool {
    if is_dash(path) {
        return true;
    }
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let folder = folder_of(&path);
        if path.file_name().is_some_and(|name| name == "0") && holds_descriptors(&folder) {
            return true;
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => return false,
        }
    }
    false
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(path);
    Path::new(".").join(folder)
}

/// Whether a folder holds the open files of this process.
fn holds_descriptors(folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else {
        return false;
    };
    DESCRIPTORS
        .iter()
        .any(|name| fs::canonicalize(name).is_ok_and(|descriptors| descriptors == folder))
}

/// Whether two paths lead to the same pipe. They are not opened, because that would disturb the writer of a named pipe.
#[cfg(unix)]
fn same_pipe(left: &Path, right: &Path) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let pipe = |path: &Path| {
        let path = if is_dash(path) {
            Path::new("/dev/stdin")
        } else {
            path
        };
        let pipe = fs::metadata(path)
            .ok()
            .filter(|file| file.file_type().is_fifo())?;
        Some((pipe.dev(), pipe.ino()))
    };
    pipe(left).is_some_and(|left| pipe(right) == Some(left))
}

/// Other systems do not tell whether two paths lead to the same pipe.
#[cfg(not(unix))]
fn same_pipe(_: &Path, _: &Path) -> bool {
    false
}
