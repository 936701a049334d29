//! Loads filters and patches from files and streams, and maps files.
//!
//! Loading checks every checksum, every length and every field. It takes little more memory than the filter itself. A mapped file may be larger than
//! memory; the caller says how much of it is checked.

use anyhow::{Context, Result, anyhow, bail};
use bloomwise::format::{Check, MapFile};
use bloomwise::patched::Patch;
use bloomwise::{AnyFilter, Error, Persist};
use bloomwise_compare::path::shown;
use bloomwise_compare::path::{is_dash, is_stream};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Maps the filter in a file. Loads it if the path is no regular file, or `-` for standard input.
///
/// Also loads it if one of `inputs` is a stream. Reading one takes arbitrarily long, and truncating a mapped file ends the process by a signal.
pub fn open(path: &Path, check: Check, inputs: &[Option<&Path>]) -> Result<AnyFilter> {
    if inputs.iter().flatten().any(|input| is_stream(input)) {
        return load(path);
    }
    load_as(path, "filter", || map(path, check))
}

/// Maps a file.
#[expect(unsafe_code, reason = "mapping a file has no safe form")]
pub fn map<F: Persist>(path: &Path, check: Check) -> bloomwise::Result<F> {
    // SAFETY: SECURITY.md tells users not to change a file while a command reads it. No command of this program changes a file in place.
    unsafe { F::open(path, check) }
}

/// Loads the filter in a file, or on standard input for `-`.
pub fn load(path: &Path) -> Result<AnyFilter> {
    load_as(path, "filter", || AnyFilter::load(path))
}

/// Loads the patch in a file, or on standard input for `-`.
pub fn load_patch(path: &Path) -> Result<Patch> {
    load_as(path, "patch", || Patch::load(path))
}

/// What a path holds: a regular file by `file`, anything else as a stream. `what` is its name for errors.
fn load_as<F: Persist>(
    path: &Path,
    what: &str,
    file: impl Fn() -> bloomwise::Result<F>,
) -> Result<F> {
    let unreadable = |error: &io::Error| unreadable(path, what, error);
    if is_dash(path) {
        return read(io::stdin().lock()).context("standard input");
    }
    let metadata = path.metadata().map_err(|error| unreadable(&error))?;
    if !metadata.is_file() {
        // A pipe can be read once, and the short form is known by its first byte.
        let pipe = File::open(path).map_err(|error| unreadable(&error))?;
        return read(pipe).with_context(|| shown(path));
    }
    file().map_err(|error| match error {
        Error::File { source, .. } => unreadable(&source),
        // The name is shown as all names are.
        Error::Unreadable { source, .. } => anyhow::Error::from(*source).context(shown(path)),
        error => anyhow::Error::from(error).context(shown(path)),
    })
}

/// How many bytes reveal whether a filter has the short form.
const START: usize = 10;

/// The most bytes of a short form that are read from a stream, as when the library loads a file.
const MAX_SHORT: u64 = 1 << 24;

/// Reads a filter or a patch from a stream, in either form. The stream must end with it.
pub fn read<F: Persist>(mut stream: impl Read) -> Result<F> {
    let failed = |error: io::Error| {
        anyhow!("reading the filter failed: {error}; check the stream and try again")
    };
    let mut start = Vec::new();
    let read = stream.by_ref().take(START as u64).read_to_end(&mut start);
    read.map_err(failed)?;
    let filter = match F::read_from(start.chain(&mut stream)) {
        Err(Error::ShortForm) => {
            let read = stream.take(MAX_SHORT).read_to_end(&mut start);
            read.map_err(failed)?;
            return Ok(F::from_bytes(&start)?);
        }
        filter => filter?,
    };
    let more = io::copy(&mut stream.take(1), &mut io::sink());
    if more.map_err(failed)? > 0 {
        bail!("the filter is damaged: more bytes follow it; restore the file or build it again");
    }
    Ok(filter)
}

/// The error for a file that cannot be read.
fn unreadable(path: &Path, what: &str, error: &io::Error) -> anyhow::Error {
    let name = shown(path);
    anyhow!("{name}: {error}; name a file that holds a {what}")
}
