//! Where a filter or a page is to be written.
//!
//! A [`Target`] is looked at before the work begins, so that nobody waits an hour to learn that a folder does not exist
//! or cannot be written. What happens to it in the meantime is the library's concern: a file is replaced as a whole or
//! not at all, and where it must not be replaced, one that has come up since is left as it is.

use crate::args::is_dash;
use crate::interrupt;
use anyhow::{Context, Result, anyhow, bail};
use bloomwise::{AnyFilter, Error, Persist};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};
use std::process;
use tempfile::NamedTempFile;

/// A file to write, or standard output.
pub struct Target {
    /// The file, or `-` for standard output.
    path: PathBuf,
    /// Whether a file that is there may be replaced.
    replace: bool,
    /// The option that names it.
    option: &'static str,
}

impl Target {
    /// A file to write, or `-`, when these files are still to be read.
    ///
    /// # Errors
    ///
    /// What is there must not be replaced, is to be read, or is no file; there is no folder for it, or nothing can be
    /// written there.
    pub fn new(path: &Path, replace: bool, inputs: &[Option<&Path>]) -> Result<Self> {
        Self::named("-o", path, replace, inputs)
    }

    /// A page to write, as [`Target::new`].
    pub fn page(path: &Path, replace: bool, inputs: &[Option<&Path>]) -> Result<Self> {
        if is_dash(path) {
            bail!("--html -: standard output has the table; name a file to write");
        }
        Self::named("--html", path, replace, inputs)
    }

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
            target.probe()?;
        }
        Ok(target)
    }

    /// Whether the filter goes to standard output.
    pub fn is_standard_output(&self) -> bool {
        is_dash(&self.path)
    }

    /// The name of the file for people.
    pub fn name(&self) -> String {
        if self.is_standard_output() {
            return "standard output".to_string();
        }
        self.path.display().to_string()
    }

    /// Writes the filter: the file is replaced as a whole or not at all.
    pub fn save(&self, filter: &AnyFilter) -> Result<()> {
        if self.is_standard_output() {
            let mut out = io::stdout().lock();
            let written = filter.write_to(&mut out).and_then(|()| out.flush());
            return written.context("standard output");
        }
        let saved = interrupt::uninterrupted(|| match self.replace {
            true => filter.save(&self.path),
            false => filter.save_new(&self.path),
        });
        saved.map_err(|error| match error {
            Error::Io { reason, .. } if reason.kind() == ErrorKind::AlreadyExists => self.taken(),
            error => anyhow!(
                "the filter was not saved: {error}; make room there or name another file with -o"
            ),
        })
    }

    /// Writes a page: the file is replaced as a whole or not at all.
    pub fn save_page(&self, page: &str) -> Result<()> {
        // A link stays a link: what it leads to is replaced.
        let place = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let saved = interrupt::uninterrupted(|| {
            let mut file = beside(&place)?;
            file.write_all(page.as_bytes())?;
            file.as_file().sync_all()?;
            let put = match self.replace {
                true => file.persist(&place),
                false => file.persist_noclobber(&place),
            };
            put.map(drop).map_err(|error| error.error)
        });
        saved.map_err(|error: io::Error| match error.kind() {
            ErrorKind::AlreadyExists => self.taken(),
            _ => anyhow!(
                "the page was not saved: {}: {error}; make room there or name another file with --html",
                self.path.display()
            ),
        })
    }

    /// The error for a file that is there and must not be replaced.
    fn taken(&self) -> anyhow::Error {
        let name = self.path.display();
        anyhow!("{name} exists already; use --force to replace it")
    }

    /// An error if what is there is in the way.
    fn check(&self, inputs: &[Option<&Path>]) -> Result<()> {
        let (path, name) = (&self.path, self.path.display());
        let last = path.as_os_str().as_encoded_bytes().last();
        if path.is_dir() || last.is_some_and(|&byte| is_separator(char::from(byte))) {
            bail!("{name} is a directory; name a file to write");
        }
        if inputs.iter().flatten().any(|input| same_file(path, input)) {
            bail!("{name} is read and would be replaced; name another file to write");
        }
        // A link that leads nowhere is something that is there, too.
        if fs::symlink_metadata(path).is_err() {
            return Ok(());
        }
        if !path.exists() {
            bail!("{name} is a link that leads nowhere; remove it or name another file to write");
        }
        if !path.is_file() {
            let instead = match self.option {
                "-o" => ", or - for standard output",
                _ => "",
            };
            bail!("{name} is no ordinary file; name a file to write{instead}");
        }
        if !self.replace {
            return Err(self.taken());
        }
        Ok(())
    }

    /// An error unless the folder takes a new file, since a filter is first written beside the place it shall have.
    fn probe(&self) -> Result<()> {
        let name = self.path.display();
        let place = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let folder = folder_of(&place);
        let shown = folder.display();
        if !folder.is_dir() {
            bail!("{name} cannot be written: there is no folder {shown}; create it first");
        }
        let probe = folder.join(format!(".bloomwise.{}.probe", process::id()));
        let tried = interrupt::uninterrupted(|| match File::create_new(&probe) {
            Ok(_) => fs::remove_file(&probe),
            // Left over from a program that was killed: files can be made here.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        });
        tried.map_err(|error| {
            anyhow!("{name} cannot be written: the folder {shown} takes no new file ({error}); name another one with {}", self.option)
        })
    }
}

/// The folder of a file.
fn folder_of(place: &Path) -> &Path {
    let folder = place.parent();
    (folder.filter(|folder| !folder.as_os_str().is_empty())).unwrap_or(Path::new("."))
}

/// A new file beside a place. Who may read it: as before where there is a file, and else whoever the system lets by default.
fn beside(place: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bloomwise.");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let old = fs::metadata(place).map(|old| old.permissions());
        builder.permissions(old.unwrap_or(fs::Permissions::from_mode(0o666)));
    }
    builder.tempfile_in(folder_of(place))
}

/// Whether two names mean the same file.
pub fn same_file(left: &Path, right: &Path) -> bool {
    if is_dash(left) || is_dash(right) {
        return false;
    }
    matches!((fs::canonicalize(left), fs::canonicalize(right)), (Ok(left), Ok(right)) if left == right)
}
