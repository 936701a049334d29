//! Sets of YCSB keys with known negatives and their costs.
//!
//! Keys are `user` and 64 bits of a hash of a counter, as YCSB makes them; 1,491,178 positives and 1,435,527 negatives,
//! the numbers of the HABF paper. Costs are equal, or follow Zipf's law over a random order. Rates on known and on
//! unseen negatives stand side by side.

use crate::baseline::Member;
use crate::measure::Answers;
use crate::options::Options;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::KeySets;

/// The numbers of the HABF paper's smaller data set, at this scale: positives, negatives, and unseen keys.
pub(crate) fn sizes(options: &Options) -> [u64; 3] {
    let (positives, negatives) = Source::Urls.published();
    [
        options.scaled(positives, 2000),
        options.scaled(negatives, 2000),
        options.scaled(2_000_000, 20_000),
    ]
}

/// Keys, and what a mistake on each of the negatives costs.
pub(crate) struct Data {
    pub set: Set,
    pub costs: Vec<f64>,
}

impl Data {
    /// So many of each; the cost of a negative is `1 / rank^skew`, ranks being dealt out at random.
    pub fn new([positives, negatives, unseen]: [u64; 3], skew: f64) -> Self {
        let costs = zipf::costs(negatives as usize, skew, 0);
        let set = Set::sized(Source::Users, positives, negatives, unseen);
        Data { set, costs }
    }

    /// What builders take.
    pub fn sets(&self) -> Result<KeySets> {
        self.set.with_costs(&self.costs)
    }

    /// What a filter answers: the rate by cost on known negatives, and the rate on unseen ones. Denying a key is an error.
    pub fn rates(&self, filter: &dyn Member) -> Result<[f64; 2]> {
        let answers = Answers::of(filter, &self.set)?;
        Ok([answers.weighted(&self.costs), answers.unseen])
    }

    /// The budget of so many bits per key.
    pub fn bits(&self, per_key: f64) -> u64 {
        (per_key * self.set.positives.len() as f64) as u64
    }
}
