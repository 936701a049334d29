//! Filters under one set of operations: bloomwise's by name, small and correct versions of filters from other papers, and filters of other
//! crates.
//!
//! All get the same number of bits, and whatever they store besides their cells counts. [`DigestFilter`] is what an accuracy
//! experiment needs from a filter of a fixed set. The filters in [`peers::crates`] only take part in races. `papers` has the papers' own
//! filters, among them the learned filters that HABF is compared with; those need keys, not only digests.
//!
//! Filters with several layers use a separate digest for each layer (`layer_digest`). With one digest for all, a key's
//! positions in one layer would be those in another, scaled. Keys that collide in one layer would collide in the next,
//! and all layers together would filter hardly better than one.

pub mod changing;
pub mod contender;
pub mod papers;
pub mod peers;
pub mod subject;

pub use papers::{Cascade, Path, Seeded, Stacked, Walk, Weighted, rate_by_slot};
pub use peers::{Clubcard, Xor, xor_hash};

use crate::data::digest_of;
use crate::prelude::*;
use bloomwise::unstable::Lookup;
use std::error::Error;
use std::fmt;

/// A filter of a fixed set, queried by digest.
pub trait DigestFilter: Sync + Send {
    /// Returns whether the key may be in the set.
    fn may_contain(&self, digest: Digest) -> bool;

    /// The same for many keys. A filter that can prefetch is faster this way.
    fn answer(&self, digests: &[Digest], answers: &mut [bool]) {
        for (&digest, answer) in digests.iter().zip(answers) {
            *answer = self.may_contain(digest);
        }
    }

    /// The size in bits of everything a query needs.
    fn bits(&self) -> u64;
}

/// Keys that are queried together.
const BATCH: usize = 4096;

/// The numbers of the keys that a filter accepts, in order.
pub fn accepted(filter: &dyn DigestFilter, digests: &[Digest]) -> Vec<u32> {
    let batch = |(number, digests): (usize, &[Digest])| {
        let mut answers = [false; BATCH];
        filter.answer(digests, &mut answers[..digests.len()]);
        let numbers = (0..digests.len()).filter(|&at| answers[at]);
        let numbers = numbers.map(|at| (BATCH * number + at) as u32);
        numbers.collect::<Vec<u32>>()
    };
    let batches = digests.par_chunks(BATCH).enumerate().map(batch);
    batches.flatten_iter().collect()
}

impl DigestFilter for AnyFilter {
    fn may_contain(&self, digest: Digest) -> bool {
        self.query(digest)
    }

    fn answer(&self, digests: &[Digest], answers: &mut [bool]) {
        self.query_batch(digests, answers);
    }

    fn bits(&self) -> u64 {
        self.size_in_bits()
    }
}

/// The digest of a key in layer `layer`; layer 0 uses the key's own digest.
fn layer_digest(digest: Digest, layer: u64) -> Digest {
    // No filter has enough functions to use these numbers itself.
    let function = |part: u64| digest.function(1 << 32 | layer << 1 | part);
    match layer {
        0 => digest,
        _ => digest_of(function(1), function(0)),
    }
}

/// The filter does not fit into the requested number of bits.
#[derive(Debug)]
pub struct TooSmall(pub u64);

impl fmt::Display for TooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the filter does not fit into {} bits; allow more bits per key",
            self.0
        )
    }
}

impl Error for TooSmall {}

#[cfg(test)]
pub mod tests {
    use super::DigestFilter;
    use crate::data::{Set, Source};

    /// A set for tests of rates.
    pub fn set() -> Set {
        Set::sized(Source::Users, 20_000, 20_000, 200_000)
    }

    /// Asserts that there are no false negatives, and that the rate on unseen keys is `rate` within five standard
    /// deviations plus `percent` percent.
    pub fn check(filter: &dyn DigestFilter, set: &Set, budget: u64, rate: f64, percent: f64) {
        let false_negatives = set
            .positives
            .iter()
            .filter(|&&d| !filter.may_contain(d))
            .count();
        assert_eq!(false_negatives, 0, "false negatives");
        assert!(
            filter.bits() <= budget + 64 * 12,
            "{} of {budget} bits",
            filter.bits()
        );
        let queries = set.unseen.len() as f64;
        let hits = set
            .unseen
            .iter()
            .filter(|&&d| filter.may_contain(d))
            .count() as f64;
        let bound = 5.0 * (queries * rate).sqrt() + queries * rate * percent / 100.0;
        assert!(
            (hits - queries * rate).abs() < bound,
            "{} instead of {rate}",
            hits / queries
        );
    }
}
