//! The charts of times.

use super::{Number, WIDTH, numbers, tone};
use crate::measure::{Comparison, Pace};
use crate::report::chart::Scale;
use crate::report::chart::{Dot, Dots, Row};
use crate::report::comparison::Verdict;
use crate::report::html::markup::Figure;
use crate::report::text;

/// The length of the axis, as a multiple of the largest median.
const ROOM: f64 = 1.3;

/// The times of queries, and of builds.
pub fn speed(comparison: &Comparison, verdict: Option<&Verdict<'_>>, budget: f64) -> [Figure; 2] {
    let querying = Speeds {
        budget,
        title: format!("Query time at {budget} bits per key"),
        axis: "nanoseconds per query",
        legend: &["key of the set", "other key"],
        paces: &[
            |row| row.evaluation.members.pace,
            |row| row.evaluation.non_member_pace(),
        ],
    };
    let building = Speeds {
        budget,
        title: format!("Build time at {budget} bits per key"),
        axis: "nanoseconds per key",
        legend: &["build"],
        paces: &[|row| row.build],
    };
    [
        querying.figure(comparison, verdict),
        building.figure(comparison, verdict),
    ]
}

/// A chart of times.
struct Speeds {
    /// The budget in bits per key.
    budget: f64,
    /// The title.
    title: String,
    /// The title of the axis.
    axis: &'static str,
    /// What was timed.
    legend: &'static [&'static str],
    /// The times.
    paces: &'static [Number<Pace>],
}

impl Speeds {
    /// Draws the chart.
    fn figure(self, comparison: &Comparison, verdict: Option<&Verdict<'_>>) -> Figure {
        let (mut rows, mut cells, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for row in comparison.at(self.budget) {
            let measured = row.result.as_ref().ok();
            let paces: Vec<Option<Pace>> = (self.paces.iter())
                .map(|pace| measured.and_then(pace))
                .collect();
            let name = row.kind.name().to_string();
            let dot = |(pace, what): (&Option<Pace>, &&str)| {
                let Pace {
                    median,
                    fastest,
                    slowest,
                } = (*pace)?;
                Some(Dot {
                    at: median,
                    range: Some((fastest, slowest)),
                    text: format!(
                        "{name}, {what}: {median:.1} ns, from {fastest:.1} to {slowest:.1}"
                    ),
                })
            };
            let medians: Vec<String> = (paces.iter().flatten())
                .map(|pace| format!("{:.0}", pace.median))
                .collect();
            let times = paces.iter().flat_map(|pace| {
                let times = pace.map(|pace| [pace.median, pace.fastest, pace.slowest]);
                (0..3).map(move |at| text::decimal(times.map(|times| times[at]), ""))
            });
            cells.push([name.clone()].into_iter().chain(times).collect());
            all.extend(paces.iter().flatten().copied());
            rows.push(Row {
                dots: paces.iter().zip(self.legend).map(dot).collect(),
                tone: tone(verdict, row.kind),
                numbers: match medians.is_empty() {
                    true => "not built".to_string(),
                    false => format!("{} ns", medians.join(" · ")),
                },
                name,
            });
        }
        let longest = |time: fn(&Pace) -> f64| all.iter().map(time).fold(1.0, f64::max);
        let most = f64::min(
            longest(|pace| pace.slowest),
            ROOM * longest(|pace| pace.median),
        );
        let dots = Dots {
            width: WIDTH,
            scale: Scale::FromZero(most, |tick| tick.to_string()),
            title: self.axis,
            legend: self.legend,
            mark: None,
            rows,
        };
        let heads = self.legend.iter().flat_map(|name| {
            ["median", "fastest", "slowest"].map(|what| format!("{name}: {what}, ns"))
        });
        Figure {
            drawing: dots.draw(&self.title),
            data: numbers(heads, cells),
            title: self.title,
            caption: "The marker is the median. The thick line goes from the fastest pass to the slowest; an arrow means that it goes \
                      beyond the axis. If two thick lines overlap, this run does not tell which kind is faster."
                .to_string(),
        }
    }
}
