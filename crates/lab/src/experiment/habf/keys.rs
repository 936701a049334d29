//! Keys in memory, filters that are built from them, and what the paper says of the cost: for Figures 12 and 15.
//!
//! Building starts from the keys as they are in memory, and each filter takes its own way from there. Plain Bloom filters take
//! keys as they come. The Xor filter needs one hash of each. Filters that know negatives need both sets as digests, sorted and
//! checked, which is part of the building. Keys are made by this lab, whatever folder of real keys there is.

use super::bits_per_key;
use crate::baseline::{Member, Seeded, Xor};
use crate::options::Options;
use crate::subject::Subject;
use crate::workload::{Source, zipf};
use anyhow::{Context, Result};
use bloomwise::{Costed, Digest, Hashing, KeySets};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What the paper says of a filter: nanoseconds of building and of asking for a key, and gigabytes of building.
pub struct Published {
    /// The filter.
    pub name: &'static str,
    /// Nanoseconds of building, for each key.
    pub build: f64,
    /// Nanoseconds of asking, if the text tells.
    pub ask: Option<f64>,
    /// Gigabytes of building.
    pub gigabytes: f64,
}

/// Sets, megabytes, and what the paper says of its filters, the Bloom filter first.
pub type Setting = (Source, f64, [Published; 5]);

impl Published {
    const fn new(name: &'static str, build: f64, ask: Option<f64>, gigabytes: f64) -> Self {
        Published {
            name,
            build,
            ask,
            gigabytes,
        }
    }

    /// Whether it is one of the paper's own filters.
    pub fn own(&self) -> bool {
        self.name.ends_with(", paper")
    }
}

/// Both of the paper's sets.
pub const SETTINGS: [Setting; 2] = [
    (
        Source::Urls,
        1.5,
        [
            Published::new("bloom", 68.0, Some(52.0), 0.13),
            Published::new("xor", 158.0, Some(48.0), 0.20),
            Published::new("weighted", 245.0, None, 0.58),
            Published::new("habf, paper", 1411.0, Some(338.0), 0.79),
            Published::new("habf-fast, paper", 205.0, Some(67.0), 0.46),
        ],
    ),
    (
        Source::Users,
        15.0,
        [
            Published::new("bloom", 84.0, Some(79.0), 1.23),
            Published::new("xor", 188.0, Some(54.0), 1.781),
            Published::new("weighted", 325.0, None, 2.708),
            Published::new("habf, paper", 1480.0, Some(336.0), 7.569),
            Published::new("habf-fast, paper", 193.0, Some(82.0), 4.394),
        ],
    ),
];

/// A filter that is yet to be built from keys.
pub enum Candidate {
    /// By its subject.
    Subject(Subject),
    /// The Xor filter, from one hash of each key.
    Xor,
    /// A Bloom filter that takes a hash of the whole key for each function.
    Seeded,
}

/// All of them. Others are compared with the first two, which are Bloom filters.
pub fn candidates() -> Vec<Candidate> {
    let one_segment = Subject::paper("habf").set("segment-bits", 1 << 30);
    [
        Candidate::Subject(Subject::kind("bloom")),
        Candidate::Seeded,
        Candidate::Xor,
    ]
    .into_iter()
    .chain(
        [
            Subject::weighted(),
            Subject::paper("habf"),
            one_segment.named("habf, paper, one segment"),
            Subject::paper("habf-fast"),
            Subject::kind("habf"),
            Subject::kind("guarded"),
        ]
        .map(Candidate::Subject),
    )
    .collect()
}

impl Candidate {
    /// In tables and legends.
    pub fn name(&self) -> &str {
        match self {
            Candidate::Subject(subject) => &subject.name,
            Candidate::Xor => "xor",
            Candidate::Seeded => "bloom of many hashes",
        }
    }

    fn knows_negatives(&self) -> bool {
        matches!(self, Candidate::Subject(subject) if !subject.blind)
    }
}

/// The place of the candidate of this name.
pub fn place(name: &str, candidates: &[Candidate]) -> Result<usize> {
    let place = candidates.iter().position(|known| known.name() == name);
    place.with_context(|| format!("{name} is not measured"))
}

/// A filter that is asked for keys as they are.
pub enum Built {
    /// Asked by digest.
    Digests(Box<dyn Member>),
    /// Asked by the bytes of the key.
    Bytes(Seeded),
}

impl Built {
    /// The number of keys that it takes for members.
    pub fn count(&self, keys: &[Vec<u8>]) -> usize {
        match self {
            Built::Digests(filter) => count(keys, |key| filter.has(digest(key))),
            Built::Bytes(filter) => count(keys, |key| filter.contains(key)),
        }
    }
}

fn count(keys: &[Vec<u8>], has: impl Fn(&[u8]) -> bool) -> usize {
    keys.iter().filter(|key| has(key)).count()
}

fn digest(key: &[u8]) -> Digest {
    Hashing::default().digest(key)
}

/// Keys in memory, with what a mistake on the negatives costs.
pub struct Keys {
    /// Keys of the set.
    pub positives: Vec<Vec<u8>>,
    /// Keys outside of it.
    pub negatives: Vec<Vec<u8>>,
    costs: Vec<f64>,
    bits: u64,
}

impl Keys {
    /// As many as the paper has, at this scale.
    pub fn new(source: Source, megabytes: f64, options: &Options) -> Self {
        let (positives, negatives) = source.published();
        let positives = options.scaled(positives, 2000);
        let negatives = options.scaled(negatives, 2000);
        let key = |n: u64| source.key(n, n < positives);
        Keys {
            positives: (0..positives).map(key).collect(),
            negatives: (positives..positives + negatives).map(key).collect(),
            costs: zipf::costs(negatives as usize, 1.0, 0),
            bits: (bits_per_key(source, megabytes) * positives as f64) as u64,
        }
    }

    /// The bytes of the keys that a filter is built from, as they are in memory.
    pub fn bytes(&self, candidate: &Candidate) -> u64 {
        let negatives: &[Vec<u8>] = match candidate.knows_negatives() {
            true => &self.negatives,
            false => &[],
        };
        let all = self.positives.iter().chain(negatives);
        all.map(|key| (key.capacity() + size_of::<Vec<u8>>()) as u64)
            .sum()
    }

    /// From keys to a filter.
    pub fn build(&self, candidate: &Candidate) -> Result<Built> {
        let (positives, bits) = (&self.positives, self.bits);
        match candidate {
            Candidate::Seeded => {
                let mut filter = Seeded::new(bits, positives.len() as u64, xxh3_64_with_seed)?;
                positives.iter().for_each(|key| filter.insert(key));
                Ok(Built::Bytes(filter))
            }
            Candidate::Xor => {
                let hashes: Vec<u64> = positives.par_iter().map(|key| digest(key).low).collect();
                Ok(Built::Digests(Box::new(Xor::of_hashes(&hashes, bits)?)))
            }
            Candidate::Subject(subject) => match (subject.blind, subject.spec(bits)?) {
                (true, Some(spec)) => {
                    let mut filter = spec.capacity(positives.len() as u64).create()?;
                    for group in positives.chunks(1000) {
                        let digests: Vec<Digest> = group.iter().map(|key| digest(key)).collect();
                        filter.insert_digests(&digests)?;
                    }
                    Ok(Built::Digests(Box::new(filter)))
                }
                _ => Ok(Built::Digests(subject.build(&self.sets()?, bits)?)),
            },
        }
    }

    /// Both sets as digests, sorted and checked.
    pub fn sets(&self) -> Result<KeySets> {
        let costed = |(key, &cost): (&Vec<u8>, &f64)| Costed {
            digest: digest(key),
            cost,
        };
        let positives = self.positives.par_iter().map(|key| digest(key));
        let negatives = self.negatives.par_iter().zip(&self.costs).map(costed);
        Ok(KeySets::new(positives.collect(), negatives.collect())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_published_is_built_from_keys_and_denies_none() {
        let options = Options {
            scale: 0.001,
            data: None,
        };
        let candidates = candidates();
        for (source, megabytes, published) in &SETTINGS {
            let keys = Keys::new(*source, *megabytes, &options);
            for published in published {
                let candidate = &candidates[place(published.name, &candidates).expect("is one")];
                let filter = keys.build(candidate).expect("fits");
                assert_eq!(filter.count(&keys.positives), keys.positives.len());
                let wrong = filter.count(&keys.negatives);
                assert!(wrong < keys.negatives.len() / 10, "{}", published.name);
                assert_eq!(published.own(), published.name.starts_with("habf"));
            }
        }
        assert!(place("LBF", &candidates).is_err());
    }
}
