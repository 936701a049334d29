//! Keys in memory, filters built from them, and the paper's times and memory, for Figures 12 and 15.
//!
//! A build starts from the keys in memory, and each filter takes its own way from there. Plain Bloom filters take keys
//! as they come. The Xor filter needs one hash of each. Filters that know negatives need both sets as digests, sorted
//! and checked, which is part of the build. Keys are always generated, even if a folder of real keys is given.

use super::{PAPER, bits_per_key, paper_and_ours};
use crate::filter::{Seeded, Xor, xor_hash};
use crate::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The paper's numbers for a filter: nanoseconds per key to build and to query, if the text gives it, and gigabytes of memory to build.
pub type Published = (&'static str, f64, Option<f64>, f64);

/// A data set, the size in megabytes, and the paper's numbers, the Bloom filter's first.
pub type Setting = (Source, f64, [Published; 5]);

/// Both of the paper's sets.
pub const SETTINGS: [Setting; 2] = [
    (
        Source::Urls,
        1.5,
        [
            ("bloom", 68.0, Some(52.0), 0.13),
            ("xor", 158.0, Some(48.0), 0.20),
            ("weighted", 245.0, None, 0.58),
            (PAPER[0], 1411.0, Some(338.0), 0.79),
            (PAPER[1], 205.0, Some(67.0), 0.46),
        ],
    ),
    (
        Source::Users,
        15.0,
        [
            ("bloom", 84.0, Some(79.0), 1.23),
            ("xor", 188.0, Some(54.0), 1.781),
            ("weighted", 325.0, None, 2.708),
            (PAPER[0], 1480.0, Some(336.0), 7.569),
            (PAPER[1], 193.0, Some(82.0), 4.394),
        ],
    ),
];

/// A filter to build from keys.
pub enum Candidate {
    /// A subject.
    Subject(Subject),
    /// The Xor filter, from one hash of each key.
    Xor,
    /// A Bloom filter that takes a hash of the whole key for each function.
    Seeded,
}

/// All candidates. The first two are the Bloom filters that the others are compared with.
pub fn candidates() -> Vec<Candidate> {
    let mut all = vec![
        Candidate::Subject(Subject::kind(Family::Bloom)),
        Candidate::Seeded,
        Candidate::Xor,
        Candidate::Subject(Subject::weighted()),
    ];
    all.extend(paper_and_ours().map(Candidate::Subject));
    let own = [Family::Habf, Family::Guarded].map(Subject::kind);
    all.extend(own.map(Candidate::Subject));
    all
}

impl Candidate {
    /// The name in tables and legends.
    pub fn name(&self) -> &str {
        match self {
            Candidate::Subject(subject) => &subject.name,
            Candidate::Xor => "xor",
            Candidate::Seeded => "bloom of many hashes",
        }
    }

    fn knows_negatives(&self) -> bool {
        matches!(self, Candidate::Subject(subject) if !subject.ignores_costs())
    }
}

/// The index of the candidate called `name`.
pub fn candidate_index(name: &str, candidates: &[Candidate]) -> Result<usize> {
    let place = candidates.iter().position(|known| known.name() == name);
    place.with_context(|| format!("no candidate is called '{name}'"))
}

/// A filter that is queried with keys.
pub enum Built {
    /// Queried by digest.
    Digests(Box<dyn DigestFilter>),
    /// Queried by the bytes of the key.
    Bytes(Seeded),
}

impl Built {
    /// The number of keys that the filter accepts.
    pub fn count(&self, keys: &[Vec<u8>]) -> usize {
        match self {
            Built::Digests(filter) => count(keys, |key| filter.may_contain(digest(key))),
            Built::Bytes(filter) => count(keys, |key| filter.contains(key)),
        }
    }
}

fn count(keys: &[Vec<u8>], accepts: impl Fn(&[u8]) -> bool) -> usize {
    keys.iter().filter(|key| accepts(key)).count()
}

fn digest(key: &[u8]) -> Digest {
    Hashing::default().digest(key)
}

/// Keys in memory, and the cost of a false positive on each negative.
pub struct Keys {
    /// The keys of the set.
    pub positives: Vec<Vec<u8>>,
    /// Keys outside the set.
    pub negatives: Vec<Vec<u8>>,
    costs: Vec<f64>,
    bits: u64,
}

impl Keys {
    /// The keys of `source` at this scale, for filters of `megabytes` at full size.
    pub fn new(source: Source, megabytes: f64, options: &Options) -> Self {
        let [positives, negatives] = source.scaled_sizes(options);
        let key = |n: u64| source.key(n, n < positives);
        Keys {
            positives: (0..positives).map(key).collect(),
            negatives: (positives..positives + negatives).map(key).collect(),
            costs: zipf::costs(negatives as usize, 1.0, 0),
            bits: (bits_per_key(source, megabytes) * positives as f64) as u64,
        }
    }

    /// The memory of the keys that the filter is built from.
    pub fn bytes(&self, candidate: &Candidate) -> u64 {
        let known = candidate.knows_negatives();
        let negatives = self.negatives.iter().filter(|_| known);
        let all = self.positives.iter().chain(negatives);
        all.map(|key| (key.capacity() + size_of::<Vec<u8>>()) as u64)
            .sum()
    }

    /// Builds a filter from the keys.
    pub fn build(&self, candidate: &Candidate) -> Result<Built> {
        let (positives, bits) = (&self.positives, self.bits);
        match candidate {
            Candidate::Seeded => {
                let mut filter = Seeded::new(bits, positives.len() as u64, xxh3_64_with_seed)?;
                positives.iter().for_each(|key| filter.insert(key));
                Ok(Built::Bytes(filter))
            }
            Candidate::Xor => {
                let hashes = positives.par_iter().map(|key| xor_hash(digest(key)));
                let hashes: Vec<u64> = hashes.collect();
                Ok(Built::Digests(Box::new(Xor::of_hashes(&hashes, bits)?)))
            }
            Candidate::Subject(subject) if subject.ignores_costs() => {
                let spec = subject.spec(bits)?.capacity(positives.len() as u64);
                let mut filter = spec.create()?;
                for group in positives.chunks(1000) {
                    filter.insert_digests(&Digests::of(Hashing::default(), group))?;
                }
                Ok(Built::Digests(Box::new(filter)))
            }
            Candidate::Subject(subject) => Ok(Built::Digests(subject.build(&self.sets()?, bits)?)),
        }
    }

    /// Both sets as digests, sorted and checked.
    pub fn sets(&self) -> Result<KeySets> {
        let hash = |keys: &[Vec<u8>]| {
            let digests: Vec<Digest> = keys.par_iter().map(|key| digest(key)).collect();
            Digests::from_raw(Hashing::default(), digests)
        };
        let mut sets = KeySets::builder(Hashing::default());
        // Negatives first: their digests are copied, and dropped before those of the positives take memory.
        sets.negative_digests(&hash(&self.negatives), &self.costs)?;
        sets.positive_digests(hash(&self.positives))?;
        Ok(sets.build()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_filter_is_built_without_false_negatives() {
        let options = Options {
            scale: 0.001,
            data: None,
        };
        let candidates = candidates();
        for (source, megabytes, published) in &SETTINGS {
            let keys = Keys::new(*source, *megabytes, &options);
            for (name, ..) in published {
                let candidate = candidate_index(name, &candidates).expect("is a candidate");
                let candidate = &candidates[candidate];
                let filter = keys.build(candidate).expect("fits");
                assert_eq!(filter.count(&keys.positives), keys.positives.len());
                let wrong = filter.count(&keys.negatives);
                assert!(wrong < keys.negatives.len() / 10, "{name}");
            }
        }
        assert!(candidate_index("LBF", &candidates).is_err());
    }
}
