//! Sets of YCSB keys with known negatives and costs.
//!
//! Keys are `user` and the 64-bit hash of a counter, as in YCSB; 1,491,178 positives and 1,435,527 negatives, the
//! numbers of the HABF paper. Costs are equal, or follow Zipf's law in a random order. Rates on known negatives and on
//! unseen keys are shown side by side.

use crate::baseline::DigestFilter;
use crate::measure::Answers;
use crate::options::Options;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::KeySets;

/// The numbers of positives, negatives and unseen keys of the HABF paper's smaller data set, at this scale.
pub(crate) fn sizes(options: &Options) -> [u64; 3] {
    let (positives, negatives) = Source::Urls.published_sizes();
    [
        options.scaled(positives, 2000),
        options.scaled(negatives, 2000),
        options.scaled(2_000_000, 20_000),
    ]
}

/// Keys, and the cost of a false positive on each negative.
pub(crate) struct CostedSet {
    pub set: Set,
    pub costs: Vec<f64>,
}

impl CostedSet {
    /// Generates the given numbers of keys. The cost of a negative is `1 / rank^skew`, with random ranks.
    pub fn new([positives, negatives, unseen]: [u64; 3], skew: f64) -> Self {
        let costs = zipf::costs(negatives as usize, skew, 0);
        let set = Set::sized(Source::Users, positives, negatives, unseen);
        CostedSet { set, costs }
    }

    /// The input of a builder.
    pub fn sets(&self) -> Result<KeySets> {
        self.set.with_costs(&self.costs)
    }

    /// The rate by cost of `filter` on known negatives, and its rate on unseen keys. A false negative is an error.
    pub fn rates(&self, filter: &dyn DigestFilter) -> Result<[f64; 2]> {
        let answers = Answers::of(filter, &self.set)?;
        Ok([answers.weighted(&self.costs), answers.unseen])
    }

    /// The number of bits at `per_key` bits per key.
    pub fn bits(&self, per_key: f64) -> u64 {
        self.set.bits(per_key)
    }
}
