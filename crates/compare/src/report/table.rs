//! Tables, as Markdown that is easy to read as plain text, and as HTML.

use super::chart::Escaped;
use std::fmt::Write;

/// A table.
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The cells of each row, one per column; the first one names the row.
    pub rows: Vec<Vec<String>>,
    /// The number of rows in a group. In HTML, a line separates groups.
    pub group: usize,
}

/// A column.
#[derive(Clone)]
pub struct Column {
    /// The heading.
    pub title: String,
    /// What the cells hold.
    pub cells: Cells,
}

/// What the cells of a column hold, which decides how they are aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Short text, aligned left.
    Text,
    /// Numbers, aligned right.
    Numbers,
    /// Sentences, not padded; only for the last column.
    Sentences,
}

impl Column {
    /// A column of names or other short text.
    pub fn text(title: impl Into<String>) -> Self {
        let (title, cells) = (title.into(), Cells::Text);
        Column { title, cells }
    }

    /// A column of numbers.
    pub fn numbers(title: impl Into<String>) -> Self {
        let (title, cells) = (title.into(), Cells::Numbers);
        Column { title, cells }
    }

    /// A column of sentences.
    pub fn sentences(title: impl Into<String>) -> Self {
        let (title, cells) = (title.into(), Cells::Sentences);
        Column { title, cells }
    }
}

/// More columns than this do not fit on a phone.
const FEW: usize = 4;

impl Table {
    /// A table whose rows are one group.
    pub fn new(columns: Vec<Column>, rows: Vec<Vec<String>>) -> Self {
        let group = rows.len().max(1);
        Table {
            columns,
            rows,
            group,
        }
    }

    /// The table as Markdown with padded cells.
    pub fn markdown(&self) -> String {
        let titles: Vec<String> = (self.columns.iter())
            .map(|column| column.title.clone())
            .collect();
        let width = |at: usize| match self.columns[at].cells {
            Cells::Sentences => titles[at].chars().count(),
            _ => {
                let rows = self.rows.iter().chain([&titles]);
                let widths = rows.map(|row| row[at].chars().count());
                widths.max().unwrap_or(0)
            }
        };
        let widths: Vec<usize> = (0..titles.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = self.columns.iter().zip(row).zip(&widths);
            let cells = cells.map(|((column, cell), &width)| {
                // A bar would end the cell.
                let cell = cell.replace('|', "/");
                match column.cells {
                    Cells::Numbers => format!("| {cell:>width$} "),
                    Cells::Text | Cells::Sentences => format!("| {cell:width$} "),
                }
            });
            cells.collect::<String>() + "|\n"
        };
        let rule = self.columns.iter().zip(&widths).map(|(column, width)| {
            let end = match column.cells {
                Cells::Numbers => ':',
                Cells::Text | Cells::Sentences => '-',
            };
            format!("|{}{end}", "-".repeat(width + 1))
        });
        let rule = rule.collect::<String>() + "|\n";
        let rows: String = self.rows.iter().map(line).collect();
        line(&titles) + &rule + &rows
    }

    /// The table as HTML. It scrolls inside its own box if the screen is too narrow.
    pub fn html(&self) -> String {
        let class = |column: &Column| match column.cells {
            Cells::Text => "",
            Cells::Numbers => " class=\"n\"",
            Cells::Sentences => " class=\"s\"",
        };
        let wide = if self.columns.len() > FEW {
            " wide"
        } else {
            ""
        };
        let mut html = format!("<div class=\"scroll{wide}\" tabindex=\"0\"><table>\n<thead><tr>");
        // Writing to a string cannot fail.
        for column in &self.columns {
            let (class, title) = (class(column), Escaped(&column.title));
            let _ = write!(html, "<th scope=\"col\"{class}>{title}</th>");
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for (number, row) in self.rows.iter().enumerate() {
            if number > 0 && number.is_multiple_of(self.group) {
                html.push_str("</tbody><tbody>\n");
            }
            html.push_str("<tr>");
            for (at, (cell, column)) in row.iter().zip(&self.columns).enumerate() {
                let (cell, class) = (Escaped(cell), class(column));
                let _ = match at {
                    0 => write!(html, "<th scope=\"row\"{class}>{cell}</th>"),
                    _ => write!(html, "<td{class}>{cell}</td>"),
                };
            }
            html.push_str("</tr>\n");
        }
        html + "</tbody></table></div>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: [&str; 3]) -> Vec<String> {
        cells.map(str::to_string).to_vec()
    }

    #[test]
    fn cells_are_aligned_and_bars_are_replaced() {
        let columns = vec![
            Column::text("kind"),
            Column::numbers("n"),
            Column::sentences("why"),
        ];
        let rows = vec![row(["a", "100", "a|b and more"]), row(["bloom", "7", ""])];
        let expected = "\
| kind  |   n | why |
|-------|----:|-----|
| a     | 100 | a/b and more |
| bloom |   7 |     |
";
        assert_eq!(Table::new(columns, rows).markdown(), expected);
    }

    #[test]
    fn cells_of_a_page_have_the_class_of_their_column() {
        let columns = vec![
            Column::text("head"),
            Column::numbers("head"),
            Column::sentences("head"),
        ];
        let table = Table::new(columns, vec![row(["bloom", "1", "why it is so"])]).html();
        let row =
            "<th scope=\"row\">bloom</th><td class=\"n\">1</td><td class=\"s\">why it is so</td>";
        assert!(table.contains(row), "{table}");
    }
}
