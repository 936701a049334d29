//! Tables. A table is a line that lays out its columns, and rows of values.
//!
//! ```ignore
//! let mut table = Table::new("Rates", "filter | bits per key {2} | FPR {%}");
//! table.row((name, bits_per_key, rate));
//! ```
//!
//! | after a column's name | a number in it |
//! |---|---|
//! | nothing | `7`, `8.4381`: up to four decimals |
//! | `{2}` | `8.44` |
//! | `{%}` | a share in percent: `1.730 %`, `0.00013 %` |
//! | `{2%}` | a share in percent with two decimals: `12.34 %` |
//! | `{+%}` | a change in percent: `+1.25 %` |
//!
//! Text is text in every column. What was not measured, `None` or NaN, is a dash.

use super::percent;
use serde_json::{Value, json};

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A number.
    Number(f64),
    /// Nothing was measured.
    Nothing,
}

impl Cell {
    /// The number; NaN for other cells.
    pub(super) fn value(&self) -> f64 {
        match self {
            Cell::Number(value) => *value,
            Cell::Text(_) | Cell::Nothing => f64::NAN,
        }
    }

    /// The text; nothing for other cells.
    pub(super) fn text(&self) -> &str {
        match self {
            Cell::Text(text) => text,
            Cell::Number(_) | Cell::Nothing => "",
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Number(value) => json!(value),
            Cell::Nothing => Value::Null,
        }
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        match value.is_nan() {
            true => Cell::Nothing,
            false => Cell::Number(value),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_string())
    }
}

/// Values that become cells of a row: numbers, texts, and tuples, lists and options of such.
pub trait Cells {
    /// Adds the cells to `row`.
    fn add_to(self, row: &mut Vec<Cell>);
}

impl Cells for u64 {
    fn add_to(self, row: &mut Vec<Cell>) {
        row.push(Cell::Number(self as f64));
    }
}

impl Cells for u32 {
    fn add_to(self, row: &mut Vec<Cell>) {
        u64::from(self).add_to(row);
    }
}

impl Cells for usize {
    fn add_to(self, row: &mut Vec<Cell>) {
        (self as u64).add_to(row);
    }
}

impl Cells for f64 {
    fn add_to(self, row: &mut Vec<Cell>) {
        row.push(self.into());
    }
}

impl Cells for Cell {
    fn add_to(self, row: &mut Vec<Cell>) {
        row.push(self);
    }
}

impl Cells for String {
    fn add_to(self, row: &mut Vec<Cell>) {
        row.push(Cell::Text(self));
    }
}

impl Cells for &str {
    fn add_to(self, row: &mut Vec<Cell>) {
        row.push(self.into());
    }
}

impl Cells for &String {
    fn add_to(self, row: &mut Vec<Cell>) {
        self.as_str().add_to(row);
    }
}

impl<T: Cells> Cells for Option<T> {
    fn add_to(self, row: &mut Vec<Cell>) {
        match self {
            Some(value) => value.add_to(row),
            None => row.push(Cell::Nothing),
        }
    }
}

impl<T: Cells, const N: usize> Cells for [T; N] {
    fn add_to(self, row: &mut Vec<Cell>) {
        self.into_iter().for_each(|value| value.add_to(row));
    }
}

impl<T: Cells> Cells for Vec<T> {
    fn add_to(self, row: &mut Vec<Cell>) {
        self.into_iter().for_each(|value| value.add_to(row));
    }
}

/// Tuples: their parts, one after another.
macro_rules! tuples {
    ($($part:ident)*) => {
        impl<$($part: Cells),*> Cells for ($($part,)*) {
            fn add_to(self, row: &mut Vec<Cell>) {
                #[expect(non_snake_case, reason = "a part has the name of its type")]
                let ($($part,)*) = self;
                $($part.add_to(row);)*
            }
        }
    };
}

tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);

/// A column: its name, and the mark that says how it shows its numbers.
#[derive(Clone, Debug, PartialEq)]
struct Column {
    name: String,
    mark: String,
}

impl Column {
    fn new(text: &str) -> Self {
        let marked = text.trim().strip_suffix('}');
        let marked = marked.and_then(|text| text.rsplit_once(" {"));
        let (name, mark) = marked.unwrap_or((text.trim(), ""));
        let [name, mark] = [name, mark].map(str::to_string);
        Column { name, mark }
    }

    fn shown(&self, cell: &Cell) -> String {
        let value = match cell {
            Cell::Text(text) => return text.clone(),
            Cell::Nothing => return "-".to_string(),
            Cell::Number(value) => *value,
        };
        let digits = || {
            let digits = self.mark.trim_end_matches('%').parse();
            digits.unwrap_or_else(|_| panic!("a column has the mark {{{}}}", self.mark))
        };
        match self.mark.as_str() {
            "" => ((value * 1e4).round() / 1e4).to_string(),
            "%" => percent(value),
            "+%" => format!("{:+.2} %", 100.0 * value),
            mark if mark.ends_with('%') => format!("{:.*} %", digits(), 100.0 * value),
            _ => format!("{value:.*}", digits()),
        }
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The title.
    pub title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table with these columns, separated by `|`.
    pub fn new(title: impl Into<String>, columns: &str) -> Self {
        Table {
            title: title.into(),
            columns: columns.split('|').map(Column::new).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds columns. All show numbers by the same mark.
    pub fn and(mut self, names: &[impl AsRef<str>], mark: &str) -> Self {
        let columns = names
            .iter()
            .map(|name| Column::new(&format!("{} {mark}", name.as_ref())));
        self.columns.extend(columns);
        self
    }

    /// Adds a row. It must have as many cells as there are columns.
    pub fn row(&mut self, cells: impl Cells) {
        let mut row = Vec::new();
        cells.add_to(&mut row);
        assert_eq!(row.len(), self.columns.len(), "{}", self.title);
        self.rows.push(row);
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The number of the column `name`.
    pub(super) fn column(&self, name: &str) -> usize {
        let place = self.columns.iter().position(|column| column.name == name);
        place.unwrap_or_else(|| panic!("{}: no column is called {name}", self.title))
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = match self.title.as_str() {
            "" => String::new(),
            title => format!("**{title}**\n\n"),
        };
        let names = self.columns.iter().map(|column| column.name.clone());
        text += &line(names.collect());
        text += &format!("|{}\n", "---|".repeat(self.columns.len()));
        for row in &self.rows {
            let cells = self.columns.iter().zip(row);
            text += &line(cells.map(|(column, cell)| column.shown(cell)).collect());
        }
        text
    }

    /// The table as JSON: columns, and rows of numbers and text.
    pub fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| row.iter().map(Cell::json).collect::<Vec<_>>();
        let columns = self.columns.iter().map(|column| column.name.as_str());
        json!({
            "title": self.title,
            "columns": columns.collect::<Vec<_>>(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_and_json_show_the_same_cells() {
        let mut table = Table::new("Rates", "filter | rate {%} | keys | size {2}");
        table.row(("a", 0.0173, None::<u64>, [8.436]));
        table.row(("b", 2.5e-6, 7u64, f64::NAN));
        assert_eq!(
            table.markdown(),
            "**Rates**\n\n| filter | rate | keys | size |\n|---|---|---|---|\n| a | 1.730 % | - | 8.44 |\n| b | 0.00025 % | 7 | - |\n"
        );
        assert_eq!(table.json()["rows"][0], json!(["a", 0.0173, null, 8.436]));
        assert_eq!(table.column("keys"), 2);
    }

    #[test]
    fn mark_of_a_column_says_how_numbers_are_shown() {
        let shown = |mark: &str| {
            let column = Column::new(&format!(" m : n {mark}"));
            assert_eq!(column.name, "m : n");
            column.shown(&Cell::Number(0.123_456))
        };
        let marks = ["", "{0}", "{3}", "{%}", "{2%}", "{+%}"];
        let expected = ["0.1235", "0", "0.123", "12.35 %", "12.35 %", "+12.35 %"];
        assert_eq!(marks.map(shown), expected);
    }
}
