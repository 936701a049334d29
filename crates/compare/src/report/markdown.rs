//! Markdown tables with padded cells, which are easy to read as plain text.

use std::io::{self, Write};

/// The heading of a column.
#[derive(Clone, Copy)]
pub struct Heading {
    /// The text.
    pub title: &'static str,
    /// What the cells below it hold.
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

/// Writes a table. Every row has one cell per heading.
pub fn table(out: &mut impl Write, headings: &[Heading], rows: &[Vec<String>]) -> io::Result<()> {
    let titles = headings.iter().map(|heading| heading.title.to_string());
    let titles: Vec<String> = titles.collect();
    let width = |at: usize| match headings[at].cells {
        Cells::Sentences => titles[at].chars().count(),
        _ => {
            let rows = rows.iter().chain([&titles]);
            let widths = rows.map(|row| row[at].chars().count());
            widths.max().unwrap_or(0)
        }
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    for (number, row) in [&titles].into_iter().chain(rows).enumerate() {
        for ((heading, cell), &width) in headings.iter().zip(row).zip(&widths) {
            // A bar would end the cell.
            let cell = cell.replace('|', "/");
            match heading.cells {
                Cells::Numbers => write!(out, "| {cell:>width$} ")?,
                Cells::Text | Cells::Sentences => write!(out, "| {cell:width$} ")?,
            }
        }
        writeln!(out, "|")?;
        if number == 0 {
            for (heading, &width) in headings.iter().zip(&widths) {
                let end = match heading.cells {
                    Cells::Numbers => ':',
                    Cells::Text | Cells::Sentences => '-',
                };
                write!(out, "|{}{end}", "-".repeat(width + 1))?;
            }
            writeln!(out, "|")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_aligned_and_bars_are_replaced() {
        let heading = |title, cells| Heading { title, cells };
        let headings = [
            heading("kind", Cells::Text),
            heading("n", Cells::Numbers),
            heading("why", Cells::Sentences),
        ];
        let row = |cells: [&str; 3]| cells.map(str::to_string).to_vec();
        let rows = [row(["a", "100", "a|b and more"]), row(["bloom", "7", ""])];
        let mut out = Vec::new();
        table(&mut out, &headings, &rows).expect("writing to memory");
        let expected = "\
| kind  |   n | why |
|-------|----:|-----|
| a     | 100 | a/b and more |
| bloom |   7 |     |
";
        assert_eq!(String::from_utf8(out).expect("text"), expected);
    }
}
