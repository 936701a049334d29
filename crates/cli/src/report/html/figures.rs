//! The four charts with their captions and numbers.

use super::chart::{self, Series};
use super::mark::Look;
use super::markup::{Figure, Table};
use super::times::{self, Times};
use crate::measure::{Comparison, Limit, Measured, Pace};
use crate::report::markdown::Cells;
use crate::report::text;

/// Selects one of the measurements.
type Number<T> = fn(&Measured) -> Option<T>;

/// The charts: rates on known negatives, rates on unseen keys, query times, build times.
pub fn all(comparison: &Comparison, budget: f64) -> [Figure; 4] {
    let known = Rates {
        title: "Known negatives, weighted by cost",
        axis: "share of the cost, %",
        rate: |row| row.evaluation.known.as_ref()?.weighted_rate,
        // If there is a limit, a filter of this size can be right on all known negatives.
        limit: |limit| limit.rate.map(|_| 0.0),
        caption: known_caption(comparison),
    };
    let unseen = Rates {
        title: "Unseen keys",
        axis: "false positive rate, %",
        rate: |row| row.evaluation.unseen.as_ref()?.rate,
        limit: |limit| limit.rate,
        caption: unseen_caption(comparison.unseen),
    };
    let querying = Speeds {
        budget,
        title: format!("Query time at {budget} bits per key"),
        axis: "nanoseconds per query",
        timed: &[
            ("positive", |row| row.evaluation.members.pace),
            ("negative", |row| row.evaluation.non_member_pace()),
        ],
    };
    let building = Speeds {
        budget,
        title: format!("Build time at {budget} bits per key"),
        axis: "nanoseconds per key",
        timed: &[("build", |row| row.build)],
    };
    [
        known.figure(comparison),
        unseen.figure(comparison),
        querying.figure(comparison),
        building.figure(comparison),
    ]
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
            "This is the information limit: a filter of this size can be right on every known negative.".to_string()
        }
        Some(bits) => format!(
            "This is the information limit from {bits} bits per key: a filter of that size can be right on every known negative, a smaller one cannot."
        ),
    };
    format!(
        "The cost of the false positives as a share of the cost of all known negatives. The line marked 0 means no mistakes. {limit}"
    )
}

/// The caption of the chart of rates on `count` unseen keys.
fn unseen_caption(count: u64) -> String {
    let mut caption = "Keys that no build saw. The limit is the lowest rate that a filter of this size can have if it is \
                       right on all known negatives."
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

/// A chart of rates.
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
    fn figure(self, comparison: &Comparison) -> Figure {
        let limits = comparison.limits_of_built();
        let limit = |limit: &&Limit| Some((limit.bits_per_key, (self.limit)(limit)?));
        let mut lines = vec![Series {
            name: "limit".to_string(),
            look: None,
            points: limits.iter().filter_map(limit).collect(),
        }];
        for kind in comparison.kinds() {
            let rows = comparison.rows.iter().filter(|row| row.kind == kind);
            let point = |row: &Measured| Some((row.evaluation.bits_per_key?, (self.rate)(row)?));
            lines.push(Series {
                name: kind.name().to_string(),
                look: Some(Look::of(kind)),
                points: rows
                    .filter_map(|row| point(row.result.as_ref().ok()?))
                    .collect(),
            });
        }
        let budgets: Vec<f64> = limits.iter().map(|limit| limit.bits_per_key).collect();
        Figure {
            title: self.title.to_string(),
            drawing: chart::draw(self.title, self.axis, &budgets, &lines),
            data: self.data(comparison),
            caption: self.caption,
        }
    }

    /// The numbers of the chart: one row per kind, one column per budget.
    fn data(&self, comparison: &Comparison) -> Table {
        let mut heads = vec![("kind".to_string(), Cells::Text)];
        let head = |limit: &Limit| (format!("{} bits", limit.bits_per_key), Cells::Numbers);
        heads.extend(comparison.limits.iter().map(head));
        let mut rows: Vec<Vec<String>> = Vec::new();
        for kind in comparison.kinds() {
            let of_kind = comparison.rows.iter().filter(|row| row.kind == kind);
            let cell = |measured: Option<&Measured>| text::percent(measured.and_then(self.rate));
            let mut cells = vec![kind.name().to_string()];
            cells.extend(of_kind.map(|row| cell(row.result.as_ref().ok())));
            rows.push(cells);
        }
        let mut limits = vec!["limit".to_string()];
        limits.extend(
            comparison
                .limits
                .iter()
                .map(|limit| text::percent((self.limit)(limit))),
        );
        rows.push(limits);
        Table {
            heads,
            group: rows.len(),
            rows,
        }
    }
}

/// A chart of times.
struct Speeds {
    /// The budget in bits per key.
    budget: f64,
    /// The title.
    title: String,
    /// The title of the axis.
    axis: &'static str,
    /// What was timed: name and time.
    timed: &'static [(&'static str, Number<Pace>)],
}

impl Speeds {
    /// Draws the chart.
    fn figure(self, comparison: &Comparison) -> Figure {
        let legend: Vec<&str> = self.timed.iter().map(|(name, _)| *name).collect();
        let mut heads = vec![("kind".to_string(), Cells::Text)];
        for name in &legend {
            heads.extend(
                ["median", "fastest", "slowest"]
                    .map(|what| (format!("{name}: {what}, ns"), Cells::Numbers)),
            );
        }
        let (mut all, mut rows) = (Vec::new(), Vec::new());
        for row in comparison.at(self.budget) {
            let measured = row.result.as_ref().ok();
            let paces: Vec<_> = (self.timed.iter())
                .map(|(_, pace)| measured.and_then(pace))
                .collect();
            let mut cells = vec![row.kind.name().to_string()];
            for pace in &paces {
                let times = pace.map(|pace| [pace.median, pace.fastest, pace.slowest]);
                cells.extend((0..3).map(|at| text::decimal(times.map(|times| times[at]), "")));
            }
            rows.push(cells);
            let name = row.kind.name().to_string();
            all.push(Times { name, paces });
        }
        Figure {
            drawing: times::draw(&self.title, self.axis, &legend, &all),
            title: self.title,
            caption:
                "The marker is the median. The thick line goes from the fastest pass to the slowest; an arrow means that it goes \
                 beyond the axis."
                    .to_string(),
            data: Table {
                heads,
                group: rows.len(),
                rows,
            },
        }
    }
}
