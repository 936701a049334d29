//! The chart of costs: what share of all cost the costliest known negatives have.

use super::{WIDTH, numbers};
use crate::measure::{Comparison, CostShare};
use crate::report::chart::Scale;
use crate::report::chart::Tone;
use crate::report::chart::{Dot, Dots, Row};
use crate::report::html::markup::Figure;
use crate::report::text;

/// The title of the chart.
const TITLE: &str = "Where the cost is";

/// Draws the chart; `None` if costs have no shares.
pub fn costs(comparison: &Comparison) -> Option<Figure> {
    let shares = &comparison.cost_shares;
    let name = |share: &CostShare| match share.share {
        None => "the costliest".to_string(),
        Some(keys) => format!("costliest {} %", 100.0 * keys),
    };
    let row = |share: &CostShare| {
        let percent = text::percent(Some(share.cost));
        let keys = text::count(share.keys);
        Row {
            name: name(share),
            tone: Tone::Grey,
            dots: vec![Some(Dot {
                at: 100.0 * share.cost,
                range: None,
                text: format!("{keys} keys: {percent} of the cost"),
            })],
            numbers: percent,
        }
    };
    let dots = Dots {
        width: WIDTH,
        scale: Scale::FromZero(100.0, |tick| format!("{tick} %")),
        title: "share of the cost of all known negatives",
        legend: &["cost"],
        mark: None,
        rows: shares.iter().map(row).collect(),
    };
    let cells = |share: &CostShare| {
        vec![
            name(share),
            text::count(share.keys),
            text::percent(Some(share.cost)),
        ]
    };
    let (known, cost) = (
        text::count(comparison.listed.0),
        text::amount(comparison.listed.1),
    );
    let heads = ["keys", "share of the cost"].map(String::from);
    (!shares.is_empty()).then(|| Figure {
        title: TITLE.to_string(),
        drawing: dots.draw(TITLE),
        caption: format!("{known} known negatives have a cost of {cost} in total. The more of it is on few keys, the more a filter gains that knows them."),
        data: numbers(heads, shares.iter().map(cells).collect()),
    })
}
