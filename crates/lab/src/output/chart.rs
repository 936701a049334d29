//! Pictures: lines with markers over two axes.
//!
//! Colours are those of Okabe and Ito, which colour-blind readers can tell apart, and every line has a marker of its own
//! as well. The legend stands beside the plot, so that it covers nothing. A logarithmic axis spans whole powers of ten; what
//! is 0 is drawn on its lower edge, which is then a power below all others and is marked with 0.

use super::Axis;
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

const SIZE: (u32, u32) = (860, 460);
const LEGEND_WIDTH: i32 = 230;
const TEXT: (&str, u32) = ("sans-serif", 14);

const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 0, 0),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(128, 128, 128),
];

/// A point, and how far others like it lie from it.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// A standard deviation to both sides; 0 draws nothing.
    pub spread: f64,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
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
}

impl Chart {
    /// No lines yet.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Chart {
            title: title.into(),
            x,
            y,
            series: Vec::new(),
        }
    }

    /// Adds a point to the line of this name, which is new if there is none.
    pub fn point(&mut self, name: &str, x: f64, y: f64, spread: f64) {
        let point = Point { x, y, spread };
        match self.series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => self.series.push(Series {
                name: name.to_string(),
                points: vec![point],
            }),
        }
    }

    /// As SVG.
    pub fn svg(&self) -> Result<String> {
        let mut text = String::new();
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        self.draw(&root)
            .and_then(|()| root.present().map_err(|error| anyhow!("{error}")))
            .map_err(|error| error.context(format!("cannot draw '{}'", self.title)))?;
        drop(root);
        Ok(text)
    }

    fn draw(&self, root: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<()> {
        let failed = |error: DrawingAreaErrorKind<_>| anyhow!("{error}");
        root.fill(&WHITE).map_err(failed)?;
        let title = ("sans-serif", 17).into_font();
        let below = root.titled(&self.title, title).map_err(failed)?;
        let (plot, legend) = below.split_horizontally(SIZE.0 as i32 - LEGEND_WIDTH);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = self.x.range(points().map(|point| point.x), false);
        let y = self.y.range(points().map(|point| point.y), true);
        let zeros = self.y.log && points().any(|point| point.y == 0.0);
        let zero = zeros.then_some(y.start);
        let ticks = |axis: &Axis, range: &Range<f64>| match axis.log || !axis.names.is_empty() {
            true => (range.end - range.start) as usize + 1,
            false => 9,
        };
        let mut context = ChartBuilder::on(&plot)
            .margin(8)
            .x_label_area_size(48)
            .y_label_area_size(if self.y.names.is_empty() { 72 } else { 150 })
            .build_cartesian_2d(x.clone(), y.clone())
            .map_err(failed)?;
        context
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(ticks(&self.x, &x))
            .y_labels(ticks(&self.y, &y))
            .x_label_formatter(&|place| self.x.tick(*place, None))
            .y_label_formatter(&|place| self.y.tick(*place, zero))
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .label_style(TEXT)
            .draw()
            .map_err(failed)?;
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let drawn = |point: &&Point| point.x.is_finite() && point.y.is_finite();
            let seen = series.points.iter().filter(drawn);
            let at = |point: &Point| (self.x.place(point.x, &x), self.y.place(point.y, &y));
            if self.y.names.is_empty() {
                let line = LineSeries::new(seen.clone().map(at), colour.stroke_width(2));
                context.draw_series(line).map_err(failed)?;
            }
            let bars = seen
                .clone()
                .filter(|point| point.spread > 0.0)
                .map(|point| {
                    let across = self.x.place(point.x, &x);
                    // Where it would reach below 0, a logarithmic axis has no lower end for it.
                    let low = match point.y - point.spread {
                        low if self.y.log && low <= 0.0 => point.y,
                        low => low,
                    };
                    let ends = [low, point.y + point.spread];
                    let ends = ends.map(|end| (across, self.y.place(end, &y)));
                    PathElement::new(ends.to_vec(), colour.mix(0.5).stroke_width(1))
                });
            context.draw_series(bars).map_err(failed)?;
            let markers = seen.map(|point| {
                EmptyElement::at(at(point)) + Polygon::new(marker(number), colour.filled())
            });
            context.draw_series(markers).map_err(failed)?;
            let height = 24 + 22 * number as i32;
            let line = vec![(0, height), (26, height)];
            let sample = PathElement::new(line, colour.stroke_width(2));
            legend.draw(&sample).map_err(failed)?;
            let shifted = marker(number)
                .into_iter()
                .map(|(x, y)| (x + 13, y + height));
            let shape = Polygon::new(shifted.collect::<Vec<_>>(), colour.filled());
            legend.draw(&shape).map_err(failed)?;
            let name = Text::new(series.name.clone(), (34, height - 7), TEXT);
            legend.draw(&name).map_err(failed)?;
        }
        Ok(())
    }
}

/// The corners of the marker of a line.
fn marker(number: usize) -> Vec<(i32, i32)> {
    match number % 7 {
        0 => vec![
            (-4, -2),
            (-2, -4),
            (2, -4),
            (4, -2),
            (4, 2),
            (2, 4),
            (-2, 4),
            (-4, 2),
        ],
        1 => vec![(-4, -4), (4, -4), (4, 4), (-4, 4)],
        2 => vec![(0, -5), (5, 4), (-5, 4)],
        3 => vec![(0, -6), (5, 0), (0, 6), (-5, 0)],
        4 => vec![(0, 5), (5, -4), (-5, -4)],
        5 => vec![
            (-1, -5),
            (1, -5),
            (1, -1),
            (5, -1),
            (5, 1),
            (1, 1),
            (1, 5),
            (-1, 5),
            (-1, 1),
            (-5, 1),
            (-5, -1),
            (-1, -1),
        ],
        _ => vec![(-5, 0), (5, -5), (5, 5)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_its_title_axes_and_lines_and_takes_zeros() {
        let mut chart = Chart::new("Rates", Axis::linear("bits per key"), Axis::log("rate"));
        for (x, y) in [(8.0, 0.01), (10.0, 1e-5), (12.0, 0.0), (14.0, f64::NAN)] {
            chart.point("one", x, y, y / 10.0);
            chart.point("two", x, 0.5, 0.0);
        }
        let svg = chart.svg().expect("draws");
        for part in ["Rates", "bits per key", "rate", "one", "two", "10⁻⁵"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn a_picture_without_points_is_drawn() {
        let chart = Chart::new("Nothing", Axis::linear("x"), Axis::log("y"));
        assert!(chart.svg().is_ok());
    }
}
