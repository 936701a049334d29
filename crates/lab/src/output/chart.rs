//! Charts: points over two axes, or over names. The command line draws them ([`bloomwise_compare::chart`]); this module adds
//! colours.
//!
//! The colours are those of Okabe and Ito, which colour-blind readers can distinguish. Each line also has a marker, and its name at its end.

use super::percent;
use super::table::Table;
use bloomwise_compare::chart::{Dot, Dots, Drawing, Lines, Look, Point, Row, Scale, Series, Tone};

/// The width of a picture.
const WIDTH: f64 = 560.0;

const STYLE: &str = include_str!("chart.css");

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    label: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Linear,
    Log,
    Rates,
    Names,
}

impl Axis {
    fn new(label: &str, kind: Kind) -> Self {
        let label = label.to_string();
        Axis { label, kind }
    }

    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self::new(label, Kind::Linear)
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self::new(label, Kind::Log)
    }

    /// A logarithmic axis of false positive rates, with a place for zero.
    pub fn rates(label: &str) -> Self {
        Self::new(label, Kind::Rates)
    }

    fn scale<'a>(&self, numbers: &'a [f64]) -> Scale<'a> {
        match self.kind {
            Kind::Linear | Kind::Names => Scale::Linear(numbers),
            Kind::Log => Scale::Log(numbers),
            Kind::Rates => Scale::Rates(numbers),
        }
    }

    fn shown(&self, number: f64) -> String {
        match self.kind {
            Kind::Rates => percent(number),
            _ if number >= 100.0 => format!("{number:.0}"),
            _ => format!("{number:.1}"),
        }
    }
}

/// A line of a chart: points with half their interval, and published points.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    points: Vec<(f64, f64, f64)>,
    published: Vec<(f64, f64)>,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The title.
    pub title: String,
    x: Axis,
    y: Axis,
    lines: Vec<Line>,
    /// The names of the rows, if the vertical axis has names.
    names: Vec<String>,
    joined: bool,
}

impl Chart {
    /// An empty chart.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Chart {
            title: title.into(),
            x,
            y,
            lines: Vec::new(),
            names: Vec::new(),
            joined: true,
        }
    }

    /// An empty chart of false positive rates over a linear axis.
    pub fn rates(title: impl Into<String>, x: &str) -> Self {
        Self::new(title, Axis::linear(x), Axis::rates("false positive rate"))
    }

    /// An empty chart of names with dots, one below the other.
    pub fn dots(title: impl Into<String>, x: Axis) -> Self {
        Self::new(title, x, Axis::new("", Kind::Names))
    }

    /// Removes the lines between points.
    pub fn points_only(mut self) -> Self {
        self.joined = false;
        self
    }

    /// Adds a point to the line called `name`, and creates the line if it is new. `spread` is half an interval, drawn to both sides; 0
    /// draws nothing.
    pub fn point(&mut self, name: &str, x: f64, y: f64, spread: f64) {
        if x.is_finite() && y.is_finite() {
            self.line(name).points.push((x, y, spread));
        }
    }

    /// Adds a dot of the kind `what` to the row called `name`, and creates the row if it is new.
    pub fn dot(&mut self, what: &str, name: &str, x: f64) {
        let place = self.names.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        });
        self.point(what, x, place as f64, 0.0);
    }

    /// Adds a point for each row of `table`. The columns `x`, `line` and `y` say where it is.
    pub fn rows(mut self, table: &Table, [x, line, y]: [&str; 3]) -> Self {
        let [x, line, y] = [x, line, y].map(|name| table.column(name));
        for row in table.rows() {
            self.point(row[line].text(), row[x].value(), row[y].value(), 0.0);
        }
        self
    }

    /// Adds a point for each row of `table` and each of the columns `lines`, which give the lines their names.
    pub fn columns(mut self, table: &Table, x: &str, lines: &[&str]) -> Self {
        let x = table.column(x);
        for row in table.rows() {
            for name in lines {
                self.point(name, row[x].value(), row[table.column(name)].value(), 0.0);
            }
        }
        self
    }

    /// Adds a published value to the line called `name`.
    pub fn published(&mut self, name: &str, x: f64, y: f64) {
        self.line(name).published.push((x, y));
    }

    fn line(&mut self, name: &str) -> &mut Line {
        let known = self.lines.iter().position(|line| line.name == name);
        let place = known.unwrap_or(self.lines.len());
        if known.is_none() {
            self.lines.push(Line {
                name: name.to_string(),
                points: Vec::new(),
                published: Vec::new(),
            });
        }
        &mut self.lines[place]
    }

    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let drawing = match &self.y.kind {
            Kind::Names => self.over_names(),
            _ => self.over_axes(),
        };
        drawing.picture(STYLE)
    }

    fn over_axes(&self) -> Drawing {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let published = || self.lines.iter().flat_map(|line| &line.published);
        let xs = points().map(|point| point.0);
        let xs: Vec<f64> = xs.chain(published().map(|point| point.0)).collect();
        // A bar counts for the range, but one that reaches almost to 0 must not compress everything else.
        let low = |&(_, y, spread): &(f64, f64, f64)| match self.y.kind {
            Kind::Linear => y - spread,
            _ if spread < 0.9 * y => y - spread,
            _ => y,
        };
        let ys = points().flat_map(|point| [low(point), point.1 + point.2]);
        let ys: Vec<f64> = ys.chain(published().map(|point| point.1)).collect();
        let point = |&(x, y, spread): &(f64, f64, f64)| Point {
            x,
            y,
            range: (spread > 0.0).then(|| (low(&(x, y, spread)), y + spread)),
            text: format!("{}: {}", self.x.shown(x), self.y.shown(y)),
        };
        let series = |(number, line): (usize, &Line)| Series {
            name: line.name.clone(),
            look: Look(number),
            tone: Tone::Coloured,
            points: line.points.iter().map(point).collect(),
            published: line.published.clone(),
        };
        let lines = Lines {
            width: WIDTH,
            joined: self.joined,
            scales: (self.x.scale(&xs), self.y.scale(&ys)),
            titles: (&self.x.label, &self.y.label),
            all: self.lines.iter().enumerate().map(series).collect(),
            limit: Vec::new(),
        };
        lines.draw(&self.title)
    }

    fn over_names(&self) -> Drawing {
        let numbers = self.lines.iter().flat_map(|line| &line.points);
        let mut numbers: Vec<f64> = numbers.map(|point| point.0).collect();
        if matches!(self.x.kind, Kind::Linear) {
            numbers.push(0.0);
        }
        let legend: Vec<&str> = self.lines.iter().map(|line| line.name.as_str()).collect();
        let row = |(number, name): (usize, &String)| {
            let found = self.lines.iter().map(|line| {
                let mut points = line.points.iter();
                points
                    .find(|point| point.1 == number as f64)
                    .map(|point| point.0)
            });
            let found: Vec<Option<f64>> = found.collect();
            let shown = found.iter().flatten().map(|&number| self.x.shown(number));
            let dot = |(number, line): (&Option<f64>, &&str)| {
                let at = (*number)?;
                Some(Dot {
                    at,
                    range: None,
                    text: format!("{name}, {line}: {}", self.x.shown(at)),
                })
            };
            Row {
                name: name.clone(),
                tone: Tone::Plain,
                dots: found.iter().zip(&legend).map(dot).collect(),
                numbers: match found.len() {
                    1..=3 => shown.collect::<Vec<_>>().join(" · "),
                    _ => String::new(),
                },
            }
        };
        let dots = Dots {
            width: WIDTH,
            scale: self.x.scale(&numbers),
            title: &self.x.label,
            legend: &legend,
            mark: None,
            rows: self.names.iter().enumerate().map(row).collect(),
        };
        dots.draw(&self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_has_title_axes_names_and_published_values_and_accepts_zeros() {
        let x = Axis::linear("bits per key");
        let mut chart = Chart::new("Rates & more", x, Axis::rates("false positives"));
        for (x, y) in [(8.0, 0.01), (10.0, 1e-5), (12.0, 0.0), (14.0, f64::NAN)] {
            chart.point("one", x, y, y / 10.0);
            chart.point("two", x, 0.5, 0.0);
        }
        let svg = chart.svg();
        for part in [
            "Rates &amp; more",
            "bits per key",
            "one",
            "two",
            "1 in 10,000",
            "none",
        ] {
            assert!(svg.contains(part), "{part} is missing: {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains(">published<"));
        chart.published("two", 9.0, 0.4);
        assert!(chart.svg().contains(">published<"));
    }

    #[test]
    fn more_names_make_a_higher_picture_and_values_are_shown() {
        let height = |names: &[&str]| -> f64 {
            let mut chart = Chart::dots("", Axis::rates("rate"));
            names
                .iter()
                .for_each(|name| chart.dot("known", name, 0.0083));
            let svg = chart.svg();
            assert!(svg.contains("0.830 %") && svg.contains(names[0]), "{svg}");
            let (_, rest) = svg.split_once("height=\"").expect("has a height");
            let (number, _) = rest.split_once('"').expect("ends");
            number.parse().expect("is a number")
        };
        assert!(height(&["bloom", "guarded"]) < height(&["bloom", "guarded", "habf"]));
    }

    #[test]
    fn empty_chart_is_valid() {
        let axes = || (Axis::linear("x"), Axis::rates("y"));
        let (x, y) = axes();
        assert!(Chart::new("", x, y).svg().starts_with("<svg"));
    }
}
