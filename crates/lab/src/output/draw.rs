//! Draws a chart as SVG.
//!
//! The legend is beside the plot, so that it covers nothing, and is as wide as its longest name. On a logarithmic axis,
//! bars that reach below the range end at the bottom. A value of 0 has an open marker at the bottom, and no line leads
//! to it, since its height means nothing. Bars of one row touch each other, and a chart of bars is as high as its rows.

use super::axis::Start;
use super::chart::{Chart, Point};
use super::percent;
use super::style::{bar_colour, colour, cross, dashes, marker, square};
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::ops::Range;

const WIDTH: u32 = 860;
const TEXT: (&str, u32) = ("sans-serif", 14);

/// The approximate width of a letter of this size.
const LETTER: usize = 7;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scale, Scale>>;

/// Draws `chart` as SVG.
pub fn svg(chart: &Chart) -> Result<String> {
    let mut text = String::new();
    let size = (WIDTH, height(chart));
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let frame = Frame::new(chart);
    frame.draw(&root)?;
    root.present().map_err(failed)?;
    drop(root);
    Ok(text)
}

fn height(chart: &Chart) -> u32 {
    if chart.bars {
        100 + 28 * (chart.y.names.len() * chart.series.len()) as u32
    } else {
        460
    }
}

fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> anyhow::Error {
    anyhow!("{error}")
}

/// An axis with given ticks.
struct Scale {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// A chart and the ranges of its axes.
struct Frame<'a> {
    chart: &'a Chart,
    x: Range<f64>,
    y: Range<f64>,
    /// Whether a value is 0 on a logarithmic vertical axis.
    zeros: bool,
}

impl<'a> Frame<'a> {
    fn new(chart: &'a Chart) -> Self {
        let all = || {
            let series = chart.series.iter();
            series.flat_map(|series| series.points.iter().chain(&series.published))
        };
        // Bars count for the range, but a bar that reaches almost to 0 must not compress everything else.
        let ends = |point: &Point| {
            let low = point.y - point.spread;
            let low = if chart.y.log && low < point.y / 3.0 {
                point.y
            } else {
                low
            };
            [low, point.y, point.y + point.spread]
        };
        let start = if chart.y.names.is_empty() {
            Start::Lowest
        } else {
            Start::Zero
        };
        let mut x = chart.x.range(all().map(|point| point.x), start);
        if chart.bars {
            // Room for the value at the end of the longest bar.
            x.end *= 1.1;
        }
        Frame {
            x,
            y: chart.y.range(all().flat_map(ends), Start::NearZero),
            zeros: chart.y.log && all().any(|point| point.y == 0.0),
            chart,
        }
    }

    fn draw(&self, root: &Area<'_>) -> Result<()> {
        let chart = self.chart;
        root.fill(&WHITE).map_err(failed)?;
        let title = ("sans-serif", 17).into_font();
        let below = root.titled(&chart.title, title).map_err(failed)?;
        let letters = chart
            .series
            .iter()
            .map(|series| series.name.chars().count());
        let width = 44 + LETTER * letters.max().unwrap_or(0).clamp(8, 40);
        let (plot, legend) = below.split_horizontally(WIDTH as i32 - width as i32);
        let mut plot = self.mesh(&plot)?;
        for number in 0..chart.series.len() {
            if chart.bars {
                self.bars(&mut plot, number)?;
            } else {
                self.series(&mut plot, number)?;
            }
        }
        self.legend(&legend)
    }

    fn mesh<'b>(&self, area: &Area<'b>) -> Result<Plot<'b, 'b>> {
        let Chart { x, y, .. } = self.chart;
        let scale = |range: &Range<f64>, ticks| Scale {
            range: range.clone(),
            ticks,
        };
        let zero = self.zeros.then_some(self.y.start);
        let letters = y.names.iter().map(|name| name.chars().count());
        let letters = letters.max().unwrap_or(0);
        let mut plot = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(48)
            .y_label_area_size(72.max(20 + LETTER * letters) as u32)
            .build_cartesian_2d(
                scale(&self.x, x.ticks(&self.x, false)),
                scale(&self.y, y.ticks(&self.y, self.zeros)),
            )
            .map_err(failed)?;
        plot.configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|place| x.tick(*place, None))
            .y_label_formatter(&|place| y.tick(*place, zero))
            .x_desc(&x.label)
            .y_desc(&y.label)
            .label_style(TEXT)
            .draw()
            .map_err(failed)?;
        Ok(plot)
    }

    /// The position of a value.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let Chart {
            x: across, y: up, ..
        } = self.chart;
        (across.place(x, &self.x), up.place(y, &self.y))
    }

    /// Whether a point is drawn at the bottom because it has no place on a logarithmic axis.
    fn is_zero(&self, point: &Point) -> bool {
        self.chart.y.log && point.y <= 0.0
    }

    fn series(&self, plot: &mut Plot<'_, '_>, number: usize) -> Result<()> {
        let series = &self.chart.series[number];
        let colour = colour(number);
        let drawn = |point: &Point| point.x.is_finite() && point.y.is_finite();
        let joined = |point: &Point| drawn(point) && !self.is_zero(point);
        let parts = series.points.split(|point| !joined(point));
        for part in parts.filter(|part| self.chart.lines && part.len() > 1) {
            let line = part.iter().map(|point| self.at(point.x, point.y));
            let style = colour.stroke_width(2);
            match dashes(number) {
                None => plot.draw_series(LineSeries::new(line, style)),
                Some((dash, gap)) => {
                    plot.draw_series(DashedLineSeries::new(line, dash, gap, style))
                }
            }
            .map_err(failed)?;
        }
        let seen = || series.points.iter().filter(|point| drawn(point));
        let bars = seen().filter(|point| point.spread > 0.0).map(|point| {
            let ends = [point.y - point.spread, point.y + point.spread];
            let ends = ends.map(|end| self.at(point.x, end));
            PathElement::new(ends.to_vec(), colour.mix(0.6).stroke_width(1))
        });
        plot.draw_series(bars).map_err(failed)?;
        for point in seen() {
            let at = || EmptyElement::at(self.at(point.x, point.y));
            let filled = at() + Polygon::new(marker(number), colour.filled());
            if self.is_zero(point) {
                let edge = PathElement::new(closed(number), colour.stroke_width(2));
                plot.draw_series([at() + edge]).map_err(failed)?;
            } else {
                plot.draw_series([filled]).map_err(failed)?;
            }
        }
        for point in series.published.iter().filter(|point| drawn(point)) {
            let strokes = cross().map(|stroke| {
                let at = EmptyElement::at(self.at(point.x, point.y));
                at + PathElement::new(stroke, colour.stroke_width(3))
            });
            plot.draw_series(strokes).map_err(failed)?;
        }
        Ok(())
    }

    fn bars(&self, plot: &mut Plot<'_, '_>, number: usize) -> Result<()> {
        let count = self.chart.series.len() as f64;
        let thick = 0.76 / count;
        for point in &self.chart.series[number].points {
            let (end, row) = self.at(point.x, point.y);
            let middle = row + thick * ((count - 1.0) / 2.0 - number as f64);
            let corners = [(0.0, middle - thick / 2.0), (end, middle + thick / 2.0)];
            let bar = Rectangle::new(corners, bar_colour(number).filled());
            plot.draw_series([bar]).map_err(failed)?;
            let value = Text::new(percent(point.x / 100.0), (6, -7), TEXT);
            let value = EmptyElement::at((end, middle)) + value;
            plot.draw_series([value]).map_err(failed)?;
        }
        Ok(())
    }

    fn legend(&self, legend: &Area<'_>) -> Result<()> {
        let count = self.chart.series.len();
        let crosses = self
            .chart
            .series
            .iter()
            .any(|series| !series.published.is_empty());
        // Rows are closer together where there are many.
        let rows = (count + usize::from(crosses)).max(1) as i32;
        let height = |number: usize| 24 + number as i32 * (400 / rows).min(22);
        for (number, series) in self.chart.series.iter().enumerate() {
            let (colour, height) = (colour(number), height(number));
            let line = [(0, height), (26, height)];
            if self.chart.lines {
                let style = colour.stroke_width(2);
                match dashes(number) {
                    None => legend.draw(&PathElement::new(line, style)),
                    Some((dash, gap)) => {
                        legend.draw(&DashedPathElement::new(line, dash, gap, style))
                    }
                }
                .map_err(failed)?;
            }
            let (shape, colour) = if self.chart.bars {
                (square(), bar_colour(number))
            } else {
                (marker(number), colour)
            };
            let shape = in_legend(shape, height);
            legend
                .draw(&Polygon::new(shape, colour.filled()))
                .map_err(failed)?;
            label(legend, &series.name, height)?;
        }
        if crosses {
            let height = height(count);
            for stroke in cross() {
                let stroke = PathElement::new(in_legend(stroke, height), BLACK.stroke_width(3));
                legend.draw(&stroke).map_err(failed)?;
            }
            label(legend, "published", height)?;
        }
        Ok(())
    }
}

/// The corners of a marker, closed: the last one is the first.
fn closed(number: usize) -> Vec<(i32, i32)> {
    let mut corners = marker(number);
    corners.extend(corners.first().copied());
    corners
}

/// Moves `shape` to its place in the legend.
fn in_legend(shape: Vec<(i32, i32)>, height: i32) -> Vec<(i32, i32)> {
    let moved = shape.into_iter().map(|(x, y)| (x + 13, y + height));
    moved.collect()
}

fn label(legend: &Area<'_>, name: &str, height: i32) -> Result<()> {
    let name = Text::new(name.to_string(), (34, height - 7), TEXT);
    legend.draw(&name).map_err(failed)
}
