//! Tables in Markdown whose cells are padded, so that the text is a table for the eye before anything has rendered it.

use std::io::{self, Write};

/// What stands above a column, and how its cells stand below each other.
#[derive(Clone, Copy)]
pub struct Heading {
    /// The text.
    pub title: &'static str,
    /// Where the cells stand.
    pub cells: Cells,
}

/// How the cells of a column stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Words, below each other by their first letters.
    Words,
    /// Numbers, below each other by their ends.
    Numbers,
    /// Sentences, which are as long as they are; nothing stands behind them.
    Sentences,
}

/// Writes a table; every row has a cell for each heading.
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
                Cells::Words | Cells::Sentences => write!(out, "| {cell:width$} ")?,
            }
        }
        writeln!(out, "|")?;
        if number == 0 {
            for (heading, &width) in headings.iter().zip(&widths) {
                let end = match heading.cells {
                    Cells::Numbers => ':',
                    Cells::Words | Cells::Sentences => '-',
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
    fn cells_stand_below_each_other_and_keep_no_bars() {
        let heading = |title, cells| Heading { title, cells };
        let headings = [
            heading("kind", Cells::Words),
            heading("n", Cells::Numbers),
            heading("why", Cells::Sentences),
        ];
        let row = |cells: [&str; 3]| cells.map(str::to_string).to_vec();
        let rows = [row(["a", "100", "a|b and more"]), row(["bloom", "7", ""])];
        let mut out = Vec::new();
        table(&mut out, &headings, &rows).expect("memory takes it");
        let expected = "\
| kind  |   n | why |
|-------|----:|-----|
| a     | 100 | a/b and more |
| bloom |   7 |     |
";
        assert_eq!(String::from_utf8(out).expect("text"), expected);
    }
}
