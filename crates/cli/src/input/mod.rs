//! Keys from files, one after the other; no file is ever held as a whole.
//!
//! What gzip or zstd has packed is unpacked, whatever its name is (`source`, `gzip`). The name says the rest: below an
//! ending `.gz` or `.zst`, `.csv` and `.parquet` are tables (`csv` of `rows`, `parquet`), and all else is text with one
//! key a line (`lines`). `-` is standard input, always lines.
//!
//! What a line means depends on the [`Role`] of the file. Keys are bytes and need not be text. A key without bytes is
//! no key: it is skipped, and a remark says how many were.

mod column;
mod cost;
mod csv;
mod gzip;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;
mod source;

use crate::args::{Columns, is_dash};
use crate::output;
use anyhow::Result;
use source::{Packing, Source};
use std::path::Path;

/// What the keys of a file are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Keys of the set, or to ask for: the whole line is the key, even if there is a TAB in it.
    Members,
    /// Keys outside of the set: `key<TAB>cost`, parted at the last TAB; a cost that is missing is 1.
    Negatives,
}

/// What a file held.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// Keys that were handed on.
    pub keys: u64,
    /// Empty ones that were not.
    pub skipped: u64,
}

/// Reads a file and hands on each of its keys, with its cost.
///
/// # Errors
///
/// What cannot be opened or read, lines that have no meaning, and whatever `act` returns; file and line are named.
pub fn read_keys(
    path: &Path,
    role: Role,
    columns: &Columns,
    act: &mut dyn FnMut(&[u8], f64) -> Result<()>,
) -> Result<Counts> {
    let mut sink = Sink {
        act,
        counts: Counts::default(),
    };
    let (packing, format) = Format::of(path);
    match format {
        Format::Lines => lines::read(Source::open(path, packing)?, role, &mut sink)?,
        Format::Csv => csv::read(Source::open(path, packing)?, role, columns, &mut sink)?,
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(path, packing, role, columns, &mut sink)?,
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => anyhow::bail!(
            "{}: this program was built without Parquet; build with `--features parquet`, e.g. `cargo install --path crates/cli --features parquet`",
            path.display()
        ),
    }
    if sink.counts.skipped > 0 {
        output::remark(&format!(
            "{}: empty keys skipped: {}",
            source::name(path),
            sink.counts.skipped
        ));
    }
    Ok(sink.counts)
}

/// Whether a file is a table, whose columns have names.
pub fn has_columns(path: &Path) -> bool {
    matches!(Format::of(path).1, Format::Csv | Format::Parquet)
}

/// Takes the keys of any format.
struct Sink<'a> {
    /// What is done with a key.
    act: &'a mut dyn FnMut(&[u8], f64) -> Result<()>,
    /// What came so far.
    counts: Counts,
}

impl Sink<'_> {
    fn take(&mut self, key: &[u8], cost: f64) -> Result<()> {
        if key.is_empty() {
            self.counts.skipped += 1;
            return Ok(());
        }
        self.counts.keys += 1;
        (self.act)(key, cost)
    }
}

/// How keys are laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// One a line.
    Lines,
    /// In a column of a table of text.
    Csv,
    /// In a column of a Parquet table.
    Parquet,
}

impl Format {
    /// What the name of a file says, and how it says the file is packed.
    fn of(path: &Path) -> (Packing, Format) {
        if is_dash(path) {
            return (Packing::None, Format::Lines);
        }
        let ending = |path: &Path| {
            let ending = path.extension().unwrap_or_default();
            ending.to_string_lossy().to_ascii_lowercase()
        };
        let packing = match ending(path).as_str() {
            "gz" => Packing::Gzip,
            "zst" => Packing::Zstd,
            _ => Packing::None,
        };
        let inner = match packing {
            Packing::None => path.to_path_buf(),
            Packing::Gzip | Packing::Zstd => path.with_extension(""),
        };
        let format = match ending(&inner).as_str() {
            "csv" => Format::Csv,
            "parquet" => Format::Parquet,
            _ => Format::Lines,
        };
        (packing, format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_how_files_are_read() {
        for (name, packing, format) in [
            ("keys", Packing::None, Format::Lines),
            ("keys.tsv.gz", Packing::Gzip, Format::Lines),
            ("a.b/KEYS.CSV", Packing::None, Format::Csv),
            ("keys.csv.zst", Packing::Zstd, Format::Csv),
            ("keys.parquet", Packing::None, Format::Parquet),
            (".gz", Packing::None, Format::Lines),
            ("-", Packing::None, Format::Lines),
        ] {
            assert_eq!(Format::of(Path::new(name)), (packing, format), "{name}");
        }
    }
}
