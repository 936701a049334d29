//! A slow model of the hash adaptive filters. It decodes a filter's file and answers queries exactly as
//! `docs/format.md` describes.

use super::{function, scale};
use bloomwise::keys::Digest;
use bloomwise::{Family, Persist};

/// A filter with one `Vec` entry per bit and per cell.
#[derive(Clone)]
pub struct HabfModel {
    family: Family,
    /// Functions per key.
    functions: u64,
    /// Bits per segment.
    bits: u128,
    segments: u128,
    /// Cells per segment.
    cells: u128,
    /// Whether the second round is strict.
    strict: bool,
    /// All bits.
    set: Vec<bool>,
    /// For each cell, the name in it and its end bit.
    chain: Vec<(u64, bool)>,
}

impl HabfModel {
    pub fn of(filter: &(impl Persist + bloomwise::Filter)) -> Self {
        let bytes = filter.to_bytes();
        let word = |at: usize| u64::from_le_bytes(bytes[8 * at..][..8].try_into().expect("a word"));
        // The parameters follow 80 bytes of header.
        let parameters: Vec<u64> = (10..16).map(word).collect();
        // The payload starts at the next multiple of 64 bytes: first the bits, then the cells.
        let bit = |at: u64| word(16 + (at / 64) as usize) >> (at % 64) & 1 == 1;
        let all_bits = parameters[1] * parameters[2];
        let width = parameters[4];
        let cell = |number: u64| {
            let start = all_bits + number * width;
            let name = (0..width - 1).map(|i| u64::from(bit(start + i)) << i);
            (name.sum(), bit(start + width - 1))
        };
        HabfModel {
            family: filter.family(),
            functions: parameters[0],
            bits: u128::from(parameters[1]),
            segments: u128::from(parameters[2]),
            cells: u128::from(parameters[3]),
            strict: parameters[5] == 1,
            set: (0..all_bits).map(bit).collect(),
            chain: (0..parameters[2] * parameters[3]).map(cell).collect(),
        }
    }

    pub fn insert(&mut self, digest: Digest) {
        for i in 0..self.functions {
            let place = self.bit(digest, i);
            self.set[place] = true;
        }
    }

    pub fn contains(&self, digest: Digest) -> bool {
        let is_set = |i: u64| self.set[self.bit(digest, i)];
        if (0..self.functions).all(is_set) {
            return true;
        }
        let Some(named) = self.chain(digest) else {
            return false;
        };
        if !named.iter().all(|&i| is_set(i)) {
            return false;
        }
        if !self.strict {
            return true;
        }
        // Exactly one initial function has a bit that is 0. The chain names each other initial function once, and one
        // more.
        let zeros: Vec<u64> = (0..self.functions).filter(|&i| !is_set(i)).collect();
        let mut sorted = named;
        sorted.sort_unstable();
        let others: Vec<u64> = sorted
            .iter()
            .copied()
            .filter(|&i| i >= self.functions)
            .collect();
        let initial = sorted.into_iter().filter(|&i| i < self.functions);
        let rest = (0..self.functions).filter(|i| !zeros.contains(i));
        zeros.len() == 1 && others.len() == 1 && initial.eq(rest)
    }

    /// The functions that the chain of a key names, in order, if it has a chain.
    fn chain(&self, digest: Digest) -> Option<Vec<u64>> {
        if self.cells == 0 {
            return None;
        }
        let mut named = Vec::new();
        let mut at = self.cell(digest, 0);
        loop {
            let (name, end) = self.chain[at];
            named.push(name.checked_sub(1)?);
            if named.len() as u64 == self.functions {
                return end.then_some(named);
            }
            at = self.cell(digest, name);
        }
    }

    /// The bit of function `i`.
    fn bit(&self, digest: Digest, i: u64) -> usize {
        let start = scale(high(digest), self.segments) * self.bits;
        let i = u128::from(i);
        let place = match self.family {
            Family::HabfFast => {
                let (a, b) = (function(digest, 0), function(digest, 1) | 1);
                scale((u128::from(a) + i * u128::from(b)) as u64, self.bits)
            }
            Family::HabfCache => {
                let block = scale(low(digest), self.bits / 512);
                let slice = u128::from(function(digest, i / 7)) / 512u128.pow((i % 7) as u32);
                block * 512 + slice % 512
            }
            _ => scale(function(digest, i), self.bits),
        };
        (start + place) as usize
    }

    /// The first cell of a chain for step 0; the cell after one with the name `step` for other steps.
    fn cell(&self, digest: Digest, step: u64) -> usize {
        let start = scale(high(digest), self.segments) * self.cells;
        let step = u128::from(step);
        let place = match self.family {
            Family::HabfFast => {
                let (c, d) = (function(digest, 2), function(digest, 3) | 1);
                scale((u128::from(c) + step * u128::from(d)) as u64, self.cells)
            }
            Family::HabfCache => {
                let line = scale(function(digest, 63), self.cells / 128);
                let slice = u128::from(function(digest, 64)) / 128u128.pow(step as u32);
                line * 128 + slice % 128
            }
            _ => scale(function(digest, 64 + step), self.cells),
        };
        (start + place) as usize
    }
}

/// The upper half of a digest.
fn high(digest: Digest) -> u64 {
    (u128::from(digest) >> 64) as u64
}

/// The lower half of a digest.
fn low(digest: Digest) -> u64 {
    u128::from(digest) as u64
}
