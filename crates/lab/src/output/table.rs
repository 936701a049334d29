//! Tables whose cells hold both a value and its text.

use super::percent;
use serde_json::{Value, json};

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A number and its text.
    Number(f64, String),
    /// Nothing was measured.
    Nothing,
}

impl Cell {
    /// A share, shown in percent; NaN is a dash.
    pub fn rate(share: f64) -> Self {
        Cell::Number(share, percent(share))
    }

    /// A number with `digits` digits after the decimal point.
    pub fn number(value: f64, digits: usize) -> Self {
        Cell::Number(value, format!("{value:.digits$}"))
    }

    /// A whole number.
    pub fn whole(value: u64) -> Self {
        Cell::Number(value as f64, value.to_string())
    }

    /// The cell that `cell` makes of `value`, or a dash if there is none.
    pub fn or_dash<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Self {
        value.map_or(Cell::Nothing, cell)
    }

    /// The number; NaN for other cells.
    pub(super) fn value(&self) -> f64 {
        match self {
            Cell::Number(value, _) => *value,
            Cell::Text(_) | Cell::Nothing => f64::NAN,
        }
    }

    /// The text of the cell.
    pub fn shown(&self) -> &str {
        match self {
            Cell::Text(text) | Cell::Number(_, text) => text,
            Cell::Nothing => "-",
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Number(value, _) => json!(value),
            Cell::Nothing => Value::Null,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_string())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The title.
    pub title: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    pub fn new<'a>(title: impl Into<String>, columns: impl IntoIterator<Item = &'a str>) -> Self {
        Table {
            title: title.into(),
            columns: columns.into_iter().map(str::to_string).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. It must have as many cells as there are columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "{}", self.title);
        self.rows.push(cells);
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
        let mut text = if self.title.is_empty() {
            String::new()
        } else {
            format!("**{}**\n\n", self.title)
        };
        text += &line(self.columns.iter().map(String::as_str).collect());
        text += &format!("|{}\n", "---|".repeat(self.columns.len()));
        for row in &self.rows {
            text += &line(row.iter().map(Cell::shown).collect());
        }
        text
    }

    /// The table as JSON: columns, and rows of numbers and text.
    pub fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| row.iter().map(Cell::json).collect::<Vec<_>>();
        json!({
            "title": self.title,
            "columns": self.columns,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_and_json_show_the_same_cells() {
        let mut table = Table::new("Rates", ["filter", "rate", "keys"]);
        table.row(["a".into(), Cell::rate(0.0173), Cell::Nothing]);
        table.row(["b".into(), Cell::rate(2.5e-6), Cell::whole(7)]);
        assert_eq!(
            table.markdown(),
            "**Rates**\n\n| filter | rate | keys |\n|---|---|---|\n| a | 1.730 % | - |\n| b | 0.00025 % | 7 |\n"
        );
        assert_eq!(table.json()["rows"][0], json!(["a", 0.0173, null]));
    }
}
