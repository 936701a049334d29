//! The rows as a table: the columns, which the page with charts shows too, and Markdown.

use super::{Comparison, Measured, Row};
use crate::markdown::{self, Cells, Heading};
use crate::pace::Pace;
use crate::text;
use std::io::{self, Write};

/// A column: what stands above it, and what it shows of a row.
pub struct Column {
    /// What it holds.
    pub heading: Heading,
    /// The text for a row.
    pub cell: fn(&Row) -> String,
}

/// What the columns hold.
pub const LEGEND: &str = "\
known, unseen: false positives on known negatives, alone and weighted by cost, and on keys no filter has seen.
build ns: nanoseconds per key of the set. member ns, other ns: nanoseconds per query for keys inside and outside of it.";

/// What the mark of a filter beyond its budget means.
pub const OVER: &str =
    "*: beyond the budget, since this kind has a least size; no sentence speaks of it.";

/// What a column shows of a filter that was measured; a dash for one that was not.
fn of(row: &Row, show: impl FnOnce(&Measured) -> String) -> String {
    row.result.as_ref().map_or("-".to_string(), show)
}

/// Nanoseconds; fractions of one are below what a clock can tell here.
fn nanoseconds(pace: Option<Pace>) -> String {
    pace.map_or("-".to_string(), |pace| format!("{:.0}", pace.median))
}

/// The columns that these rows need: the last says why filters were not built, where some were not.
pub fn columns<'a>(mut rows: impl Iterator<Item = &'a Row>) -> Vec<Column> {
    let column = |title, cell| Column {
        heading: Heading {
            title,
            cells: Cells::Numbers,
        },
        cell,
    };
    let mut columns = vec![
        Column {
            heading: Heading {
                title: "kind",
                cells: Cells::Words,
            },
            cell: |row| row.kind.name().to_string(),
        },
        column("bits/key", |row| {
            let mark = if row.is_over { "* " } else { "" };
            of(row, |row| {
                format!("{mark}{}", text::decimal(row.evaluation.bits_per_key, ""))
            })
        }),
        column("bytes", |row| {
            of(row, |row| text::grouped(row.evaluation.bytes))
        }),
        column("known by cost", |row| {
            of(row, |row| {
                let known = row.evaluation.known.as_ref();
                text::percent(known.and_then(|known| known.weighted_rate))
            })
        }),
        column("known", |row| {
            of(row, |row| {
                text::percent(row.evaluation.known.as_ref().and_then(|known| known.rate))
            })
        }),
        column("unseen", |row| {
            of(row, |row| {
                text::percent(
                    row.evaluation
                        .unseen
                        .as_ref()
                        .and_then(|unseen| unseen.rate),
                )
            })
        }),
        column("build ns", |row| of(row, |row| nanoseconds(row.build))),
        column("member ns", |row| {
            of(row, |row| nanoseconds(row.evaluation.members.pace))
        }),
        column("other ns", |row| {
            of(row, |row| nanoseconds(row.evaluation.strangers()))
        }),
    ];
    if rows.any(|row| row.result.is_err()) {
        columns.push(Column {
            heading: Heading {
                title: "not built because",
                cells: Cells::Sentences,
            },
            cell: |row| match &row.result {
                Ok(_) => String::new(),
                Err(reason) => format!("at {}: {reason}", row.setting()),
            },
        });
    }
    columns
}

impl Comparison {
    /// Writes the rows of these budgets as Markdown, and what their columns hold.
    pub fn print(&self, out: &mut impl Write, budgets: &[f64]) -> io::Result<()> {
        let rows = || self.rows.iter().filter(|row| budgets.contains(&row.budget));
        let columns = columns(rows());
        let cells = |row| columns.iter().map(|column| (column.cell)(row)).collect();
        let cells: Vec<Vec<String>> = rows().map(cells).collect();
        let headings: Vec<Heading> = columns.iter().map(|column| column.heading).collect();
        markdown::table(out, &headings, &cells)?;
        writeln!(out, "\n{LEGEND}")?;
        if rows().any(|row| row.is_over) {
            writeln!(out, "{OVER}")?;
        }
        writeln!(out)
    }
}
