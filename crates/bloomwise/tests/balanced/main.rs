//! Balanced filters: balls and bins against the theory, filters against their plans, options, and forged files.
//!
//! Unless a comment says otherwise, bounds are five standard deviations. Seeds are fixed.

mod balls;
mod forged;
mod options;
mod plans;
mod rates;

use bloomwise::balanced::Plan;
use bloomwise::{Balanced, Builder, Filter, Insert};

const KEYS: u64 = 200_000;
const NON_MEMBERS: u64 = 1_000_000;

/// Builds a filter of `KEYS` keys and checks that it has no false negative.
fn filled(plan: &Plan, builder: &Builder<Balanced>) -> Balanced {
    let mut filter = builder.create().expect("a valid plan");
    filter.extend(0..KEYS);
    assert!((0..KEYS).all(|key| filter.contains(key)), "{plan:?}");
    filter
}

/// The number of false positives among `NON_MEMBERS` non-members.
fn false_positives(filter: &impl Filter) -> f64 {
    let non_members = KEYS..KEYS + NON_MEMBERS;
    let answers = filter.contains_batch(non_members);
    answers.iter().filter(|&&yes| yes).count() as f64
}
