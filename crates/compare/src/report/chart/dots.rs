//! A chart of rows: each has a name, dots on a common axis, and its numbers as text.
//!
//! A dot may have a range, such as the fastest and the slowest pass of a time. The axis covers all dots. If another program interrupts
//! a pass, the pass can take many times as long. Its range then ends in an arrow at the end of the axis, so that one slow pass does
//! not squeeze all others.

use super::axis::{Axis, NONE, Scale};
use super::labels::width_of;
use super::mark::{Look, Tone};
use super::svg::{Drawing, Escaped};
use std::fmt::{self, Write};

/// The height of a row, and of each of its dots if there are many.
const ROW: f64 = 26.0;
const DOT: f64 = 9.0;

/// The height of a line of the legend.
const LEGEND: f64 = 18.0;

/// A row of the chart.
pub struct Row {
    /// The name.
    pub name: String,
    /// How much it stands out.
    pub tone: Tone,
    /// One dot for each entry of the legend.
    pub dots: Vec<Option<Dot>>,
    /// The numbers, to the right.
    pub numbers: String,
}

/// A dot.
pub struct Dot {
    /// Its number.
    pub at: f64,
    /// The least and the largest number that were measured.
    pub range: Option<(f64, f64)>,
    /// The text that appears when the pointer is over it.
    pub text: String,
}

/// A chart.
pub struct Dots<'a> {
    /// The width of the drawing. A small one is readable on a phone.
    pub width: f64,
    /// What the axis shows.
    pub scale: Scale<'a>,
    /// The title of the axis.
    pub title: &'a str,
    /// What the dots of a row are.
    pub legend: &'a [&'a str],
    /// A line across all rows: its name and its number.
    pub mark: Option<(&'a str, f64)>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Dots<'_> {
    /// Draws the chart.
    pub fn draw(&self, title: &str) -> Drawing {
        let width = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| width_of(text)).fold(0.0, f64::max)
        };
        let names = width(&mut self.rows.iter().map(|row| &row.name));
        let numbers = width(&mut self.rows.iter().map(|row| &row.numbers));
        // A rate of zero has room to the left of the axis.
        let zero = names + 16.0 + width_of(NONE) / 2.0;
        let left = match self.scale {
            Scale::Rates(_) => zero + 14.0,
            _ => names + 12.0,
        };
        let legend = self.legend_places();
        let top = match legend.last() {
            Some((.., y)) if legend.len() > 1 => y + 16.0,
            _ => 8.0,
        };
        let row = f64::max(ROW, DOT * self.legend.len() as f64 + 8.0);
        let plot = Plot {
            dots: self,
            axis: (self.scale).axis(&[], (left, self.width - numbers - 16.0), zero),
            row,
            edges: (top, top + row * self.rows.len() as f64),
        };
        Drawing::new(title, (self.width, plot.edges.1 + 42.0), |out| {
            plot.write(out)
        })
    }

    /// The names of the legend and the places of their markers, in as many lines as they need.
    fn legend_places(&self) -> Vec<(&str, f64, f64)> {
        let (mut x, mut y) = (9.0, 10.0);
        let mark = self.mark.map(|(name, _)| name);
        let names = self.legend.iter().copied().chain(mark);
        let place = |name| {
            if x > 9.0 && x + 9.0 + width_of(name) > self.width {
                (x, y) = (9.0, y + LEGEND);
            }
            let place = (name, x, y);
            x += 32.0 + width_of(name);
            place
        };
        names.map(place).collect()
    }
}

/// The rows and the axis.
struct Plot<'a> {
    dots: &'a Dots<'a>,
    axis: Axis,
    /// The height of a row.
    row: f64,
    /// The top and the bottom edge of the plot.
    edges: (f64, f64),
}

impl Plot<'_> {
    /// Writes all parts of the chart.
    fn write(&self, svg: &mut String) -> fmt::Result {
        self.axis(svg)?;
        let (left, right) = self.axis.range();
        writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" class=\"middle\">{}</text>",
            (left + right) / 2.0,
            self.edges.1 + 36.0,
            Escaped(self.dots.title)
        )?;
        if self.edges.0 > LEGEND {
            self.legend(svg)?;
        }
        for (number, row) in self.dots.rows.iter().enumerate() {
            self.row(svg, row, self.edges.0 + self.row * (number as f64 + 0.5))?;
        }
        Ok(())
    }

    /// Writes the axis, its ticks, and the line across all rows.
    fn axis(&self, svg: &mut String) -> fmt::Result {
        let (top, bottom) = self.edges;
        let zero = self.axis.zero().map(|zero| ("zero", zero, NONE));
        let ticks = self.axis.horizontal_ticks().into_iter();
        for (class, at, label) in ticks.map(|(at, label)| ("grid", at, label)).chain(zero) {
            writeln!(
                svg,
                "<path class=\"{class}\" d=\"M{at:.1} {top}V{bottom}\"/><text x=\"{at:.1}\" y=\"{}\" class=\"tick middle\">{label}</text>",
                bottom + 16.0
            )?;
        }
        if let Some((_, number)) = self.dots.mark {
            let at = self.axis.position(number);
            writeln!(svg, "<path class=\"limit\" d=\"M{at:.1} {top}V{bottom}\"/>")?;
        }
        Ok(())
    }

    /// Writes the legend.
    fn legend(&self, svg: &mut String) -> fmt::Result {
        for (number, (name, x, y)) in self.dots.legend_places().into_iter().enumerate() {
            let (class, marker) = if number < self.dots.legend.len() {
                (dot_class(number), dot(number, x, y))
            } else {
                let line = format!("<path class=\"limit\" d=\"M{x:.1} {:.1}v14\"/>", y - 7.0);
                ("of-limit".to_string(), line)
            };
            write!(
                svg,
                "<g class=\"{class}\">{marker}<text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
                x + 9.0,
                y + 4.0,
                Escaped(name)
            )?;
        }
        Ok(())
    }

    /// Writes a row: the name, the dots, and the numbers.
    fn row(&self, svg: &mut String, row: &Row, middle: f64) -> fmt::Result {
        let (right, baseline) = (self.axis.range().1, middle + 4.0);
        let names_end = match self.dots.scale {
            Scale::Rates(_) => self.axis.zero().unwrap_or(0.0) - width_of(NONE) / 2.0 - 8.0,
            _ => self.axis.range().0 - 4.0,
        };
        write!(
            svg,
            "<text x=\"{:.1}\" y=\"{baseline:.1}\" class=\"end name-{}\">{}</text>",
            names_end - 4.0,
            row.tone.class(Look(0)),
            Escaped(&row.name)
        )?;
        for (number, found) in row.dots.iter().enumerate() {
            let Some(found) = found else { continue };
            // Two dots of one row are at different heights, so that they do not overlap.
            let at = middle + DOT * (number as f64 - (row.dots.len() - 1) as f64 / 2.0);
            write!(svg, "<g class=\"{}\">", dot_class(number))?;
            self.range(svg, found, at)?;
            let x = self.axis.position(found.at);
            let (dot, text) = (dot(number, x, at), Escaped(&found.text));
            write!(svg, "{dot}<title>{text}</title></g>")?;
        }
        writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{baseline:.1}\" class=\"tick\">{}</text>",
            right + 10.0,
            Escaped(&row.numbers)
        )
    }

    /// Writes the lines of a dot: a thin line from the axis, and a thick line for its range.
    fn range(&self, svg: &mut String, dot: &Dot, at: f64) -> fmt::Result {
        let (left, right) = self.axis.range();
        let start = self.axis.zero().unwrap_or(left);
        let x = self.axis.position(dot.at);
        write!(
            svg,
            "<path class=\"stem\" d=\"M{start:.1} {at:.1}H{x:.1}\"/>"
        )?;
        let Some((least, most)) = dot.range else {
            return Ok(());
        };
        let [least, most] = [least, most].map(|number| self.axis.position(number));
        let end = most.min(right);
        write!(
            svg,
            "<path class=\"range\" d=\"M{least:.1} {at:.1}H{end:.1}\"/>"
        )?;
        if most > right {
            write!(
                svg,
                "<path class=\"beyond\" d=\"M{right:.1} {at:.1}m-1 -3.5l6 3.5l-6 3.5z\"/>"
            )?;
        }
        Ok(())
    }
}

/// The CSS class of an entry of the legend.
fn dot_class(number: usize) -> String {
    format!("t{number}")
}

/// The marker of an entry of the legend. The second one is a diamond, which is easiest to tell from a circle.
fn dot(number: usize, x: f64, y: f64) -> String {
    let look = [0, 3, 1, 2, 4, 6, 5, 7];
    Look(look[number % look.len()]).marker(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drawing of two rows; the range of the second one ends at `most`.
    fn drawing(most: f64) -> String {
        let row = |name: &str, most| Row {
            name: name.to_string(),
            tone: Tone::Grey,
            dots: vec![Some(Dot {
                at: 20.0,
                range: Some((18.0, most)),
                text: format!("{name}, from 18 to {most}"),
            })],
            numbers: "20 ns".to_string(),
        };
        let dots = Dots {
            width: 400.0,
            scale: Scale::FromZero(26.0, |number| number.to_string()),
            title: "ns",
            legend: &["build"],
            mark: None,
            rows: vec![row("bloom", 21.0), row("guarded", most)],
        };
        dots.draw("title").to_string()
    }

    #[test]
    fn one_slow_pass_does_not_squeeze_the_others() {
        let (usual, slow) = (drawing(22.0), drawing(2000.0));
        assert!(!usual.contains("beyond"), "{usual}");
        assert_eq!(slow.matches("class=\"beyond\"").count(), 1, "{slow}");
        assert!(
            slow.contains("from 18 to 2000"),
            "the tooltip has the number"
        );
        assert!(slow.contains(">20</text>"), "a tick at the medians: {slow}");
        // No line ends beyond the drawing.
        for part in slow.split('H').skip(1) {
            let end = part.split('"').next().expect("a number");
            assert!(end.parse::<f64>().expect("a number") < 400.0, "{end}");
        }
    }
}
