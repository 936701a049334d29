//! Times by kind: a dot for the median, and a line from the fastest to the slowest pass.

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
    let _ = write(&mut svg, title, x_title, legend, all);
    svg
}

fn write(
    svg: &mut String,
    title: &str,
    x_title: &str,
    legend: &[&str],
    all: &[Times],
) -> fmt::Result {
    let names = all.iter().map(|times| width_of(&times.name));
    let (left, right) = (names.fold(0.0, f64::max) + 12.0, RIGHT);
    let top = if legend.len() > 1 { 26.0 } else { 8.0 };
    let bottom = top + ROW * all.len() as f64;
    let height = bottom + 42.0;
    let paces = all.iter().flat_map(|times| &times.paces).flatten();
    let most = paces.map(|pace| pace.slowest).fold(1.0, f64::max);
    let x = Linear {
        domain: (0.0, 1.04 * most),
        range: (left, right),
    };
    writeln!(
        svg,
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" class=\"chart\"><title>{}</title>",
        Escaped(title)
    )?;
    for tick in x.ticks(4.0) {
        let at = x.place(tick);
        writeln!(
            svg,
            "<path class=\"grid\" d=\"M{at:.1} {top}V{bottom}\"/><text x=\"{at:.1}\" y=\"{}\" class=\"tick middle\">{tick}</text>",
            bottom + 16.0
        )?;
    }
    writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text>",
        (left + right) / 2.0,
        height - 6.0,
        Escaped(x_title)
    )?;
    if legend.len() > 1 {
        let mut at = left;
        for (number, name) in legend.iter().enumerate() {
            write!(
                svg,
                "<g class=\"t{number}\">{}<text x=\"{}\" y=\"14\">{}</text></g>",
                dot(number, at + 5.0, 10.0),
                at + 14.0,
                Escaped(name)
            )?;
            at += 34.0 + 7.0 * name.chars().count() as f64;
        }
    }
    for (row, times) in all.iter().enumerate() {
        let middle = top + ROW * (row as f64 + 0.5);
        let name = Escaped(&times.name);
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
            let [fastest, median, slowest] =
                [pace.fastest, pace.median, pace.slowest].map(|time| x.place(time));
            write!(
                svg,
                "<g class=\"t{number}\"><path class=\"stem\" d=\"M{left} {at:.1}H{median:.1}\"/><path class=\"range\" d=\"M{fastest:.1} {at:.1}H{slowest:.1}\"/>{}",
                dot(number, median, at)
            )?;
            write!(
                svg,
                "<title>{name}, {}: {:.1} ns, from {:.1} to {:.1}</title></g>",
                Escaped(legend[number]),
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
            right + 8.0,
            middle + 4.0
        )?;
    }
    svg.write_str("</svg>\n")
}

/// The mark of the n-th thing that is timed.
fn dot(number: usize, x: f64, y: f64) -> String {
    match number {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.8\"/>"),
        _ => format!("<path d=\"M{x:.1} {y:.1}m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z\"/>"),
    }
}
