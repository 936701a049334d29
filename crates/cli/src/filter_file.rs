//! Filters from files and into files.
//!
//! Loading checks everything: the checksum, every length and every field. A [`Target`] is looked at before the work
//! begins, so that nobody waits an hour to learn that a folder does not exist, and once more before it is written.

use crate::args::is_dash;
use crate::interrupt;
use anyhow::{Context, Result, bail};
use bloomwise::{AnyFilter, Error, Persist};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The filter in a file, or on standard input.
pub fn load(path: &Path) -> Result<AnyFilter> {
    if is_dash(path) {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        read.context("standard input")?;
        return AnyFilter::from_bytes(&bytes).context("standard input");
    }
    AnyFilter::load(path).map_err(|error| match error {
        Error::Io { .. } => anyhow::anyhow!("{error}; name a filter that was built before"),
        other => anyhow::anyhow!("{}: {other}", path.display()),
    })
}

/// Where a filter is to be written.
pub struct Target {
    /// The file, or `-` for standard output.
    path: PathBuf,
    /// Whether a file that is there may be replaced.
    replace: bool,
}

impl Target {
    /// A file to write, or `-`.
    ///
    /// # Errors
    ///
    /// What is there must not be replaced or is no file; there is no folder for it.
    pub fn new(path: &Path, replace: bool) -> Result<Self> {
        let path = path.to_path_buf();
        let target = Target { path, replace };
        target.check()?;
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
        self.check()?;
        let saved = interrupt::uninterrupted(|| filter.save(&self.path));
        saved.context("the filter was not saved")
    }

    fn check(&self) -> Result<()> {
        let name = self.path.display();
        if self.is_standard_output() {
            return Ok(());
        }
        if self.path.is_dir() {
            bail!("{name} is a directory; name a file to write");
        }
        // A link that leads nowhere is something that is there, too.
        if fs::symlink_metadata(&self.path).is_ok() {
            if self.path.exists() && !self.path.is_file() {
                bail!("{name} is no ordinary file; name a file to write, or - for standard output");
            }
            if !self.replace {
                bail!("{name} exists already; use --force to replace it");
            }
            return Ok(());
        }
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let folder = folder.display();
            bail!("{name} cannot be written: there is no folder {folder}; create it first");
        }
        Ok(())
    }
}
