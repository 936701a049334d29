//! Slow models of the families, right at a glance: one `Vec` entry a cell, arithmetic on `u128`, nothing packed, nothing
//! shared with the library but the digest. The laws compare every answer with theirs.

use bloomwise::{Digest, Family};

/// A model of one of the plain families.
#[derive(Clone)]
pub struct Model {
    family: Family,
    /// A count for every cell; a cell of a bit filter is set if it is not 0.
    cells: Vec<u128>,
    functions: u64,
    /// Bits of a block.
    block: u128,
}

impl Model {
    pub fn new(family: Family, cells: u64, functions: u64, block: u64) -> Self {
        Model {
            family,
            cells: vec![0; cells as usize],
            functions,
            block: u128::from(block),
        }
    }

    pub fn insert(&mut self, digest: Digest) {
        for position in self.positions(digest) {
            self.cells[position] += 1;
        }
    }

    /// Removes a key that is in the set.
    pub fn remove(&mut self, digest: Digest) {
        for position in self.positions(digest) {
            // At 15 a counter of the filter sticks; the model goes far beyond and never comes back.
            if self.cells[position] >= 15 {
                self.cells[position] = 1 << 100;
            }
            self.cells[position] -= 1;
        }
    }

    pub fn contains(&self, digest: Digest) -> bool {
        let mut positions = self.positions(digest).into_iter();
        positions.all(|position| self.cells[position] != 0)
    }

    fn positions(&self, digest: Digest) -> Vec<usize> {
        let cells = self.cells.len() as u128;
        match self.family {
            Family::Blocked => {
                let start = scale(digest.low, cells / self.block) * self.block;
                let slices = if self.block == 512 { 7 } else { 8 };
                let position = |i: u64| {
                    let bits = match i / slices {
                        0 => digest.high,
                        word => function(digest, word),
                    };
                    u128::from(bits) / self.block.pow((i % slices) as u32) % self.block
                };
                (0..self.functions)
                    .map(|i| (start + position(i)) as usize)
                    .collect()
            }
            _ => (0..self.functions)
                .map(|i| scale(function(digest, i), cells) as usize)
                .collect(),
        }
    }
}

/// Function `i` of a digest, as `docs/format.md` has it.
fn function(digest: Digest, i: u64) -> u64 {
    let modulus = 1u128 << 64;
    let i = u128::from(i);
    let left = u128::from(digest.low) ^ (i * 0x9E37_79B9_7F4A_7C15 % modulus);
    let right = (u128::from(digest.high) + i * 0xBB67_AE85_84CA_A73B) % modulus;
    let product = left * right;
    (product % modulus) as u64 ^ (product / modulus) as u64
}

fn scale(hash: u64, n: u128) -> u128 {
    u128::from(hash) * n / (1 << 64)
}
