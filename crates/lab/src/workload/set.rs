//! Positives, known negatives and strangers, as digests.

use super::{files, flow, url, user};
use crate::options::Options;
use anyhow::Result;
use bloomwise::{Costed, Digest, Hashing, KeySets};
use rayon::prelude::*;

/// Where keys come from: the data sets of the papers, or what stands for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Addresses, for Shalla's blacklists; files take their place if a folder is given.
    Urls,
    /// Keys as YCSB makes them.
    Users,
    /// Flows, for the traces of CAIDA.
    Flows,
}

impl Source {
    /// In tables and titles.
    pub fn name(self) -> &'static str {
        match self {
            Source::Urls => "URL-like keys",
            Source::Users => "YCSB keys",
            Source::Flows => "flow keys",
        }
    }

    /// How many positives and negatives the paper's data set has.
    pub fn published(self) -> (u64, u64) {
        match self {
            Source::Urls => (1_491_178, 1_435_527),
            Source::Users => (12_500_611, 11_574_201),
            Source::Flows => (5_603_095, 5_004_012),
        }
    }

    /// The key of a number, of the set or outside of it.
    pub fn key(self, n: u64, positive: bool) -> Vec<u8> {
        match self {
            Source::Urls => url(n, positive).into_bytes(),
            Source::Users => user(n).into_bytes(),
            Source::Flows => flow(n).to_vec(),
        }
    }

    fn digest(self, n: u64, positive: bool) -> Digest {
        Hashing::default().digest(&self.key(n, positive))
    }
}

/// The sets of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// What they are called.
    pub name: String,
    /// Keys of the set.
    pub positives: Vec<Digest>,
    /// Keys outside of it that a filter may know of.
    pub negatives: Vec<Digest>,
    /// What a mistake on each of these costs, if files say so.
    pub costs: Option<Vec<f64>>,
    /// Keys outside of it that no filter knows of.
    pub unseen: Vec<Digest>,
}

/// The fewest keys of a set, however small the scale: below, rates are chance.
const LEAST: u64 = 2000;

impl Set {
    /// Whether this stands for a paper's set, so that published numbers say something about it: files do not.
    pub fn published(&self) -> bool {
        self.costs.is_none()
    }

    /// The paper's numbers of keys at this scale, and strangers.
    pub fn new(source: Source, options: &Options) -> Result<Self> {
        if let (Source::Urls, Some(folder)) = (source, &options.data) {
            return files::read(folder);
        }
        let (positives, negatives) = source.published();
        let positives = options.scaled(positives, LEAST);
        let negatives = options.scaled(negatives, LEAST);
        Ok(Self::sized(
            source,
            positives,
            negatives,
            options.scaled(2_000_000, 20_000),
        ))
    }

    /// So many of each.
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

    /// What builders take: the positives, and the negatives with these costs.
    pub fn with_costs(&self, costs: &[f64]) -> Result<KeySets> {
        let both = self.negatives.iter().zip(costs);
        let costed = both.map(|(&digest, &cost)| Costed { digest, cost });
        Ok(KeySets::new(self.positives.clone(), costed.collect())?)
    }

    /// Positives and negatives, for titles.
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
    fn sets_are_the_same_every_time_and_share_no_key() {
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
