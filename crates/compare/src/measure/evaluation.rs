//! Everything that is measured for one filter.

use super::queries::{self, Members, Mistakes};
use super::{PASSES, Pace, Samples, per};
use crate::host::{Host, during};
use bloomwise::keys::CostSum;
use bloomwise::{AnyFilter, Filter};
use std::time::Duration;

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
    /// Measures a filter, its speed included.
    pub fn of(filter: &AnyFilter, samples: &Samples, host: &dyn Host) -> Self {
        let mut evaluation = Self::of_answers(filter, samples, host);
        let mut times = QueryTimes::default();
        during(host, "measuring times", || {
            (0..PASSES).for_each(|_| times.pass(filter, samples, host));
        });
        evaluation.set_times(times, samples);
        evaluation
    }

    /// Measures the answers of a filter, and not how long they take.
    pub fn of_answers(filter: &AnyFilter, samples: &Samples, host: &dyn Host) -> Self {
        let mistakes = |negatives| queries::mistakes(filter, negatives, host);
        Evaluation {
            kind: filter.family().name(),
            bytes: filter.size_in_bits() / 8,
            bits_per_key: per(filter.size_in_bits() as f64, filter.len()),
            members: queries::members(filter, &samples.positives, host),
            known: samples.known.as_ref().map(mistakes),
            unseen: samples.unseen.as_ref().map(mistakes),
            overlap: samples.overlap(),
            skipped: samples.skipped,
        }
    }

    /// Adds the times per query.
    pub fn set_times(&mut self, times: QueryTimes, samples: &Samples) {
        let [members, known, unseen] = times.0;
        self.members.pace = Pace::new(members, samples.positives.len() as u64);
        let sides = [(&mut self.known, known), (&mut self.unseen, unseen)];
        for (side, times) in sides {
            if let Some(mistakes) = side {
                mistakes.pace = Pace::new(times, mistakes.count);
            }
        }
    }

    /// The cost of all false positives, known and unseen, as a share of the cost of all keys outside the set.
    pub fn wasted(&self) -> Option<f64> {
        let sides = || [&self.known, &self.unseen].into_iter().flatten();
        let wrong: CostSum = sides().map(|side| side.cost).sum();
        wrong.share_of(sides().map(|side| side.total).sum())
    }

    /// The time per query for a key outside the set.
    pub fn non_member_pace(&self) -> Option<Pace> {
        let negatives = self.known.as_ref().or(self.unseen.as_ref());
        negatives.and_then(|negatives| negatives.pace)
    }
}

/// How long the passes over positives, known and unseen negatives took.
#[derive(Default)]
pub struct QueryTimes([Vec<Duration>; 3]);

impl QueryTimes {
    /// Looks up all keys once.
    pub fn pass(&mut self, filter: &AnyFilter, samples: &Samples, host: &dyn Host) {
        let negatives = [&samples.known, &samples.unseen].map(Option::as_ref);
        let [known, unseen] = negatives.map(|side| side.map(|side| &side.keys));
        for (times, keys) in self
            .0
            .iter_mut()
            .zip([Some(&samples.positives), known, unseen])
        {
            times.extend(keys.map(|keys| queries::pass(filter, keys, host)));
        }
    }
}
