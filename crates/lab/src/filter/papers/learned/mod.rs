//! Learned filters: the three that the HABF paper compares with.
//!
//! A model gives every key a score; keys of the set tend to have higher ones. It errs on both sides, so each filter adds
//! Bloom filters:
//!
//! | filter | a key with score `s` is accepted if | paper |
//! |---|---|---|
//! | [`Lbf`] | `s` reaches a threshold, or the backup filter holds the key | Kraska et al., "The case for learned index structures", 2018 |
//! | [`Sandwiched`] | a first filter holds the key, and then as above | Mitzenmacher, "A model for learned Bloom filters and optimizing by sandwiching", 2018 |
//! | [`AdaBf`] | as many bits are set as its group of scores requires | Dai, Shrivastava, "Adaptive learned Bloom filter", 2019 |
//!
//! *No false negatives*: scores are sums of whole numbers, so a key has the same score on every machine and at every
//! time. A key of the set below the threshold is in the backup filter; in Ada-BF it is inserted with the functions of its own group.
//!
//! The model ([`Model`]) counts as part of the filter. The filters take scores, not keys, so they can be tested without
//! a model.

mod ada;
mod lbf;
mod model;
mod sandwiched;

pub use ada::AdaBf;
pub use lbf::Lbf;
pub use model::Model;
pub use sandwiched::Sandwiched;

use super::layer_digest;
use crate::prelude::*;
use bloomwise::unstable::Lookup;
use bloomwise::{Bloom, Insert};
use std::f64::consts::LN_2;

/// A key: its digest, and its score by a model.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    /// The digest.
    pub digest: Digest,
    /// The score.
    pub score: i32,
}

/// A filter of keys with scores.
pub trait ScoredFilter: Sync + Send {
    /// Returns whether the key may be in the set.
    fn may_contain(&self, key: Scored) -> bool;

    /// The size in bits, without the model.
    fn bits(&self) -> u64;
}

/// The rate of a Bloom filter with `bits` bits per key, as the three papers have it: `0.6185^bits`.
fn bloom_rate(bits_per_key: f64) -> f64 {
    (-bits_per_key * LN_2 * LN_2).exp()
}

/// How many keys of either side reach a score.
struct Curve {
    positives: Vec<i32>,
    negatives: Vec<i32>,
}

/// The number of thresholds to try.
const THRESHOLDS: usize = 400;

impl Curve {
    fn new(positives: &[Scored], negatives: &[Scored]) -> Self {
        let sorted = |keys: &[Scored]| {
            let mut scores: Vec<i32> = keys.iter().map(|key| key.score).collect();
            scores.sort_unstable();
            scores
        };
        Curve {
            positives: sorted(positives),
            negatives: sorted(negatives),
        }
    }

    /// The shares of positives and of negatives that reach `threshold`.
    fn shares(&self, threshold: i32) -> [f64; 2] {
        [&self.positives, &self.negatives].map(|scores| {
            let below = scores.partition_point(|&score| score < threshold);
            (scores.len() - below) as f64 / scores.len().max(1) as f64
        })
    }

    /// Thresholds that a share of the negatives reaches, from none to all, dense where few do; and that share with the
    /// share of positives.
    fn thresholds(&self) -> impl Iterator<Item = (i32, [f64; 2])> + '_ {
        let count = self.negatives.len();
        let lowest = 0.5 / count.max(1) as f64;
        (0..=THRESHOLDS).map(move |step| {
            let share = lowest.powf(1.0 - step as f64 / THRESHOLDS as f64);
            let reach = (share * count as f64) as usize;
            let threshold = match count.checked_sub(reach) {
                Some(at) if at < count => self.negatives[at],
                // Above all negatives.
                _ => self
                    .negatives
                    .last()
                    .map_or(i32::MIN, |&most| most.saturating_add(1)),
            };
            (threshold, self.shares(threshold))
        })
    }
}

/// A Bloom filter that takes part in a learned one, with digests of its own layer. Nothing at all if it has no keys.
struct Part {
    filter: Option<Bloom>,
    layer: u64,
}

impl Part {
    fn build(keys: impl Iterator<Item = Digest>, bits: f64, layer: u64) -> Result<Self> {
        let digests: Vec<Digest> = keys.map(|digest| layer_digest(digest, layer)).collect();
        if digests.is_empty() {
            return Ok(Part {
                filter: None,
                layer,
            });
        }
        let builder = Bloom::builder(Size::Bits((bits as u64).max(64)));
        let mut filter = builder.capacity(digests.len() as u64).create()?;
        filter.insert_digests(&as_digests(&digests))?;
        Ok(Part {
            filter: Some(filter),
            layer,
        })
    }

    fn holds(&self, digest: Digest) -> bool {
        let found = |filter: &Bloom| filter.query(layer_digest(digest, self.layer));
        self.filter.as_ref().is_some_and(found)
    }

    fn bits(&self) -> u64 {
        self.filter.as_ref().map_or(0, Filter::size_in_bits)
    }
}

#[cfg(test)]
mod tests;
