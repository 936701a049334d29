//! Choices: which filter, which keys, which step comes next.
//!
//! All choices of a life come from one place, a seed or the bytes of a fuzzer. So the laws, the soak and the fuzz target live the same lives.
//!
//! From a seed, the generator is `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter with an odd step,
//! and a mix of its bits. It shares no code with the hashing of the filters under test. From bytes, a choice takes as few bytes as it needs, so that a fuzzer
//! that changes one byte changes one choice.

use std::ops::Range;

/// A sequence of choices.
#[derive(Clone, Debug)]
pub enum Draw<'a> {
    /// Random numbers. Equal seeds give equal sequences.
    Seed(u64),
    /// The bytes that are left. After the last one, every choice is the first.
    Bytes(&'a [u8]),
}

impl Draw<'_> {
    /// Whether all bytes are used up. A seed never is.
    pub fn is_over(&self) -> bool {
        matches!(self, Draw::Bytes([]))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        match self {
            Draw::Seed(state) => {
                *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mixed = (*state ^ *state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
                mixed ^ mixed >> 31
            }
            Draw::Bytes(_) => self.take(8),
        }
    }

    /// The next bytes as a number.
    fn take(&mut self, count: usize) -> u64 {
        let Draw::Bytes(rest) = self else { return 0 };
        let (now, later) = rest.split_at(count.min(rest.len()));
        *rest = later;
        let bytes = now.iter().rev();
        bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        match self {
            Draw::Seed(_) => ((u128::from(self.bits()) * end as u128) >> 64) as usize,
            Draw::Bytes(_) => {
                let bits = usize::BITS - end.saturating_sub(1).leading_zeros();
                let number = self.take(bits.div_ceil(8) as usize) as usize;
                number.checked_rem(end).unwrap_or(0)
            }
        }
    }

    /// True once in `times` on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A number from `low` to `high`, all equally likely.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = match self {
            Draw::Seed(_) => (self.bits() >> 11) as f64 / (1u64 << 53) as f64,
            Draw::Bytes(_) => self.take(2) as f64 / f64::from(u16::MAX),
        };
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
        let bytes: Vec<u8> = (0..20_000u32).map(|at| (at * 37 % 251) as u8).collect();
        for mut draw in [Draw::Seed(0), Draw::Bytes(&bytes)] {
            let mut seen = [false; 7];
            for _ in 0..1000 {
                seen[draw.below(7)] = true;
                assert!((1..=5).contains(&draw.count(5)));
                assert!((0.5..=2.0).contains(&draw.magnitude(0.5, 2.0)));
                let range = draw.range(9);
                assert!(!range.is_empty() && range.end <= 9);
            }
            assert_eq!(seen, [true; 7]);
            assert!(!draw.is_over());
            assert_eq!((draw.below(0), draw.count(0), draw.range(0)), (0, 1, 0..0));
        }
    }

    #[test]
    fn bytes_are_used_sparingly_and_end() {
        let mut draw = Draw::Bytes(&[5, 1, 2, 9]);
        assert_eq!((draw.below(3), draw.below(256), draw.below(1)), (2, 1, 0));
        assert_eq!(draw.below(257), (9 << 8 | 2) % 257);
        assert!(draw.is_over());
        assert_eq!((draw.below(100), draw.bits()), (0, 0));
    }

    #[test]
    fn shuffle_keeps_all_values_and_equal_seeds_give_equal_orders() {
        let order = |seed| {
            let mut values: Vec<usize> = (0..50).collect();
            Draw::Seed(seed).shuffle(&mut values);
            values
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(1);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..50));
    }
}
