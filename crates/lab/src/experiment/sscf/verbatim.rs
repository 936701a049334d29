//! The SSCF paper's own filter to the letter, in plain vectors: Algorithms 1 to 3.
//!
//! It is there to tell what comes of the paper's second round and what of this library's stricter one, and it takes every size
//! of the paper's sweeps, also those that [`bloomwise::Seesaw`] does not have. Two things are mended, without which it would
//! lose keys: counts stick at their maximum, and "no function" is none, where the paper writes -1 and asks for `> 0`.
//!
//! A query: all `k` counters in use is "yes", two or more empty is "no". If one is empty, *whether it is marked or not*, the
//! key's modulator cell names a function in reserve; "yes" if the cell is in use, and the counter of that function is in use
//! and not marked.

use crate::baseline::Member;
use crate::workload::vulnerable;
use anyhow::{Result, ensure};
use bloomwise::hash::reduce;
use bloomwise::{Digest, KeySets};

/// The functions of a key beyond the first ones: its modulator cell, and those in reserve.
const MODULATOR: u64 = 64;
const RESERVE: u64 = 65;

/// Counts of four bits stick here.
const FULL: u8 = 15;

/// What Figure 10 changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// `k` in the paper.
    pub functions: u64,
    /// The size of `H_B`.
    pub reserve: u8,
    /// Bits of the count in a modulator cell.
    pub count_bits: u32,
    /// The share of the modulator.
    pub alpha: f64,
}

/// The paper's filter.
pub(super) struct Verbatim {
    shape: Shape,
    counts: Vec<u8>,
    marks: Vec<bool>,
    /// Count and index.
    cells: Vec<(u16, u8)>,
    bits: u64,
}

impl Verbatim {
    /// Guards the costliest negatives, then adds the positives.
    pub fn build(sets: &KeySets, bits: u64, guard: f64, shape: Shape) -> Result<Self> {
        let cell_bits =
            u64::from(shape.count_bits + u8::BITS - (shape.reserve - 1).leading_zeros());
        let cells = (shape.alpha * bits as f64) as u64 / cell_bits;
        let counters = (bits - cells * cell_bits) / 5;
        ensure!(cells > 0 && counters > 0, "{bits} bits are too few");
        let mut filter = Verbatim {
            shape,
            counts: vec![0; counters as usize],
            marks: vec![false; counters as usize],
            cells: vec![(0, 0); cells as usize],
            bits: 5 * counters + cell_bits * cells,
        };
        for digest in vulnerable(sets, guard) {
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

impl Member for Verbatim {
    /// Algorithm 3.
    fn has(&self, digest: Digest) -> bool {
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
    fn it_denies_no_key_in_any_shape_and_guards_what_it_is_told_of() {
        let set = Set::sized(Source::Users, 20_000, 20_000, 20_000);
        let sets = set
            .with_costs(&zipf::costs(20_000, 1.5, 1))
            .expect("sound costs");
        let guarded = vulnerable(&sets, 0.05);
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
            let answers = Answers::of(&filter, &set).expect("no key is denied");
            assert!((27.9..=28.0).contains(&answers.bits_per_key));
            let wrong = guarded.iter().filter(|&&digest| filter.has(digest)).count();
            let rate = wrong as f64 / guarded.len() as f64;
            assert!(rate < answers.unseen / 2.0, "{rate}, {}", answers.unseen);
        }
    }
}
