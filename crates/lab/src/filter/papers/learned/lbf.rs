//! The learned Bloom filter: a threshold, and a backup filter for the keys below it.
//!
//! The threshold is that of the paper: the model and the backup filter err equally often. With a fixed size, a lower
//! threshold means more errors of the model and fewer keys in the backup filter, so there is one such threshold.

use super::{Curve, Part, Scored, ScoredFilter, bloom_rate};
use anyhow::Result;

/// A learned Bloom filter.
pub struct Lbf {
    threshold: i32,
    backup: Part,
}

impl Lbf {
    /// The filter in `bits` bits, besides the model. `negatives` set the threshold.
    pub fn build(positives: &[Scored], negatives: &[Scored], bits: u64) -> Result<Self> {
        let per_key = bits as f64 / positives.len().max(1) as f64;
        let worse = |[found, wrong]: [f64; 2]| {
            let missed = 1.0 - found;
            let backup = if missed > 0.0 {
                bloom_rate(per_key / missed)
            } else {
                0.0
            };
            f64::max(wrong, backup)
        };
        let best = Curve::new(positives, negatives)
            .thresholds()
            .min_by(|a, b| worse(a.1).total_cmp(&worse(b.1)));
        let threshold = best.map_or(i32::MAX, |(threshold, _)| threshold);
        let below = positives.iter().filter(|key| key.score < threshold);
        Ok(Lbf {
            threshold,
            backup: Part::build(below.map(|key| key.digest), bits as f64, 1)?,
        })
    }
}

impl ScoredFilter for Lbf {
    fn may_contain(&self, key: Scored) -> bool {
        key.score >= self.threshold || self.backup.holds(key.digest)
    }

    fn bits(&self) -> u64 {
        self.backup.bits()
    }
}
