//! A Bloom filter that hashes the whole key once per function, with a different seed each time.
//!
//! The HABF paper builds two of its Bloom filters this way, with `CityHash` and with XXH128; XXH128 is also the default
//! of its other filters. Here the hash is a parameter: the lab has XXH3, XXH64 and FNV-1a, but no `CityHash`. The
//! paper's third way, a different hash from a table of 22 for each function, is not implemented.

use anyhow::Result;
use bloomwise::unstable::{BitArray, reduce};

/// A seeded hash of bytes.
pub type Hash = fn(&[u8], u64) -> u64;

/// A Bloom filter with seeded functions.
pub struct Seeded {
    bits: BitArray,
    functions: u64,
    hash: Hash,
}

impl Seeded {
    /// An empty filter of `bits` bits, with the best number of functions for `keys` keys.
    pub fn new(bits: u64, keys: u64, hash: Hash) -> Result<Self> {
        let functions = std::f64::consts::LN_2 * bits as f64 / keys.max(1) as f64;
        Ok(Seeded {
            bits: BitArray::new(bits / 64 * 64)?,
            functions: functions.round().max(1.0) as u64,
            hash,
        })
    }

    /// Inserts a key.
    pub fn insert(&mut self, key: &[u8]) {
        for place in positions(self.hash, self.functions, self.bits.len(), key) {
            self.bits.set(place);
        }
    }

    /// Returns whether `key` may be in the set.
    pub fn contains(&self, key: &[u8]) -> bool {
        let mut positions = positions(self.hash, self.functions, self.bits.len(), key);
        positions.all(|place| self.bits.get(place))
    }
}

/// The positions of `key` in an array of `bits` bits.
fn positions(hash: Hash, functions: u64, bits: u64, key: &[u8]) -> impl Iterator<Item = usize> {
    (0..functions).map(move |seed| reduce(hash(key, seed), bits) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::sizing::bloom_rate;
    use xxhash_rust::xxh3::xxh3_64_with_seed;

    #[test]
    fn seeded_filter_has_no_false_negatives_and_the_expected_rate() {
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
