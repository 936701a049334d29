//! How a kind looks: a colour, a marker and a dash of its own.
//!
//! The colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart, in the style sheet as
//! `--s0` to `--s8`, with a violet as the ninth. Markers and dashes change too, so that no colour is needed to know
//! which line is which. There are seven markers and nine colours: as both go round, 63 kinds differ.

/// The number of colours in the style sheet.
const COLOURS: usize = 9;

/// Dashes of lines; the first is none.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "8 3 2 3"];

/// How one kind looks, by its number.
#[derive(Clone, Copy)]
pub struct Look(pub usize);

impl Look {
    /// The class that has the colour.
    pub fn class(self) -> String {
        format!("s{}", self.0 % COLOURS)
    }

    /// What makes a line dashed.
    pub fn dash(self) -> String {
        match DASHES[self.0 % DASHES.len()] {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        }
    }

    /// The marker, around a point.
    pub fn marker(self, x: f64, y: f64) -> String {
        let path = match self.0 % 7 {
            0 => return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\"/>"),
            1 => "m-3.4 -3.4h6.8v6.8h-6.8z",
            2 => "m0 -4.6l4.3 7.6h-8.6z",
            3 => "m0 -4.8l4.8 4.8l-4.8 4.8l-4.8 -4.8z",
            4 => "m0 4.6l4.3 -7.6h-8.6z",
            5 => "m-1.4 -4.4h2.8v3h3v2.8h-3v3h-2.8v-3h-3v-2.8h3z",
            _ => {
                "m-4.4 -2.6l1.8 -1.8l2.6 2.6l2.6 -2.6l1.8 1.8l-2.6 2.6l2.6 2.6l-1.8 1.8l-2.6 -2.6l-2.6 2.6l-1.8 -1.8l2.6 -2.6z"
            }
        };
        format!("<path d=\"M{x:.1} {y:.1}{path}\"/>")
    }
}
