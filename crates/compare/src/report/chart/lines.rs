//! A chart of lines: one for each filter, and the information limit.
//!
//! Each name is at the end of its line. A point may have a range, such as an interval of confidence. A cross is a number that somebody
//! published. The limit is no line but the edge of an area in which no filter can be.

use super::axis::{Axis, NONE, Scale};
use super::labels::{spread_out, width_of};
use super::mark::{Look, Tone};
use super::svg::{Drawing, Escaped};
use std::fmt::{self, Write};

/// The top and bottom edge of the plot inside the drawing. The space beside it depends on the longest label and name.
const EDGES: (f64, f64) = (28.0, 246.0);

/// The position of the line for zero, below the plot.
const ZERO: f64 = 266.0;

/// The distance from the end of the plot to the marker of a name, and from there to the name.
const THREAD: f64 = 14.0;
const MARKER: f64 = 15.0;

/// The minimum distance of two names.
const LINE: f64 = 14.0;

/// The name of the limit.
const LIMIT: &str = "limit";

/// A line of the chart.
pub struct Series {
    /// The name.
    pub name: String,
    /// The look.
    pub look: Look,
    /// How much it stands out.
    pub tone: Tone,
    /// The points from left to right.
    pub points: Vec<Point>,
    /// Published numbers: on the horizontal and on the vertical axis.
    pub published: Vec<(f64, f64)>,
}

/// A point of a line.
pub struct Point {
    /// Its number on the horizontal axis.
    pub x: f64,
    /// Its number on the vertical axis.
    pub y: f64,
    /// The ends of its range on the vertical axis.
    pub range: Option<(f64, f64)>,
    /// The text that appears when the pointer is over it.
    pub text: String,
}

/// A chart.
pub struct Lines<'a> {
    /// The width of the drawing. A small one is readable on a phone.
    pub width: f64,
    /// Whether lines join the points.
    pub joined: bool,
    /// What the axes show.
    pub scales: (Scale<'a>, Scale<'a>),
    /// The titles of the axes.
    pub titles: (&'a str, &'a str),
    /// The lines.
    pub all: Vec<Series>,
    /// The information limit: points from left to right. There is no filter below it.
    pub limit: Vec<(f64, f64)>,
}

impl Lines<'_> {
    /// Draws the chart.
    pub fn draw(&self, title: &str) -> Drawing {
        let numbers = |number: fn(&Point) -> f64| -> Vec<f64> {
            let points = self.all.iter().flat_map(|series| &series.points);
            points.map(number).collect()
        };
        let (top, bottom) = EDGES;
        let y = (self.scales.1).axis(&numbers(|point| point.y), (bottom, top), ZERO);
        let names = self.all.iter().map(|series| width_of(&series.name));
        let names = names.fold(width_of(LIMIT), f64::max);
        let range = (
            y.label_width() + 8.0,
            self.width - THREAD - MARKER - names - 2.0,
        );
        let x = (self.scales.0).axis(&numbers(|point| point.x), range, range.0);
        let plot = Plot { lines: self, x, y };
        Drawing::new(title, (self.width, plot.below() + 48.0), |out| {
            plot.write(out)
        })
    }
}

/// The end of a line, where its name is.
struct End<'a> {
    x: f64,
    y: f64,
    class: String,
    name: &'a str,
    /// `None` for the limit.
    look: Option<Look>,
}

/// The lines and the axes.
struct Plot<'a> {
    lines: &'a Lines<'a>,
    x: Axis,
    y: Axis,
}

impl Plot<'_> {
    /// Writes all parts of the chart.
    fn write(&self, svg: &mut String) -> fmt::Result {
        self.limit(svg)?;
        self.axes(svg)?;
        // Those that stand out are drawn last, above the others.
        let mut all: Vec<&Series> = self.lines.all.iter().collect();
        all.sort_by_key(|series| series.tone);
        for series in &all {
            self.line(svg, series)?;
        }
        self.names(svg)
    }

    /// The position of the horizontal axis: below the plot, and below the line for zero if there is one.
    fn below(&self) -> f64 {
        self.y.zero().unwrap_or(EDGES.1) + 8.0
    }

    /// Writes the area in which there are no filters.
    fn limit(&self, svg: &mut String) -> fmt::Result {
        let [first, .., last] = &self.lines.limit[..] else {
            return Ok(());
        };
        let (left, right) = (self.x.position(first.0), self.x.position(last.0));
        let edge: Vec<String> = (self.lines.limit.iter())
            .map(|&(x, y)| {
                format!(
                    "{:.1} {:.1}",
                    self.x.position(x),
                    self.y.position(y).min(EDGES.1)
                )
            })
            .collect();
        let (edge, bottom) = (edge.join("L"), EDGES.1);
        writeln!(
            svg,
            "<path class=\"beyond-limit\" d=\"M{left:.1} {bottom}L{edge}L{right:.1} {bottom}z\"/>\
             <path class=\"limit\" d=\"M{edge}\"/>"
        )
    }

    /// Writes the axes, their ticks and their titles.
    fn axes(&self, svg: &mut String) -> fmt::Result {
        let (left, right) = self.x.range();
        let mut level = |class: &str, at: f64, text: &str| {
            write!(
                svg,
                "<path class=\"{class}\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>"
            )?;
            writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" class=\"tick end\">{text}</text>",
                left - 6.0,
                at + 4.0
            )
        };
        for (at, label) in self.y.ticks() {
            level("grid", at, label)?;
        }
        if let Some(zero) = self.y.zero() {
            level("zero", zero, NONE)?;
        }
        let below = self.below();
        level("axis", below, "")?;
        for (at, label) in self.x.horizontal_ticks() {
            writeln!(
                svg,
                "<path class=\"axis\" d=\"M{at:.1} {below}v5\"/><text x=\"{at:.1}\" y=\"{}\" class=\"tick middle\">{label}</text>",
                below + 18.0
            )?;
        }
        let (x_title, y_title) = self.lines.titles;
        writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" class=\"middle\">{}</text><text x=\"0\" y=\"{}\">{}</text>",
            (left + right) / 2.0,
            below + 40.0,
            Escaped(x_title),
            EDGES.0 - 16.0,
            Escaped(y_title)
        )?;
        if (self.lines.all.iter()).any(|series| !series.published.is_empty()) {
            let (cross, text) = (cross(right - 60.0, EDGES.0 - 20.0), right - 52.0);
            writeln!(
                svg,
                "<g class=\"plain\">{cross}</g><text x=\"{text:.1}\" y=\"{}\">published</text>",
                EDGES.0 - 16.0
            )?;
        }
        Ok(())
    }

    /// Writes one line and its markers; each marker has a tooltip with its numbers.
    fn line(&self, svg: &mut String, series: &Series) -> fmt::Result {
        let place = |point: &Point| (self.x.position(point.x), self.y.position(point.y));
        let places: Vec<String> = (series.points.iter().map(place))
            .map(|(x, y)| format!("{x:.1} {y:.1}"))
            .collect();
        write!(svg, "<g class=\"{}\">", series.tone.class(series.look))?;
        if self.lines.joined && places.len() > 1 {
            let (path, dash) = (places.join("L"), series.look.dash(series.tone));
            write!(svg, "<path class=\"line\" d=\"M{path}\"{dash}/>")?;
        }
        for point in &series.points {
            let (x, y) = place(point);
            if let Some(ends) = point.range {
                let [from, to] = [ends.0, ends.1].map(|end| self.y.position(end));
                write!(
                    svg,
                    "<path class=\"stem\" d=\"M{x:.1} {from:.1}V{to:.1}\"/>"
                )?;
            }
            let (marker, text) = (series.look.marker(x, y), Escaped(&point.text));
            write!(svg, "<g>{marker}<title>{text}</title></g>")?;
        }
        for &(x, y) in &series.published {
            let (x, y) = (self.x.position(x), self.y.position(y));
            svg.write_str(&cross(x, y))?;
        }
        svg.write_str("</g>\n")
    }

    /// Writes the names to the right of the plot, each with its marker and a thin line to the end of its series.
    fn names(&self, svg: &mut String) -> fmt::Result {
        let mut ends: Vec<End<'_>> = Vec::new();
        for series in &self.lines.all {
            if let Some(last) = series.points.last() {
                ends.push(End {
                    x: self.x.position(last.x),
                    y: self.y.position(last.y),
                    class: series.tone.class(series.look),
                    name: &series.name,
                    look: Some(series.look),
                });
            }
        }
        if let [_, .., (x, y)] = self.lines.limit[..] {
            ends.push(End {
                x: self.x.position(x),
                y: self.y.position(y).min(EDGES.1),
                class: "of-limit".to_string(),
                name: LIMIT,
                look: None,
            });
        }
        let wanted: Vec<f64> = ends.iter().map(|end| end.y).collect();
        let positions = spread_out(&wanted, LINE, EDGES.0 - 8.0, ZERO + 4.0);
        let start = self.x.range().1 + THREAD;
        for (end, at) in ends.into_iter().zip(positions) {
            let End {
                x,
                y,
                class,
                name,
                look,
            } = end;
            let marker = match look {
                Some(look) => look.marker(start + 6.0, at),
                None => swatch(start + 6.0, at),
            };
            writeln!(
                svg,
                "<path class=\"thread\" d=\"M{:.1} {y:.1}L{start:.1} {at:.1}\"/>\
                 <g class=\"{class}\">{marker}<text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
                x + 6.0,
                start + MARKER,
                at + 4.0,
                Escaped(name)
            )?;
        }
        Ok(())
    }
}

/// The mark of a published number.
fn cross(x: f64, y: f64) -> String {
    format!("<path class=\"published\" d=\"M{x:.1} {y:.1}m-4.5 -4.5l9 9m0 -9l-9 9\"/>")
}

/// A piece of the area below the limit.
fn swatch(x: f64, y: f64) -> String {
    let (left, top) = (x - 5.0, y - 4.0);
    format!(
        "<path class=\"beyond-limit\" d=\"M{left:.1} {top:.1}h10v8h-10z\"/>\
         <path class=\"limit\" d=\"M{left:.1} {top:.1}h10\"/>"
    )
}
