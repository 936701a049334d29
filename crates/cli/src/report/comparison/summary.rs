//! What a comparison shows, in a few sentences: which kinds are best on known negatives, best on unseen keys, and fastest.
//!
//! `bloom` is the baseline if it was compared. If no kind beats it, the sentence says so. Kinds that cannot be distinguished are
//! named together. Mistakes are counts of random events, so two counts differ only if they are more than two standard deviations
//! apart. Two times differ only if all passes of one were faster than all passes of the other. If the passes differ a lot,
//! the machine was busy, perhaps during some measurements only, and no kind is called the fastest. Filters that are larger than
//! the budget are left out.

use super::known_negatives;
use crate::measure::{Comparison, Measured, PASSES, Pace, Row, per};
use crate::report::text;
use bloomwise::Family;

/// If the median spread of the passes is above this share, the machine was too busy to compare times.
const NOISY: f64 = 0.25;

/// The sentence about speed if the machine was too busy.
const TOO_NOISY: &str =
    "Speed: the machine was too busy to compare times; run this again when it is idle.";

impl Comparison {
    /// The sentences about the middle budget.
    pub fn summary(&self) -> Vec<String> {
        let Some(budget) = self.middle_budget() else {
            return Vec::new();
        };
        let rows: Vec<BuiltRow<'_>> = (self.at(budget))
            .filter_map(|row| Some((row, row.comparable()?)))
            .collect();
        let rates = [
            known_negatives::sentence(self, &rows),
            self.unseen_sentence(&rows, budget),
        ];
        let speeds = if self.is_noisy() {
            [Some(TOO_NOISY.to_string()), None]
        } else {
            [
                fastest("query", "", &rows, query_pace),
                fastest("build", " per key", &rows, |measured| measured.build),
            ]
        };
        rates.into_iter().chain(speeds).flatten().collect()
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

    /// The sentence about unseen keys.
    fn unseen_sentence(&self, rows: &[BuiltRow<'_>], budget: f64) -> Option<String> {
        let count = |row: &BuiltRow<'_>| Some(row.1.evaluation.unseen.as_ref()?.false_positives);
        let best = rows.iter().filter_map(count).min()?;
        let is_best = |row: &&BuiltRow<'_>| count(row).is_some_and(|count| !differ(best, count));
        let winners = names(rows.iter().filter(is_best));
        let rate = |count: u64| text::percent(per(count as f64, self.unseen));
        let bloom = baseline(rows).and_then(count);
        let mut sentence = match bloom {
            Some(bloom) if !differ(best, bloom) => format!(
                "Unseen keys: no kind is significantly better than bloom, which is wrong on {}",
                rate(bloom)
            ),
            Some(bloom) => format!(
                "Unseen keys: fewest mistakes with {winners}, {}; bloom has {}",
                rate(best),
                rate(bloom)
            ),
            None => format!(
                "Unseen keys: fewest mistakes with {winners}, {}",
                rate(best)
            ),
        };
        let limit = self
            .limits
            .iter()
            .find(|limit| limit.bits_per_key == budget);
        if let Some(rate) = limit.and_then(|limit| limit.rate) {
            let rate = text::percent(Some(rate));
            sentence.push_str(&format!(
                ". No filter of this size that is right on all known negatives gets below {rate} on average"
            ));
        }
        sentence.push('.');
        Some(sentence)
    }
}

/// A row whose filter was built, with its measurements.
pub(super) type BuiltRow<'a> = (&'a Row, &'a Measured);

/// The row of `bloom`, which other kinds are compared with.
pub(super) fn baseline<'a, 'b>(rows: &'b [BuiltRow<'a>]) -> Option<&'b BuiltRow<'a>> {
    rows.iter().find(|(row, _)| row.kind == Family::Bloom)
}

/// The names of kinds as a list: `a`, `a and b`, `a, b and c`.
pub(super) fn names<'a>(rows: impl Iterator<Item = &'a BuiltRow<'a>>) -> String {
    let mut names: Vec<&str> = rows.map(|(row, _)| row.kind.name()).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        last.to_string()
    } else {
        format!("{} and {last}", names.join(", "))
    }
}

/// Whether `one` is smaller than `other` by more than chance explains.
pub(super) fn significantly_fewer(one: u64, other: u64) -> bool {
    one < other && differ(one, other)
}

/// Whether two counts are more than two standard deviations apart.
fn differ(one: u64, other: u64) -> bool {
    one.abs_diff(other) as f64 > 2.0 * ((one + other) as f64).sqrt()
}

/// The time per query if half of the keys are members.
fn query_pace(measured: &Measured) -> Option<Pace> {
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

/// The sentence about the fastest kinds for one kind of work. `unit` follows the time.
fn fastest(
    verb: &str,
    unit: &str,
    rows: &[BuiltRow<'_>],
    pace: fn(&Measured) -> Option<Pace>,
) -> Option<String> {
    let time = |row: &BuiltRow<'_>| pace(row.1);
    let best = rows
        .iter()
        .filter_map(time)
        .min_by(|one, other| one.median.total_cmp(&other.median))?;
    let is_best = |row: &&BuiltRow<'_>| time(row).is_some_and(|pace| pace.fastest <= best.slowest);
    let winners: Vec<&BuiltRow<'_>> = rows.iter().filter(is_best).collect();
    let bloom_wins = winners.iter().any(|(row, _)| row.kind == Family::Bloom);
    let bloom = (baseline(rows).and_then(time))
        .filter(|_| !bloom_wins)
        .map_or(String::new(), |bloom| {
            format!("; bloom takes {:.0} ns", bloom.median)
        });
    let tie = if winners.len() > 1 {
        " (too close to distinguish)"
    } else {
        ""
    };
    Some(format!(
        "Fastest to {verb}: {}{tie}, {:.0} ns{unit}{bloom}.",
        names(winners.into_iter()),
        best.median
    ))
}
