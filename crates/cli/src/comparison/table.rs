//! The rows as a table: the columns, which the page with charts shows too, and Markdown.
//!
//! Cells are padded, so that the text is a table for the eye before anything has rendered it.

use super::{Comparison, Measured, Row};
use crate::pace::Pace;
use crate::text;
use std::io::{self, Write};

/// A column: what stands above it, and what it shows of a row.
pub struct Column {
    /// What it holds.
    pub title: &'static str,
    /// Whether it holds numbers, which stand below each other by their ends.
    pub numbers: bool,
    /// The text for a row.
    pub cell: fn(&Row) -> String,
}

/// The title of the column of reasons.
const REASON: &str = "not built because";

/// What the columns hold.
pub const LEGEND: &str = "\
known, unseen: false positives on known negatives, alone and weighted by cost, and on keys no filter has seen.
build ns: nanoseconds per key of the set. member ns, other ns: nanoseconds per query for keys inside and outside of it.";

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
        title,
        numbers: true,
        cell,
    };
    let mut columns = vec![
        Column {
            title: "kind",
            numbers: false,
            cell: |row| row.kind.name().to_string(),
        },
        column("bits/key", |row| {
            of(row, |row| text::decimal(row.evaluation.bits_per_key, ""))
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
            title: REASON,
            numbers: false,
            cell: |row| match &row.result {
                Ok(_) => String::new(),
                // A bar would end the cell.
                Err(reason) => format!("at {}: {reason}", row.setting()).replace('|', "/"),
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
        let mut lines: Vec<Vec<String>> = rows()
            .map(|row| columns.iter().map(|column| (column.cell)(row)).collect())
            .collect();
        lines.insert(0, columns.iter().map(|c| c.title.to_string()).collect());
        let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max();
        let widths: Vec<usize> = (0..columns.len())
            .map(|at| match columns[at].title {
                // Reasons are long, and nothing stands behind them.
                REASON => REASON.len(),
                _ => width(at).unwrap_or(0),
            })
            .collect();
        for (number, line) in lines.iter().enumerate() {
            for ((column, cell), &width) in columns.iter().zip(line).zip(&widths) {
                match column.numbers {
                    true => write!(out, "| {cell:>width$} ")?,
                    false => write!(out, "| {cell:width$} ")?,
                }
            }
            writeln!(out, "|")?;
            if number == 0 {
                for (column, &width) in columns.iter().zip(&widths) {
                    let end = if column.numbers { ':' } else { '-' };
                    write!(out, "|{}{end}", "-".repeat(width + 1))?;
                }
                writeln!(out, "|")?;
            }
        }
        writeln!(out, "\n{LEGEND}\n")
    }
}
