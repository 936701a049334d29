//! Text and figures in HTML.

use crate::report::chart::{Drawing, Escaped};
use crate::report::table::Table;
use std::fmt::{self, Display};

/// Escaped text. A number and its unit stay on one line.
pub fn prose(text: &str) -> String {
    let text = text.replace(" %", "\u{a0}%").replace(" ns", "\u{a0}ns");
    Escaped(&text).to_string()
}

/// A chart with a title, a caption, and its numbers as a table.
pub struct Figure {
    /// The title.
    pub title: String,
    /// The drawing.
    pub drawing: Drawing,
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
        let (title, data) = (Escaped(title), data.html());
        write!(
            f,
            "<figure>\n<h3>{title}</h3>\n{drawing}<figcaption>{caption}</figcaption>\n\
             <details><summary>Numbers of this chart</summary>\n{data}</details>\n</figure>\n"
        )
    }
}
