//! The file that a filter or an HTML page is written to.
//!
//! A [`Target`] is checked before the work begins, so that the user does not wait an hour to learn that a folder does not exist
//! or is not writable. A file is replaced whole or not at all. Without `--force`, a file that appears while the program runs
//! is left as it is.

use super::interrupt;
use crate::args::is_dash;
use anyhow::{Context, Result, anyhow, bail};
use bloomwise::unstable::atomic::{self, WriteContent};
use bloomwise::{AnyFilter, Error, Persist};
use same_file::is_same_file;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf, is_separator};
use std::process;

/// A file to write, or standard output.
pub struct Target {
    /// The file, or `-` for standard output.
    path: PathBuf,
    /// Whether an existing file may be replaced.
    replace: bool,
    /// The option that names the file, for errors.
    option: &'static str,
}

impl Target {
    /// A filter to write to the file `path`, or to standard output for `-`. `inputs` are the files that will be read.
    ///
    /// # Errors
    ///
    /// The path is a directory, an input, or an existing file that must not be replaced, or the folder does not exist or is not
    /// writable.
    pub fn new(path: &Path, replace: bool, inputs: &[Option<&Path>]) -> Result<Self> {
        Self::named("-o", path, replace, inputs)
    }

    /// An HTML page to write to the file `path`; the checks are those of [`Target::new`].
    pub fn page(path: &Path, replace: bool, inputs: &[Option<&Path>]) -> Result<Self> {
        if is_dash(path) {
            bail!("--html -: the table goes to standard output; name a file for the page");
        }
        Self::named("--html", path, replace, inputs)
    }

    /// Checks the path and returns the target.
    fn named(
        option: &'static str,
        path: &Path,
        replace: bool,
        inputs: &[Option<&Path>],
    ) -> Result<Self> {
        let target = Target {
            path: path.to_path_buf(),
            replace,
            option,
        };
        if !target.is_standard_output() {
            target.check(inputs)?;
            target.check_folder()?;
        }
        Ok(target)
    }

    /// Whether the filter goes to standard output.
    pub fn is_standard_output(&self) -> bool {
        is_dash(&self.path)
    }

    /// The name of the file, for display.
    pub fn name(&self) -> String {
        if self.is_standard_output() {
            return "standard output".to_string();
        }
        self.path.display().to_string()
    }

    /// Writes the filter. An existing file is replaced whole or not at all.
    pub fn save(&self, filter: &AnyFilter) -> Result<()> {
        if self.is_standard_output() {
            return filter
                .write_to(io::stdout().lock())
                .context("standard output");
        }
        let saved = interrupt::uninterrupted(|| {
            if self.replace {
                filter.save(&self.path)
            } else {
                filter.save_new(&self.path)
            }
        });
        saved.map_err(|error| match error {
            Error::File { source, .. } if source.kind() == ErrorKind::AlreadyExists => {
                self.exists_error()
            }
            error => anyhow!(
                "the filter was not saved: {error}; free some space or name another file with -o"
            ),
        })
    }

    /// Writes an HTML page. An existing file is replaced whole or not at all.
    pub fn save_page(&self, page: &str) -> Result<()> {
        let save = if self.replace {
            atomic::replace
        } else {
            atomic::create
        };
        let write: WriteContent<'_> = &mut |file| file.write_all(page.as_bytes());
        let saved = interrupt::uninterrupted(|| save(&self.path, write));
        saved.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => self.exists_error(),
            _ => anyhow!(
                "the page was not saved: {}: {error}; free some space or name another file with --html",
                self.path.display()
            ),
        })
    }

    /// The path that a link leads to, so that saving replaces the file and keeps the link.
    fn resolved(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    /// The error for an existing file that must not be replaced.
    fn exists_error(&self) -> anyhow::Error {
        let name = self.path.display();
        anyhow!("{name} already exists; use --force to replace it")
    }

    /// Returns an error if the path cannot be written or replaced.
    fn check(&self, inputs: &[Option<&Path>]) -> Result<()> {
        let (path, name) = (&self.path, self.path.display());
        let last = path.as_os_str().as_encoded_bytes().last();
        if path.is_dir() || last.is_some_and(|&byte| is_separator(char::from(byte))) {
            bail!("{name} is a directory; name a file to write");
        }
        if inputs.iter().flatten().any(|input| same_file(path, input)) {
            bail!("{name} is an input and would be replaced; name another file to write");
        }
        // A broken link counts as an existing file.
        if fs::symlink_metadata(path).is_err() {
            return Ok(());
        }
        if !path.exists() {
            bail!("{name} is a broken link; remove it or name another file to write");
        }
        if !path.is_file() {
            let alternative = if self.option == "-o" {
                ", or - for standard output"
            } else {
                ""
            };
            bail!("{name} is not a regular file; name a file to write{alternative}");
        }
        if !self.replace {
            return Err(self.exists_error());
        }
        Ok(())
    }

    /// Returns an error unless a new file can be created in the folder. Saving first writes a temporary file there.
    fn check_folder(&self) -> Result<()> {
        let name = self.path.display();
        let place = self.resolved();
        let folder = folder_of(&place);
        let shown = folder.display();
        if !folder.is_dir() {
            bail!("{name} cannot be written: the folder {shown} does not exist; create it first");
        }
        let probe = folder.join(format!(".bloomwise.{}.probe", process::id()));
        let tried = interrupt::uninterrupted(|| match File::create_new(&probe) {
            Ok(_) => fs::remove_file(&probe),
            // Left by a run that was killed, so files can be created here.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        });
        tried.map_err(|error| {
            anyhow!("{name} cannot be written: no file can be created in the folder {shown} ({error}); name another file with {}", self.option)
        })
    }
}

/// The folder that `place` is in.
fn folder_of(place: &Path) -> &Path {
    let folder = place.parent();
    (folder.filter(|folder| !folder.as_os_str().is_empty())).unwrap_or(Path::new("."))
}

/// Whether two paths lead to the same regular file. Other files are not compared: opening a named pipe would disturb its writer.
pub fn same_file(left: &Path, right: &Path) -> bool {
    let regular = |path: &Path| !is_dash(path) && path.is_file();
    regular(left) && regular(right) && is_same_file(left, right).unwrap_or(false)
}
