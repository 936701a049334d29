//! What bloomwise is compared with: filters of other papers and of other crates, small and correct.
//!
//! All get the same number of bits, and what they store beside their cells is part of it. [`Member`] is what an accuracy
//! experiment needs of a filter of a fixed set; [`crates`] has those that take part in races only. The learned filters of the
//! HABF paper (LBF, Ada-BF, SLBF) are not here: they need a trained model of the keys, and no experiment of this lab
//! shows them.
//!
//! Filters of several layers give each a digest of its own (`of_layer`). With one digest for all, a key's places in a
//! layer are those in another, stretched: keys that collide in one collide in the next, and the layers filter together
//! hardly more than one of them.

mod cascade;
pub mod crates;
mod seeded;
mod stacked;
mod weighted;
mod xor;

pub use cascade::Cascade;
pub use seeded::Seeded;
pub use stacked::{Layer, Stacked};
pub use weighted::{Cells, Weighted};
pub use xor::Xor;

use bloomwise::{AnyFilter, Digest, Filter};
use std::error::Error;
use std::fmt;

/// A filter of a fixed set, asked by digest.
pub trait Member: Sync + Send {
    /// Whether the key may be in the set.
    fn has(&self, digest: Digest) -> bool;

    /// The bits of all that it needs to answer.
    fn bits(&self) -> u64;
}

impl Member for AnyFilter {
    fn has(&self, digest: Digest) -> bool {
        self.contains_digest(digest)
    }

    fn bits(&self) -> u64 {
        self.size_in_bits()
    }
}

/// The digest by which a layer knows a key; the first takes the key's own.
fn of_layer(digest: Digest, layer: u64) -> Digest {
    // No filter has so many functions that it asks for these itself.
    let function = |part: u64| digest.function(1 << 32 | layer << 1 | part);
    match layer {
        0 => digest,
        _ => Digest {
            high: function(1),
            low: function(0),
        },
    }
}

/// A filter cannot be as small as it was asked to be.
#[derive(Debug)]
pub struct TooSmall(u64);

impl fmt::Display for TooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such filter fits {} bits", self.0)
    }
}

impl Error for TooSmall {}

#[cfg(test)]
pub(crate) mod tests {
    use super::Member;
    use crate::workload::{Set, Source};

    /// A set for tests of rates.
    pub fn set() -> Set {
        Set::sized(Source::Users, 20_000, 20_000, 200_000)
    }

    /// Asserts that no positive is denied, and that the rate on unseen keys is this, within five standard deviations
    /// and so many percent.
    pub fn check(filter: &dyn Member, set: &Set, budget: u64, rate: f64, percent: f64) {
        let denied = set.positives.iter().filter(|&&d| !filter.has(d)).count();
        assert_eq!(denied, 0, "false negatives");
        assert!(
            filter.bits() <= budget + 64 * 12,
            "{} of {budget} bits",
            filter.bits()
        );
        let asked = set.unseen.len() as f64;
        let hits = set.unseen.iter().filter(|&&d| filter.has(d)).count() as f64;
        let bound = 5.0 * (asked * rate).sqrt() + asked * rate * percent / 100.0;
        assert!(
            (hits - asked * rate).abs() < bound,
            "{} instead of {rate}",
            hits / asked
        );
    }
}
