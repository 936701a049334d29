//! Seesaw filters: they have no false negatives after any sequence of changes, in one thread or in many. Their rates are those of the
//! theory. Loading rejects damaged files.

mod forged;
mod plans;
mod rates;
mod sequences;
mod threads;

use bloomwise::{Filter, KeySets, Seesaw};
use std::ops::Range;

/// Key sets with these known negatives, which all cost the same, and no positives.
fn equal_negatives(range: Range<u64>) -> KeySets {
    let none: [u64; 0] = [];
    KeySets::new(none, range.map(|key| (key, 1.0))).expect("sound costs")
}

/// The number of keys in a range for which the filter answers "yes".
fn found(filter: &Seesaw, keys: Range<u64>) -> f64 {
    let found = filter.contains_batch(keys);
    found.iter().filter(|&&yes| yes).count() as f64
}
