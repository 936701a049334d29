//! Guarded filters, beyond the laws in `known.rs` for all families that use known negatives.

mod borrowed;
mod exact;
mod plans;
mod promise;

use bloomwise::info::{Report, Value};
use bloomwise::unstable::Lookup;
use bloomwise::{Builder, Filter, Guarded, KeySets};

/// `positives` numbers from `start` on as positives, and the numbers after them as negatives with `costs`.
fn sets_from(start: u64, positives: u64, costs: impl Iterator<Item = f64>) -> KeySets {
    let end = start + positives;
    KeySets::new(start..end, (end..).zip(costs)).expect("valid costs")
}

/// Positives `0..positives`, and negatives after them; the cost of the negative of rank `i` is `1 / i^skew`.
fn sets(positives: u64, negatives: u64, skew: f64) -> KeySets {
    let costs = (0..negatives).map(|n| (n as f64 + 1.0).powf(-skew));
    sets_from(0, positives, costs)
}

/// Builds a filter, and checks that there is no false negative and that the report counts the guarded negatives.
fn build(builder: &Builder<Guarded>, sets: &KeySets) -> (Guarded, Report) {
    let (filter, report) = builder.build_and_report(sets).expect("valid options");
    let false_negatives = sets.positives().iter().filter(|&&d| !filter.query(d));
    assert_eq!(false_negatives.count(), 0);
    let negatives = sets.negatives().iter();
    let right = negatives.filter(|n| !filter.query(n.digest));
    assert_eq!(right.count() as u64, report.guarded);
    assert_eq!(filter.len(), sets.positives().len() as u64);
    (filter, report)
}

/// A number from the report.
fn fact(report: &Report, name: &str) -> f64 {
    match report.named().iter().find(|(known, _)| *known == name) {
        Some((_, Value::Whole(count))) => *count as f64,
        Some((_, Value::Real(rate))) => *rate,
        _ => panic!("no fact {name}"),
    }
}

/// The false positive rate on a million unseen keys.
fn unseen(filter: &Guarded) -> f64 {
    let non_members = 1u64 << 40..(1 << 40) + 1_000_000;
    non_members.filter(|&key| filter.contains(key)).count() as f64 / 1e6
}
