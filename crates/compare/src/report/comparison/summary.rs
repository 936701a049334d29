//! What a comparison shows about mistakes, in a few sentences: which kinds are best on known negatives and on unseen keys.
//!
//! `bloom` is the baseline if it was compared. If no kind beats it, the sentence says so. Kinds that cannot be distinguished are
//! named together. Mistakes are counts of random events, so two counts differ only if they are more than two standard deviations
//! apart. Filters that are larger than the budget are left out.

use super::{known_negatives, later};
use crate::measure::{Comparison, Measured, Row, per};
use crate::report::text;
use bloomwise::Family;

impl Comparison {
    /// The sentences about mistakes at the middle budget.
    pub fn mistakes_summary(&self) -> Vec<String> {
        let Some(budget) = self.middle_budget() else {
            return Vec::new();
        };
        let rows = self.built_at(budget);
        let sentences = [
            later::sentence(self, &rows),
            known_negatives::sentence(self, &rows),
            self.unseen_sentence(&rows, budget),
        ];
        sentences.into_iter().flatten().collect()
    }

    /// The filters of one budget that were built and are not larger than it.
    pub(super) fn built_at(&self, budget: f64) -> Vec<BuiltRow<'_>> {
        (self.at(budget))
            .filter_map(|row| Some((row, row.comparable()?)))
            .collect()
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
