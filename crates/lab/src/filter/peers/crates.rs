//! Filters of other crates, each used as its documentation recommends.

use crate::filter::contender::{Contender, Replaceable};
use crate::prelude::*;
use anyhow::anyhow;
use cuckoofilter::CuckooFilter;
use fastbloom::BloomFilter;
use std::hash::{BuildHasher, Hasher};
use xxhash_rust::xxh3::xxh3_64;

/// `fastbloom` with its default hasher, SipHash-1-3.
pub struct FastbloomDefault(BloomFilter);

impl<K: Key> Contender<K> for FastbloomDefault {
    fn build(keys: &[K]) -> Result<Self> {
        let bits = keys.len() * BITS_PER_KEY as usize;
        let filter = BloomFilter::with_num_bits(bits).seed(&0).items(keys);
        Ok(FastbloomDefault(filter))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains(key)
    }

    fn bits(&self) -> u64 {
        self.0.num_bits() as u64
    }
}

/// `fastbloom` with foldhash.
pub struct FastbloomFoldhash(BloomFilter<foldhash::fast::FixedState>);

impl<K: Key> Contender<K> for FastbloomFoldhash {
    fn build(keys: &[K]) -> Result<Self> {
        let bits = keys.len() * BITS_PER_KEY as usize;
        let hasher = foldhash::fast::FixedState::default();
        let filter = BloomFilter::with_num_bits(bits).hasher(hasher).items(keys);
        Ok(FastbloomFoldhash(filter))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains(key)
    }

    fn bits(&self) -> u64 {
        self.0.num_bits() as u64
    }
}

/// `sbbf-rs-safe`, Parquet's split block filter with vector instructions. It takes hashes; XXH3 computes them, since
/// Parquet uses its predecessor.
pub struct Sbbf(sbbf_rs_safe::Filter);

impl<K: Key> Contender<K> for Sbbf {
    fn build(keys: &[K]) -> Result<Self> {
        let mut filter = sbbf_rs_safe::Filter::new(BITS_PER_KEY as usize, keys.len());
        for key in keys {
            filter.insert_hash(key.with_bytes(xxh3_64));
        }
        Ok(Sbbf(filter))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains_hash(key.with_bytes(xxh3_64))
    }

    fn bits(&self) -> u64 {
        self.0.as_bytes().len() as u64 * 8
    }
}

/// `xorf`'s binary fuse filter with 8-bit fingerprints, for fixed sets. It takes 64-bit hashes.
pub struct Fuse(xorf::BinaryFuse8);

impl<K: Key> Contender<K> for Fuse {
    fn build(keys: &[K]) -> Result<Self> {
        let hashes: Vec<u64> = keys.iter().map(|key| key.with_bytes(xxh3_64)).collect();
        let built = xorf::BinaryFuse8::try_from(hashes.as_slice());
        Ok(Fuse(built.map_err(anyhow::Error::msg)?))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        xorf::Filter::contains(&self.0, &key.with_bytes(xxh3_64))
    }

    fn bits(&self) -> u64 {
        xorf::Filter::<u64>::len(&self.0) as u64 * 8
    }
}

/// An error of `qfilter`, which is not one of the standard library.
fn failed(error: qfilter::Error) -> anyhow::Error {
    anyhow!("qfilter: {error:?}")
}

/// `qfilter`, a quotient filter, with fingerprints for a rate of at most 1 %. The number of slots is a power of two, at
/// least 10 % above the number of keys. It takes 64-bit hashes.
pub struct Quotient(qfilter::Filter);

impl<K: Key> Contender<K> for Quotient {
    fn build(keys: &[K]) -> Result<Self> {
        let mut filter = Quotient::empty(keys.len() as u64)?;
        for key in keys {
            let hash = key.with_bytes(xxh3_64);
            filter.0.insert_fingerprint(false, hash).map_err(failed)?;
        }
        Ok(filter)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains_fingerprint(key.with_bytes(xxh3_64))
    }

    fn bits(&self) -> u64 {
        self.0.memory_usage() as u64 * 8
    }
}

impl Replaceable for Quotient {
    fn empty(keys: u64) -> Result<Self> {
        qfilter::Filter::new(keys, 0.01)
            .map(Quotient)
            .map_err(failed)
    }

    fn insert(&mut self, key: u64) -> Result<()> {
        // Counted, so that a key can be removed although another one has its fingerprint.
        let done = self.0.insert_fingerprint(true, xxh3_64(&key.to_le_bytes()));
        done.map(|_| ()).map_err(failed)
    }

    fn remove(&mut self, key: u64) -> bool {
        self.0.remove_fingerprint(xxh3_64(&key.to_le_bytes()))
    }
}

/// `cuckoofilter`: 8-bit fingerprints in buckets of four, a power of two of slots, and foldhash instead of the standard
/// library's slower hasher. A key that does not fit is an error. Buckets of four can be 95 % full, so the filter gets
/// at least a sixteenth more slots than keys, rounded up to a power of two.
pub struct Cuckoo(CuckooFilter<Foldhash>);

/// Foldhash with a fixed seed, in the form that `cuckoofilter` takes.
pub struct Foldhash(foldhash::fast::FoldHasher<'static>);

impl Default for Foldhash {
    #[inline]
    fn default() -> Self {
        Foldhash(foldhash::fast::FixedState::default().build_hasher())
    }
}

impl Hasher for Foldhash {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0.write_u64(number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.0.write_usize(number);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

impl<K: Key> Contender<K> for Cuckoo {
    fn build(keys: &[K]) -> Result<Self> {
        let mut filter = CuckooFilter::with_capacity(keys.len() + keys.len() / 16);
        for key in keys {
            filter.add(key)?;
        }
        Ok(Cuckoo(filter))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains(key)
    }

    fn bits(&self) -> u64 {
        self.0.memory_usage() as u64 * 8
    }
}

impl Replaceable for Cuckoo {
    fn empty(keys: u64) -> Result<Self> {
        Ok(Cuckoo(CuckooFilter::with_capacity(
            (keys + keys / 16) as usize,
        )))
    }

    fn insert(&mut self, key: u64) -> Result<()> {
        Ok(self.0.add(&key)?)
    }

    fn remove(&mut self, key: u64) -> bool {
        self.0.delete(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::members;

    fn check<C: Contender<u64>>(most: f64, least: f64) {
        let all = members::<u64>(40_000);
        let (inside, outside) = all.split_at(20_000);
        let filter = C::build(inside).expect("has room");
        assert!(inside.iter().all(|key| filter.contains(key)));
        let hits = outside.iter().filter(|key| filter.contains(key)).count();
        let share = hits as f64 / outside.len() as f64;
        assert!((least..most).contains(&share), "{share}");
        assert!(filter.bits() > 8 * 20_000);
    }

    // The bounds are five standard deviations from the documented rates at this number of keys.
    #[test]
    fn crates_have_no_false_negatives_and_the_documented_rates() {
        check::<FastbloomDefault>(0.012, 0.005);
        check::<FastbloomFoldhash>(0.012, 0.005);
        check::<Sbbf>(0.017, 0.006);
        check::<Fuse>(0.0062, 0.0017);
        check::<Quotient>(0.0136, 0.002);
        check::<Cuckoo>(0.037, 0.008);
    }
}
