//! Pictures: lines with markers, or markers alone, over two axes.
//!
//! A chart only holds what is to be seen; [`super::draw`] draws it.

use super::{Axis, draw};
use anyhow::Result;

/// A point, and how far others like it lie from it.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// A standard deviation, or half an interval, to both sides; 0 draws nothing.
    pub spread: f64,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
    /// Values that a source has for it, which are marked with crosses.
    pub published: Vec<Point>,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// Its lines.
    pub series: Vec<Series>,
    /// Whether points are joined.
    pub(super) lines: bool,
}

impl Chart {
    /// No lines yet.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Chart {
            title: title.into(),
            lines: y.names.is_empty(),
            x,
            y,
            series: Vec::new(),
        }
    }

    /// The same without lines between the points. Charts of names have none anyway.
    pub fn points_only(mut self) -> Self {
        self.lines = false;
        self
    }

    /// Adds a point to the line of this name, which is new if there is none.
    pub fn point(&mut self, name: &str, x: f64, y: f64, spread: f64) {
        self.line(name).points.push(Point { x, y, spread });
    }

    /// Adds a value that a source has for the line of this name.
    pub fn published(&mut self, name: &str, x: f64, y: f64) {
        let spread = 0.0;
        self.line(name).published.push(Point { x, y, spread });
    }

    fn line(&mut self, name: &str) -> &mut Series {
        let known = self.series.iter().position(|series| series.name == name);
        let place = known.unwrap_or(self.series.len());
        if known.is_none() {
            self.series.push(Series {
                name: name.to_string(),
                points: Vec::new(),
                published: Vec::new(),
            });
        }
        &mut self.series[place]
    }

    /// As SVG.
    pub fn svg(&self) -> Result<String> {
        draw::svg(self).map_err(|error| error.context(format!("cannot draw '{}'", self.title)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates() -> Chart {
        Chart::new("Rates", Axis::linear("bits per key"), Axis::log("rate"))
    }

    #[test]
    fn a_picture_has_its_title_axes_and_lines_and_takes_zeros() {
        let mut chart = rates();
        for (x, y) in [(8.0, 0.01), (10.0, 1e-5), (12.0, 0.0), (14.0, f64::NAN)] {
            chart.point("one", x, y, y / 10.0);
            chart.point("two", x, 0.5, 0.0);
        }
        let svg = chart.svg().expect("draws");
        for part in ["Rates", "bits per key", "rate", "one", "two", "10⁻⁵"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        assert!(!svg.contains("NaN") && !svg.contains("published"));
        chart.published("two", 9.0, 0.4);
        assert!(chart.svg().expect("draws").contains("published"));
    }

    #[test]
    fn a_line_ends_where_nothing_was_measured() {
        let lines = |middle: f64| {
            let mut chart = rates();
            for (x, y) in [
                (1.0, 0.1),
                (2.0, 0.1),
                (3.0, middle),
                (4.0, 0.1),
                (5.0, 0.1),
            ] {
                chart.point("one", x, y, 0.0);
            }
            let svg = chart.svg().expect("draws");
            svg.matches("stroke-width=\"2\"").count()
        };
        assert_eq!(lines(0.0), lines(0.1) + 1 + 1, "a gap, and an open marker");
        assert_eq!(lines(f64::NAN), lines(0.1) + 1);
    }

    #[test]
    fn points_alone_have_no_lines_and_a_picture_may_be_empty() {
        let mut chart = rates().points_only();
        chart.point("one", 1.0, 0.1, 0.05);
        chart.point("one", 2.0, 0.1, 0.2);
        let svg = chart.svg().expect("draws");
        assert!(!svg.contains("stroke-width=\"2\""));
        assert!(rates().svg().is_ok());
    }
}
