//! Sets of YCSB keys with known negatives, and the rates of filters that are built with them.
//!
//! Keys are `user` and 64 bits of a hash of a counter, as YCSB makes them; 1,491,178 positives and 1,435,527 negatives,
//! the numbers of the HABF paper. Costs are equal, or follow Zipf's law over a random order. Rates on known and on
//! unseen negatives stand side by side.

use crate::workload::user;
use bloomwise::{AnyFilter, Costed, Digest, Filter, Hashing, KeySets, Size, Spec};

pub(crate) const POSITIVES: u64 = 1_491_178;
pub(crate) const NEGATIVES: u64 = 1_435_527;
pub(crate) const UNSEEN: u64 = 2_000_000;

/// Positives, negatives with costs, and strangers, as digests in the order of their making.
pub(crate) struct Data {
    pub positives: Vec<Digest>,
    pub negatives: Vec<Costed>,
    pub unseen: Vec<Digest>,
}

impl Data {
    /// So many of each; the cost of a negative is `1 / rank^skew`, ranks being dealt out at random.
    pub fn new(positives: u64, negatives: u64, unseen: u64, skew: f64) -> Self {
        Self::shuffled(positives, negatives, unseen, skew, 0)
    }

    /// The same, with ranks dealt out in another way for every shuffle.
    pub fn shuffled(positives: u64, negatives: u64, unseen: u64, skew: f64, shuffle: u64) -> Self {
        let digest = |n: u64| Hashing::default().digest(user(n).as_bytes());
        let order = |n: u64| digest(n ^ (1 + shuffle) << 40).low;
        let mut ranks: Vec<(u64, u64)> = (0..negatives).map(|n| (order(n), n)).collect();
        ranks.sort_unstable();
        let mut costs = vec![0.0; negatives as usize];
        for (rank, (_, n)) in (1u32..).zip(ranks) {
            costs[n as usize] = f64::from(rank).powf(-skew);
        }
        let outside = positives..positives + negatives;
        let costed = outside.zip(costs).map(|(n, cost)| Costed {
            digest: digest(n),
            cost,
        });
        let strangers = positives + negatives..positives + negatives + unseen;
        Data {
            positives: (0..positives).map(digest).collect(),
            negatives: costed.collect(),
            unseen: strangers.map(digest).collect(),
        }
    }

    pub fn sets(&self) -> KeySets {
        KeySets::new(self.positives.clone(), self.negatives.clone()).expect("sound costs")
    }
}

/// What a filter answers: the rate by cost on known negatives, and the rate on unseen ones. Checks that none is denied.
pub(crate) fn rates(filter: &AnyFilter, data: &Data) -> (f64, f64) {
    let denied = data
        .positives
        .iter()
        .filter(|&&d| !filter.contains_digest(d));
    assert_eq!(denied.count(), 0, "a false negative");
    let cost =
        |negatives: &mut dyn Iterator<Item = &Costed>| negatives.map(|n| n.cost).sum::<f64>();
    let wrong = &mut data
        .negatives
        .iter()
        .filter(|n| filter.contains_digest(n.digest));
    let known = cost(wrong) / cost(&mut data.negatives.iter());
    let unseen = data.unseen.iter().filter(|&&d| filter.contains_digest(d));
    (
        known + 0.0,
        unseen.count() as f64 / data.unseen.len() as f64,
    )
}

/// Kind, preset and settings.
pub(crate) fn spec(kind: &str, bits_per_key: f64, preset: &str, settings: &[(&str, &str)]) -> Spec {
    let mut spec = Spec::new(kind)
        .expect("a kind")
        .size(Size::BitsPerKey(bits_per_key));
    if !preset.is_empty() {
        spec = spec.preset(preset).expect("a preset");
    }
    for (name, value) in settings {
        spec = spec.set(name, value).expect("a setting");
    }
    spec
}
