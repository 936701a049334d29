//! The three schemes: which blocks a key may choose from.
//!
//! Each choice is a hash function into a table of blocks. SINGLE has one choice among all blocks, SEQUENTIAL several of
//! them, MHT one in each of several tables that share the blocks. Where the tables lie is all that tells the schemes
//! apart, so that insertion and lookup need not know which it is.

use super::theory::region;
use crate::hash::Digest;

/// Function number of the first choice but one. The functions before it place the bits of a key in its block.
const FIRST_FUNCTION: u64 = 8;

/// How the blocks are shared among the choices of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// One choice.
    Single = 1,
    /// Several choices among all blocks, and a budget of reads.
    Sequential = 2,
    /// Several choices, each in a table of its own; the tables fall in size. The paper's multi-level hash table.
    Mht = 3,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 3] = [Scheme::Single, Scheme::Sequential, Scheme::Mht];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Single => "single",
            Scheme::Sequential => "sequential",
            Scheme::Mht => "mht",
        }
    }

    /// The scheme of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }

    /// The tables of this many choices among so many blocks, of which there must be no fewer than choices. Each table of
    /// MHT has `turned_away` times the blocks of the one before, and at least one.
    pub(super) fn tables(self, blocks: u64, choices: u32, turned_away: f64) -> Vec<Table> {
        if self != Scheme::Mht {
            let all = Table {
                start: 0,
                size: blocks,
            };
            return vec![all; choices as usize];
        }
        let (mut start, mut share) = (0, 0.0);
        let shares = region::mht_shares(turned_away, choices);
        let tables = shares.iter().zip((0..u64::from(choices)).rev());
        let table = |(own, tables_after): (&f64, u64)| {
            share += own;
            let end = (share * blocks as f64).round() as u64;
            let end = end.max(start + 1).min(blocks - tables_after);
            // The last table ends where the blocks end, whatever the shares sum up to.
            let end = if tables_after == 0 { blocks } else { end };
            let size = end - start;
            let table = Table { start, size };
            start = end;
            table
        };
        tables.map(table).collect()
    }

    /// Whether these are tables that the scheme can have among so many blocks. Sizes may be any numbers.
    pub(super) fn fits(self, tables: &[Table], blocks: u64) -> bool {
        match self {
            Scheme::Single => tables.len() == 1 && tables[0].size == blocks,
            Scheme::Sequential => tables.iter().all(|table| table.size == blocks),
            Scheme::Mht => {
                let sizes = tables.iter().map(|table| table.size);
                let sum = sizes.clone().try_fold(0u64, u64::checked_add);
                sum == Some(blocks) && sizes.min() > Some(0)
            }
        }
    }
}

/// Some of the blocks, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// The first block.
    pub(super) start: u64,
    /// How many there are.
    pub(super) size: u64,
}

/// A block that a key may go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The number of the block.
    pub(super) block: u64,
    /// What the key has drawn for this block, in 1/65536.
    pub(super) draw: u32,
}

impl Table {
    /// The block of this table that is choice number `choice` of a key.
    ///
    /// A product of 128 bits has both: its upper half is the block, its lower half, which is where between this block
    /// and the next the hash lies, is as random once the block is known, and is the coin.
    #[inline(always)]
    pub(super) fn candidate(self, digest: Digest, choice: usize) -> Candidate {
        let hash = match choice {
            0 => digest.low,
            _ => digest.function(FIRST_FUNCTION + choice as u64),
        };
        let product = u128::from(hash) * u128::from(self.size);
        Candidate {
            block: self.start + (product >> 64) as u64,
            draw: (product as u64 >> 48) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Hashing;

    #[test]
    fn tables_of_any_size_share_the_blocks_and_none_is_empty() {
        for blocks in 1..200 {
            for choices in 1..=8.min(blocks as u32) {
                for turned_away in [1e-9, 0.01, 0.17, 0.5, 0.95] {
                    let tables = Scheme::Mht.tables(blocks, choices, turned_away);
                    assert!(Scheme::Mht.fits(&tables, blocks), "{tables:?}");
                    let ends = tables.iter().map(|table| table.start + table.size);
                    let starts = tables.iter().map(|table| table.start).skip(1);
                    assert!(ends.zip(starts).all(|(end, start)| end == start));
                    let all = Scheme::Sequential.tables(blocks, choices, turned_away);
                    assert!(Scheme::Sequential.fits(&all, blocks));
                }
            }
        }
    }

    #[test]
    fn blocks_and_draws_of_all_choices_are_even_and_independent() {
        // 16 blocks by 16 ranges of the draw, and the blocks of two choices; five deviations of the count.
        let table = Table { start: 0, size: 16 };
        let digests = (0..200_000u64).map(|key| Hashing::default().digest(&key.to_le_bytes()));
        let digests: Vec<_> = digests.collect();
        let check = |joint: &dyn Fn(Digest) -> u64| {
            let mut counts = [0u32; 256];
            digests.iter().for_each(|&d| counts[joint(d) as usize] += 1);
            let mean = digests.len() as f64 / 256.0;
            let furthest = counts.map(|count| (f64::from(count) - mean).abs());
            assert!(furthest.iter().all(|far| *far < 5.0 * mean.sqrt()));
        };
        let of = |digest, choice| table.candidate(digest, choice);
        for choice in 0..4 {
            check(&|d| of(d, choice).block * 16 + u64::from(of(d, choice).draw >> 12));
            check(&|d| of(d, choice).block * 16 + of(d, choice + 1).block);
            check(&|d| u64::from(of(d, choice).draw >> 12) * 16 + of(d, choice + 1).block);
        }
    }
}
