//! How often a filter is wrong, and how long a query takes.
//!
//! Keys are in memory. They are looked up one at a time, and the time includes hashing. The first pass counts the answers and
//! warms the caches; passes that are timed follow ([`pass`]).

use super::samples::{Negatives, sum};
use super::{Pace, per};
use crate::io::key_list::KeyList;
use crate::io::progress;
use bloomwise::{AnyFilter, Filter};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The answers for keys of the set.
pub struct Members {
    /// The number of keys.
    pub count: u64,
    /// The number of false negatives; must be 0.
    pub denied: u64,
    /// The first false negative.
    pub first_denied: Option<Vec<u8>>,
    /// The time per query, once it was measured.
    pub pace: Option<Pace>,
}

/// The answers for keys outside the set.
pub struct Mistakes {
    /// The number of keys.
    pub count: u64,
    /// The number of false positives.
    pub false_positives: u64,
    /// The false positive rate.
    pub rate: Option<f64>,
    /// The cost of the false positives, as a share of the cost of all keys.
    pub weighted_rate: Option<f64>,
    /// The time per query, once it was measured.
    pub pace: Option<Pace>,
}

/// Looks up keys of the set.
pub fn members(filter: &AnyFilter, keys: &KeyList) -> Members {
    progress::during("querying positives", || {
        let mut denied = keys.iter().filter(|key| !filter.contains(key)).peekable();
        let first_denied = denied.peek().map(|key| key.to_vec());
        Members {
            count: keys.len() as u64,
            denied: denied.count() as u64,
            first_denied,
            pace: None,
        }
    })
}

/// Looks up keys outside the set.
pub fn mistakes(filter: &AnyFilter, negatives: &Negatives) -> Mistakes {
    progress::during("querying negatives", || {
        let costed = negatives.keys.iter().zip(&negatives.costs);
        let wrong = costed.filter(|(key, _)| filter.contains(key));
        let costs: Vec<f64> = wrong.map(|(_, &cost)| cost).collect();
        let (count, false_positives) = (negatives.keys.len() as u64, costs.len() as u64);
        let (cost, total) = (sum(costs), negatives.total_cost());
        Mistakes {
            count,
            false_positives,
            rate: per(false_positives as f64, count),
            // There are no shares of a total that is zero or infinite.
            weighted_rate: (total > 0.0 && total.is_finite()).then(|| cost / total),
            pace: None,
        }
    })
}

/// How long it takes to look up all keys.
pub fn pass(filter: &AnyFilter, keys: &KeyList) -> Duration {
    let start = Instant::now();
    for key in keys.iter() {
        black_box(filter.contains(black_box(key)));
    }
    start.elapsed()
}
