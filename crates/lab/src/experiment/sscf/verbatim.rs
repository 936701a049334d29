//! The SSCF paper's own filter to the letter, in plain vectors: Algorithms 1 to 3.
//!
//! It separates the effect of the paper's second round from that of this library's stricter one, and it accepts every
//! size of the paper's sweeps, also those that [`bloomwise::Seesaw`] does not support. Two things are corrected, since
//! it would lose keys otherwise: counts stick at their maximum, and "no function" is a separate value, where the paper
//! writes -1 and tests for `> 0`.
//!
//! A query: if all `k` counters are in use, the answer is "yes"; if two or more are empty, it is "no". If one is empty,
//! *marked or not*, the key's modulator cell names a function in reserve. The answer is "yes" if the cell is in use,
//! and the counter of that function is in use and not marked.

use crate::baseline::DigestFilter;
use crate::workload::costliest_share;
use anyhow::{Result, ensure};
use bloomwise::unstable::reduce;
use bloomwise::{Digest, KeySets};

/// The function numbers of a key's modulator cell and of its functions in reserve.
const MODULATOR: u64 = 64;
const RESERVE: u64 = 65;

/// Counts of four bits stick here.
const FULL: u8 = 15;

/// The parameters that Figure 10 varies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// `k` in the paper.
    pub functions: u64,
    /// The size of `H_B`.
    pub reserve: u8,
    /// Bits of the count in a modulator cell.
    pub count_bits: u32,
    /// The modulator's share of the space.
    pub alpha: f64,
}

/// The paper's filter.
pub(super) struct Verbatim {
    shape: Shape,
    counts: Vec<u8>,
    marks: Vec<bool>,
    /// Count and index of each modulator cell.
    cells: Vec<(u16, u8)>,
    bits: u64,
}

impl Verbatim {
    /// Guards the costliest negatives, then inserts the positives.
    pub fn build(sets: &KeySets, bits: u64, guard: f64, shape: Shape) -> Result<Self> {
        let cell_bits =
            u64::from(shape.count_bits + u8::BITS - (shape.reserve - 1).leading_zeros());
        let cells = (shape.alpha * bits as f64) as u64 / cell_bits;
        let counters = (bits - cells * cell_bits) / 5;
        ensure!(
            cells > 0 && counters > 0,
            "{bits} bits are too few; allow more bits per key"
        );
        let mut filter = Verbatim {
            shape,
            counts: vec![0; counters as usize],
            marks: vec![false; counters as usize],
            cells: vec![(0, 0); cells as usize],
            bits: 5 * counters + cell_bits * cells,
        };
        for digest in costliest_share(sets, guard) {
            for function in 0..shape.functions {
                let at = filter.counter(digest, function);
                filter.marks[at] = true;
            }
        }
        sets.positives().iter().for_each(|&key| filter.insert(key));
        Ok(filter)
    }

    fn counter(&self, digest: Digest, function: u64) -> usize {
        reduce(digest.function(function), self.counts.len() as u64) as usize
    }

    fn reserved(&self, digest: Digest, index: u8) -> usize {
        self.counter(digest, RESERVE + u64::from(index))
    }

    fn cell(&self, digest: Digest) -> usize {
        reduce(digest.function(MODULATOR), self.cells.len() as u64) as usize
    }

    /// Algorithm 2.
    fn insert(&mut self, digest: Digest) {
        let mut given_up = None;
        for function in 0..self.shape.functions {
            let at = self.counter(digest, function);
            match given_up {
                None if self.marks[at] => given_up = Some(at),
                _ => self.raise(at),
            }
        }
        let Some(given_up) = given_up else {
            return;
        };
        let cell = self.cell(digest);
        let (count, mut index) = self.cells[cell];
        if count == 0 {
            let free = |&index: &u8| !self.marks[self.reserved(digest, index)];
            index = (0..self.shape.reserve).find(free).unwrap_or(0);
        }
        let full = (1u16 << self.shape.count_bits) - 1;
        self.cells[cell] = (full.min(count + 1), index);
        let new = self.reserved(digest, index);
        self.raise(if self.marks[new] { given_up } else { new });
    }

    fn raise(&mut self, at: usize) {
        self.counts[at] = FULL.min(self.counts[at] + 1);
    }
}

impl DigestFilter for Verbatim {
    /// Algorithm 3.
    fn may_contain(&self, digest: Digest) -> bool {
        let mut empty = 0;
        for function in 0..self.shape.functions {
            empty += u32::from(self.counts[self.counter(digest, function)] == 0);
            if empty > 1 {
                return false;
            }
        }
        let (count, index) = self.cells[self.cell(digest)];
        let new = self.reserved(digest, index);
        empty == 0 || count > 0 && !self.marks[new] && self.counts[new] > 0
    }

    fn bits(&self) -> u64 {
        self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Answers;
    use crate::workload::{Set, Source, zipf};

    #[test]
    fn filter_has_no_false_negatives_in_any_shape_and_guards_negatives() {
        let set = Set::sized(Source::Users, 20_000, 20_000, 20_000);
        let sets = set
            .with_costs(&zipf::costs(20_000, 1.5, 1))
            .expect("valid costs");
        let guarded = costliest_share(&sets, 0.05);
        for (functions, reserve, count_bits, alpha) in
            [(3, 2, 3, 0.1), (1, 1, 1, 0.2), (8, 12, 12, 0.02)]
        {
            let shape = Shape {
                functions,
                reserve,
                count_bits,
                alpha,
            };
            let filter = Verbatim::build(&sets, 560_000, 0.05, shape).expect("large enough");
            let answers = Answers::of(&filter, &set).expect("no false negative");
            assert!((27.9..=28.0).contains(&answers.bits_per_key));
            let wrong = guarded
                .iter()
                .filter(|&&digest| filter.may_contain(digest))
                .count();
            let rate = wrong as f64 / guarded.len() as f64;
            assert!(rate < answers.unseen / 2.0, "{rate}, {}", answers.unseen);
        }
    }
}
