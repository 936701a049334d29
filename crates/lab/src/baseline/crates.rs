//! Filters of other crates, each used as its documentation says.

use crate::contender::{BITS_PER_KEY, Contender};
use crate::workload::Key;
use cuckoofilter::CuckooFilter;
use fastbloom::BloomFilter;
use std::collections::hash_map::DefaultHasher;
use xxhash_rust::xxh3::xxh3_64;

/// `fastbloom` with its default hasher, SipHash-1-3.
pub struct FastbloomDefault(BloomFilter);

impl<K: Key> Contender<K> for FastbloomDefault {
    fn build(keys: &[K]) -> Self {
        let bits = keys.len() * BITS_PER_KEY as usize;
        FastbloomDefault(BloomFilter::with_num_bits(bits).seed(&0).items(keys))
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
    fn build(keys: &[K]) -> Self {
        let bits = keys.len() * BITS_PER_KEY as usize;
        let hasher = foldhash::fast::FixedState::default();
        FastbloomFoldhash(BloomFilter::with_num_bits(bits).hasher(hasher).items(keys))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains(key)
    }

    fn bits(&self) -> u64 {
        self.0.num_bits() as u64
    }
}

/// `sbbf-rs-safe`, the split block filter of Parquet with vector instructions. It takes hashes; XXH3 makes them, as
/// Parquet uses its forerunner.
pub struct Sbbf(sbbf_rs_safe::Filter);

impl<K: Key> Contender<K> for Sbbf {
    fn build(keys: &[K]) -> Self {
        let mut filter = sbbf_rs_safe::Filter::new(BITS_PER_KEY as usize, keys.len());
        for key in keys {
            filter.insert_hash(xxh3_64(key.bytes().as_ref()));
        }
        Sbbf(filter)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains_hash(xxh3_64(key.bytes().as_ref()))
    }

    fn bits(&self) -> u64 {
        self.0.as_bytes().len() as u64 * 8
    }
}

/// `xorf`'s binary fuse filter of 8 bits, for fixed sets. It takes 64-bit hashes.
pub struct Fuse(xorf::BinaryFuse8);

impl<K: Key> Contender<K> for Fuse {
    fn build(keys: &[K]) -> Self {
        let hashes: Vec<u64> = keys
            .iter()
            .map(|key| xxh3_64(key.bytes().as_ref()))
            .collect();
        Fuse(xorf::BinaryFuse8::try_from(hashes.as_slice()).expect("distinct hashes"))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        xorf::Filter::contains(&self.0, &xxh3_64(key.bytes().as_ref()))
    }

    fn bits(&self) -> u64 {
        xorf::Filter::<u64>::len(&self.0) as u64 * 8
    }
}

/// `qfilter`, a quotient filter, with fingerprints for a rate of 1 % or less. Its slots are a power of two, at least a tenth
/// more than there are keys. It takes 64-bit hashes.
pub struct Quotient(qfilter::Filter);

impl<K: Key> Contender<K> for Quotient {
    fn build(keys: &[K]) -> Self {
        let mut filter = qfilter::Filter::new(keys.len() as u64, 0.01).expect("a sound size");
        for key in keys {
            let hash = xxh3_64(key.bytes().as_ref());
            filter.insert_fingerprint(false, hash).expect("has room");
        }
        Quotient(filter)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains_fingerprint(xxh3_64(key.bytes().as_ref()))
    }

    fn bits(&self) -> u64 {
        self.0.memory_usage() as u64 * 8
    }
}

/// `cuckoofilter`: fingerprints of 8 bits, a power of two of slots, the standard library's hasher. A key that it has no room
/// for is an error, so that it gets a quarter more room than there are keys.
pub struct Cuckoo(CuckooFilter<DefaultHasher>);

impl<K: Key> Contender<K> for Cuckoo {
    fn build(keys: &[K]) -> Self {
        let mut filter = CuckooFilter::with_capacity(keys.len() + keys.len() / 4);
        for key in keys {
            filter.add(key).expect("has room");
        }
        Cuckoo(filter)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains(key)
    }

    fn bits(&self) -> u64 {
        self.0.memory_usage() as u64 * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{members, strangers};

    fn check<C: Contender<u64>>(most: f64, least: f64) {
        let (inside, outside) = (members::<u64>(20_000), strangers::<u64>(20_000));
        let filter = C::build(&inside);
        assert!(inside.iter().all(|key| filter.contains(key)));
        let hits = outside.iter().filter(|key| filter.contains(key)).count();
        let share = hits as f64 / outside.len() as f64;
        assert!((least..most).contains(&share), "{share}");
        assert!(filter.bits() > 8 * 20_000);
    }

    // Bounds are five deviations from what their documentation promises for so many keys.
    #[test]
    fn crates_deny_no_key_and_keep_their_rates() {
        check::<FastbloomDefault>(0.012, 0.005);
        check::<FastbloomFoldhash>(0.012, 0.005);
        check::<Sbbf>(0.017, 0.006);
        check::<Fuse>(0.0062, 0.0017);
        check::<Quotient>(0.0136, 0.002);
        check::<Cuckoo>(0.037, 0.008);
    }
}
