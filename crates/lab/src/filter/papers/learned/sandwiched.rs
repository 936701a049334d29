//! The sandwiched learned filter: a Bloom filter of all keys, then a learned Bloom filter.
//!
//! With `b` bits per key, of which the backup filter has `b2`, and a model that accepts a share `p` of the negatives and
//! misses a share `n` of the positives, the rate is `a^(b - b2) (p + (1 - p) a^(b2 / n))`, where `a = 0.6185`. It is lowest at
//!
//! ```text
//! b2 = n log_a (p / ((1 - p) (1 / n - 1)))
//! ```
//!
//! whatever `b` is (section 4 of the paper). If `b` is smaller, all of it goes to the backup filter. The threshold is the one with the lowest
//! predicted rate.

use super::{Curve, Part, Scored, ScoredFilter, bloom_rate};
use anyhow::Result;
use std::f64::consts::LN_2;

/// A sandwiched learned Bloom filter.
pub struct Sandwiched {
    /// Holds all keys; nothing if all bits went to the backup filter.
    first: Option<Part>,
    threshold: i32,
    backup: Part,
}

/// The bits per key of the backup filter, and the rate that they give.
pub(super) fn divide(per_key: f64, [found, wrong]: [f64; 2]) -> (f64, f64) {
    let missed = 1.0 - found;
    let odds = wrong / ((1.0 - wrong) * (1.0 / missed - 1.0));
    let best = -missed * odds.ln() / (LN_2 * LN_2);
    let backup = if best.is_finite() {
        best.clamp(0.0, per_key)
    } else if missed > 0.0 && wrong < 1.0 {
        per_key
    } else {
        0.0
    };
    let of_backup = if missed > 0.0 {
        bloom_rate(backup / missed)
    } else {
        0.0
    };
    let rate = bloom_rate(per_key - backup) * (wrong + (1.0 - wrong) * of_backup);
    (backup, rate)
}

impl Sandwiched {
    /// The filter in `bits` bits, besides the model. `negatives` set the threshold.
    pub fn build(positives: &[Scored], negatives: &[Scored], bits: u64) -> Result<Self> {
        let count = positives.len().max(1) as f64;
        let per_key = bits as f64 / count;
        let best = Curve::new(positives, negatives)
            .thresholds()
            .map(|(threshold, shares)| (threshold, divide(per_key, shares)))
            .min_by(|a, b| a.1.1.total_cmp(&b.1.1));
        let (threshold, (backup, _)) = best.unwrap_or((i32::MAX, (per_key, 1.0)));
        let first = bits as f64 - backup * count;
        let all = positives.iter().map(|key| key.digest);
        let below = positives.iter().filter(|key| key.score < threshold);
        Ok(Sandwiched {
            first: if first < 64.0 {
                None
            } else {
                Some(Part::build(all, first, 0)?)
            },
            threshold,
            backup: Part::build(below.map(|key| key.digest), backup * count, 1)?,
        })
    }
}

impl ScoredFilter for Sandwiched {
    fn may_contain(&self, key: Scored) -> bool {
        let first = self.first.as_ref();
        first.is_none_or(|first| first.holds(key.digest))
            && (key.score >= self.threshold || self.backup.holds(key.digest))
    }

    fn bits(&self) -> u64 {
        self.first.as_ref().map_or(0, Part::bits) + self.backup.bits()
    }
}
