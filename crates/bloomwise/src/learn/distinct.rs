//! Estimates how many distinct keys a stream has: `HyperLogLog` with 4,096 registers. The standard error is 1.6 %.
//!
//! The first bits of a key's hash choose a register. The register keeps the longest run of zeros at the start of the other bits, plus one, over
//! its keys. A repeated key changes nothing. Two sketches are merged by taking the larger of each pair of registers. The
//! estimator is Ertl's (2017), which needs no tables and is accurate for small and large numbers.

/// The number of registers, as a power of two.
const BITS: u32 = 12;

/// The largest value of a register.
const LARGEST: u8 = (64 - BITS + 1) as u8;

use crate::keys::hash::Digest;
use std::fmt;

/// Estimates the number of distinct keys; the standard error is 1.6 %.
///
/// ```
/// use bloomwise::Hashing;
/// use bloomwise::learn::Distinct;
///
/// let mut keys = Distinct::new();
/// for key in [1, 2, 3, 2, 1] {
///     keys.insert(Hashing::default().digest(key));
/// }
/// assert_eq!(keys.estimate().round(), 3.0);
/// ```
#[derive(Clone, PartialEq)]
pub struct Distinct {
    /// For each share of the hashes, the longest run of zeros plus one.
    registers: Vec<u8>,
}

/// One line: the estimate instead of the registers.
impl fmt::Debug for Distinct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Distinct")
            .field("estimate", &self.estimate().round())
            .finish()
    }
}

impl Default for Distinct {
    fn default() -> Self {
        Self::new()
    }
}

impl Distinct {
    /// The number of registers, one byte each.
    pub(super) const REGISTERS: usize = 1 << BITS;

    /// An estimate without keys.
    pub fn new() -> Self {
        Distinct {
            registers: vec![0; Self::REGISTERS],
        }
    }

    /// The sketch with these registers; `None` if no sketch can have them.
    pub(super) fn from_registers(registers: &[u8]) -> Option<Self> {
        let sound =
            registers.len() == Self::REGISTERS && registers.iter().all(|&value| value <= LARGEST);
        sound.then(|| Distinct {
            registers: registers.to_vec(),
        })
    }

    /// The registers.
    pub(super) fn registers(&self) -> &[u8] {
        &self.registers
    }

    /// Adds a key by its digest.
    #[inline]
    pub fn insert(&mut self, digest: Digest) {
        let hash = digest.low;
        let register = &mut self.registers[(hash >> (64 - BITS)) as usize];
        let zeros = (hash << BITS).leading_zeros().min(64 - BITS);
        *register = (*register).max(zeros as u8 + 1);
    }

    /// Adds the keys of another sketch.
    pub fn merge(&mut self, other: &Distinct) {
        for (one, other) in self.registers.iter_mut().zip(&other.registers) {
            *one = (*one).max(*other);
        }
    }

    /// The estimated number of distinct keys.
    pub fn estimate(&self) -> f64 {
        let registers = Self::REGISTERS as f64;
        let mut counts = [0u32; LARGEST as usize + 1];
        (self.registers.iter()).for_each(|&value| counts[usize::from(value)] += 1);
        let share = |value: usize| f64::from(counts[value]) / registers;
        let mut sum = registers * tau(1.0 - share(usize::from(LARGEST)));
        for value in (1..usize::from(LARGEST)).rev() {
            sum = 0.5 * (sum + f64::from(counts[value]));
        }
        sum += registers * sigma(share(0));
        registers * registers / (2.0 * std::f64::consts::LN_2 * sum)
    }
}

/// A correction for registers that are still 0, where `x` is their share: `x + sum of x^(2^k) 2^(k-1)`.
fn sigma(mut x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut power, mut sum) = (1.0, x);
    loop {
        x *= x;
        let before = sum;
        sum += x * power;
        power += power;
        if sum == before {
            return sum;
        }
    }
}

/// A correction for registers at their largest value, where `x` is the share of all others.
fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut power, mut sum) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = sum;
        power *= 0.5;
        sum -= (1.0 - x) * (1.0 - x) * power;
        if sum == before {
            return sum / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Hashing;

    #[test]
    fn estimate_is_within_five_standard_errors() {
        assert_eq!(Distinct::new().estimate(), 0.0);
        let mut sketch = Distinct::new();
        let mut added = 0u64;
        for count in [1u64, 10, 1000, 10_000, 1_000_000] {
            while added < count {
                sketch.insert(Hashing::default().digest(added));
                added += 1;
            }
            let error = (sketch.estimate() / count as f64 - 1.0).abs();
            assert!(error < 5.0 * 0.01625, "{count}: {}", sketch.estimate());
        }
    }

    #[test]
    fn merged_sketch_is_that_of_both_streams() {
        let sketch = |keys: std::ops::Range<u64>| {
            let mut sketch = Distinct::new();
            keys.for_each(|key| sketch.insert(Hashing::default().digest(key)));
            sketch
        };
        let mut merged = sketch(0..600);
        merged.merge(&sketch(400..1000));
        assert_eq!(merged, sketch(0..1000));
        let read = Distinct::from_registers(merged.registers());
        assert_eq!(read, Some(merged));
    }

    #[test]
    fn extreme_hashes_fit_a_register() {
        let mut sketch = Distinct::new();
        for register in 0..Distinct::REGISTERS as u128 {
            sketch.insert(Digest::from(register << (64 - BITS)));
        }
        assert!(sketch.registers().iter().all(|&value| value == LARGEST));
        assert!(sketch.estimate() > 1e15, "{}", sketch.estimate());
        assert_eq!(
            Distinct::from_registers(&[LARGEST + 1; Distinct::REGISTERS]),
            None
        );
        assert_eq!(Distinct::from_registers(&[0; 5]), None);
    }
}
