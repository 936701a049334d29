//! Guarded filters: what holds for them beyond what `known.rs` has for all that look at their negatives.

mod exact;
mod plans;

use bloomwise::guarded::GuardedBuilder;
use bloomwise::{Costed, Digest, Filter, Guarded, Hashing, KeySets, Report, Value};

fn digest(n: u64) -> Digest {
    Hashing::default().digest(&n.to_le_bytes())
}

/// So many positives from a number on, and after them negatives of these costs.
fn sets_from(start: u64, positives: u64, costs: impl Iterator<Item = f64>) -> KeySets {
    let costed = |(n, cost)| Costed {
        digest: digest(start + positives + n),
        cost,
    };
    let negatives = (0..).zip(costs).map(costed).collect();
    let positives = (start..start + positives).map(digest).collect();
    KeySets::new(positives, negatives).expect("sound costs")
}

/// Positives `0..n`, negatives after them, the cost of which is `1 / rank^skew`.
fn sets(positives: u64, negatives: u64, skew: f64) -> KeySets {
    let costs = (0..negatives).map(|n| (n as f64 + 1.0).powf(-skew));
    sets_from(0, positives, costs)
}

/// The filter, after a look that no positive is denied, and that what the report says of the negatives is so.
fn build(builder: &GuardedBuilder, sets: &KeySets) -> (Guarded, Report) {
    let (filter, report) = builder.build_and_report(sets).expect("a sound wish");
    let denied = sets
        .positives()
        .iter()
        .filter(|&&d| !filter.contains_digest(d));
    assert_eq!(denied.count(), 0, "a false negative");
    let right = sets
        .negatives()
        .iter()
        .filter(|n| !filter.contains_digest(n.digest));
    assert_eq!(right.count() as u64, report.guarded);
    (filter, report)
}

fn fact(report: &Report, name: &str) -> f64 {
    match report.facts.iter().find(|(known, _)| *known == name) {
        Some((_, Value::Whole(count))) => *count as f64,
        Some((_, Value::Real(rate))) => *rate,
        _ => panic!("no fact {name}"),
    }
}

/// The rate on a million keys that nobody has seen.
fn unseen(filter: &Guarded) -> f64 {
    let strangers = (1 << 40..(1 << 40) + 1_000_000).map(digest);
    strangers.filter(|&d| filter.contains_digest(d)).count() as f64 / 1e6
}
