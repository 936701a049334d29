//! Text, tables and figures in HTML.

use crate::report::chart::Escaped;
use crate::report::markdown::Cells;
use std::fmt::{self, Display};

/// Escaped text. A number and its unit stay on one line.
pub fn prose(text: &str) -> String {
    let text = text.replace(" %", "\u{a0}%").replace(" ns", "\u{a0}ns");
    Escaped(&text).to_string()
}

/// More columns than this do not fit on a phone.
const FEW: usize = 4;

/// A table. It scrolls inside its own box if the screen is too narrow.
pub struct Table {
    /// The heading of each column, and what its cells hold.
    pub heads: Vec<(String, Cells)>,
    /// The cells of each row; the first one names the row.
    pub rows: Vec<Vec<String>>,
    /// The number of rows in a group; a line separates groups.
    pub group: usize,
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = |cells: &Cells| match cells {
            Cells::Text => "",
            Cells::Numbers => " class=\"n\"",
            Cells::Sentences => " class=\"s\"",
        };
        let wide = if self.heads.len() > FEW { " wide" } else { "" };
        write!(
            f,
            "<div class=\"scroll{wide}\" tabindex=\"0\"><table>\n<thead><tr>"
        )?;
        for (head, cells) in &self.heads {
            write!(
                f,
                "<th scope=\"col\"{}>{}</th>",
                class(cells),
                Escaped(head)
            )?;
        }
        f.write_str("</tr></thead>\n<tbody>\n")?;
        for (number, row) in self.rows.iter().enumerate() {
            if number > 0 && number.is_multiple_of(self.group) {
                f.write_str("</tbody><tbody>\n")?;
            }
            f.write_str("<tr>")?;
            for (at, (cell, (_, cells))) in row.iter().zip(&self.heads).enumerate() {
                let (cell, class) = (Escaped(cell), class(cells));
                match at {
                    0 => write!(f, "<th scope=\"row\"{class}>{cell}</th>")?,
                    _ => write!(f, "<td{class}>{cell}</td>")?,
                }
            }
            f.write_str("</tr>\n")?;
        }
        f.write_str("</tbody></table></div>\n")
    }
}

/// A chart with a title, a caption, and its numbers as a table.
pub struct Figure {
    /// The title.
    pub title: String,
    /// The drawing, as SVG.
    pub drawing: String,
    /// The text below the drawing, as HTML.
    pub caption: String,
    /// The numbers.
    pub data: Table,
}

impl Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figure {
            title,
            drawing,
            caption,
            data,
        } = self;
        let title = Escaped(title);
        write!(
            f,
            "<figure>\n<h3>{title}</h3>\n{drawing}<figcaption>{caption}</figcaption>\n\
             <details><summary>Numbers of this chart</summary>\n{data}</details>\n</figure>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_class_of_their_column() {
        let head = |cells| ("head".to_string(), cells);
        let table = Table {
            heads: vec![
                head(Cells::Text),
                head(Cells::Numbers),
                head(Cells::Sentences),
            ],
            rows: vec![["bloom", "1", "why it is so"].map(str::to_string).to_vec()],
            group: 1,
        };
        let row =
            "<th scope=\"row\">bloom</th><td class=\"n\">1</td><td class=\"s\">why it is so</td>";
        assert!(table.to_string().contains(row), "{table}");
    }
}
