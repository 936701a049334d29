//! The chart of times by kind: a dot at the median, and a line from the fastest to the slowest pass.
//!
//! The axis covers all medians. If another program interrupts a pass, the pass can take many times as long. Its line then ends in
//! an arrow at the end of the axis, so that one slow pass does not squeeze all others.

use super::axis::Linear;
use super::labels::width_of;
use super::markup::{Escaped, svg};
use crate::measure::Pace;
use std::fmt::{self, Write};

/// The width of the drawing.
const WIDTH: f64 = 400.0;

/// The right edge of the plot. Numbers are to the right of it; names are to the left of the plot, which begins after the
/// longest name.
const RIGHT: f64 = 322.0;

/// The height of a row.
const ROW: f64 = 26.0;

/// The length of the axis, as a multiple of the largest median.
const ROOM: f64 = 1.3;

/// The times of a kind.
pub struct Times {
    /// The name of the kind.
    pub name: String,
    /// One time per entry of the legend.
    pub paces: Vec<Option<Pace>>,
}

/// Draws the times of all kinds as SVG. `legend` names what was timed.
pub fn draw(title: &str, x_title: &str, legend: &[&str], all: &[Times]) -> String {
    let plot = Plot::new(legend, all);
    svg(title, (WIDTH, plot.height()), |out| {
        plot.write(out, x_title)
    })
}

/// The times and the axis.
struct Plot<'a> {
    /// The names of what was timed.
    legend: &'a [&'a str],
    /// The times, one row per kind.
    all: &'a [Times],
    /// The axis of times.
    x: Linear,
    /// The top and the bottom edge of the plot.
    edges: (f64, f64),
}

impl<'a> Plot<'a> {
    /// Chooses an axis that covers all medians.
    fn new(legend: &'a [&'a str], all: &'a [Times]) -> Self {
        let names = all.iter().map(|times| width_of(&times.name));
        let top = if legend.len() > 1 { 26.0 } else { 8.0 };
        let paces = || all.iter().flat_map(|times| &times.paces).flatten();
        let most = paces().map(|pace| pace.median).fold(1.0, f64::max);
        let slowest = paces().map(|pace| pace.slowest).fold(1.0, f64::max);
        Plot {
            legend,
            all,
            x: Linear {
                domain: (0.0, f64::min(ROOM * most, 1.04 * slowest)),
                range: (names.fold(0.0, f64::max) + 12.0, RIGHT),
            },
            edges: (top, top + ROW * all.len() as f64),
        }
    }

    /// The height of the drawing.
    fn height(&self) -> f64 {
        self.edges.1 + 42.0
    }

    /// Writes all parts of the chart.
    fn write(&self, svg: &mut String, x_title: &str) -> fmt::Result {
        self.axis(svg)?;
        let (left, right) = self.x.range;
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text>",
            (left + right) / 2.0,
            self.height() - 6.0,
            Escaped(x_title)
        )?;
        if self.legend.len() > 1 {
            self.legend(svg)?;
        }
        for (row, times) in self.all.iter().enumerate() {
            self.row(svg, times, self.edges.0 + ROW * (row as f64 + 0.5))?;
        }
        Ok(())
    }

    /// Writes the axis and its ticks.
    fn axis(&self, svg: &mut String) -> fmt::Result {
        let (top, bottom) = self.edges;
        for tick in self.x.ticks(4.0) {
            let at = self.x.position(tick);
            writeln!(
                svg,
                "<path class=\"grid\" d=\"M{at:.1} {top}V{bottom}\"/><text x=\"{at:.1}\" y=\"{}\" class=\"tick middle\">{tick}</text>",
                bottom + 16.0
            )?;
        }
        Ok(())
    }

    /// Writes the legend.
    fn legend(&self, svg: &mut String) -> fmt::Result {
        let mut at = self.x.range.0;
        for (number, name) in self.legend.iter().enumerate() {
            write!(
                svg,
                "<g class=\"t{number}\">{}<text x=\"{}\" y=\"14\">{}</text></g>",
                dot(number, at + 5.0, 10.0),
                at + 14.0,
                Escaped(name)
            )?;
            at += 34.0 + 7.0 * name.chars().count() as f64;
        }
        Ok(())
    }

    /// Writes the row of one kind: the name, the times, and the medians as numbers.
    fn row(&self, svg: &mut String, times: &Times, middle: f64) -> fmt::Result {
        let ((left, right), name) = (self.x.range, Escaped(&times.name));
        write!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" class=\"end\">{name}</text>",
            left - 8.0,
            middle + 4.0
        )?;
        let mut medians = Vec::new();
        for (number, pace) in times.paces.iter().enumerate() {
            let Some(pace) = pace else { continue };
            // Two times of one kind are at different heights, so that they do not overlap.
            let at = middle + 9.0 * (number as f64 - (times.paces.len() - 1) as f64 / 2.0);
            write!(svg, "<g class=\"t{number}\">")?;
            self.pace(svg, pace, at)?;
            write!(
                svg,
                "{}<title>{name}, {}: {:.1} ns, from {:.1} to {:.1}</title></g>",
                dot(number, self.x.position(pace.median), at),
                Escaped(self.legend[number]),
                pace.median,
                pace.fastest,
                pace.slowest
            )?;
            medians.push(format!("{:.0}", pace.median));
        }
        let text = if medians.is_empty() {
            "not built".to_string()
        } else {
            format!("{} ns", medians.join(" · "))
        };
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" class=\"tick\">{text}</text>",
            right + 10.0,
            middle + 4.0
        )
    }

    /// Writes the lines of one time: a thin line to the median, and a thick line from the fastest to the slowest pass.
    fn pace(&self, svg: &mut String, pace: &Pace, at: f64) -> fmt::Result {
        let (left, right) = self.x.range;
        let [fastest, median, slowest] =
            [pace.fastest, pace.median, pace.slowest].map(|time| self.x.position(time));
        let end = slowest.min(right);
        write!(
            svg,
            "<path class=\"stem\" d=\"M{left} {at:.1}H{median:.1}\"/><path class=\"range\" d=\"M{fastest:.1} {at:.1}H{end:.1}\"/>"
        )?;
        if slowest > right {
            write!(
                svg,
                "<path class=\"beyond\" d=\"M{right:.1} {at:.1}m-1 -3.5l6 3.5l-6 3.5z\"/>"
            )?;
        }
        Ok(())
    }
}

/// The marker of an entry of the legend.
fn dot(number: usize, x: f64, y: f64) -> String {
    match number {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.8\"/>"),
        _ => format!("<path d=\"M{x:.1} {y:.1}m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z\"/>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drawing of two kinds; the slowest pass of the second one took `slowest`.
    fn drawing(slowest: f64) -> String {
        let times = |name: &str, slowest| Times {
            name: name.to_string(),
            paces: vec![Some(Pace {
                median: 20.0,
                fastest: 18.0,
                slowest,
            })],
        };
        let all = [times("bloom", 21.0), times("guarded", slowest)];
        draw("title", "ns", &["build"], &all)
    }

    #[test]
    fn one_slow_pass_does_not_squeeze_the_others() {
        let (usual, slow) = (drawing(22.0), drawing(2000.0));
        assert!(!usual.contains("beyond"), "{usual}");
        assert_eq!(slow.matches("class=\"beyond\"").count(), 1, "{slow}");
        assert!(
            slow.contains("from 18.0 to 2000.0"),
            "the tooltip has the number"
        );
        assert!(slow.contains(">20</text>"), "a tick at the medians: {slow}");
        // No line ends beyond the axis.
        for part in slow.split('H').skip(1) {
            let end: f64 = part
                .split('"')
                .next()
                .expect("a number")
                .parse()
                .expect("a number");
            assert!(end <= RIGHT, "{end}");
        }
    }
}
