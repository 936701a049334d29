//! Where the bits and cells of a key are.
//!
//! Function `i` of the pool leads to one bit and to one cell. HABF's functions are independent. Those of f-HABF are
//! `a + i b`. In the authors' program the cell follows from the bit: both are remainders of one hash, and there are exactly 16 bits
//! per cell, or both are the same fraction of their range. So keys that share a bit share a cell too.

use bloomwise::keys::Digest;
use bloomwise::unstable::reduce;

/// The first function number that leads to cells, if they are independent of the bits.
const CELLS: u64 = 1 << 16;

/// How keys are mapped to the bits and cells of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Hashes {
    /// Whether the functions are `a + i b`.
    pub double: bool,
    /// Whether the cells of a key follow from its bits.
    pub shared: bool,
    /// The number of bits.
    pub bits: u64,
    /// The number of cells.
    pub cells: u64,
}

impl Hashes {
    /// The places of a key.
    pub fn places(self, digest: Digest) -> Places {
        Places {
            hashes: self,
            digest,
        }
    }

    fn hash(self, digest: Digest, first: u64, function: u64) -> u64 {
        if self.double {
            let (start, step) = (digest.function(first), digest.function(first + 1) | 1);
            start.wrapping_add(function.wrapping_mul(step))
        } else {
            digest.function(first + function)
        }
    }
}

/// The places of one key.
#[derive(Clone, Copy)]
pub struct Places {
    hashes: Hashes,
    digest: Digest,
}

impl Places {
    /// The bit of a function.
    pub fn bit(&self, function: u32) -> usize {
        let hash = self.hashes.hash(self.digest, 0, 1 + u64::from(function));
        reduce(hash, self.hashes.bits) as usize
    }

    /// The first cell of the key's chain.
    pub fn first_cell(&self) -> usize {
        self.cell(0)
    }

    /// The cell after one that names `function`.
    pub fn cell_after(&self, function: u32) -> usize {
        self.cell(1 + u64::from(function))
    }

    fn cell(&self, step: u64) -> usize {
        let first = if self.hashes.shared { 0 } else { CELLS };
        let hash = self.hashes.hash(self.digest, first, step);
        reduce(hash, self.hashes.cells) as usize
    }
}
