//! Keys in a table of text, `.csv`: commas between fields, a first row that names the columns, quotes where needed.

use super::rows::{Rows, Wrong};
use super::source::{Origin, Source};
use super::{Role, Sink, column, cost};
use crate::args::Columns;
use anyhow::{Result, anyhow, bail};
use std::io::BufRead;

/// Reads all rows.
pub fn read(source: Source, role: Role, columns: &Columns, sink: &mut Sink<'_>) -> Result<()> {
    let origin = source.origin;
    let mut rows = Rows::new(source.bytes);
    advance(&mut rows, &origin)?;
    let width = rows.fields();
    let names = (0..width).filter_map(|place| rows.field(place));
    let names: Vec<_> = names.map(String::from_utf8_lossy).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let chosen = column::choose(origin.name(), &names, role, columns)?;

    while advance(&mut rows, &origin)? {
        let place = || origin.line(rows.line());
        if rows.fields() != width {
            let got = rows.fields();
            bail!(
                "{}: {got} fields where the header has {width}; put fields with commas in quotes",
                place()
            );
        }
        let field = |column| rows.field(column).unwrap_or_default();
        let cost = chosen.cost.map_or(Ok(cost::DEFAULT), |column| {
            cost::parse(field(column))
                .map_err(|wrong| anyhow!("{}: {wrong}; correct it or leave it empty", place()))
        });
        sink.take(field(chosen.key), cost?)?;
    }
    Ok(())
}

/// Reads the next row, and tells whether there was one.
fn advance(rows: &mut Rows<impl BufRead>, origin: &Origin) -> Result<bool> {
    rows.advance().map_err(|wrong| match wrong {
        Wrong::Unreadable(error) => origin.unreadable(rows.line(), &error),
        Wrong::Unclosed => anyhow!(
            "{}: the quote is never closed in the row that begins here; close it, or double a quote that is meant",
            origin.line(rows.line())
        ),
    })
}
