//! Files of keys, written in every format that the command line reads, the way a plain writer does it.

use arbitrary::Arbitrary;
use flate2::write::GzEncoder;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::sync::Arc;

/// The names of the columns of keys and costs.
pub const COLUMNS: [&str; 2] = ["key", "cost"];

/// The schema of a Parquet file.
const SCHEMA: &str = "message table { required binary key; required double cost; }";

/// A key and its cost.
pub type Row = (Vec<u8>, f64);

/// The format of a file.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A key per line; the flag says whether lines end with CRLF.
    Lines(bool),
    /// `key<TAB>cost` per line.
    CostedLines,
    /// A CSV table.
    Csv,
    /// A Parquet table; the flag says whether its pages are compressed.
    Parquet(bool),
}

/// How a file is compressed.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    None,
    /// As gzip, in two members if the flag says so.
    Gzip(bool),
    /// As zstd, in two frames if the flag says so.
    Zstd(bool),
}

impl Format {
    /// The end of the name of such a file.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Lines(_) => "txt",
            Format::CostedLines => "tsv",
            Format::Csv => "csv",
            Format::Parquet(_) => "parquet",
        }
    }

    /// Whether the format has a place for costs.
    pub fn has_costs(self) -> bool {
        !matches!(self, Format::Lines(_))
    }

    /// Whether a file can hold this key. A line ends where its key has a line end.
    pub fn can_hold(self, key: &[u8]) -> bool {
        match self {
            Format::Lines(_) => !key.contains(&b'\n') && !key.ends_with(b"\r"),
            Format::CostedLines => !key.contains(&b'\n'),
            Format::Csv | Format::Parquet(_) => true,
        }
    }

    /// The file of these rows.
    pub fn write(self, rows: &[Row]) -> Vec<u8> {
        match self {
            Format::Lines(crlf) => {
                let end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
                rows.iter()
                    .flat_map(|(key, _)| [key, end].concat())
                    .collect()
            }
            Format::CostedLines => {
                let line = |(key, cost): &Row| [key, format!("\t{cost}\n").as_bytes()].concat();
                rows.iter().flat_map(line).collect()
            }
            Format::Csv => csv(rows),
            Format::Parquet(compressed) => parquet(rows, compressed),
        }
    }
}

impl Packing {
    /// The end of the name of such a file.
    pub fn ending(self) -> &'static str {
        match self {
            Packing::None => "",
            Packing::Gzip(_) => ".gz",
            Packing::Zstd(_) => ".zst",
        }
    }

    /// The compressed file.
    pub fn pack(self, file: &[u8]) -> Vec<u8> {
        let halves = |two: bool| file.split_at(if two { file.len() / 2 } else { 0 });
        match self {
            Packing::None => file.to_vec(),
            Packing::Gzip(two) => {
                let (first, second) = halves(two);
                let first = if two { gzip(first) } else { Vec::new() };
                [first, gzip(second)].concat()
            }
            Packing::Zstd(two) => {
                let (first, second) = halves(two);
                let first = if two { zstd(first) } else { Vec::new() };
                [first, zstd(second)].concat()
            }
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory")
}

fn csv(rows: &[Row]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).expect("memory");
    for (key, cost) in rows {
        writer
            .write_record([key, cost.to_string().as_bytes()])
            .expect("memory");
    }
    writer.into_inner().expect("memory")
}

fn parquet(rows: &[Row], compressed: bool) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("a schema"));
    let compression = if compressed {
        Compression::SNAPPY
    } else {
        Compression::UNCOMPRESSED
    };
    let properties = WriterProperties::builder().set_compression(compression);
    let properties = Arc::new(properties.build());
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, schema, properties).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let keys: Vec<_> = rows
        .iter()
        .map(|(key, _)| ByteArray::from(key.clone()))
        .collect();
    let costs: Vec<_> = rows.iter().map(|(_, cost)| *cost).collect();
    let mut column = group.next_column().expect("a column").expect("the keys");
    column
        .typed::<ByteArrayType>()
        .write_batch(&keys, None, None)
        .expect("memory");
    column.close().expect("memory");
    let mut column = group.next_column().expect("a column").expect("the costs");
    column
        .typed::<DoubleType>()
        .write_batch(&costs, None, None)
        .expect("memory");
    column.close().expect("memory");
    group.close().expect("memory");
    writer.close().expect("memory");
    file
}
