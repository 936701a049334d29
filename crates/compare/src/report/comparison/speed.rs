//! What a comparison says about speed. It claims a difference only if the passes of two filters do not overlap: the slowest pass of one was
//! faster than the fastest pass of the other. Otherwise the machine was too busy, or the filters are too close, to tell.
//!
//! All filters of a budget take turns, so a program that runs beside them for a while slows all of them down. If the passes of most
//! measurements differ a lot, some filters may have had all the luck, and nothing is claimed.

use super::summary::{BuiltRow, baseline, names};
use crate::measure::{Comparison, Measured, PASSES, Pace};
use bloomwise::Family;

/// If the median spread of the passes is above this share, the machine was too busy to compare times.
const NOISY: f64 = 0.25;

/// The sentence about speed if the machine was too busy.
const TOO_NOISY: &str = "Speed: the machine was too busy to tell which kinds are faster; run this again when it is idle.";

/// What was timed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Build,
    Query,
}

impl Work {
    /// The times of a filter. A query is for a key of the set or for another, half and half.
    fn pace(self, measured: &Measured) -> Option<Pace> {
        if self == Work::Build {
            return measured.build;
        }
        let (one, other) = (
            measured.evaluation.members.pace?,
            measured.evaluation.non_member_pace()?,
        );
        let mean = |time: fn(&Pace) -> f64| (time(&one) + time(&other)) / 2.0;
        Some(Pace {
            median: mean(|pace| pace.median),
            fastest: mean(|pace| pace.fastest),
            slowest: mean(|pace| pace.slowest),
        })
    }

    /// The verb, and what follows a time.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Work::Build => ("build", " per key"),
            Work::Query => ("query", ""),
        }
    }
}

impl Comparison {
    /// The sentences about speed at the middle budget.
    pub fn speed_summary(&self) -> Vec<String> {
        let Some(budget) = self.middle_budget() else {
            return Vec::new();
        };
        if self.is_noisy() {
            return vec![TOO_NOISY.to_string()];
        }
        let rows = self.built_at(budget);
        let sentences = [Work::Query, Work::Build].map(|work| fastest_sentence(self, &rows, work));
        sentences.into_iter().flatten().collect()
    }

    /// Whether the passes differ so much that times of different kinds cannot be compared.
    fn is_noisy(&self) -> bool {
        self.noise().is_some_and(|(median, _)| median > NOISY)
    }

    /// A sentence about how reliable the times are.
    pub fn noise_summary(&self) -> Option<String> {
        let (median, most) = self.noise()?;
        let [median, most] = [median, most].map(|spread| 100.0 * spread);
        Some(format!(
            "Times are medians of {PASSES} passes; the slowest and the fastest pass differ by {median:.0} % in the median measurement \
             and by {most:.0} % in the worst."
        ))
    }
}

/// The fastest filters: one, or several that cannot be distinguished. Empty if the machine was too busy.
pub(super) fn fastest<'a>(
    comparison: &Comparison,
    rows: &[BuiltRow<'a>],
    work: Work,
) -> Vec<BuiltRow<'a>> {
    let time = |row: &BuiltRow<'_>| work.pace(row.1);
    let best = rows
        .iter()
        .filter_map(time)
        .min_by(|one, other| one.median.total_cmp(&other.median));
    let Some(best) = best.filter(|_| !comparison.is_noisy()) else {
        return Vec::new();
    };
    let is_best = |row: &&BuiltRow<'_>| time(row).is_some_and(|pace| !apart(best, pace));
    rows.iter().filter(is_best).copied().collect()
}

/// Whether all passes of one were faster than all passes of the other.
fn apart(one: Pace, other: Pace) -> bool {
    one.slowest < other.fastest || other.slowest < one.fastest
}

/// The sentence about the fastest kinds for one kind of work.
fn fastest_sentence(comparison: &Comparison, rows: &[BuiltRow<'_>], work: Work) -> Option<String> {
    let winners = fastest(comparison, rows, work);
    let (verb, unit) = work.words();
    let times = winners.iter().filter_map(|row| work.pace(row.1));
    let best = times.map(|pace| pace.median).fold(f64::INFINITY, f64::min);
    if winners.is_empty() {
        return None;
    }
    if winners.len() == rows.len() && rows.len() > 1 {
        return Some(format!(
            "Fastest to {verb}: too close to tell, or the machine was too busy."
        ));
    }
    let bloom_wins = winners.iter().any(|(row, _)| row.kind == Family::Bloom);
    let bloom = (baseline(rows).and_then(|row| work.pace(row.1)))
        .filter(|_| !bloom_wins)
        .map_or(String::new(), |bloom| {
            format!("; bloom takes {:.0} ns", bloom.median)
        });
    let tie = if winners.len() > 1 {
        " (too close to tell)"
    } else {
        ""
    };
    Some(format!(
        "Fastest to {verb}: {}{tie}, {best:.0} ns{unit}{bloom}.",
        names(winners.iter())
    ))
}

/// The time of one filter, beside that of `bloom`.
pub(super) fn sentence(
    comparison: &Comparison,
    (row, measured): BuiltRow<'_>,
    bloom: Option<BuiltRow<'_>>,
    work: Work,
) -> Option<String> {
    let pace = work.pace(measured)?;
    let (verb, unit) = work.words();
    let title = match work {
        Work::Build => "Build",
        Work::Query => "Query",
    };
    let time = format!("{title}: {:.0} ns{unit}", pace.median);
    let bloom = bloom.filter(|_| row.kind != Family::Bloom);
    let Some(other) = bloom.and_then(|row| work.pace(row.1)) else {
        return Some(format!("{time}."));
    };
    let ratio = pace.median / other.median;
    Some(if comparison.is_noisy() || !apart(pace, other) {
        format!("{time}; too close to bloom, or the machine too busy, to tell which is faster.")
    } else if ratio >= 1.0 {
        format!("{time}, {ratio:.1} times as long as a {verb} of bloom.")
    } else {
        format!(
            "{time}; a {verb} of bloom takes {:.1} times as long.",
            1.0 / ratio
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_differ_only_if_all_passes_do() {
        let pace = |fastest, slowest| Pace {
            median: (fastest + slowest) / 2.0,
            fastest,
            slowest,
        };
        assert!(apart(pace(1.0, 2.0), pace(2.1, 3.0)));
        assert!(apart(pace(2.1, 3.0), pace(1.0, 2.0)));
        assert!(!apart(pace(1.0, 2.1), pace(2.0, 3.0)));
        assert!(!apart(pace(1.0, 9.0), pace(2.0, 3.0)));
    }
}
