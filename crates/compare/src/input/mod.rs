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
mod once;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;
mod samples;
mod source;
pub mod time;

pub use columns::Columns;
pub use once::check_read_once;
pub use source::name;

use crate::host::Host;
use crate::keys::FirstKeys;
use crate::path::is_dash;
use crate::{Error, Message, Result};
use source::{Compression, Source};
use std::io::Read;
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

/// How many keys a file has, and the first of them.
#[derive(Clone, Default)]
pub struct Counts {
    /// Keys that are not empty.
    pub keys: u64,
    /// Empty keys, which were skipped.
    pub skipped: u64,
    /// The first keys.
    pub first: FirstKeys,
    /// The first line or row of a log that was skipped because it is invalid, and why it is.
    pub first_invalid: Option<Message>,
}

/// Where keys come from.
pub struct Input<'a> {
    /// The name, for errors.
    name: String,
    /// The compression that the name implies.
    compression: Compression,
    /// The format that the name implies.
    format: Format,
    /// The bytes.
    from: From<'a>,
}

/// Where the bytes of an input come from.
enum From<'a> {
    /// A file, or standard input for `-`.
    Path(&'a Path),
    /// A stream.
    Stream(Box<dyn Read + 'a>),
}

impl<'a> Input<'a> {
    /// A file, or standard input for `-`.
    pub fn file(path: &'a Path) -> Self {
        let (compression, format) = Format::of(path);
        Input {
            name: name(path),
            compression,
            format,
            from: From::Path(path),
        }
    }

    /// A stream. Its name decides the format, as that of a file does.
    pub fn stream(name: &str, bytes: impl Read + 'a) -> Self {
        Input {
            from: From::Stream(Box::new(bytes)),
            ..Input::file(Path::new(name))
        }
    }
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
pub fn read<E: std::convert::From<Error>>(
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
fn finish<T, E: std::convert::From<Error>>(read: Result<T>, failed: Option<E>) -> Result<T, E> {
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

/// Called with a key, its cost, and the time of the event in seconds if it is known.
type Act<'a> = dyn FnMut(&[u8], f64, Option<f64>) -> Result<()> + 'a;

/// Receives the keys of a file, whatever its format.
struct Sink<'a> {
    /// Called with each key.
    act: &'a mut Act<'a>,
    /// The keys so far.
    counts: Counts,
    /// The latest time of an event, if this is a log.
    latest: Option<f64>,
}

impl<'a> Sink<'a> {
    /// A sink that has received nothing. An invalid line is an error.
    fn new(act: &'a mut Act<'a>) -> Self {
        Sink {
            act,
            counts: Counts::default(),
            latest: None,
        }
    }

    /// A sink for a log. Invalid lines are skipped and counted.
    fn for_log(act: &'a mut Act<'a>) -> Self {
        Sink {
            latest: Some(time::latest()),
            ..Sink::new(act)
        }
    }

    /// Passes a key on, or counts it as skipped if it is empty.
    fn take(&mut self, key: &[u8], cost: f64, time: Option<f64>) -> Result<()> {
        if key.is_empty() {
            self.skip();
            return Ok(());
        }
        self.counts.keys += 1;
        self.counts.first.see(key);
        (self.act)(key, cost, time)
    }

    /// Counts a line without a key.
    fn skip(&mut self) {
        self.counts.skipped += 1;
    }

    /// The time of an event, or why no event can have it.
    fn check_time(&self, time: Option<f64>) -> Result<Option<f64>, Message> {
        match (time, self.latest) {
            (Some(time), Some(latest)) if time > latest => {
                let time = time::shown(time);
                Err(format!("the time {time} is in the future").into())
            }
            _ => Ok(time),
        }
    }

    /// Handles an invalid line or row. `file` and `place` say where it is.
    ///
    /// # Errors
    ///
    /// The file is not a log.
    fn refuse(&mut self, file: &str, place: &str, why: Message) -> Result<()> {
        if self.latest.is_none() {
            return Err((Message::from(format!("{file}, {place}: ")) + why).into());
        }
        let first = &mut self.counts.first_invalid;
        first.get_or_insert_with(|| Message::from(format!("{place}: ")) + why);
        self.skip();
        Ok(())
    }
}

/// The format of a file of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// Text with one key per line.
    Lines,
    /// A column of a CSV table.
    Csv,
    /// A column of a Parquet table.
    Parquet,
}

impl Format {
    /// The compression and the format that the name of a file implies.
    fn of(path: &Path) -> (Compression, Format) {
        if is_dash(path) {
            return (Compression::None, Format::Lines);
        }
        let ending = |path: &Path| {
            let ending = path.extension().unwrap_or_default();
            ending.to_string_lossy().to_ascii_lowercase()
        };
        let compression = match ending(path).as_str() {
            "gz" => Compression::Gzip,
            "zst" => Compression::Zstd,
            _ => Compression::None,
        };
        let inner = match compression {
            Compression::None => path.to_path_buf(),
            Compression::Gzip | Compression::Zstd => path.with_extension(""),
        };
        let format = match ending(&inner).as_str() {
            "csv" => Format::Csv,
            "parquet" => Format::Parquet,
            _ => Format::Lines,
        };
        (compression, format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_decides_the_format() {
        for (name, compression, format) in [
            ("keys", Compression::None, Format::Lines),
            ("keys.tsv.gz", Compression::Gzip, Format::Lines),
            ("a.b/KEYS.CSV", Compression::None, Format::Csv),
            ("keys.csv.zst", Compression::Zstd, Format::Csv),
            ("keys.parquet", Compression::None, Format::Parquet),
            (".gz", Compression::None, Format::Lines),
            ("-", Compression::None, Format::Lines),
        ] {
            assert_eq!(Format::of(Path::new(name)), (compression, format), "{name}");
        }
    }
}
