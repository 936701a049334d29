//! A filter that is loaded, changed and saved, to its own file or to another one.
//!
//! If the filter replaces itself, it is locked from the time it is loaded, so that concurrent changes run one after the other, and it
//! must not be read-only unless the user says `--force`.

use super::target::{Target, same_file};
use super::{filter_file, lock};
use anyhow::{Context, Result};
use bloomwise::AnyFilter;
use bloomwise_compare::path::is_dash;
use std::fs::File;
use std::path::Path;

/// The file that a filter will be saved to.
pub struct Revision {
    /// The file to write.
    target: Target,
    /// The lock of that file, if it is the one that the filter was loaded from.
    lock: Option<File>,
}

impl Revision {
    /// Loads the filter at `path`, to be saved to `output`, or in its own place if that is `None`. `inputs` are other files that will be
    /// read.
    ///
    /// # Errors
    ///
    /// The filter cannot be loaded, or the output cannot be written; see [`Target::new`].
    pub fn load(
        path: &Path,
        output: Option<&Path>,
        force: bool,
        inputs: &[Option<&Path>],
    ) -> Result<(AnyFilter, Self)> {
        let output = output.unwrap_or(path);
        // A filter that is read from standard input cannot be locked, so its file must not be the target.
        let piped = Some(path).filter(|path| is_dash(path));
        let itself = piped.is_none() && same_file(output, path);
        let target = Target::new(output, force || itself, &[&[piped], inputs].concat())?;
        let mut lock = None;
        if itself {
            if !force {
                target.refuse_read_only()?;
            }
            lock = lock::open_locked(path)?;
        }
        let filter = match &mut lock {
            Some(file) => filter_file::read(file).with_context(|| target.name())?,
            None => filter_file::load(path)?,
        };
        Ok((filter, Revision { target, lock }))
    }

    /// Saves what became of the filter. Returns the file that it was saved to.
    pub fn save(self, filter: &AnyFilter) -> Result<Target> {
        self.target.save(filter, self.lock)?;
        Ok(self.target)
    }
}
