//! The rows of a comparison as a table.

use crate::measure::{Comparison, Measured, Mistakes, Pace, Row};
use crate::report::table::{Column, Table};
use crate::report::text;
use std::io::{self, Write};

/// The text of a cell in a row.
type Cell = fn(&Row) -> String;

/// Explains the columns.
pub const LEGEND: &str = "\
known: how many known negatives are false positives; exact if none is. known by cost: their share of the cost of all known negatives.
unseen: false positive rate on keys that no build saw. Each key counts once, however many lines name it; by look-up, each line counts.
build ns: nanoseconds per key. positive ns, negative ns: nanoseconds per query for a key inside and outside the set.";

/// Explains the columns if the known negatives were learned from a log.
pub const LATER_LEGEND: &str = "\
Filters know keys that were learned from the first part of the log; all numbers are of the rest. wasted: the share of the cost of all absent \
look-ups that the filter lets through. known: keys on the list that came again. unseen: absent keys that are not on the list.";

/// Explains the mark of a filter that is larger than the budget.
pub const OVER_BUDGET_NOTE: &str =
    "*: larger than the budget, because this kind has a minimum size; not part of the summary.";

/// The cell for a filter that was built; a dash for a filter that was not.
fn measured(row: &Row, show: impl FnOnce(&Measured) -> String) -> String {
    row.result.as_ref().map_or("-".to_string(), show)
}

/// The median in nanoseconds, without decimals: the clock is not that precise.
fn nanoseconds(pace: Option<Pace>) -> String {
    pace.map_or("-".to_string(), |pace| format!("{:.0}", pace.median))
}

/// The false positive rate by look-up.
fn by_lookup(mistakes: &Option<Mistakes>) -> String {
    text::percent(mistakes.as_ref().and_then(|side| side.lookup_rate))
}

/// Whether some negatives were named more than once.
fn has_repeats(row: &Row) -> bool {
    let repeats =
        |side: &Option<Mistakes>| side.as_ref().is_some_and(|side| side.lookups > side.count);
    row.result
        .as_ref()
        .is_ok_and(|row| repeats(&row.evaluation.known) || repeats(&row.evaluation.unseen))
}

/// The columns for these rows. If known negatives were learned from a log, a column has what is wasted later. If some keys were named more than
/// once, two columns have the rates by look-up. If some filters were not built, the last column says why.
fn columns(rows: &[&Row], later: bool) -> Vec<(Column, Cell)> {
    let column = |title, cell: Cell| (Column::numbers(title), cell);
    let mut columns: Vec<(Column, Cell)> = vec![
        (Column::text("kind"), |row| row.kind.name().to_string()),
        column("bits/key", |row| {
            let mark = if row.over_budget { "* " } else { "" };
            measured(row, |row| {
                format!("{mark}{}", text::decimal(row.evaluation.bits_per_key, ""))
            })
        }),
        column("bytes", |row| {
            measured(row, |row| text::count(row.evaluation.bytes))
        }),
        column("known by cost", |row| {
            measured(row, |row| {
                let known = row.evaluation.known.as_ref();
                text::percent(known.and_then(|known| known.weighted_rate))
            })
        }),
        column("known", |row| {
            measured(row, |row| {
                let known = row.evaluation.known.as_ref();
                known.map_or("-".to_string(), |known| {
                    text::exactness(known.false_positives)
                })
            })
        }),
        column("unseen", |row| {
            measured(row, |row| {
                text::percent(
                    row.evaluation
                        .unseen
                        .as_ref()
                        .and_then(|unseen| unseen.rate),
                )
            })
        }),
        column("build ns", |row| {
            measured(row, |row| nanoseconds(row.build))
        }),
        column("positive ns", |row| {
            measured(row, |row| nanoseconds(row.evaluation.members.pace))
        }),
        column("negative ns", |row| {
            measured(row, |row| nanoseconds(row.evaluation.non_member_pace()))
        }),
    ];
    if later {
        let wasted = column("wasted", |row| {
            measured(row, |row| text::percent(row.evaluation.wasted()))
        });
        columns.insert(3, wasted);
    }
    if rows.iter().any(|row| has_repeats(row)) {
        let lookups = [
            column("known by look-up", |row| {
                measured(row, |row| by_lookup(&row.evaluation.known))
            }),
            column("unseen by look-up", |row| {
                measured(row, |row| by_lookup(&row.evaluation.unseen))
            }),
        ];
        let place = columns
            .iter()
            .position(|(column, _)| column.title == "build ns");
        let place = place.unwrap_or(columns.len());
        columns.splice(place..place, lookups);
    }
    if rows.iter().any(|row| row.result.is_err()) {
        columns.push((Column::sentences("why not built"), |row| {
            match &row.result {
                Ok(_) => String::new(),
                Err(reason) => format!("at {}: {reason}", row.setting()),
            }
        }));
    }
    columns
}

impl Comparison {
    /// All rows as a table, in groups of one budget.
    pub fn table(&self) -> Table {
        self.table_of(&self.rows.iter().collect::<Vec<_>>())
    }

    /// The table of some rows.
    fn table_of(&self, rows: &[&Row]) -> Table {
        let (columns, cells): (Vec<Column>, Vec<Cell>) =
            columns(rows, self.later.is_some()).into_iter().unzip();
        let row = |row: &&Row| cells.iter().map(|cell| cell(row)).collect();
        Table {
            columns,
            rows: rows.iter().map(row).collect(),
            group: self.kinds().len(),
        }
    }

    /// Writes the rows at `budgets` as a Markdown table, followed by the legend.
    pub fn print(&self, out: &mut impl Write, budgets: &[f64]) -> io::Result<()> {
        let rows = self.rows.iter().filter(|row| budgets.contains(&row.budget));
        let rows: Vec<&Row> = rows.collect();
        write!(out, "{}", self.table_of(&rows).markdown())?;
        writeln!(out, "\n{LEGEND}")?;
        if self.later.is_some() {
            writeln!(out, "{LATER_LEGEND}")?;
        }
        if rows.iter().any(|row| row.over_budget) {
            writeln!(out, "{OVER_BUDGET_NOTE}")?;
        }
        writeln!(out)
    }
}
