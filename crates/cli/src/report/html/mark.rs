//! The look of a kind: a marker and a dash, the same on every page, and how much it stands out.
//!
//! Colour says only what the page recommends. Kinds differ in marker and dash, and each line has its name at its end, so that no reader
//! depends on colour.

use crate::measure::default_kinds;
use bloomwise::Family;

/// How much a kind stands out; later ones are drawn above earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// One of many.
    Grey,
    /// The kind that others are compared with.
    Plain,
    /// The kind that is recommended.
    Strong,
}

impl Tone {
    /// The CSS class.
    pub fn class(self) -> &'static str {
        match self {
            Tone::Grey => "grey",
            Tone::Plain => "plain",
            Tone::Strong => "strong",
        }
    }
}

/// The number of markers.
const MARKERS: usize = 8;

/// The dashes of lines; the first line is solid.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "8 3 2 3"];

/// The look of one kind, by number.
#[derive(Clone, Copy)]
pub struct Look(usize);

impl Look {
    /// The look of a kind. It does not depend on the other kinds in the chart.
    pub fn of(kind: Family) -> Self {
        let defaults = default_kinds();
        let others = Family::ALL
            .into_iter()
            .filter(|kind| !defaults.contains(kind));
        let mut order = defaults.iter().copied().chain(others);
        Look(order.position(|other| other == kind).unwrap_or(0))
    }

    /// The SVG attribute of the dash.
    pub fn dash(self) -> String {
        match DASHES[(self.0 + self.0 / MARKERS) % DASHES.len()] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_kinds_look_alike() {
        let looks = Family::ALL.map(Look::of);
        for (at, one) in looks.iter().enumerate() {
            for other in &looks[..at] {
                let same_marker = one.marker(0.0, 0.0) == other.marker(0.0, 0.0);
                assert!(
                    !(same_marker && one.dash() == other.dash()),
                    "{} {}",
                    one.0,
                    other.0
                );
            }
        }
        let mut markers: Vec<_> = (default_kinds().into_iter())
            .map(|kind| Look::of(kind).marker(0.0, 0.0))
            .collect();
        markers.sort();
        markers.dedup();
        assert_eq!(markers.len(), default_kinds().len());
    }
}
