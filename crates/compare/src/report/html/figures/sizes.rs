//! The chart of sizes: how many bytes each kind needs for a rate on unseen keys.

use super::{WIDTH, look, numbers, tone};
use crate::measure::{Comparison, Needed};
use crate::report::chart::Scale;
use crate::report::chart::{Lines, Point, Series};
use crate::report::comparison::Verdict;
use crate::report::html::markup::Figure;
use crate::report::text;
use bloomwise::Family;

/// The title of the chart.
const TITLE: &str = "Bytes for a given error";

/// Draws the chart.
pub fn sizes(comparison: &Comparison, verdict: Option<&Verdict<'_>>) -> Figure {
    let line = |kind: Family, needed: &Needed| {
        let point = |&(rate, bytes): &(f64, f64)| Point {
            x: error(rate),
            y: bytes,
            range: None,
            text: format!("{}, {}: {}", kind.name(), text::odds(rate), whole(bytes)),
        };
        Series {
            name: kind.name().to_string(),
            look: look(kind),
            tone: tone(verdict, kind),
            points: needed.sizes.iter().map(point).collect(),
            published: Vec::new(),
        }
    };
    let all: Vec<Series> = (comparison.needed.iter())
        .filter_map(|needed| Some(line(needed.kind?, needed)))
        .collect();
    let limit = comparison
        .needed
        .iter()
        .find(|needed| needed.kind.is_none());
    let rates: Vec<f64> = limit
        .iter()
        .flat_map(|limit| &limit.sizes)
        .map(|size| size.0)
        .collect();
    let points = || all.iter().flat_map(|series| &series.points);
    let most = points().map(|point| point.y).fold(1.0, f64::max);
    let lines = Lines {
        width: WIDTH,
        joined: true,
        scales: (
            Scale::Odds(&rates),
            Scale::FromZero(1.02 * most, text::bytes),
        ),
        titles: ("wrong share of unseen keys", "size"),
        limit: (limit.iter().flat_map(|limit| &limit.sizes))
            .map(|&(rate, bytes)| (error(rate), bytes))
            .collect(),
        all,
    };
    let row = |needed: &Needed| {
        let name = needed.kind.map_or("limit", Family::name).to_string();
        let cell = |rate: &f64| {
            let size = needed.sizes.iter().find(|size| size.0 == *rate);
            size.map_or("-".to_string(), |size| whole(size.1))
        };
        [vec![name], rates.iter().map(cell).collect()].concat()
    };
    Figure {
        title: TITLE.to_string(),
        drawing: lines.draw(TITLE),
        caption: "By the formulas that the command plan uses. No filter that is right on all known negatives can be in the area below the limit."
            .to_string(),
        data: numbers(rates.iter().map(|&rate| text::odds(rate)), comparison.needed.iter().map(row).collect()),
    }
}

/// The place of a rate on the axis: how many zeros it has.
fn error(rate: f64) -> f64 {
    -rate.log10()
}

/// A number of bytes.
fn whole(bytes: f64) -> String {
    text::count(bytes.round() as u64)
}
