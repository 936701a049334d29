//! The charts of mistakes.

use super::{Number, WIDTH, look, numbers, tone};
use crate::measure::{Comparison, Limit, Measured};
use crate::report::chart::Scale;
use crate::report::chart::{Dot, Dots, Row};
use crate::report::chart::{Lines, Point, Series};
use crate::report::comparison::Verdict;
use crate::report::html::markup::Figure;
use crate::report::table::Table;
use crate::report::text;

/// The share of the cost of known negatives that is lost.
const KNOWN: Number<f64> = |row| row.evaluation.known.as_ref()?.weighted_rate;

/// The rate on unseen keys.
const UNSEEN: Number<f64> = |row| row.evaluation.unseen.as_ref()?.rate;

/// All kinds at the middle budget, the rates on known negatives, and those on unseen keys.
pub fn mistakes(
    comparison: &Comparison,
    verdict: Option<&Verdict<'_>>,
    budget: f64,
) -> [Figure; 3] {
    let known = Rates {
        title: "Known negatives, by size",
        axis: "wrong share of the cost",
        rate: KNOWN,
        limit: |_| None,
        caption: known_caption(comparison),
    };
    let unseen = Rates {
        title: "Unseen keys, by size",
        axis: "wrong share of unseen keys",
        rate: UNSEEN,
        limit: |limit| limit.rate,
        caption: unseen_caption(comparison.unseen),
    };
    [
        at_budget(comparison, verdict, budget),
        known.figure(comparison, verdict),
        unseen.figure(comparison, verdict),
    ]
}

/// Both rates of all kinds at one budget, the best first.
fn at_budget(comparison: &Comparison, verdict: Option<&Verdict<'_>>, budget: f64) -> Figure {
    let rates = |row: &Measured| [KNOWN(row), UNSEEN(row)];
    let mut rows: Vec<_> = (comparison.at(budget))
        .map(|row| (row.kind, row.result.as_ref().ok().map(rates)))
        .collect();
    let order = |rates: Option<[Option<f64>; 2]>| {
        let [known, unseen] = rates.unwrap_or_default();
        (
            rates.is_none(),
            [known, unseen].map(|rate| rate.unwrap_or(0.0)),
        )
    };
    rows.sort_by(|one, other| {
        let ((built, mine), (other_built, others)) = (order(one.1), order(other.1));
        (built.cmp(&other_built))
            .then(mine[0].total_cmp(&others[0]))
            .then(mine[1].total_cmp(&others[1]))
    });
    let limit = comparison
        .limits
        .iter()
        .find(|limit| limit.bits_per_key == budget);
    let mark = limit.and_then(|limit| Some(("limit, unseen", limit.rate?)));
    let all: Vec<f64> = (rows
        .iter()
        .flat_map(|row| row.1.unwrap_or_default())
        .flatten())
    .chain(mark.map(|(_, rate)| rate))
    .collect();
    let legend = ["known, by cost", "unseen"];
    let dots = Dots {
        width: WIDTH,
        scale: Scale::Rates(&all),
        title: "wrong answers",
        legend: &legend,
        mark,
        rows: (rows.iter())
            .map(|&(kind, rates)| {
                let name = kind.name().to_string();
                let dot = |(rate, what): (Option<f64>, &str)| {
                    let (at, percent) = (rate?, text::percent(rate));
                    Some(Dot {
                        at,
                        range: None,
                        text: format!("{name}, {what}: {percent}"),
                    })
                };
                let numbers = rates.map_or("not built".to_string(), |rates| {
                    rates.map(short_percent).join(" · ")
                });
                Row {
                    dots: (rates.unwrap_or_default().into_iter().zip(legend))
                        .map(dot)
                        .collect(),
                    tone: tone(verdict, kind),
                    numbers,
                    name,
                }
            })
            .collect(),
    };
    let title = format!("All kinds at {budget} bits per key");
    let cells = |&(kind, rates): &(bloomwise::Family, Option<[Option<f64>; 2]>)| {
        let rates = rates.unwrap_or_default().map(text::percent);
        [vec![kind.name().to_string()], rates.to_vec()].concat()
    };
    Figure {
        drawing: dots.draw(&title),
        title,
        caption: "Known negatives: the cost of the wrong answers, as a share of the cost of all. Unseen keys: wrong answers, as a share of all."
            .to_string(),
        data: numbers(legend.map(String::from), rows.iter().map(cells).collect()),
    }
}

/// A rate in percent, `0` if it is zero.
fn short_percent(rate: Option<f64>) -> String {
    match rate {
        Some(0.0) => "0".to_string(),
        rate => text::percent(rate),
    }
}

/// The caption of the chart of rates on known negatives.
fn known_caption(comparison: &Comparison) -> String {
    if let Some(reason) = comparison.why_no_cost_shares() {
        return format!("This chart is empty: {reason}.");
    }
    let limits = comparison.limits_of_built();
    // A larger filter can be right on more keys.
    let possible = limits.iter().find(|limit| limit.rate.is_some());
    let limit = match possible.map(|limit| limit.bits_per_key) {
        None => "No filter of this size can be right on every known negative.".to_string(),
        Some(_) if limits.iter().all(|limit| limit.rate.is_some()) => {
            "A filter of this size can be right on every known negative.".to_string()
        }
        Some(bits) => format!(
            "From {bits} bits per key, a filter can be right on every known negative; a smaller one cannot."
        ),
    };
    format!(
        "The cost of the wrong answers, as a share of the cost of all known negatives. Chance decides what the mistakes of kinds \
         cost that ignore costs. {limit}"
    )
}

/// The caption of the chart of rates on `count` unseen keys.
fn unseen_caption(count: u64) -> String {
    let mut caption = "Keys that no build saw. No filter that is right on all known negatives can be in the area below the limit."
        .to_string();
    if count > 0 {
        // Rule of three: without an event in n trials, the rate is below 3 / n with 95 % confidence.
        let least = text::percent(Some(3.0 / count as f64));
        caption.push_str(&format!(
            " There are {} unseen keys, so a rate of 0 means less than about {least}.",
            text::count(count)
        ));
    }
    caption
}

/// A chart of rates over bits per key.
struct Rates {
    /// The title.
    title: &'static str,
    /// The title of the axis.
    axis: &'static str,
    /// The rate of a filter.
    rate: Number<f64>,
    /// The information limit of that rate.
    limit: fn(&Limit) -> Option<f64>,
    /// The caption.
    caption: String,
}

impl Rates {
    /// Draws the chart.
    fn figure(self, comparison: &Comparison, verdict: Option<&Verdict<'_>>) -> Figure {
        let limits = comparison.limits_of_built();
        let budgets: Vec<f64> = limits.iter().map(|limit| limit.bits_per_key).collect();
        let line = |kind: bloomwise::Family| {
            let name = kind.name();
            let point = |row: &Measured| {
                let (x, y) = (row.evaluation.bits_per_key?, (self.rate)(row)?);
                let percent = text::percent(Some(y));
                let text = format!("{name}, {x:.2} bits per key: {percent}");
                Some(Point {
                    x,
                    y,
                    range: None,
                    text,
                })
            };
            let rows = comparison.rows.iter().filter(|row| row.kind == kind);
            Series {
                name: name.to_string(),
                look: look(kind),
                tone: tone(verdict, kind),
                points: rows
                    .filter_map(|row| point(row.result.as_ref().ok()?))
                    .collect(),
                published: Vec::new(),
            }
        };
        let all: Vec<Series> = comparison.kinds().into_iter().map(line).collect();
        let limit = |limit: &&Limit| Some((limit.bits_per_key, (self.limit)(limit)?));
        let limit: Vec<(f64, f64)> = limits.iter().filter_map(limit).collect();
        let points = all.iter().flat_map(|series| &series.points);
        let rates: Vec<f64> = points
            .map(|point| point.y)
            .chain(limit.iter().map(|point| point.1))
            .collect();
        let lines = Lines {
            width: WIDTH,
            joined: true,
            scales: (Scale::At(&budgets), Scale::Rates(&rates)),
            titles: ("bits per key", self.axis),
            all,
            limit,
        };
        Figure {
            title: self.title.to_string(),
            drawing: lines.draw(self.title),
            data: self.data(comparison),
            caption: self.caption,
        }
    }

    /// The numbers of the chart: one row per kind, one column per budget.
    fn data(&self, comparison: &Comparison) -> Table {
        let heads = (comparison.limits.iter()).map(|limit| format!("{} bits", limit.bits_per_key));
        let mut rows: Vec<Vec<String>> = Vec::new();
        for kind in comparison.kinds() {
            let of_kind = comparison.rows.iter().filter(|row| row.kind == kind);
            let cell = |measured: Option<&Measured>| text::percent(measured.and_then(self.rate));
            let mut cells = vec![kind.name().to_string()];
            cells.extend(of_kind.map(|row| cell(row.result.as_ref().ok())));
            rows.push(cells);
        }
        let limit = |limit: &Limit| (self.limit)(limit);
        if comparison.limits.iter().any(|one| limit(one).is_some()) {
            let mut cells = vec!["limit".to_string()];
            cells.extend((comparison.limits.iter()).map(|one| text::percent(limit(one))));
            rows.push(cells);
        }
        numbers(heads, rows)
    }
}
