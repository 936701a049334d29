//! What the four charts show, each with its remark and its numbers.

use super::chart::{self, Series};
use super::html::{Figure, Table};
use super::mark::Look;
use super::times::{self, Times};
use crate::comparison::{Comparison, Limit, Measured};
use crate::markdown::Cells;
use crate::pace::Pace;
use crate::text;

/// A number of a filter that was measured.
type Number<T> = fn(&Measured) -> Option<T>;

/// The charts: rates on known and on unseen keys, times to ask and to build.
pub fn all(comparison: &Comparison, budget: f64) -> [Figure; 4] {
    let known = Rates {
        title: "Known negatives, weighted by cost",
        axis: "share of the cost, %",
        rate: |row| row.evaluation.known.as_ref()?.weighted_rate,
        // Whoever knows the negatives can be right on all of them, as long as there is a limit at all.
        limit: |limit| limit.rate.map(|_| 0.0),
        remark: known_remark(comparison),
    };
    let unseen = Rates {
        title: "Unseen keys",
        axis: "false positive rate, %",
        rate: |row| row.evaluation.unseen.as_ref()?.rate,
        limit: |limit| limit.rate,
        remark: unseen_remark(comparison.unseen),
    };
    let asking = Speeds {
        budget,
        title: format!("Time of a query at {budget} bits per key"),
        axis: "nanoseconds per query",
        things: &[
            ("member", |row| row.evaluation.members.pace),
            ("other key", |row| row.evaluation.strangers()),
        ],
    };
    let building = Speeds {
        budget,
        title: format!("Time of the build at {budget} bits per key"),
        axis: "nanoseconds per key of the set",
        things: &[("build", |row| row.build)],
    };
    [
        known.figure(comparison),
        unseen.figure(comparison),
        asking.figure(comparison),
        building.figure(comparison),
    ]
}

/// What to know about rates on known negatives.
fn known_remark(comparison: &Comparison) -> String {
    if let Some(reason) = comparison.without_shares() {
        return format!("There is nothing to see here: {reason}.");
    }
    let limits = comparison.limits_of_built();
    // The more bits there are, the more can be right.
    let possible = limits.iter().find(|limit| limit.rate.is_some());
    let limit = match possible.map(|limit| limit.bits_per_key) {
        None => "No filter of this size can be right on every known key.".to_string(),
        Some(_) if limits.iter().all(|limit| limit.rate.is_some()) => {
            "This is where the information limit lies: a filter of this size can be right on every known key.".to_string()
        }
        Some(bits) => format!(
            "This is where the information limit lies from {bits} bits per key on: a filter of that size can be right on every known key, one of the smaller sizes cannot."
        ),
    };
    format!(
        "The share of the cost of all known negatives that false positives have. The line marked 0 is no mistake at all. {limit}"
    )
}

/// What to know about rates on so many unseen keys.
fn unseen_remark(count: u64) -> String {
    let mut remark = "Keys that were not given to any build. The limit is the lowest rate that a filter of this size can \
                      have if it is right on all known negatives."
        .to_string();
    if count > 0 {
        // No event in n tries: with 95 % confidence the rate is below 3 / n.
        let least = text::percent(Some(3.0 / count as f64));
        remark.push_str(&format!(
            " {} keys were asked for, so that a 0 here means less than about {least}.",
            text::grouped(count)
        ));
    }
    remark
}

/// A chart of rates.
struct Rates {
    title: &'static str,
    axis: &'static str,
    rate: Number<f64>,
    limit: fn(&Limit) -> Option<f64>,
    remark: String,
}

impl Rates {
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
            remark: self.remark,
        }
    }

    /// A row for each kind, a column for each budget.
    fn data(&self, comparison: &Comparison) -> Table {
        let mut heads = vec![("kind".to_string(), Cells::Words)];
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
    budget: f64,
    title: String,
    axis: &'static str,
    things: &'static [(&'static str, Number<Pace>)],
}

impl Speeds {
    fn figure(self, comparison: &Comparison) -> Figure {
        let legend: Vec<&str> = self.things.iter().map(|(name, _)| *name).collect();
        let mut heads = vec![("kind".to_string(), Cells::Words)];
        for name in &legend {
            heads.extend(
                ["median", "fastest", "slowest"]
                    .map(|what| (format!("{name}: {what}, ns"), Cells::Numbers)),
            );
        }
        let (mut all, mut rows) = (Vec::new(), Vec::new());
        for row in comparison.at(self.budget) {
            let measured = row.result.as_ref().ok();
            let paces: Vec<_> = (self.things.iter())
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
            remark:
                "The mark is the median, the thick line goes from the fastest pass to the slowest; it ends in an arrow where \
                 that lies beyond the axis."
                    .to_string(),
            data: Table {
                heads,
                group: rows.len(),
                rows,
            },
        }
    }
}
