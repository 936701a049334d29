//! Times by kind: a dot for the median, and a line from the fastest to the slowest pass.
//!
//! The axis has room for all medians. A pass during which the machine did something else can take many times as long; its line ends in
//! an arrow at the end of the axis, lest it press all others together.

use super::axis::Linear;
use super::html::Escaped;
use super::labels::width_of;
use crate::pace::Pace;
use std::fmt::{self, Write};

/// The width of a drawing.
const WIDTH: f64 = 400.0;

/// The right edge of the plot; numbers stand to the right, kinds to the left, as wide as their names.
const RIGHT: f64 = 322.0;

/// The height of the row of a kind.
const ROW: f64 = 26.0;

/// The end of the axis, as a multiple of the largest median.
const ROOM: f64 = 1.3;

/// A kind and its times.
pub struct Times {
    /// Its name.
    pub name: String,
    /// One time for each of the things that are timed.
    pub paces: Vec<Option<Pace>>,
}

/// Draws the times of all kinds. The things that are timed are named by `legend`.
pub fn draw(title: &str, x_title: &str, legend: &[&str], all: &[Times]) -> String {
    let mut svg = String::new();
    // Writing into a string cannot fail.
    let _ = Plot::new(legend, all).write(&mut svg, title, x_title);
    svg
}

/// Times and where they go.
struct Plot<'a> {
    legend: &'a [&'a str],
    all: &'a [Times],
    x: Linear,
    /// The upper and the lower edge of the plot.
    edges: (f64, f64),
}

impl<'a> Plot<'a> {
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

    fn write(&self, svg: &mut String, title: &str, x_title: &str) -> fmt::Result {
        let height = self.edges.1 + 42.0;
        writeln!(
            svg,
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" class=\"chart\"><title>{}</title>",
            Escaped(title)
        )?;
        self.axis(svg)?;
        let (left, right) = self.x.range;
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text>",
            (left + right) / 2.0,
            height - 6.0,
            Escaped(x_title)
        )?;
        if self.legend.len() > 1 {
            self.legend(svg)?;
        }
        for (row, times) in self.all.iter().enumerate() {
            self.row(svg, times, self.edges.0 + ROW * (row as f64 + 0.5))?;
        }
        svg.write_str("</svg>\n")
    }

    fn axis(&self, svg: &mut String) -> fmt::Result {
        let (top, bottom) = self.edges;
        for tick in self.x.ticks(4.0) {
            let at = self.x.place(tick);
            writeln!(
                svg,
                "<path class=\"grid\" d=\"M{at:.1} {top}V{bottom}\"/><text x=\"{at:.1}\" y=\"{}\" class=\"tick middle\">{tick}</text>",
                bottom + 16.0
            )?;
        }
        Ok(())
    }

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

    /// One kind: its name, its times, and the medians as numbers.
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
            // Two times of one kind lie one below the other, so that neither hides the other.
            let at = middle + 9.0 * (number as f64 - (times.paces.len() - 1) as f64 / 2.0);
            write!(svg, "<g class=\"t{number}\">")?;
            self.pace(svg, pace, at)?;
            write!(
                svg,
                "{}<title>{name}, {}: {:.1} ns, from {:.1} to {:.1}</title></g>",
                dot(number, self.x.place(pace.median), at),
                Escaped(self.legend[number]),
                pace.median,
                pace.fastest,
                pace.slowest
            )?;
            medians.push(format!("{:.0}", pace.median));
        }
        let text = match medians.is_empty() {
            true => "not built".to_string(),
            false => format!("{} ns", medians.join(" · ")),
        };
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" class=\"tick\">{text}</text>",
            right + 10.0,
            middle + 4.0
        )
    }

    /// The lines of one time: a thin one to the median, a thick one over all passes.
    fn pace(&self, svg: &mut String, pace: &Pace, at: f64) -> fmt::Result {
        let (left, right) = self.x.range;
        let [fastest, median, slowest] =
            [pace.fastest, pace.median, pace.slowest].map(|time| self.x.place(time));
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

/// The mark of the n-th thing that is timed.
fn dot(number: usize, x: f64, y: f64) -> String {
    match number {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.8\"/>"),
        _ => format!("<path d=\"M{x:.1} {y:.1}m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z\"/>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drawing of two kinds, of which one had a pass that took so long.
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
    fn one_slow_pass_does_not_press_the_others_together() {
        let (usual, slow) = (drawing(22.0), drawing(2000.0));
        assert!(!usual.contains("beyond"), "{usual}");
        assert_eq!(slow.matches("class=\"beyond\"").count(), 1, "{slow}");
        assert!(slow.contains("from 18.0 to 2000.0"), "the number is told");
        assert!(slow.contains(">20</text>"), "a tick at the medians: {slow}");
        // Nothing is drawn beyond the axis.
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
