//! Where keys come from: a file or a stream, whose name decides the format.

use super::source::Compression;
use crate::path::{is_dash, shown};
use std::io::Read;
use std::path::Path;

/// Where keys come from.
pub struct Input<'a> {
    /// The name, for errors.
    pub(super) name: String,
    /// The compression that the name implies.
    pub(super) compression: Compression,
    /// The format that the name implies.
    pub(super) format: Format,
    /// The bytes.
    pub(super) bytes: Bytes<'a>,
}

/// Where the bytes of an input come from.
pub(super) enum Bytes<'a> {
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
            bytes: Bytes::Path(path),
        }
    }

    /// A stream. Its name decides the format, as that of a file does.
    pub fn stream(name: &str, bytes: impl Read + 'a) -> Self {
        Input {
            bytes: Bytes::Stream(Box::new(bytes)),
            ..Input::file(Path::new(name))
        }
    }
}

/// The name of a file of keys, for display.
pub fn name(path: &Path) -> String {
    if is_dash(path) {
        return "standard input".to_string();
    }
    shown(path)
}

/// The format of a file of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text with one key per line.
    Lines,
    /// A column of a CSV table.
    Csv,
    /// A column of a Parquet table.
    Parquet,
}

impl Format {
    /// The compression and the format that the name of a file implies.
    pub fn of(path: &Path) -> (Compression, Format) {
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
