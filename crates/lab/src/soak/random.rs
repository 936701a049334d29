//! Random numbers from a seed.
//!
//! The generator is `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter
//! with an odd step, and a mix of its bits. It shares no code with the hashing of the filters under test.

use std::ops::Range;

/// A sequence of random numbers. Equal seeds give equal sequences.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// True once in `times` on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A number from `low` to `high`, all equally likely.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// A number from `low`, which is above 0, to `high`. Each order of magnitude is equally likely.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp().clamp(low, high)
    }

    /// A whole number from 1 to `most`; small ones are more likely.
    pub fn count(&mut self, most: usize) -> usize {
        (self.magnitude(1.0, most.max(1) as f64 + 1.0) as usize).clamp(1, most.max(1))
    }

    /// Some consecutive numbers below `end`; short ranges are more likely. Empty if `end` is 0.
    pub fn range(&mut self, end: usize) -> Range<usize> {
        let count = self.count(end).min(end);
        let start = self.below(end - count + 1);
        start..start + count
    }

    /// One of `values`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Puts `values` in a random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_ranges_and_reach_the_ends() {
        let mut random = Random::new(0);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[random.below(7)] = true;
            assert!((1..=5).contains(&random.count(5)));
            assert!((0.5..=2.0).contains(&random.magnitude(0.5, 2.0)));
            let range = random.range(9);
            assert!(!range.is_empty() && range.end <= 9);
        }
        assert_eq!(seen, [true; 7]);
        assert_eq!(
            (random.below(0), random.count(0), random.range(0)),
            (0, 1, 0..0)
        );
    }

    #[test]
    fn shuffle_keeps_all_values_and_equal_seeds_give_equal_orders() {
        let order = |seed| {
            let mut values: Vec<usize> = (0..50).collect();
            Random::new(seed).shuffle(&mut values);
            values
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(1);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..50));
    }
}
