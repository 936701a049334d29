//! A Bloom filter whose functions are one hash with as many seeds, over the bytes of the key each time.
//!
//! The HABF paper makes two of its Bloom filters in this way, from `CityHash` and from XXH128, and the default of its other filters
//! is the latter. Here the hash is whatever is given: the lab has XXH3, XXH64 and FNV-1a, and no `CityHash`. The paper's third
//! way, a different hash for each function out of a table of 22, is not here.

use anyhow::Result;
use bloomwise::cells::BitArray;
use bloomwise::hash::reduce;

/// A hash of bytes with a seed.
pub type Hash = fn(&[u8], u64) -> u64;

/// A Bloom filter of seeded functions.
pub struct Seeded {
    bits: BitArray,
    functions: u64,
    hash: Hash,
}

impl Seeded {
    /// An empty filter of so many bits, with the best number of functions for so many keys.
    pub fn new(bits: u64, keys: u64, hash: Hash) -> Result<Self> {
        let functions = std::f64::consts::LN_2 * bits as f64 / keys.max(1) as f64;
        Ok(Seeded {
            bits: BitArray::new(bits / 64 * 64)?,
            functions: functions.round().max(1.0) as u64,
            hash,
        })
    }

    /// Adds a key.
    pub fn insert(&mut self, key: &[u8]) {
        for place in places(self.hash, self.functions, self.bits.len(), key) {
            self.bits.set(place);
        }
    }

    /// Whether the key may be in the set.
    pub fn contains(&self, key: &[u8]) -> bool {
        let mut places = places(self.hash, self.functions, self.bits.len(), key);
        places.all(|place| self.bits.get(place))
    }
}

/// The bits of a key, out of so many.
fn places(hash: Hash, functions: u64, bits: u64, key: &[u8]) -> impl Iterator<Item = usize> {
    (0..functions).map(move |seed| reduce(hash(key, seed), bits) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::sizing::bloom_rate;
    use xxhash_rust::xxh3::xxh3_64_with_seed;

    #[test]
    fn a_seeded_filter_denies_no_key_and_keeps_its_rate() {
        let key = |n: u64| n.to_le_bytes();
        let mut filter = Seeded::new(200_000, 20_000, xxh3_64_with_seed).expect("fits");
        (0..20_000).for_each(|n| filter.insert(&key(n)));
        assert!((0..20_000).all(|n| filter.contains(&key(n))));
        let hits = (20_000..220_000)
            .filter(|&n| filter.contains(&key(n)))
            .count();
        let expected = 200_000.0 * bloom_rate(200_000, 20_000, 7);
        assert!(
            (hits as f64 - expected).abs() < 5.0 * expected.sqrt(),
            "{hits}, {expected}"
        );
    }
}
