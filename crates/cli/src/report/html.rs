//! Text and tables in HTML.

use crate::markdown::Cells;
use std::fmt::{self, Display, Write};

/// A text that means what it says, whatever characters are in it.
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                control if control.is_control() => write!(f, "{}", control.escape_default())?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// A table that scrolls inside of its own box where the screen is too narrow.
pub struct Table {
    /// What stands above each column, and what it holds.
    pub heads: Vec<(String, Cells)>,
    /// The cells of each row; the first says what the row is.
    pub rows: Vec<Vec<String>>,
    /// Rows that belong together; a line parts them from the next.
    pub group: usize,
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = |cells: &Cells| match cells {
            Cells::Words => "",
            Cells::Numbers => " class=\"n\"",
            Cells::Sentences => " class=\"s\"",
        };
        f.write_str("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>")?;
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

/// A chart with its title, a remark below it, and its numbers as a table.
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// The drawing.
    pub drawing: String,
    /// What one should know to read it, as HTML.
    pub remark: String,
    /// Its numbers.
    pub data: Table,
}

impl Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figure {
            title,
            drawing,
            remark,
            data,
        } = self;
        let title = Escaped(title);
        write!(
            f,
            "<figure>\n<h3>{title}</h3>\n{drawing}<figcaption>{remark}</figcaption>\n\
             <details><summary>Numbers of this chart</summary>\n{data}</details>\n</figure>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        let text = Escaped("<b a='1' c=\"2\">&\u{1b}[1m\n").to_string();
        assert_eq!(
            text,
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;\\u{1b}[1m\\n"
        );
    }

    #[test]
    fn only_sentences_may_break_into_lines() {
        let head = |cells| ("head".to_string(), cells);
        let table = Table {
            heads: vec![
                head(Cells::Words),
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
