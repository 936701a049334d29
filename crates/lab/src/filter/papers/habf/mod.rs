//! HABF and f-HABF as their authors have them, for comparison with this library's [`habf`](bloomwise::habf).
//!
//! The paper (R. Xie et al., "Hash Adaptive Bloom Filter", ICDE 2021) and the authors' public program differ in places,
//! and this library's filter differs from both. Here the differences are switches ([`Rules`]), so that each can be measured
//! alone:
//!
//! | switch | program | text |
//! |---|---|---|
//! | `shared_hashes` | yes: the cells of a key follow from its bits | open; here no |
//! | `skips_repaired` | no: a negative that an earlier move repaired may still cause a move | yes |
//! | `fewest_cells` | no: a chain is stored in the first order that fits | yes: "maximized overlap" |
//! | `last_function` | no: a loop ends one function early | yes |
//! | `compares_moves` | no: the first move onto a set bit is taken | yes: the harmless move with the fewest new cells |
//! | `exchanges` | only if the harm is below the gain; harmed negatives are not queued again | up to equal; queued at the tail |
//!
//! These hold for both and not for this library's filter:
//!
//! - A bit that ever had two owners never has a single one again.
//! - Only single owners are moved, never both owners of a bit.
//! - The second round accepts every chain, and the optimiser ignores it.
//! - The whole filter is one segment, optimised in one pass.
//!
//! f-HABF has double hashing and never sets an empty bit, so it needs no list of the negatives at each bit. Its cells have 5 bits in the
//! program, which gives a pool of 15 functions.
//!
//! *No false negatives.* A bit is cleared only when its single owner moves away, so the bits of every key stay set. A
//! written cell keeps its name and its end bit, so a moved key reads back the functions that were stored for it. If its
//! bits happen to be set under the initial functions, the first round accepts it.
//!
//! One thing is not reproduced: the program's hash functions, seven different ones. Here all come from one digest.

mod expressor;
mod optimiser;
mod owners;
mod places;

pub use optimiser::Repairs;

use crate::prelude::*;
use bloomwise::unstable::{BitArray, PackedArray};
use expressor::Expressor;
use optimiser::Optimiser;
use places::{Hashes, Places};

/// Where the paper's text and the authors' program differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The cell after a function follows from its bit.
    pub shared_hashes: bool,
    /// A negative that is no false positive any more when its turn comes is skipped.
    pub skips_repaired: bool,
    /// A chain is stored in the order that needs the fewest new cells.
    pub fewest_cells: bool,
    /// The last function of the pool is a candidate too.
    pub last_function: bool,
    /// All harmless moves are compared by the new cells that they need.
    pub compares_moves: bool,
    /// A move may harm as much as it repairs, and harmed negatives are queued again.
    pub exchanges: bool,
}

impl Rules {
    /// The rules of the authors' program.
    pub const PROGRAM: Self = Self::with(0);

    /// The rules of the paper's text.
    pub const TEXT: Self = Self::with(6);

    /// The program with this number of rules of the text, in the order of the fields.
    pub const fn with(of_the_text: u32) -> Self {
        Rules {
            shared_hashes: of_the_text < 1,
            skips_repaired: of_the_text >= 2,
            fewest_cells: of_the_text >= 3,
            last_function: of_the_text >= 4,
            compares_moves: of_the_text >= 5,
            exchanges: of_the_text >= 6,
        }
    }
}

/// The parameters that the paper varies.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// Functions per key, `k` in the paper.
    pub functions: u32,
    /// Bits per cell. The pool has all names of a cell but 0.
    pub cell_bits: u32,
    /// The cells' share of the space.
    pub ratio: f64,
    /// f-HABF: double hashing, and no move onto an empty bit.
    pub fast: bool,
    /// What the optimiser does.
    pub rules: Rules,
}

impl Parameters {
    /// HABF with the paper's defaults.
    pub fn habf(rules: Rules) -> Self {
        Parameters {
            functions: 3,
            cell_bits: 4,
            ratio: 0.2,
            fast: false,
            rules,
        }
    }

    /// f-HABF with the program's pool.
    pub fn fast(rules: Rules) -> Self {
        Parameters {
            cell_bits: 5,
            fast: true,
            ..Self::habf(rules)
        }
    }

    /// The number of functions that a key can choose from.
    pub fn pool(&self) -> u32 {
        (1 << (self.cell_bits - 1)) - 1
    }
}

/// The paper's filter.
pub struct PaperHabf {
    bits: BitArray,
    expressor: Expressor,
    hashes: Hashes,
    functions: u32,
}

impl PaperHabf {
    /// The filter of `sets` in at most `budget` bits.
    pub fn build(sets: &KeySets, budget: u64, parameters: Parameters) -> Result<Self> {
        Ok(Self::build_and_report(sets, budget, parameters)?.0)
    }

    /// The filter of `sets` in at most `budget` bits, and what the optimiser did.
    pub fn build_and_report(
        sets: &KeySets,
        budget: u64,
        parameters: Parameters,
    ) -> Result<(Self, Repairs)> {
        let Parameters {
            functions,
            cell_bits,
            ratio,
            ..
        } = parameters;
        ensure!(
            (2..=10).contains(&cell_bits),
            "{cell_bits} bits per cell; use 2 to 10"
        );
        ensure!(
            (1..parameters.pool()).contains(&functions),
            "{functions} functions per key; cells of {cell_bits} bits can name 1 to {}, and one more",
            parameters.pool() - 1
        );
        let cells = (ratio * budget as f64) as u64 / u64::from(cell_bits);
        let of_cells = 64 * PackedArray::words_for(cells, cell_bits);
        let bits = budget.saturating_sub(of_cells) / 64 * 64;
        if cells == 0 || bits == 0 {
            bail!(TooSmall(budget));
        }
        let hashes = Hashes {
            double: parameters.fast,
            shared: parameters.rules.shared_hashes,
            bits,
            cells,
        };
        let mut expressor = Expressor::new(cells, cell_bits)?;
        let optimiser = Optimiser::new(sets, hashes, parameters);
        let (owners, repairs) = optimiser.run(&mut expressor);
        let mut bits = BitArray::new(bits)?;
        owners.occupied().for_each(|bit| {
            bits.set(bit);
        });
        let filter = PaperHabf {
            bits,
            expressor,
            hashes,
            functions,
        };
        Ok((filter, repairs))
    }

    /// Whether the bits of the initial functions are all set: the first round of a query.
    pub fn first_round(&self, digest: Digest) -> bool {
        let places = self.hashes.places(digest);
        (0..self.functions).all(|function| self.is_set(&places, function))
    }

    fn is_set(&self, places: &Places, function: u32) -> bool {
        self.bits.get(places.bit(function))
    }

    /// The number of bits, without the cells.
    pub fn bit_count(&self) -> u64 {
        self.bits.len()
    }

    /// The number of cells.
    pub fn cell_count(&self) -> u64 {
        self.hashes.cells
    }
}

impl DigestFilter for PaperHabf {
    fn may_contain(&self, digest: Digest) -> bool {
        if self.first_round(digest) {
            return true;
        }
        let places = self.hashes.places(digest);
        let mut is_set = |function| self.is_set(&places, function);
        self.expressor.chain(&places, self.functions, &mut is_set)
    }

    fn bits(&self) -> u64 {
        self.bits.len() + self.expressor.size_in_bits()
    }
}

#[cfg(test)]
mod tests;
