//! Filters from files.
//!
//! Loading checks everything: the checksum, every length and every field.

use crate::args::is_dash;
use anyhow::{Context, Result, anyhow};
use bloomwise::{AnyFilter, Persist};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The filter in a file, or on standard input.
pub fn load(path: &Path) -> Result<AnyFilter> {
    if is_dash(path) {
        return read(&mut io::stdin().lock()).context("standard input");
    }
    let name = path.display();
    let mut file = File::open(path)
        .map_err(|error| anyhow!("{name}: {error}; name a filter that was built before"))?;
    read(&mut file).with_context(|| name.to_string())
}

/// The filter that these bytes are.
pub fn read(bytes: &mut dyn Read) -> Result<AnyFilter> {
    let mut filter = Vec::new();
    let read = bytes.read_to_end(&mut filter);
    read.map_err(|error| anyhow!("{error}; name a filter that was built before"))?;
    Ok(AnyFilter::from_bytes(&filter)?)
}
