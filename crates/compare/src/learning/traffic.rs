//! What was learned from a log.

use super::KeySet;
use crate::measure::Events;
use bloomwise::learn::{Costliest, Learner};

/// The lengths of lists whose share of the cost is reported.
const LENGTHS: [usize; 3] = [1_000, 10_000, 100_000];

/// The traffic of a log.
pub struct Traffic<'a> {
    /// The keys that are present.
    pub set: &'a KeySet,
    /// The absent keys, those of merged sketches included.
    pub learner: Learner,
    /// All events.
    pub all: Events,
    /// About how many distinct keys they had.
    pub distinct: u64,
    /// The events of absent keys.
    pub absent: Events,
    /// Those of them whose keys are too long to be listed.
    pub too_long: u64,
}

impl Traffic<'_> {
    /// At most `most` of the costliest absent keys. Keys that are present now are left out: merged sketches may be older than the set.
    pub fn costliest(&self, most: usize) -> Costliest<'_> {
        (self.learner).costliest(most, |learned| !self.set.has(learned.key))
    }

    /// How the absent cost is spread over the costliest keys.
    pub fn spread(&self) -> Spread {
        let mut total = self.learner.total();
        let list = self.learner.costliest(LENGTHS[2], |learned| {
            let present = self.set.has(learned.key);
            total -= if present { learned.cost } else { 0.0 };
            !present
        });
        let (mut cost, mut half) = (0.0, None);
        let mut costs = [0.0; LENGTHS.len()];
        for (learned, number) in list.zip(1..) {
            cost += learned.cost;
            for (length, covered) in LENGTHS.into_iter().zip(&mut costs) {
                *covered = if number <= length { cost } else { *covered };
            }
            if half.is_none() && cost >= total / 2.0 {
                half = Some(number as u64);
            }
        }
        // What is left of a difference may be off by its rounding.
        let share = |covered: f64| (cost > 0.0).then(|| (covered / total.max(cost)).min(1.0));
        let coverage = [0, 1, 2].map(|at| (LENGTHS[at], share(costs[at])));
        Spread { coverage, half }
    }
}

/// How a cost is spread over keys.
pub struct Spread {
    /// The share of the cost that the costliest keys have, for lists of some lengths; at least that share, since costs are rather too low.
    pub coverage: [(usize, Option<f64>); 3],
    /// How many of the costliest keys have half of the cost, if these are not more than the longest list has.
    pub half: Option<u64>,
}
