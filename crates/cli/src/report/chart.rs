//! Rates over bits per key: a line for each kind, on an axis of powers of ten, with the information limit.

use super::axis::{Linear, Powers, percent};
use super::html::Escaped;
use super::labels::apart;
use super::mark::Look;
use std::fmt::{self, Write};

/// The size of a drawing. Small, so that its letters can still be read when a phone shrinks it.
const SIZE: (f64, f64) = (400.0, 322.0);

/// The edges of the plot inside of it: left, right, top, bottom. Names stand to the right, zero below.
const PLOT: (f64, f64, f64, f64) = (48.0, 294.0, 28.0, 246.0);

/// Where zero is.
const ZERO: f64 = 266.0;

/// The least distance of two names.
const LINE: f64 = 14.0;

/// A line of points: the bits per key and the rate.
pub struct Series {
    /// Its name.
    pub name: String,
    /// How it looks; the limit has a look of its own.
    pub look: Option<Look>,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Draws the lines.
pub fn draw(title: &str, y_title: &str, budgets: &[f64], all: &[Series]) -> String {
    let mut svg = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut svg, title, y_title, budgets, all);
    svg
}

fn write(
    svg: &mut String,
    title: &str,
    y_title: &str,
    budgets: &[f64],
    all: &[Series],
) -> fmt::Result {
    let (width, height) = SIZE;
    let (left, right, top, bottom) = PLOT;
    let rates = all
        .iter()
        .flat_map(|series| &series.points)
        .map(|&(_, rate)| rate);
    let y = Powers::new(rates, bottom, top, ZERO);
    let bits = || {
        all.iter()
            .flat_map(|s| &s.points)
            .map(|&(bits, _)| bits)
            .chain(budgets.iter().copied())
    };
    let (least, most) = bits().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), bits| {
        (least.min(bits), most.max(bits))
    });
    let margin = match most > least {
        true => 0.05 * (most - least),
        false => 1.0,
    };
    let x = Linear {
        domain: (least - margin, most + margin),
        range: (left, right),
    };
    writeln!(
        svg,
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" class=\"chart\"><title>{}</title>",
        Escaped(title)
    )?;
    for rate in y.ticks() {
        let at = y.place(rate);
        writeln!(
            svg,
            "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/><text x=\"{}\" y=\"{:.1}\" class=\"tick end\">{}</text>",
            left - 6.0,
            at + 4.0,
            percent(rate)
        )?;
    }
    writeln!(
        svg,
        "<path class=\"zero\" d=\"M{left} {ZERO}H{right}\"/><text x=\"{}\" y=\"{}\" class=\"tick end\">0</text>",
        left - 6.0,
        ZERO + 4.0
    )?;
    for &budget in budgets {
        let at = x.place(budget);
        writeln!(
            svg,
            "<path class=\"axis\" d=\"M{at:.1} {}v5\"/><text x=\"{at:.1}\" y=\"{}\" class=\"tick middle\">{budget}</text>",
            ZERO + 8.0,
            ZERO + 26.0
        )?;
    }
    writeln!(
        svg,
        "<path class=\"axis\" d=\"M{left} {}H{right}\"/>",
        ZERO + 8.0
    )?;
    writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" class=\"name middle\">bits per key</text>",
        (left + right) / 2.0,
        height - 8.0
    )?;
    writeln!(
        svg,
        "<text x=\"0\" y=\"{}\" class=\"name\">{}</text>",
        top - 16.0,
        Escaped(y_title)
    )?;
    for series in all {
        line(svg, series, &x, &y)?;
    }
    names(svg, all, &x, &y)?;
    svg.write_str("</svg>\n")
}

/// One line with its markers, which say their numbers when they are pointed at.
fn line(svg: &mut String, series: &Series, x: &Linear, y: &Powers) -> fmt::Result {
    let places: Vec<String> = (series.points.iter())
        .map(|&(bits, rate)| format!("{:.1} {:.1}", x.place(bits), y.place(rate)))
        .collect();
    let Some(look) = series.look else {
        let path = places.join("L");
        return match path.is_empty() {
            true => Ok(()),
            false => writeln!(
                svg,
                "<g class=\"limit\"><path class=\"line\" d=\"M{path}\"/></g>"
            ),
        };
    };
    write!(svg, "<g class=\"{}\">", look.class())?;
    if places.len() > 1 {
        write!(
            svg,
            "<path class=\"line\" d=\"M{}\"{}/>",
            places.join("L"),
            look.dash()
        )?;
    }
    for &(bits, rate) in &series.points {
        let marker = look.marker(x.place(bits), y.place(rate));
        let (name, rate) = (Escaped(&series.name), crate::text::percent(Some(rate)));
        write!(
            svg,
            "<g>{marker}<title>{name}, {bits:.2} bits per key: {rate}</title></g>"
        )?;
    }
    svg.write_str("</g>\n")
}

/// The names to the right of the plot, each with its marker and a thread to the end of its line.
fn names(svg: &mut String, all: &[Series], x: &Linear, y: &Powers) -> fmt::Result {
    let ends: Vec<(&Series, (f64, f64))> = (all.iter())
        .filter_map(|series| {
            series
                .points
                .last()
                .map(|&(bits, rate)| (series, (x.place(bits), y.place(rate))))
        })
        .collect();
    let wanted: Vec<f64> = ends.iter().map(|&(_, (_, at))| at).collect();
    let places = apart(&wanted, LINE, PLOT.2 - 8.0, ZERO + 4.0);
    for ((series, (from, at)), place) in ends.into_iter().zip(places) {
        let start = PLOT.1 + 14.0;
        write!(
            svg,
            "<path class=\"thread\" d=\"M{:.1} {at:.1}L{start} {place:.1}\"/>",
            from + 6.0
        )?;
        let name = Escaped(&series.name);
        let (class, marker) = match series.look {
            Some(look) => (look.class(), look.marker(start + 6.0, place)),
            None => (
                "limit".to_string(),
                format!(
                    "<path class=\"line\" d=\"M{} {place:.1}h11\"/>",
                    start + 1.0
                ),
            ),
        };
        writeln!(
            svg,
            "<g class=\"{class}\">{marker}<text x=\"{}\" y=\"{:.1}\" class=\"name\">{name}</text></g>",
            start + 15.0,
            place + 4.0
        )?;
    }
    Ok(())
}
