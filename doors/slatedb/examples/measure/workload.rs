//! Keys of the store, and the reads of a program that asks for missing keys half of the time.
//!
//! Missing keys follow Zipf's law with exponent 0.99, over as many missing keys as the store has keys. One missing read in ten asks for
//! a key that appeared lately, newest first by the same law; with every tenth of those reads another one appears. So a part of the
//! hot missing keys is always newer than the tables.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, Zipf};

/// The exponent of YCSB.
const SKEW: f64 = 0.99;

/// 24 bytes that no other number has, and whose order has nothing to do with that of the numbers.
fn name(n: u64, round: u64) -> String {
    // Each step can be undone, so different numbers stay different.
    let mut mixed = (n + (round << 40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^= mixed >> 32;
    mixed = mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^= mixed >> 29;
    format!("user{mixed:020}")
}

/// Keys and reads. Each round has others.
pub struct Workload {
    round: u64,
    random: StdRng,
    /// Keys of the store, and missing keys that were there from the start.
    keys: u64,
    /// Missing keys that count as new.
    lately: u64,
    by_rank: Zipf<f64>,
    by_age: Zipf<f64>,
    /// Reads of keys that appeared lately.
    new_reads: u64,
}

impl Workload {
    /// The keys and reads of a store of this many keys.
    pub fn new(keys: u64, round: u64) -> Self {
        let lately = (keys / 100).max(1);
        let zipf = |keys: u64| Zipf::new(keys as f64, SKEW).expect("a number of keys above 0");
        Workload {
            round,
            random: StdRng::seed_from_u64(round),
            keys,
            lately,
            by_rank: zipf(keys),
            by_age: zipf(lately),
            new_reads: 0,
        }
    }

    /// Key `n` of the store.
    pub fn key(&self, n: u64) -> String {
        name(2 * n, self.round)
    }

    /// The next missing key.
    pub fn missing(&mut self) -> String {
        if self.random.random_ratio(9, 10) {
            let rank = self.by_rank.sample(&mut self.random) as u64;
            return name(2 * rank - 1, self.round);
        }
        let newest = self.keys + self.lately + self.new_reads / 10;
        self.new_reads += 1;
        let age = self.by_age.sample(&mut self.random) as u64;
        name(2 * (newest - age) + 1, self.round)
    }

    /// The next key of the first `written` keys, by Zipf's law too.
    pub fn present(&mut self, written: u64) -> String {
        loop {
            let rank = self.by_rank.sample(&mut self.random) as u64 - 1;
            // Ranks are spread over the order of writing.
            let n = rank.wrapping_mul(0x9E37_79B9_7F4A_7C15) % self.keys;
            if n < written {
                return self.key(n);
            }
        }
    }
}
