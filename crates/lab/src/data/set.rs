//! Positives, known negatives and unseen keys, as digests.

use super::{as_digests, files, flow, url, user, zipf};
use crate::prelude::*;

/// Where keys come from: the papers' data sets, or substitutes for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// URLs, in place of Shalla's blacklists. Files replace them if a folder is given.
    Urls,
    /// Keys in YCSB's format.
    Users,
    /// Flows, in place of CAIDA's traces.
    Flows,
}

impl Source {
    /// The name in tables and titles.
    pub fn name(self) -> &'static str {
        match self {
            Source::Urls => "URL-like keys",
            Source::Users => "YCSB keys",
            Source::Flows => "flow keys",
        }
    }

    /// The number of positives and of negatives in the paper's data set.
    pub fn published_sizes(self) -> (u64, u64) {
        match self {
            Source::Urls => (1_491_178, 1_435_527),
            Source::Users => (12_500_611, 11_574_201),
            Source::Flows => (5_603_095, 5_004_012),
        }
    }

    /// The same at the scale of `options`.
    pub fn scaled_sizes(self, options: &Options) -> [u64; 2] {
        let (positives, negatives) = self.published_sizes();
        [positives, negatives].map(|count| options.scaled(count, LEAST))
    }

    /// The key number `n`. URLs look different if they are `positive`.
    pub fn key(self, n: u64, positive: bool) -> Vec<u8> {
        match self {
            Source::Urls => url(n, positive).into_bytes(),
            Source::Users => user(n).into_bytes(),
            Source::Flows => flow(n).to_vec(),
        }
    }

    fn digest(self, n: u64, positive: bool) -> Digest {
        Hashing::default().digest(self.key(n, positive))
    }
}

/// The sets of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// The name.
    pub name: String,
    /// The keys of the set.
    pub positives: Vec<Digest>,
    /// Keys outside the set that a filter may know.
    pub negatives: Vec<Digest>,
    /// The cost of a false positive on each of these, if files provide it.
    pub costs: Option<Vec<f64>>,
    /// Keys outside the set that no filter knows.
    pub unseen: Vec<Digest>,
}

/// The minimum number of keys at any scale; with fewer, rates are mostly chance.
const LEAST: u64 = 2000;

impl Set {
    /// Whether the set stands in for a paper's data set, so that published numbers apply. Sets from files do not.
    pub fn is_published_set(&self) -> bool {
        self.costs.is_none()
    }

    /// The set of `source` at the scale of `options`.
    pub fn new(source: Source, options: &Options) -> Result<Self> {
        if let (Source::Urls, Some(folder)) = (source, &options.data) {
            return files::read(folder);
        }
        let [positives, negatives] = source.scaled_sizes(options);
        let unseen = options.scaled(2_000_000, 20_000);
        Ok(Self::sized(source, positives, negatives, unseen))
    }

    /// A set with the given number of each sort of key.
    pub fn sized(source: Source, positives: u64, negatives: u64, unseen: u64) -> Self {
        let digests = |from: u64, count: u64, positive: bool| {
            let numbers = (from..from + count).into_par_iter();
            numbers.map(|n| source.digest(n, positive)).collect()
        };
        Set {
            name: source.name().to_string(),
            positives: digests(0, positives, true),
            negatives: digests(positives, negatives, false),
            costs: None,
            unseen: digests(positives + negatives, unseen, false),
        }
    }

    /// YCSB keys, as many of each sort, whose negatives have costs by Zipf's law in a random order.
    pub fn costed([positives, negatives, unseen]: [u64; 3], skew: f64) -> Self {
        Set {
            costs: Some(zipf::costs(negatives as usize, skew, 0)),
            ..Self::sized(Source::Users, positives, negatives, unseen)
        }
    }

    /// The numbers of positives, negatives and unseen keys of the HABF paper's smaller data set, at this scale.
    pub fn paper_sizes(options: &Options) -> [u64; 3] {
        let [positives, negatives] = Source::Urls.scaled_sizes(options);
        [positives, negatives, options.scaled(2_000_000, 20_000)]
    }

    /// The input of a builder: the positives, and the negatives with their own costs.
    pub fn sets(&self) -> Result<KeySets> {
        match &self.costs {
            Some(costs) => self.with_costs(costs),
            None => self.with_equal_costs(),
        }
    }

    /// The rate by cost of `filter` on known negatives, and its rate on unseen keys. A false negative is an error.
    pub fn rates(&self, filter: &dyn DigestFilter) -> Result<[f64; 2]> {
        let answers = Answers::of(filter, self)?;
        let known = match &self.costs {
            Some(costs) => answers.weighted(costs),
            None => answers.known(self),
        };
        Ok([known, answers.unseen])
    }

    /// The input of a builder: the positives, and the negatives with `costs`.
    pub fn with_costs(&self, costs: &[f64]) -> Result<KeySets> {
        let mut sets = KeySets::builder(Hashing::default());
        sets.positive_digests(as_digests(&self.positives))?
            .negative_digests(&as_digests(&self.negatives), costs)?;
        Ok(sets.build()?)
    }

    /// The input of a builder: the positives, and the negatives with cost 1.
    pub fn with_equal_costs(&self) -> Result<KeySets> {
        self.with_costs(&vec![1.0; self.negatives.len()])
    }

    /// The number of bits at `per_key` bits per positive.
    pub fn bits(&self, per_key: f64) -> u64 {
        (per_key * self.positives.len() as f64) as u64
    }

    /// A description for titles.
    pub fn describe(&self) -> String {
        format!(
            "{} {}: {} positives, {} known negatives, {} unseen keys",
            self.positives.len() + self.negatives.len(),
            self.name,
            self.positives.len(),
            self.negatives.len(),
            self.unseen.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_reproducible_and_disjoint() {
        for source in [Source::Urls, Source::Users, Source::Flows] {
            let set = Set::sized(source, 3000, 2000, 1000);
            let again = Set::sized(source, 3000, 2000, 1000);
            assert_eq!(set.positives, again.positives);
            let mut all = [set.positives, set.negatives, set.unseen].concat();
            assert_eq!(all.len(), 6000);
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 6000, "{}", source.name());
        }
    }
}
