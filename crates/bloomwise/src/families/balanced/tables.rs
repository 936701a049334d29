//! The candidate blocks of a key.
//!
//! Each choice is a hash function into a table of blocks. SINGLE has one choice, whose table is all blocks. SEQUENTIAL has
//! several choices, each with all blocks as its table. MHT divides the blocks into several tables and has one choice in
//! each. The schemes do not differ otherwise, so insertion and lookup need not know the scheme.

use super::scheme::Scheme;
use super::theory::region;
use crate::keys::hash::Digest;

/// The largest number of choices of a key.
pub const MAX_CHOICES: u32 = 8;

/// The tables of all choices, in the order in which they are tried. They are stored inline because every lookup needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    /// The tables; only the first `len` are in use, the others are empty.
    tables: [Table; MAX_CHOICES as usize],
    /// The number of tables in use.
    len: usize,
}

/// A range of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    /// The first block.
    pub(super) start: u64,
    /// The number of blocks.
    pub(super) size: u64,
}

/// A block that a key may go to, and the key's draws at this block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The number of the block.
    pub(super) block: u64,
    /// The draw that decides the coin toss, in 1/65536.
    pub(super) coin_draw: u32,
    /// The draw that decides the key's group, in 1/65536.
    pub(super) group_draw: u32,
}

impl Tables {
    /// The tables of `choices` choices among `blocks` blocks. Each table of MHT has `rejected_share` times the blocks of the
    /// one before, and at least one block; `None` if there are more choices than blocks.
    pub(super) fn new(
        scheme: Scheme,
        blocks: u64,
        choices: u32,
        rejected_share: f64,
    ) -> Option<Self> {
        let mut sizes = vec![blocks; choices as usize];
        if scheme == Scheme::Mht {
            let (mut end, mut share) = (0, 0.0);
            let shares = region::mht_shares(rejected_share, choices);
            let after = (0..u64::from(choices)).rev();
            for ((size, own), after) in sizes.iter_mut().zip(shares).zip(after) {
                let start = end;
                share += own;
                let wanted = (share * blocks as f64).round() as u64;
                // Leave one block for each later table. The last table ends where the blocks end.
                end = wanted.max(start + 1).min(blocks.checked_sub(after)?);
                end = if after == 0 { blocks } else { end };
                *size = end.checked_sub(start)?;
            }
        }
        Self::from_sizes(scheme, blocks, &sizes)
    }

    /// The tables of these `sizes`; `None` if the scheme cannot have them. The sizes may come from a file.
    pub(super) fn from_sizes(scheme: Scheme, blocks: u64, sizes: &[u64]) -> Option<Self> {
        let mut all = Tables {
            tables: [Table::default(); MAX_CHOICES as usize],
            len: sizes.len(),
        };
        let mut start = 0u64;
        for (table, &size) in all.tables.iter_mut().zip(sizes) {
            *table = Table { start, size };
            if scheme == Scheme::Mht {
                start = start.checked_add(size)?;
            }
        }
        let fits = match scheme {
            Scheme::Single => sizes == [blocks],
            Scheme::Sequential => sizes.iter().all(|size| *size == blocks),
            Scheme::Mht => start == blocks && !sizes.contains(&0),
        };
        let fits = fits && (1..=all.tables.len()).contains(&sizes.len());
        fits.then_some(all)
    }

    /// The number of tables.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All tables, in the order in which they are tried.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Table> {
        self.tables[..self.len].iter()
    }

    /// The candidate of a key for choice number `choice`.
    ///
    /// One product of 128 bits gives everything. Its upper half is the block. Its lower half is the position of the hash
    /// between this block and the next. Given the block, it is still random; both draws come from it.
    #[inline(always)]
    pub(super) fn candidate(&self, digest: Digest, choice: usize) -> Candidate {
        // Functions up to 7 place the bits of a key in its block.
        let hash = match choice {
            0 => digest.low,
            _ => digest.function(8 + choice as u64),
        };
        let table = self.tables[choice];
        let product = u128::from(hash) * u128::from(table.size);
        Candidate {
            block: table.start + (product >> 64) as u64,
            coin_draw: (product as u64 >> 48) as u32,
            group_draw: (product as u64 >> 32) as u32 & 0xFFFF,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Hashing;

    #[test]
    fn mht_tables_cover_all_blocks_and_none_is_empty() {
        for blocks in 1..200 {
            for choices in 1..=8.min(blocks as u32) {
                for rejected_share in [1e-9, 0.01, 0.17, 0.5, 0.95, 1.0] {
                    let tables = Tables::new(Scheme::Mht, blocks, choices, rejected_share);
                    let tables = tables.expect("no more choices than blocks");
                    let sum = tables.iter().try_fold(0, |end, table| {
                        (table.start == end && table.size > 0).then_some(end + table.size)
                    });
                    assert_eq!(sum, Some(blocks), "{tables:?}");
                }
            }
        }
        assert_eq!(Tables::new(Scheme::Mht, 2, 3, 0.1), None);
    }

    #[test]
    fn sizes_that_a_scheme_cannot_have_are_none() {
        for (scheme, sizes) in [
            (Scheme::Single, &[4, 4][..]),
            (Scheme::Single, &[]),
            (Scheme::Sequential, &[]),
            (Scheme::Sequential, &[4, 5]),
            (Scheme::Sequential, &[4; 9]),
            (Scheme::Mht, &[4, 0]),
            (Scheme::Mht, &[3, 2]),
            (Scheme::Mht, &[u64::MAX, 5]),
            (Scheme::Mht, &[]),
        ] {
            assert_eq!(
                Tables::from_sizes(scheme, 4, sizes),
                None,
                "{scheme:?} {sizes:?}"
            );
        }
        assert!(Tables::from_sizes(Scheme::Mht, 4, &[3, 1]).is_some());
        assert!(Tables::from_sizes(Scheme::Sequential, 4, &[4, 4, 4]).is_some());
    }

    #[test]
    fn blocks_and_draws_of_all_choices_are_uniform_and_independent() {
        // Pairs of blocks and draws, 16 values each. Counts must be within five standard deviations of the mean.
        let tables = Tables::new(Scheme::Sequential, 16, 5, 0.0).expect("valid");
        let digests = (0..200_000u64).map(|key| Hashing::default().digest(key));
        let digests: Vec<_> = digests.collect();
        let check = |joint: &dyn Fn(Digest) -> u64| {
            let mut counts = [0u32; 256];
            digests.iter().for_each(|&d| counts[joint(d) as usize] += 1);
            let mean = digests.len() as f64 / 256.0;
            let furthest = counts.map(|count| (f64::from(count) - mean).abs());
            assert!(furthest.iter().all(|far| *far < 5.0 * mean.sqrt()));
        };
        let of = |digest, choice| tables.candidate(digest, choice);
        for choice in 0..4 {
            check(&|d| of(d, choice).block * 16 + u64::from(of(d, choice).coin_draw >> 12));
            check(&|d| of(d, choice).block * 16 + u64::from(of(d, choice).group_draw >> 12));
            check(&|d| {
                u64::from(of(d, choice).coin_draw >> 12 << 4 | of(d, choice).group_draw >> 12)
            });
            check(&|d| of(d, choice).block * 16 + of(d, choice + 1).block);
            check(&|d| u64::from(of(d, choice).coin_draw >> 12) * 16 + of(d, choice + 1).block);
        }
    }
}
