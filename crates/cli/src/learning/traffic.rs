//! What was learnt from a log.

use super::KeySet;
use bloomwise::learn::{Learned, Learner};

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
}

/// A number of events and their cost.
#[derive(Clone, Copy, Default)]
pub struct Events {
    /// The number.
    pub count: u64,
    /// The cost.
    pub cost: f64,
}

impl Events {
    /// Adds an event.
    pub fn add(&mut self, cost: f64) {
        self.count += 1;
        self.cost += cost;
    }
}

impl Traffic<'_> {
    /// The costliest absent keys. A key that came later is left out: learners that were merged may be older than the set.
    pub fn costliest(&self, most: usize) -> Vec<Learned<'_>> {
        let list = self.learner.top(most);
        let keys: Vec<&[u8]> = list.iter().map(|learned| learned.key).collect();
        let present = self.set.contains(&keys);
        let pairs = list.into_iter().zip(present);
        pairs
            .filter_map(|(learned, present)| (!present).then_some(learned))
            .collect()
    }

    /// How the absent cost is spread over the costliest keys.
    pub fn spread(&self) -> Spread {
        let list = self.learner.top(LENGTHS[2]);
        let total = self.learner.total();
        let (mut cost, mut half) = (0.0, None);
        let mut sums = Vec::with_capacity(list.len());
        for learned in list {
            cost += learned.cost;
            sums.push(cost);
            if half.is_none() && cost >= total / 2.0 {
                half = Some(sums.len() as u64);
            }
        }
        let coverage = LENGTHS.map(|length| {
            let cost = sums.get(length - 1).or(sums.last());
            let share = cost.filter(|_| total > 0.0).map(|cost| cost / total);
            (length, share)
        });
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
