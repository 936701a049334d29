//! Reads keys from `.csv` files: commas between fields, column names in the first row, quotes where needed.

use super::origin::Origin;
use super::rows::{RowError, Rows};
use super::source::Source;
use super::{Role, Sink, column, cost, time};
use crate::input::Columns;
use crate::{Error, Message, Result};
use std::io::BufRead;

/// Reads all rows and passes each key to `sink`.
pub fn read(source: Source<'_>, role: Role, columns: &Columns, sink: &mut Sink<'_>) -> Result<()> {
    let origin = source.origin;
    let mut rows = Rows::new(source.bytes);
    advance(&mut rows, &origin)?;
    let width = rows.fields();
    let names = (0..width).filter_map(|place| rows.field(place));
    let names: Vec<_> = names.map(String::from_utf8_lossy).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let positions = column::find(&origin.name, &names, role, columns)?;

    while advance(&mut rows, &origin)? {
        let field = |column| rows.field(column).unwrap_or_default();
        let cost = match rows.fields() {
            got if got != width => Err(Message::from(format!(
                "{got} fields, but the header has {width}; put fields that contain commas in quotes"
            ))),
            _ => cost(positions.cost.map(field), role),
        };
        let time = positions.time.and_then(|column| time::parse(field(column)));
        let valid = cost.and_then(|cost| Ok((cost, sink.check_time(time)?)));
        match valid {
            Ok((cost, time)) => sink.take(field(positions.key), cost, time)?,
            Err(why) => sink.refuse(&origin.name, &format!("line {}", rows.line()), why)?,
        }
    }
    Ok(())
}

/// The cost in a field, if there is one.
fn cost(field: Option<&[u8]>, role: Role) -> Result<f64, Message> {
    let parse = match role {
        Role::Events => cost::parse_event,
        Role::Keys | Role::Negatives => cost::parse,
    };
    let cost = field.map_or(Ok(cost::DEFAULT), parse);
    cost.map_err(|error| format!("{error}; correct it or leave it empty").into())
}

/// Reads the next row. Returns whether there was one.
fn advance(rows: &mut Rows<impl BufRead>, origin: &Origin) -> Result<bool> {
    rows.advance().map_err(|error| match error {
        RowError::Unreadable(error) => origin.unreadable(rows.line(), &error),
        RowError::UnclosedQuote => Error::invalid(format!(
            "{}: the row that begins here has a quote that is never closed; close it, or write a literal quote twice",
            origin.line(rows.line())
        )),
    })
}
