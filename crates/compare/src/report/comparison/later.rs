//! The sentence about a log: whether the keys that were learned from its first part help in the rest.

use super::summary::{BuiltRow, baseline};
use crate::measure::{Comparison, Later};
use crate::report::text;
use bloomwise::Family;
use serde_json::{Value, json};

impl Later {
    /// The share of the absent cost after the split that keys on the list have.
    pub fn coverage(&self) -> Option<f64> {
        Some(self.covered.last()?.1)
    }

    /// The numbers as a JSON object.
    pub fn json(&self, listed: u64) -> Value {
        json!({
            "split": self.split,
            "events": self.events.0,
            "listed": listed,
            "later_events": self.events.1,
            "later_absent_events": self.absent.count,
            "later_absent_cost": self.absent.cost,
            "later_covered": self.coverage(),
        })
    }
}

/// The sentence about the filters of one budget; `None` without a log.
pub(super) fn sentence(comparison: &Comparison, rows: &[BuiltRow<'_>]) -> Option<String> {
    let later = comparison.later.as_ref()?;
    let wasted = |row: &BuiltRow<'_>| row.1.evaluation.wasted();
    let best = rows.iter().filter(|row| wasted(row).is_some());
    let best = best.min_by(|one, other| {
        let [one, other] = [one, other].map(|row| wasted(row).unwrap_or(f64::INFINITY));
        one.total_cmp(&other)
    })?;
    let bloom = baseline(rows).filter(|_| best.0.kind != Family::Bloom);
    let bloom = bloom.and_then(wasted).map_or(String::new(), |share| {
        format!("; bloom wastes {}", text::percent(Some(share)))
    });
    Some(format!(
        "After the split: the {} keys learned from the first {} of the log have {} of the absent cost of the rest. Least wasted with {}, {} of that cost{bloom}.",
        text::count(comparison.listed.0),
        text::round_percent(later.split),
        text::percent(later.coverage()),
        best.0.kind.name(),
        text::percent(wasted(best)),
    ))
}
