//! Reads keys from files, one key after the other. No file is held in memory as a whole.
//!
//! An [`Input`] is a file, or any stream of bytes with a name. Those that gzip or zstd compressed are decompressed, whatever their names are (`source`, `gzip_members`). The name decides the
//! format. After `.gz` or `.zst` is removed, `.csv` and `.parquet` files are tables (`csv` with `rows`, `parquet`); all other
//! files are text with one key per line (`lines`). `-` is standard input, which is always text.
//!
//! No two inputs of a command may be the same pipe (`once`).
//!
//! The meaning of a line depends on the [`Role`] of the file. Keys are bytes and need not be UTF-8. Empty keys are skipped, and
//! a remark says how many there were.
//!
//! Lines of a log hold more than a key: [`log`] finds key, cost and time in them.

mod column;
mod columns;
mod cost;
mod csv;
mod gzip_members;
mod lines;
pub mod log;
mod named;
mod once;
mod origin;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;
mod sink;
mod source;
pub mod time;

pub use columns::Columns;
pub use named::{Input, name};
pub use once::check_read_once;
pub use sink::Counts;

use crate::host::Host;
use crate::{Error, Result};
use named::Format;
use sink::{Act, Sink};
use source::Source;
use std::path::Path;

/// What the lines of a file mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Positives, or keys to look up: the whole line is the key, even if it contains a TAB.
    Keys,
    /// Negatives: `key<TAB>cost`, split at the last TAB; a missing cost is 1.
    Negatives,
    /// Events of a log, in tables: key, cost and time. Text is the business of `log`.
    Events,
}

/// Reads keys and calls `act` with each key and its cost. A remark says how many empty keys were skipped.
///
/// ```
/// use bloomwise_compare::Quiet;
/// use bloomwise_compare::input::{Columns, Input, Role, read};
///
/// let list = Input::stream("costs.tsv", &b"ant\t2.5\nbee\n"[..]);
/// let mut keys = Vec::new();
/// let counts = read(list, Role::Negatives, &Columns::default(), &Quiet, |key, cost| {
///     keys.push((key.to_vec(), cost));
///     Ok::<(), bloomwise_compare::Error>(())
/// })?;
/// assert_eq!(keys, [(b"ant".to_vec(), 2.5), (b"bee".to_vec(), 1.0)]);
/// assert_eq!(counts.keys, 2);
/// # Ok::<(), bloomwise_compare::Error>(())
/// ```
///
/// # Errors
///
/// The input cannot be opened or read, a line is invalid, or `act` returns an error. The error names the file and the line.
pub fn read<E: From<Error>>(
    input: Input<'_>,
    role: Role,
    columns: &Columns,
    host: &dyn Host,
    mut act: impl FnMut(&[u8], f64) -> Result<(), E>,
) -> Result<Counts, E> {
    let mut failed = None;
    let counts = read_all(input, role, columns, host, &mut |key, cost, _| {
        act(key, cost).map_err(|error| stop(&mut failed, error))
    });
    finish(counts, failed)
}

/// Keeps the error of a caller, and returns one that ends the reading.
fn stop<E>(failed: &mut Option<E>, error: E) -> Error {
    *failed = Some(error);
    Error::Cancelled
}

/// The result of reading, or the error of the caller that ended it.
fn finish<T, E: From<Error>>(read: Result<T>, failed: Option<E>) -> Result<T, E> {
    match failed {
        Some(error) => Err(error),
        None => Ok(read?),
    }
}

/// Reads keys.
fn read_all(
    input: Input<'_>,
    role: Role,
    columns: &Columns,
    host: &dyn Host,
    act: &mut Act<'_>,
) -> Result<Counts> {
    let (name, format) = (input.name.clone(), input.format);
    let mut sink = Sink::new(act);
    match format {
        Format::Lines => lines::read(Source::open(input, host)?, role, &mut sink)?,
        Format::Csv | Format::Parquet => read_table(input, role, columns, host, &mut sink)?,
    }
    let counts = sink.counts;
    if counts.skipped > 0 {
        let skipped = counts.skipped;
        host.remark(&format!("{name}: empty keys skipped: {skipped}").into());
    }
    if role == Role::Negatives && counts.first.have_costs_inside() && format == Format::Lines {
        let text = format!(
            "{name}: the lines end in numbers that were taken for a part of the key; if they are costs, put a TAB before them"
        );
        host.remark(&text.into());
    }
    Ok(counts)
}

/// Reads a file with named columns.
fn read_table(
    input: Input<'_>,
    role: Role,
    columns: &Columns,
    host: &dyn Host,
    sink: &mut Sink<'_>,
) -> Result<()> {
    #[cfg(feature = "parquet")]
    if input.format == Format::Parquet {
        return parquet::read(input, role, columns, host, sink);
    }
    if input.format == Format::Parquet {
        return Err(Error::invalid(format!(
            "{}: this program was built without support for Parquet; build it with `cargo install --path crates/cli --features parquet`",
            input.name
        )));
    }
    csv::read(Source::open(input, host)?, role, columns, sink)
}

/// Whether a file is a table with named columns.
pub fn has_columns(path: &Path) -> bool {
    matches!(Format::of(path).1, Format::Csv | Format::Parquet)
}
