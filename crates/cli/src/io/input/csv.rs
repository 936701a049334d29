//! Reads keys from `.csv` files: commas between fields, column names in the first row, quotes where needed.

use super::rows::{RowError, Rows};
use super::source::{Origin, Source};
use super::{Role, Sink, column, cost, time};
use crate::args::Columns;
use anyhow::{Result, anyhow, bail};
use std::io::BufRead;

/// Reads all rows and passes each key to `sink`.
pub fn read(source: Source, role: Role, columns: &Columns, sink: &mut Sink<'_>) -> Result<()> {
    let origin = source.origin;
    let mut rows = Rows::new(source.bytes);
    advance(&mut rows, &origin)?;
    let width = rows.fields();
    let names = (0..width).filter_map(|place| rows.field(place));
    let names: Vec<_> = names.map(String::from_utf8_lossy).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let positions = column::find(origin.name(), &names, role, columns)?;

    while advance(&mut rows, &origin)? {
        let place = || origin.line(rows.line());
        if rows.fields() != width {
            let got = rows.fields();
            bail!(
                "{}: {got} fields, but the header has {width}; put fields that contain commas in quotes",
                place()
            );
        }
        let field = |column| rows.field(column).unwrap_or_default();
        let cost = positions.cost.map_or(Ok(cost::DEFAULT), |column| {
            cost::parse(field(column))
                .map_err(|error| anyhow!("{}: {error}; correct it or leave it empty", place()))
        });
        let time = positions.time.and_then(|column| time::parse(field(column)));
        sink.take(field(positions.key), cost?, time)?;
    }
    Ok(())
}

/// Reads the next row. Returns whether there was one.
fn advance(rows: &mut Rows<impl BufRead>, origin: &Origin) -> Result<bool> {
    rows.advance().map_err(|error| match error {
        RowError::Unreadable(error) => origin.unreadable(rows.line(), &error),
        RowError::UnclosedQuote => anyhow!(
            "{}: the row that begins here has a quote that is never closed; close it, or write a literal quote twice",
            origin.line(rows.line())
        ),
    })
}
