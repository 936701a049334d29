//! Charts: lines with markers, markers alone, or bars, over two axes.
//!
//! A chart only holds the data; [`super::draw`] draws it.

use super::{Axis, draw};
use anyhow::Result;

/// A point with its spread.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The horizontal coordinate.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
    /// A standard deviation or half an interval, drawn as a bar to both sides; 0 draws nothing.
    pub spread: f64,
}

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The measured points, from left to right.
    pub points: Vec<Point>,
    /// Published values, drawn as crosses.
    pub published: Vec<Point>,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Whether points are joined by lines.
    pub(super) lines: bool,
    /// Whether points are bars that start at 0, with their value at the end.
    pub(super) bars: bool,
}

impl Chart {
    /// An empty chart.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Chart {
            title: title.into(),
            lines: y.names.is_empty(),
            bars: false,
            x,
            y,
            series: Vec::new(),
        }
    }

    /// Removes the lines between points. Charts over names never have them.
    pub fn points_only(mut self) -> Self {
        self.lines = false;
        self
    }

    /// A chart of bars, one for each of `names` and each series. Values are in percent.
    pub fn bars(
        title: impl Into<String>,
        x: &str,
        names: impl IntoIterator<Item = String>,
    ) -> Self {
        Chart {
            bars: true,
            ..Self::new(title, Axis::linear(x), Axis::names(names))
        }
    }

    /// Adds a point to the line called `name`, and creates the line if it is new.
    pub fn point(&mut self, name: &str, x: f64, y: f64, spread: f64) {
        self.line(name).points.push(Point { x, y, spread });
    }

    /// Adds a published value to the line called `name`.
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

    /// The chart as SVG.
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
    fn svg_has_title_axes_and_lines_and_accepts_zeros() {
        let mut chart = rates();
        for (x, y) in [(8.0, 0.01), (10.0, 1e-5), (12.0, 0.0), (14.0, f64::NAN)] {
            chart.point("one", x, y, y / 10.0);
            chart.point("two", x, 0.5, 0.0);
        }
        let svg = chart.svg().expect("is drawn");
        for part in ["Rates", "bits per key", "rate", "one", "two", "10⁻⁵"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        assert!(!svg.contains("NaN") && !svg.contains("published"));
        chart.published("two", 9.0, 0.4);
        assert!(chart.svg().expect("is drawn").contains("published"));
    }

    #[test]
    fn bars_have_their_values_and_fewer_rows_make_a_lower_picture() {
        let bars = |names: &[&str]| {
            let names = names.iter().map(ToString::to_string);
            let mut chart = Chart::bars("Rates", "false positives, %", names);
            for (row, value) in [(0.0, 0.83), (1.0, 0.0)] {
                chart.point("known", value, row, 0.0);
                chart.point("unseen", 1.19, row, 0.0);
            }
            chart.svg().expect("is drawn")
        };
        let svg = bars(&["bloom", "guarded"]);
        for part in ["bloom", "guarded", "known", "unseen", "0.830 %", "1.190 %"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        assert_eq!(svg.matches("1.190 %").count(), 2);
        let height = |svg: &str| -> u32 {
            let (_, rest) = svg.split_once("height=\"").expect("has a height");
            let (number, _) = rest.split_once('"').expect("ends");
            number.parse().expect("is a number")
        };
        assert!(height(&svg) < height(&bars(&["bloom", "guarded", "habf"])));
    }

    #[test]
    fn line_is_interrupted_at_zeros_and_missing_values() {
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
            let svg = chart.svg().expect("is drawn");
            svg.matches("stroke-width=\"2\"").count()
        };
        assert_eq!(lines(0.0), lines(0.1) + 1 + 1, "a gap, and an open marker");
        assert_eq!(lines(f64::NAN), lines(0.1) + 1);
    }

    #[test]
    fn points_only_chart_has_no_lines_and_an_empty_chart_is_valid() {
        let mut chart = rates().points_only();
        chart.point("one", 1.0, 0.1, 0.05);
        chart.point("one", 2.0, 0.1, 0.2);
        let svg = chart.svg().expect("is drawn");
        assert!(!svg.contains("stroke-width=\"2\""));
        assert!(rates().svg().is_ok());
    }
}
