//! The file that a filter, a list of keys or an HTML page is written to.
//!
//! A [`Target`] is checked before the work begins, so that the user does not wait an hour to learn that a folder does not exist
//! or is not writable. The check also deletes the temporary files that killed processes left in the folder. A file is
//! replaced whole or not at all. Without `--force`, a file that appears while the program runs is left as it is.

use super::{interrupt, lock};
use anyhow::{Context, Result, anyhow, bail};
use bloomwise::unstable::atomic::{self, ReadBack, WriteContent};
use bloomwise::{Error, Persist};
use bloomwise_compare::path::is_dash;
use bloomwise_compare::path::shown;
use same_file::Handle;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};

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
    /// A filter or a list to write to the file `path`, or to standard output for `-`. `inputs` are the files that will be read.
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

    /// The file that `option` names; the checks are those of [`Target::new`].
    pub fn named(
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

    /// The folder for temporary files: that of the file, or the system's for standard output.
    pub fn folder(&self) -> PathBuf {
        if self.is_standard_output() {
            return std::env::temp_dir();
        }
        folder_of(&self.resolved()).to_path_buf()
    }

    /// The name of the file, for display.
    pub fn name(&self) -> String {
        if self.is_standard_output() {
            return "standard output".to_string();
        }
        shown(&self.path)
    }

    /// Returns an error if the file is read-only. Only its folder decides whether a file can be replaced, and root may write
    /// every file, so nothing else would stop the program.
    pub fn refuse_read_only(&self) -> Result<()> {
        let mode = fs::metadata(&self.path).map(|file| file.permissions());
        let opened = File::options().append(true).open(&self.path);
        if mode.is_ok_and(|mode| mode.readonly())
            || opened.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
        {
            let name = self.name();
            bail!(
                "{name} is read-only; use --force to replace it, or write to another file with -o"
            );
        }
        Ok(())
    }

    /// Writes a filter or a patch. An existing file is replaced whole or not at all, under its lock. `lock` is the lock if the caller
    /// holds it.
    pub fn save(&self, filter: &impl Persist, lock: Option<File>) -> Result<()> {
        if self.is_standard_output() {
            // Drop the source, so that a closed pipe is reported: half a filter is useless.
            let written = filter.write_to(io::stdout().lock());
            return written.map_err(|error| anyhow!("standard output: {error}"));
        }
        let mut lock = lock;
        loop {
            if self.replace && lock.is_none() {
                lock = lock::open_locked(&self.path)?;
            }
            let saved = interrupt::uninterrupted(|| match lock {
                Some(_) => filter.save(&self.path),
                None => filter.save_new(&self.path),
            });
            match saved {
                // A file has appeared since. Unless it must not be replaced, it is locked like any other.
                Err(Error::File { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {
                    self.check(&[])?;
                }
                Err(Error::File { source, .. }) if source.kind() == ErrorKind::InvalidData => {
                    bail!("the file was not saved: {}: {source}", self.name());
                }
                saved => return saved.map_err(|error| {
                    anyhow!(
                        "the file was not saved: {error}; free some space or name another file with -o"
                    )
                }),
            }
        }
    }

    /// Returns an error if another target is the same file: what is written last would replace the other.
    pub fn check_apart(&self, other: &Target) -> Result<()> {
        let place = |target: &Target| {
            let path = target.resolved();
            let folder = fs::canonicalize(folder_of(&path)).ok()?;
            Some(folder.join(path.file_name()?))
        };
        let files =
            [self, other].map(|target| place(target).filter(|_| !target.is_standard_output()));
        let [Some(one), Some(two)] = files else {
            return Ok(());
        };
        if one == two || same_file(&one, &two) {
            let (name, [one, other]) = (other.name(), [self.option, other.option]);
            bail!("{one} and {other} are the same file, {name}; name two files");
        }
        Ok(())
    }

    /// Writes a page, a list or whatever `what` says. An existing file is replaced whole or not at all.
    pub fn save_content(&self, what: &str, content: &[u8]) -> Result<()> {
        self.save_stream(what, &mut |sink| sink.write_all(content), &mut |_| Ok(()))
    }

    /// Writes what `write` writes to a buffered sink, as [`Target::save_content`] does. It is not held in memory. `read_back` reads the file before it takes its
    /// name.
    pub fn save_stream(
        &self,
        what: &str,
        write: WriteContent<'_>,
        read_back: ReadBack<'_>,
    ) -> Result<()> {
        let mut buffered = |sink: &mut dyn Write| {
            let mut sink = BufWriter::with_capacity(1 << 16, sink);
            write(&mut sink)?;
            sink.flush()
        };
        if self.is_standard_output() {
            return buffered(&mut io::stdout().lock()).context("standard output");
        }
        let save = if self.replace {
            atomic::replace
        } else {
            atomic::create
        };
        let write: WriteContent<'_> = &mut buffered;
        let saved = interrupt::uninterrupted(|| save(&self.path, write, read_back));
        saved.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => self.exists_error(),
            // Another file would not help.
            ErrorKind::InvalidData => anyhow!("the {what} was not saved: {}: {error}", self.name()),
            _ => anyhow!(
                "the {what} was not saved: {}: {error}; free some space or name another file with {}",
                self.name(),
                self.option
            ),
        })
    }

    /// The path that a link leads to, so that saving replaces the file and keeps the link.
    fn resolved(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    /// The error for an existing file that must not be replaced.
    fn exists_error(&self) -> anyhow::Error {
        let name = self.name();
        anyhow!("{name} already exists; use --force to replace it")
    }

    /// Returns an error if the path cannot be written or replaced.
    fn check(&self, inputs: &[Option<&Path>]) -> Result<()> {
        let (path, name) = (&self.path, self.name());
        let text = path.as_os_str().as_encoded_bytes();
        let last = text.rsplit(|&byte| is_separator(char::from(byte))).next();
        if path.is_dir() || matches!(last, Some(b"" | b"." | b"..")) {
            bail!("{name} is a directory; name a file to write");
        }
        if inputs.iter().flatten().any(|input| same_file(path, input)) {
            bail!("{name} is an input and would be replaced; name another file to write");
        }
        // A broken link counts as an existing file.
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => bail!(
                "{name} cannot be written ({error}); name another file with {}",
                self.option
            ),
            Ok(_) => {}
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
        if self.option == "-o" {
            lock::check(path)?;
        }
        Ok(())
    }

    /// Returns an error unless a new file can be created in the folder. Saving first writes a temporary file there.
    fn check_folder(&self) -> Result<()> {
        let name = self.name();
        let place = self.resolved();
        let folder = folder_of(&place);
        let shown = shown(folder);
        if !folder.is_dir() {
            bail!("{name} cannot be written: the folder {shown} does not exist; create it first");
        }
        atomic::remove_abandoned(folder);
        let tried = interrupt::uninterrupted(|| atomic::check(&self.path));
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

/// Whether a path and an input, `-` for standard input, lead to the same regular file. Other files are not compared: opening a
/// named pipe would disturb its writer.
pub fn same_file(path: &Path, input: &Path) -> bool {
    if is_dash(path) || !path.is_file() {
        return false;
    }
    let input = if is_dash(input) {
        Handle::stdin()
    } else if !input.is_file() {
        return false;
    } else if same_place(path, input).unwrap_or(false) {
        return true;
    } else {
        Handle::from_path(input)
    };
    let same = |input| Ok::<_, io::Error>(Handle::from_path(path)? == input);
    input.and_then(same).unwrap_or(false)
}

/// Whether two paths are the same once links are followed. Nothing is opened, so this holds even if another process replaces
/// the file at this moment.
fn same_place(left: &Path, right: &Path) -> io::Result<bool> {
    Ok(fs::canonicalize(left)? == fs::canonicalize(right)?)
}
