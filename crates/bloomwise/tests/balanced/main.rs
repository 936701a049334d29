//! Balanced filters: balls and bins against the theory, filters against their plans, wishes, and forged files.
//!
//! All bounds are five standard deviations, or what the text says; seeds are fixed.

mod balls;
mod forged;
#[path = "../naive/mod.rs"]
mod naive;
mod plans;
mod rates;
mod wishes;

use bloomwise::balanced::{BalancedBuilder, Plan};
use bloomwise::{Balanced, Filter};

const KEYS: u64 = 200_000;
const STRANGERS: u64 = 1_000_000;

/// The filter of `KEYS` keys, all of which it must answer with "yes".
fn filled(plan: &Plan, builder: &BalancedBuilder) -> Balanced {
    let mut filter = builder.build().expect("a sound plan");
    filter.extend((0..KEYS).map(u64::to_le_bytes));
    assert!(
        (0..KEYS).all(|key| filter.contains(&key.to_le_bytes())),
        "{plan:?}"
    );
    filter
}

/// "Yes" on strangers.
fn mistakes(filter: &impl Filter) -> f64 {
    let strangers = KEYS..KEYS + STRANGERS;
    let hashing = filter.hashing();
    let digests: Vec<_> = strangers
        .map(|key| hashing.digest(&key.to_le_bytes()))
        .collect();
    let mut answers = Vec::new();
    filter.contains_digests(&digests, &mut answers);
    answers.iter().filter(|&&yes| yes).count() as f64
}
