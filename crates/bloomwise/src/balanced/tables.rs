//! Which blocks a key may choose from.
//!
//! Each choice is a hash function into a table of blocks. SINGLE has one choice among all blocks, SEQUENTIAL several of
//! them, MHT one in each of several tables that share the blocks. Where the tables lie is all that tells the schemes
//! apart, so that insertion and lookup need not know which it is.

use super::scheme::Scheme;
use super::theory::region;
use crate::hash::Digest;

/// The most choices a key can have.
pub const MAX_CHOICES: u32 = 8;

/// The tables of all choices, in the order in which they are tried. They lie in the filter itself: every lookup needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    /// The first `len` of these; the others are empty.
    tables: [Table; MAX_CHOICES as usize],
    /// How many there are.
    len: usize,
}

/// Some of the blocks, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// What decides to which group the key belongs at this block, in 1/65536.
    pub(super) lot: u32,
}

impl Tables {
    /// The tables of so many choices among `blocks` blocks. Each table of MHT has `turned_away` times the blocks of the one
    /// before, and at least one, so that there are no more choices than blocks.
    pub(super) fn new(scheme: Scheme, blocks: u64, choices: u32, turned_away: f64) -> Option<Self> {
        let mut sizes = vec![blocks; choices as usize];
        if scheme == Scheme::Mht {
            let (mut end, mut share) = (0, 0.0);
            let shares = region::mht_shares(turned_away, choices);
            let after = (0..u64::from(choices)).rev();
            for ((size, own), after) in sizes.iter_mut().zip(shares).zip(after) {
                let start = end;
                share += own;
                let wanted = (share * blocks as f64).round() as u64;
                // One for each of those that come after; and the last one ends where the blocks end.
                end = wanted.max(start + 1).min(blocks.checked_sub(after)?);
                end = if after == 0 { blocks } else { end };
                *size = end.checked_sub(start)?;
            }
        }
        Self::of_sizes(scheme, blocks, &sizes)
    }

    /// The tables of these sizes, which may be any; `None` if the scheme has no such tables.
    pub(super) fn of_sizes(scheme: Scheme, blocks: u64, sizes: &[u64]) -> Option<Self> {
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

    /// How many there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Table> {
        self.tables[..self.len].iter()
    }

    /// The block that is choice number `choice` of a key.
    ///
    /// A product of 128 bits has all of it: its upper half is the block; its lower half, which is where between this block
    /// and the next the hash lies, is as random once the block is known, and has the draw and the lot.
    #[inline(always)]
    pub(super) fn candidate(&self, digest: Digest, choice: usize) -> Candidate {
        // The functions up to 7 place the bits of a key in its block.
        let hash = match choice {
            0 => digest.low,
            _ => digest.function(8 + choice as u64),
        };
        let table = self.tables[choice];
        let product = u128::from(hash) * u128::from(table.size);
        Candidate {
            block: table.start + (product >> 64) as u64,
            draw: (product as u64 >> 48) as u32,
            lot: (product as u64 >> 32) as u32 & 0xFFFF,
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
                for turned_away in [1e-9, 0.01, 0.17, 0.5, 0.95, 1.0] {
                    let tables = Tables::new(Scheme::Mht, blocks, choices, turned_away);
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
    fn sizes_that_no_scheme_has_are_refused() {
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
                Tables::of_sizes(scheme, 4, sizes),
                None,
                "{scheme:?} {sizes:?}"
            );
        }
        assert!(Tables::of_sizes(Scheme::Mht, 4, &[3, 1]).is_some());
        assert!(Tables::of_sizes(Scheme::Sequential, 4, &[4, 4, 4]).is_some());
    }

    #[test]
    fn blocks_and_draws_of_all_choices_are_even_and_independent() {
        // 16 blocks by 16 ranges of the draw, and the blocks of two choices; five deviations of the count.
        let tables = Tables::new(Scheme::Sequential, 16, 5, 0.0).expect("sound");
        let digests = (0..200_000u64).map(|key| Hashing::default().digest(&key.to_le_bytes()));
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
            check(&|d| of(d, choice).block * 16 + u64::from(of(d, choice).draw >> 12));
            check(&|d| of(d, choice).block * 16 + u64::from(of(d, choice).lot >> 12));
            check(&|d| u64::from(of(d, choice).draw >> 12 << 4 | of(d, choice).lot >> 12));
            check(&|d| of(d, choice).block * 16 + of(d, choice + 1).block);
            check(&|d| u64::from(of(d, choice).draw >> 12) * 16 + of(d, choice + 1).block);
        }
    }
}
