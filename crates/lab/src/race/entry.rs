//! A contender of a race: how it is asked, and what was measured of it.

use super::Keys;
use crate::contender::Contender;
use crate::experiment::timing::median;
use crate::workload::Key;
use anyhow::{Result, ensure};
use bloomwise::{Digest, Filter};
use rayon::prelude::*;
use std::hint::black_box;
use std::sync::Arc;

/// Keys of a batch.
const BATCH: usize = 1000;

/// One contender with what was measured of it.
pub struct Entry<'a> {
    pub(super) name: String,
    pub(super) bits_per_key: f64,
    pub(super) fpr: f64,
    /// Builds the filter anew; `None` where that is not measured, or under another name.
    pub(super) build: Option<Box<dyn Fn() -> Result<()> + 'a>>,
    /// Asks for all keys of a mix and counts the answers "yes".
    pub(super) pass: Box<dyn Fn(usize) -> usize + 'a>,
    /// Nanoseconds per key of each round: building, then the three mixes.
    pub(super) times: [Vec<f64>; 4],
}

impl<'a> Entry<'a> {
    /// A contender that is asked key by key.
    pub fn single<K: Key, C: Contender<K> + Sync + 'a>(
        name: &str,
        keys: &'a Keys<K>,
        build: fn(&[K]) -> Result<C>,
    ) -> Result<Self> {
        let filter = build(&keys.members)?;
        let bits = filter.bits();
        let ask = move |keys: &[K]| keys.iter().filter(|key| filter.contains(key)).count();
        let mut entry = Self::new(name, keys, bits, ask)?;
        entry.build = Some(Box::new(move || {
            black_box(build(black_box(&keys.members))?);
            Ok(())
        }));
        Ok(entry)
    }

    /// One of ours, asked in batches of a thousand keys.
    pub fn batch<K: Key, F: Filter + Send + Sync + 'a>(
        name: &str,
        keys: &'a Keys<K>,
        build: fn(&[K]) -> Result<F>,
    ) -> Result<Self> {
        Self::batches(name, keys, Arc::new(build(&keys.members)?))
    }

    /// One of ours that is there already: asked key by key, and in batches.
    pub fn both<K: Key, F: Filter + Send + Sync + 'a>(
        name: &str,
        keys: &'a Keys<K>,
        filter: F,
    ) -> Result<[Self; 2]> {
        let filter = Arc::new(filter);
        let (shared, bits) = (Arc::clone(&filter), filter.size_in_bits());
        let ask = move |keys: &[K]| {
            let yes = keys
                .iter()
                .filter(|key| shared.contains(key.bytes().as_ref()));
            yes.count()
        };
        Ok([
            Self::new(name, keys, bits, ask)?,
            Self::batches(&format!("{name}, batch"), keys, filter)?,
        ])
    }

    fn batches<K: Key, F: Filter + Send + Sync + 'a>(
        name: &str,
        keys: &'a Keys<K>,
        filter: Arc<F>,
    ) -> Result<Self> {
        let bits = filter.size_in_bits();
        let ask = move |keys: &[K]| {
            let hashing = filter.hashing();
            let digest = |key: &K| hashing.digest(key.bytes().as_ref());
            let (mut digests, mut answers) = (Vec::<Digest>::new(), Vec::new());
            let groups = keys.chunks(BATCH).map(|group| {
                digests.clear();
                digests.extend(group.iter().map(digest));
                answers.clear();
                filter.contains_digests(&digests, &mut answers);
                answers.iter().filter(|&&yes| yes).count()
            });
            groups.sum()
        };
        Self::new(name, keys, bits, ask)
    }

    /// A contender of so many bits that counts those of some keys that may be in the set.
    fn new<K: Key>(
        name: &str,
        keys: &'a Keys<K>,
        bits: u64,
        ask: impl Fn(&[K]) -> usize + Sync + 'a,
    ) -> Result<Self> {
        let parts = keys.members.par_chunks(100 * BATCH);
        let found: usize = parts.map(&ask).sum();
        let denied = keys.members.len() - found;
        ensure!(denied == 0, "{name} denies {denied} of its keys");
        let strangers = &keys.mixes[1];
        Ok(Entry {
            name: name.to_string(),
            bits_per_key: bits as f64 / keys.members.len() as f64,
            fpr: ask(strangers) as f64 / strangers.len() as f64,
            build: None,
            pass: Box::new(move |mix| ask(&keys.mixes[mix])),
            times: Default::default(),
        })
    }

    /// The median of the ratios to another's times, round by round.
    pub(super) fn ratio(&self, other: &Self, part: usize) -> f64 {
        let rounds = self.times[part].iter().zip(&other.times[part]);
        let ratios: Vec<f64> = rounds.map(|(ours, theirs)| ours / theirs).collect();
        median(&ratios)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Bloom, Size};

    /// Forgets one key, which is not among those that are asked for in the mixes.
    fn forgetful(keys: &[u64]) -> Result<Bloom> {
        let mut filter = Bloom::builder(1000, Size::BitsPerKey(30.0)).build()?;
        filter.extend(keys[..keys.len() - 1].iter().map(|key| key.to_le_bytes()));
        Ok(filter)
    }

    #[test]
    fn a_filter_that_denies_any_key_does_not_race() {
        let keys = Keys::<u64>::new(1000, 100);
        let entries = [
            Entry::single("forgetful", &keys, forgetful).err(),
            Entry::batch("forgetful", &keys, forgetful).err(),
        ];
        for error in entries {
            let error = error.expect("is one").to_string();
            assert_eq!(error, "forgetful denies 1 of its keys");
        }
    }
}
