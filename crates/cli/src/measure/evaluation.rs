//! Everything that is measured for one filter.

use super::queries::{self, Members, Mistakes};
use super::{Pace, Samples, per};
use bloomwise::{AnyFilter, Filter};

/// The measurements of one filter.
pub struct Evaluation {
    /// The kind of the filter.
    pub kind: &'static str,
    /// The size of the filter in bytes.
    pub bytes: u64,
    /// The size of the filter in bits per key, if it has keys.
    pub bits_per_key: Option<f64>,
    /// The answers for positives.
    pub members: Members,
    /// The answers for known negatives, if there are any.
    pub known: Option<Mistakes>,
    /// The answers for unseen negatives, if there are any.
    pub unseen: Option<Mistakes>,
    /// The number of negatives that were left out because they are positives.
    pub overlap: u64,
    /// The number of empty keys that were skipped.
    pub skipped: u64,
}

impl Evaluation {
    /// Measures a filter.
    pub fn of(filter: &AnyFilter, samples: &Samples) -> Self {
        let mistakes = |negatives| queries::mistakes(filter, negatives);
        Evaluation {
            kind: filter.family().name(),
            bytes: filter.size_in_bits() / 8,
            bits_per_key: per(filter.size_in_bits() as f64, filter.len()),
            members: queries::members(filter, &samples.positives),
            known: samples.known.as_ref().map(mistakes),
            unseen: samples.unseen.as_ref().map(mistakes),
            overlap: samples.overlap(),
            skipped: samples.skipped,
        }
    }

    /// The time per query for a key outside the set.
    pub fn non_member_pace(&self) -> Option<Pace> {
        let negatives = self.known.as_ref().or(self.unseen.as_ref());
        negatives.and_then(|negatives| negatives.pace)
    }
}
