//! A contender of a race: how it is queried, and its measurements.

use super::Keys;
use crate::filter::contender::Contender;
use crate::prelude::*;
use std::sync::Arc;

/// Keys per batch.
const BATCH: usize = 1000;

/// One contender and its measurements.
pub struct Entry<'a> {
    /// The name in tables and pairs.
    pub name: String,
    pub(super) bits_per_key: f64,
    pub(super) fpr: f64,
    /// Rebuilds the filter; `None` where the build is not timed, or is timed under another name.
    pub(super) build: Option<Box<dyn Fn() -> Result<()> + 'a>>,
    /// Queries all keys of a mix and counts the positive answers.
    pub(super) pass: Box<dyn Fn(usize) -> usize + 'a>,
    /// Nanoseconds per key in each round: the build, then the three mixes.
    pub(super) times: [Vec<f64>; 4],
}

impl<'a> Entry<'a> {
    /// A contender that is queried key by key.
    pub fn single<K: Key, C: Contender<K> + Sync + 'a>(
        name: &str,
        keys: &'a Keys<K>,
        build: impl Fn(&[K]) -> Result<C> + 'a,
    ) -> Result<Self> {
        let filter = build(&keys.members)?;
        let bits = filter.bits();
        let query = move |keys: &[K]| keys.iter().filter(|key| filter.contains(key)).count();
        let mut entry = Self::new(name, keys, bits, query)?;
        entry.build = Some(Box::new(move || {
            black_box(build(black_box(&keys.members))?);
            Ok(())
        }));
        Ok(entry)
    }

    /// A bloomwise filter that is queried in batches of a thousand keys.
    pub fn batch<K: Key, F: Filter + 'a>(
        name: &str,
        keys: &'a Keys<K>,
        build: impl Fn(&[K]) -> Result<F>,
    ) -> Result<Self> {
        Self::batches(name, keys, Arc::new(build(&keys.members)?))
    }

    /// Two entries for an existing bloomwise filter: queried key by key, and in batches.
    pub fn both<K: Key, F: Filter + 'a>(
        name: &str,
        keys: &'a Keys<K>,
        filter: F,
    ) -> Result<[Self; 2]> {
        let filter = Arc::new(filter);
        let (shared, bits) = (Arc::clone(&filter), filter.size_in_bits());
        let query = move |keys: &[K]| keys.iter().filter(|key| shared.contains(key)).count();
        Ok([
            Self::new(name, keys, bits, query)?,
            Self::batches(&format!("{name}, batch"), keys, filter)?,
        ])
    }

    fn batches<K: Key, F: Filter + 'a>(
        name: &str,
        keys: &'a Keys<K>,
        filter: Arc<F>,
    ) -> Result<Self> {
        let bits = filter.size_in_bits();
        let query = move |keys: &[K]| {
            let groups = keys.chunks(BATCH).map(|group| {
                let answers = filter.contains_batch(group);
                answers.iter().filter(|&&yes| yes).count()
            });
            groups.sum()
        };
        Self::new(name, keys, bits, query)
    }

    /// A contender of `bits` bits. `query` counts how many of the given keys may be in the set.
    fn new<K: Key>(
        name: &str,
        keys: &'a Keys<K>,
        bits: u64,
        query: impl Fn(&[K]) -> usize + Sync + 'a,
    ) -> Result<Self> {
        let parts = keys.members.par_chunks(100 * BATCH);
        let found: usize = parts.map(&query).sum();
        let false_negatives = keys.members.len() - found;
        ensure!(
            false_negatives == 0,
            "{name} does not find {false_negatives} of its keys"
        );
        let non_members = &keys.mixes[1];
        Ok(Entry {
            name: name.to_string(),
            bits_per_key: bits as f64 / keys.members.len() as f64,
            fpr: query(non_members) as f64 / non_members.len() as f64,
            build: None,
            pass: Box::new(move |mix| query(&keys.mixes[mix])),
            times: Default::default(),
        })
    }

    /// The median over rounds of this entry's time divided by the time of `other` in the same round.
    pub(super) fn ratio(&self, other: &Self, part: usize) -> f64 {
        median_ratio(&self.times[part], &other.times[part])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Bloom, Size};

    /// Omits one key, which no mix queries.
    fn forgetful(keys: &[u64]) -> Result<Bloom> {
        let builder = Bloom::builder(Size::BitsPerKey(30.0));
        Ok(builder.build_from_keys(&keys[..keys.len() - 1])?)
    }

    #[test]
    fn filter_with_a_false_negative_cannot_race() {
        let keys = Keys::<u64>::new(1000, 100);
        let entries = [
            Entry::single("forgetful", &keys, forgetful).err(),
            Entry::batch("forgetful", &keys, forgetful).err(),
        ];
        for error in entries {
            let error = error.expect("is an error").to_string();
            assert_eq!(error, "forgetful does not find 1 of its keys");
        }
    }
}
