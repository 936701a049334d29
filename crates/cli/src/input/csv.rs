//! Keys in a table of text, `.csv`: commas between fields, a first row that names the columns, quotes where needed.

use super::source::{Origin, Source};
use super::{Role, Sink, column, cost};
use crate::args::Columns;
use anyhow::{Result, anyhow};
use csv::{ByteRecord, Error, ErrorKind, ReaderBuilder};

/// Reads all rows.
pub fn read(source: Source, role: Role, columns: &Columns, sink: &mut Sink<'_>) -> Result<()> {
    let origin = source.origin;
    let mut table = ReaderBuilder::new()
        .buffer_capacity(1 << 16)
        .from_reader(source.bytes);
    let header = table
        .byte_headers()
        .map_err(|error| explain(&origin, 1, error))?
        .clone();
    let names: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let chosen = column::choose(origin.name(), &names, role, columns)?;

    let mut row = ByteRecord::new();
    loop {
        let before = table.position().line();
        if !table
            .read_byte_record(&mut row)
            .map_err(|error| explain(&origin, before, error))?
        {
            return Ok(());
        }
        // Every row has as many fields as the header, or reading it was an error.
        let cost = match chosen.cost {
            Some(column) => cost::parse(&row[column]).map_err(|wrong| {
                let line = row.position().map_or(before, csv::Position::line);
                anyhow!(
                    "{}: {wrong}; correct it or leave it empty",
                    origin.line(line)
                )
            })?,
            None => cost::DEFAULT,
        };
        sink.take(&row[chosen.key], cost)?;
    }
}

/// The error for a row that could not be read.
fn explain(origin: &Origin, line: u64, error: Error) -> anyhow::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => origin.unreadable(line, &error),
        ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => {
            let line = pos.map_or(line, |pos| pos.line());
            anyhow!(
                "{}: {len} fields where the header has {expected_len}; put fields with commas in quotes",
                origin.line(line)
            )
        }
        other => anyhow!(
            "{}: not sound CSV ({other:?}); correct the row",
            origin.line(line)
        ),
    }
}
