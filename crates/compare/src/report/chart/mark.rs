//! How a line or a dot looks: a marker and a dash, and how much it stands out.
//!
//! On the page of a comparison, colour says only what the page recommends. In the lab, it only helps. Lines differ in marker and dash, and each
//! has its name at its end, so that no reader depends on colour.

/// How much a line or a row stands out; later ones are drawn above earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// One of many.
    Grey,
    /// The kind that others are compared with.
    Plain,
    /// The kind that is recommended.
    Strong,
    /// One of several that the reader compares with each other.
    Coloured,
}

impl Tone {
    /// The CSS class of something with this look.
    pub fn class(self, look: Look) -> String {
        match self {
            Tone::Grey => "grey".to_string(),
            Tone::Plain => "plain".to_string(),
            Tone::Strong => "strong".to_string(),
            Tone::Coloured => format!("t{}", look.0 % MARKERS),
        }
    }
}

/// The number of markers.
const MARKERS: usize = 8;

/// The dashes of lines; the first line is solid.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "8 3 2 3"];

/// A look, by number.
#[derive(Clone, Copy)]
pub struct Look(pub usize);

impl Look {
    /// The SVG attribute of the dash of a line of this tone. Lines that differ in colour are dashed only where colours repeat.
    pub fn dash(self, tone: Tone) -> String {
        let number = match tone {
            Tone::Grey => self.0 + self.0 / MARKERS,
            Tone::Plain | Tone::Strong => 0,
            Tone::Coloured => self.0 / MARKERS,
        };
        match DASHES[number % DASHES.len()] {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        }
    }

    /// The marker at a point, as SVG.
    pub fn marker(self, x: f64, y: f64) -> String {
        let path = match self.0 % MARKERS {
            0 => return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\"/>"),
            1 => "m-3.4 -3.4h6.8v6.8h-6.8z",
            2 => "m0 -4.6l4.3 7.6h-8.6z",
            3 => "m0 -4.8l4.8 4.8l-4.8 4.8l-4.8 -4.8z",
            4 => "m0 4.6l4.3 -7.6h-8.6z",
            5 => "m-4.2 -4.2h8.4l-8.4 8.4h8.4z",
            6 => "m-1.4 -4.4h2.8v3h3v2.8h-3v3h-2.8v-3h-3v-2.8h3z",
            _ => {
                "m-4.4 -2.6l1.8 -1.8l2.6 2.6l2.6 -2.6l1.8 1.8l-2.6 2.6l2.6 2.6l-1.8 1.8l-2.6 -2.6l-2.6 2.6l-1.8 -1.8l2.6 -2.6z"
            }
        };
        format!("<path d=\"M{x:.1} {y:.1}{path}\"/>")
    }
}
