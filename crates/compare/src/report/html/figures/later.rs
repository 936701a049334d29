//! The charts of a log: what each kind wastes after the keys were learned, and how much of the cost a list of some length covers.

use super::{WIDTH, numbers, tone};
use crate::measure::Comparison;
use crate::report::chart::Scale;
use crate::report::chart::Tone;
use crate::report::chart::{Dot, Dots, Row};
use crate::report::comparison::Verdict;
use crate::report::html::markup::Figure;
use crate::report::text;

/// The titles of the charts.
const WASTED: &str = "Wasted after the split";
const COVERED: &str = "What the list covers after the split";

/// What all kinds waste at one budget, the least wasteful first; `None` without a log.
pub fn wasted(
    comparison: &Comparison,
    verdict: Option<&Verdict<'_>>,
    budget: f64,
) -> Option<Figure> {
    let later = comparison.later.as_ref()?;
    let mut rows: Vec<(&str, f64, Row)> = Vec::new();
    for row in comparison.at(budget) {
        let measured = row.result.as_ref().ok();
        let Some(wasted) = measured.and_then(|row| row.evaluation.wasted()) else {
            continue;
        };
        let (name, percent) = (row.kind.name(), text::percent(Some(wasted)));
        let dot = Dot {
            at: wasted,
            range: None,
            text: format!("{name}: {percent}"),
        };
        let shown = Row {
            name: name.to_string(),
            tone: tone(verdict, row.kind),
            dots: vec![Some(dot)],
            numbers: percent,
        };
        rows.push((name, wasted, shown));
    }
    rows.sort_by(|one, other| one.1.total_cmp(&other.1));
    let all: Vec<f64> = rows.iter().map(|&(_, wasted, _)| wasted).collect();
    let cells =
        |&(name, wasted, _): &(&str, f64, Row)| vec![name.to_string(), text::percent(Some(wasted))];
    let data = numbers(["wasted".to_string()], rows.iter().map(cells).collect());
    let dots = Dots {
        width: WIDTH,
        scale: Scale::Rates(&all),
        title: "share of the absent cost",
        legend: &["wasted"],
        mark: None,
        rows: rows.into_iter().map(|(.., row)| row).collect(),
    };
    Some(Figure {
        title: WASTED.to_string(),
        drawing: dots.draw(WASTED),
        caption: format!(
            "The first {} of the log taught {} keys. In the rest, {} look-ups of absent keys cost {}; keys of the list have {} of that. Each \
             filter lets through what its dot says.",
            text::round_percent(later.split),
            text::count(comparison.listed.0),
            text::count(later.absent.count),
            text::amount(later.absent.cost),
            text::percent(later.coverage()),
        ),
        data,
    })
}

/// The share of the cost that lists of some lengths cover; `None` without a log.
pub fn covered(comparison: &Comparison) -> Option<Figure> {
    let shares = &comparison.later.as_ref()?.covered;
    let name = |keys: u64| format!("first {}", text::count(keys));
    let row = |&(keys, share): &(u64, f64)| {
        let percent = text::percent(Some(share));
        Row {
            name: name(keys),
            tone: Tone::Grey,
            dots: vec![Some(Dot {
                at: 100.0 * share,
                range: None,
                text: format!("{}: {percent}", name(keys)),
            })],
            numbers: percent,
        }
    };
    let dots = Dots {
        width: WIDTH,
        scale: Scale::FromZero(100.0, |tick| format!("{tick} %")),
        title: "share of the absent cost",
        legend: &["covered"],
        mark: None,
        rows: shares.iter().map(row).collect(),
    };
    let cells = |&(keys, share): &(u64, f64)| vec![name(keys), text::percent(Some(share))];
    (!shares.is_empty()).then(|| Figure {
        title: COVERED.to_string(),
        drawing: dots.draw(COVERED),
        caption: "The costliest keys of the first part, and what share of the absent cost of the rest they have. A longer list helps as long as \
                  this grows."
            .to_string(),
        data: numbers(["covered".to_string()], shares.iter().map(cells).collect()),
    })
}
