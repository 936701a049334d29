//! The chart of rates over bits per key: one line per kind on a logarithmic axis, and the information limit.

use super::axis::{Linear, Logarithmic, percent};
use super::labels::{spread_out, width_of};
use super::mark::Look;
use super::markup::{Escaped, svg};
use crate::report::text;
use std::fmt::{self, Write};

/// The size of the drawing. It is small, so that text is readable on a phone.
const SIZE: (f64, f64) = (400.0, 322.0);

/// The left, top and bottom edge of the plot inside the drawing. The space to the right depends on the longest name.
const EDGES: (f64, f64, f64) = (48.0, 28.0, 246.0);

/// The position of the line for zero, below the plot, and of the axis of bits per key, below that.
const ZERO: f64 = 266.0;
const BELOW: f64 = ZERO + 8.0;

/// The distance from the end of the plot to the marker of a name, and from there to the name.
const THREAD: f64 = 14.0;
const MARKER: f64 = 15.0;

/// The minimum distance of two names, and of two numbers on the axis of bits per key.
const LINE: f64 = 14.0;
const NUMBER: f64 = 26.0;

/// The minimum width of the axis in bits per key.
const WIDTH: f64 = 2.0;

/// A line of the chart.
pub struct Series {
    /// The name of the kind.
    pub name: String,
    /// The look of the kind; `None` for the information limit.
    pub look: Option<Look>,
    /// The points from left to right: bits per key and rate.
    pub points: Vec<(f64, f64)>,
}

/// Draws the chart as SVG.
pub fn draw(title: &str, y_title: &str, budgets: &[f64], all: &[Series]) -> String {
    let plot = Plot::new(budgets, all);
    svg(title, SIZE, |out| plot.write(out, y_title))
}

/// The lines and the axes.
struct Plot<'a> {
    /// The budgets, which are marked on the axis.
    budgets: &'a [f64],
    /// The lines.
    all: &'a [Series],
    /// The axis of bits per key.
    x: Linear,
    /// The axis of rates.
    y: Logarithmic,
}

impl<'a> Plot<'a> {
    /// Chooses axes that cover all points.
    fn new(budgets: &'a [f64], all: &'a [Series]) -> Self {
        let points = || all.iter().flat_map(|series| &series.points);
        let (left, top, bottom) = EDGES;
        let bits = points()
            .map(|&(bits, _)| bits)
            .chain(budgets.iter().copied());
        let (least, most) = bits.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), bits| {
            (least.min(bits), most.max(bits))
        });
        let (least, most) = if least <= most {
            (least, most)
        } else {
            (0.0, 0.0)
        };
        // Filters at one budget differ by hundredths of a bit; these differences must not fill the axis.
        let margin = f64::max(0.05 * (most - least), (WIDTH - (most - least)) / 2.0);
        let names = all
            .iter()
            .map(|series| width_of(&series.name))
            .fold(0.0, f64::max);
        Plot {
            budgets,
            all,
            x: Linear {
                domain: (least - margin, most + margin),
                range: (left, SIZE.0 - THREAD - MARKER - names),
            },
            y: Logarithmic::new(points().map(|&(_, rate)| rate), bottom, top, ZERO),
        }
    }

    /// Writes all parts of the chart.
    fn write(&self, svg: &mut String, y_title: &str) -> fmt::Result {
        self.axes(svg)?;
        let (middle, y_title) = ((self.x.range.0 + self.x.range.1) / 2.0, Escaped(y_title));
        writeln!(
            svg,
            "<text x=\"{middle:.1}\" y=\"{}\" class=\"middle\">bits per key</text>",
            SIZE.1 - 8.0
        )?;
        writeln!(
            svg,
            "<text x=\"0\" y=\"{}\">{y_title}</text>",
            EDGES.1 - 16.0
        )?;
        for series in self.all {
            self.line(svg, series)?;
        }
        self.names(svg)
    }

    /// Writes the axes and their ticks.
    fn axes(&self, svg: &mut String) -> fmt::Result {
        let (left, right) = self.x.range;
        let mut level = |class: &str, at: f64, text: &str| {
            write!(
                svg,
                "<path class=\"{class}\" d=\"M{left} {at:.1}H{right:.1}\"/>"
            )?;
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" class=\"tick end\">{text}</text>",
                left - 6.0,
                at + 4.0
            )
        };
        for rate in self.y.ticks() {
            level("grid", self.y.position(rate), &percent(rate))?;
        }
        level("zero", ZERO, "0")?;
        level("axis", BELOW, "")?;
        let mut free = f64::NEG_INFINITY;
        for budget in self.budgets {
            let at = self.x.position(*budget);
            write!(svg, "<path class=\"axis\" d=\"M{at:.1} {BELOW}v5\"/>")?;
            // Numbers that would overlap are left out.
            if at >= free {
                writeln!(
                    svg,
                    "<text x=\"{at:.1}\" y=\"{}\" class=\"tick middle\">{}</text>",
                    BELOW + 18.0,
                    bits(*budget)
                )?;
                free = at + NUMBER;
            }
        }
        Ok(())
    }

    /// Writes one line and its markers; each marker has a tooltip with its numbers.
    fn line(&self, svg: &mut String, series: &Series) -> fmt::Result {
        let position = |&(bits, rate): &(f64, f64)| (self.x.position(bits), self.y.position(rate));
        let positions: Vec<String> = (series.points.iter().map(position))
            .map(|(x, y)| format!("{x:.1} {y:.1}"))
            .collect();
        let (class, dash) = match series.look {
            Some(look) => (look.class(), look.dash()),
            None => ("limit".to_string(), String::new()),
        };
        write!(svg, "<g class=\"{class}\">")?;
        if positions.len() > 1 {
            write!(
                svg,
                "<path class=\"line\" d=\"M{}\"{dash}/>",
                positions.join("L")
            )?;
        }
        // The limit has no markers, unless it is a single point.
        let marked = series.look.is_some() || positions.len() == 1;
        for point in series.points.iter().filter(|_| marked) {
            let ((x, y), (bits, rate)) = (position(point), point);
            let marker = mark(series.look, x, y);
            let (name, rate) = (Escaped(&series.name), text::percent(Some(*rate)));
            write!(
                svg,
                "<g>{marker}<title>{name}, {bits:.2} bits per key: {rate}</title></g>"
            )?;
        }
        svg.write_str("</g>\n")
    }

    /// Writes the names to the right of the plot, each with its marker and a thin line to the end of its series.
    fn names(&self, svg: &mut String) -> fmt::Result {
        let end = |series: &'a Series| {
            let &(bits, rate) = series.points.last()?;
            Some((series, self.x.position(bits), self.y.position(rate)))
        };
        let ends: Vec<(&Series, f64, f64)> = self.all.iter().filter_map(end).collect();
        let wanted: Vec<f64> = ends.iter().map(|&(_, _, y)| y).collect();
        let positions = spread_out(&wanted, LINE, EDGES.1 - 8.0, ZERO + 4.0);
        let start = self.x.range.1 + THREAD;
        for ((series, x, y), at) in ends.into_iter().zip(positions) {
            write!(
                svg,
                "<path class=\"thread\" d=\"M{:.1} {y:.1}L{start:.1} {at:.1}\"/>",
                x + 6.0
            )?;
            let class = series.look.map_or("limit".to_string(), Look::class);
            let (name, marker) = (Escaped(&series.name), mark(series.look, start + 6.0, at));
            writeln!(
                svg,
                "<g class=\"{class}\">{marker}<text x=\"{:.1}\" y=\"{:.1}\">{name}</text></g>",
                start + MARKER,
                at + 4.0
            )?;
        }
        Ok(())
    }
}

/// The label of a budget: at most two decimals, so that labels do not overlap.
fn bits(budget: f64) -> String {
    let text = format!("{budget:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The marker of a line; for the limit, a short piece of the line.
fn mark(look: Option<Look>, x: f64, y: f64) -> String {
    match look {
        Some(look) => look.marker(x, y),
        None => format!("<path class=\"line\" d=\"M{:.1} {y:.1}h10\"/>", x - 5.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_equal_sizes_are_close_together() {
        let series = |name: &str, bits: f64| Series {
            name: name.to_string(),
            look: None,
            points: vec![(bits, 0.01)],
        };
        let all = [series("bloom", 10.0), series("blocked", 9.98)];
        let plot = Plot::new(&[10.0], &all);
        let (left, right) = plot.x.range;
        let apart = plot.x.position(10.0) - plot.x.position(9.98);
        assert!(apart < 0.02 * (right - left), "{apart}");
        let middle = (plot.x.position(10.0) - left) / (right - left);
        assert!((middle - 0.5).abs() < 0.02, "{middle}");
    }

    #[test]
    fn budget_labels_have_at_most_two_decimals() {
        let texts = [8.0, 10.5, 9.123_456_789, 100.0].map(bits);
        assert_eq!(texts, ["8", "10.5", "9.12", "100"]);
    }
}
