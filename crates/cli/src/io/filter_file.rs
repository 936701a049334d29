//! Loads filters from files and streams.
//!
//! Loading checks every checksum, every length and every field. It takes little more memory than the filter itself.

use super::output::shown;
use crate::args::is_dash;
use anyhow::{Context, Result, anyhow, bail};
use bloomwise::{AnyFilter, Error, Persist};
use std::io::{self, Read};
use std::path::Path;

/// Loads the filter in a file, or on standard input for `-`.
pub fn load(path: &Path) -> Result<AnyFilter> {
    if is_dash(path) {
        return read(io::stdin().lock()).context("standard input");
    }
    AnyFilter::load(path).map_err(|error| match error {
        Error::File { source, .. } => unreadable(path, &source),
        error => anyhow::Error::from(error).context(shown(path)),
    })
}

/// Reads a filter from a stream, which must end with it.
pub fn read(mut stream: impl Read) -> Result<AnyFilter> {
    let filter = AnyFilter::read_from(&mut stream)?;
    let more = io::copy(&mut stream.take(1), &mut io::sink());
    if more? > 0 {
        bail!("the filter is damaged: more bytes follow it; restore the file or build it again");
    }
    Ok(filter)
}

/// The error for a file that cannot be read.
fn unreadable(path: &Path, error: &io::Error) -> anyhow::Error {
    let name = shown(path);
    anyhow!("{name}: {error}; name a file that holds a filter")
}
