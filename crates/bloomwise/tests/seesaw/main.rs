//! Seesaw filters: no key of the set is ever denied, whatever comes, goes and is guarded, in one thread or in many; rates are
//! those of the theory; damaged files are found out.

mod forged;
#[path = "../naive/mod.rs"]
#[allow(dead_code, reason = "one of the models is used")]
mod naive;
mod plans;
mod rates;
mod sequences;
mod threads;

use bloomwise::{Costed, Digest, Hashing, KeySets};
use std::ops::Range;

/// Digests of numbers.
fn numbers(range: Range<u64>) -> impl Iterator<Item = Digest> {
    range.map(|n| Hashing::default().digest(&n.to_le_bytes()))
}

/// Known negatives that cost the same, and no positives.
fn equal_negatives(range: Range<u64>) -> KeySets {
    let negatives = numbers(range).map(|digest| Costed { digest, cost: 1.0 });
    KeySets::new(Vec::new(), negatives.collect()).expect("sound costs")
}
