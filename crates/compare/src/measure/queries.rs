//! How often a filter is wrong, and how long a query takes.
//!
//! Keys are in memory. They are looked up one at a time, and the time includes hashing. The first pass counts the answers and
//! warms the caches; passes that are timed follow ([`pass`]).

use super::samples::{Negatives, sum};
use super::{Pace, per};
use crate::host::{Host, during};
use crate::keys::KeyList;
use bloomwise::keys::CostSum;
use bloomwise::{AnyFilter, Filter};
use std::hint::black_box;
use std::time::Duration;

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
    /// The false positive rate: each key counts once.
    pub rate: Option<f64>,
    /// How often the keys are looked up: the number of lines that name them.
    pub lookups: u64,
    /// The false positive rate of these look-ups.
    pub lookup_rate: Option<f64>,
    /// The cost of all keys.
    pub total: CostSum,
    /// The cost of the false positives.
    pub cost: CostSum,
    /// The cost of the false positives, as a share of the cost of all keys.
    pub weighted_rate: Option<f64>,
    /// The costliest false positives, the costliest first.
    pub costliest: Vec<Costly>,
    /// The time per query, once it was measured.
    pub pace: Option<Pace>,
}

/// Looks up keys of the set.
pub fn members(filter: &AnyFilter, keys: &KeyList, host: &dyn Host) -> Members {
    during(host, "querying positives", || {
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

/// How many of the costliest false positives are kept.
const COSTLIEST: usize = 10;

/// A false positive.
#[derive(Clone, Debug, PartialEq)]
pub struct Costly {
    /// The key.
    pub key: Vec<u8>,
    /// What the mistake costs.
    pub cost: f64,
}

/// Looks up keys outside the set.
pub fn mistakes(filter: &AnyFilter, negatives: &Negatives, host: &dyn Host) -> Mistakes {
    during(host, "querying negatives", || {
        let wrong = negatives.iter().filter(|(key, ..)| filter.contains(key));
        let wrong: Vec<(&[u8], f64, u64)> = wrong.collect();
        let (count, false_positives) = (negatives.keys.len() as u64, wrong.len() as u64);
        let lookups: u64 = negatives.lookups.iter().sum();
        let wrong_lookups: u64 = wrong.iter().map(|(_, _, lookups)| lookups).sum();
        let cost = sum(wrong.iter().map(|&(_, cost, _)| cost).collect());
        let total = negatives.total_cost();
        Mistakes {
            count,
            false_positives,
            rate: per(false_positives as f64, count),
            lookups,
            lookup_rate: per(wrong_lookups as f64, lookups),
            total,
            cost,
            weighted_rate: cost.share_of(total),
            costliest: costliest(wrong),
            pace: None,
        }
    })
}

/// The costliest keys. Of keys that cost the same, those that come first in the alphabet.
fn costliest(mut keys: Vec<(&[u8], f64, u64)>) -> Vec<Costly> {
    let order = |one: &(&[u8], f64, u64), other: &(&[u8], f64, u64)| {
        other.1.total_cmp(&one.1).then(one.0.cmp(other.0))
    };
    if keys.len() > COSTLIEST {
        keys.select_nth_unstable_by(COSTLIEST, order);
        keys.truncate(COSTLIEST);
    }
    keys.sort_unstable_by(order);
    let costly = |(key, cost, _): (&[u8], f64, u64)| Costly {
        key: key.to_vec(),
        cost,
    };
    keys.into_iter().map(costly).collect()
}

/// How long it takes to look up all keys.
pub fn pass(filter: &AnyFilter, keys: &KeyList, host: &dyn Host) -> Duration {
    let start = host.now();
    for key in keys.iter() {
        black_box(filter.contains(black_box(key)));
    }
    host.now() - start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costliest_keys_come_first_and_ties_follow_the_alphabet() {
        let names: Vec<String> = (0..30).map(|number| format!("key{number:02}")).collect();
        let keys = (names.iter().rev()).map(|name| {
            let cost = if name == "key17" { 9.0 } else { 1.0 };
            (name.as_bytes(), cost, 1)
        });
        let found = costliest(keys.collect());
        let found: Vec<&str> = (found.iter())
            .map(|costly| std::str::from_utf8(&costly.key).expect("text"))
            .collect();
        assert_eq!(found.len(), COSTLIEST);
        assert_eq!(found[..4], ["key17", "key00", "key01", "key02"]);
        assert!(costliest(Vec::new()).is_empty());
    }
}
