//! The filters of the paper's section IX to the letter: blocks do not record rejected keys, lookups do not use the
//! coin, and the overflow list costs nothing.
//!
//! Every block stores its load beside its bits, and is a Bloom filter of the bits that the counter leaves. A key reads
//! one block of each subtable in turn. It goes into the first block below the level, or at the level if a coin says so.
//! The list takes the keys that all blocks reject. A lookup goes the same way. It stops at the first match, or at the
//! first block below the level. With one table and no level this is the blocked Bloom filter.
//!
//! The library's own filter differs on purpose (`docs/papers.md`). This one compares the paper's model with the paper's
//! filter.

use crate::prelude::*;
use crate::rates::count::{Count, digests};
use bloomwise::balanced::theory::{Threshold, region};
use bloomwise::unstable::reduce;
use std::collections::HashSet;

/// Bits per block.
pub const BLOCK: u32 = 256;

/// The shape of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Positions of a key in a block.
    pub functions: u32,
    /// Bits of a block that hold keys.
    pub cells: u32,
    /// When blocks reject keys; `None` for a blocked filter.
    pub threshold: Option<Threshold>,
    /// Reads per insertion, which determine the sizes of the subtables.
    pub reads: f64,
    /// The number of subtables.
    pub choices: u32,
}

/// A block.
#[derive(Clone, Copy, Default)]
struct Block {
    load: u32,
    bits: [u64; BLOCK as usize / 64],
}

/// A filter of the paper, filled.
pub struct Textbook {
    shape: Shape,
    tables: Vec<Vec<Block>>,
    list: HashSet<Digest>,
    keys: u64,
    insert_reads: u64,
}

impl Textbook {
    /// A filter of `keys` keys at `bits_per_key`, without the list. A false negative is an error.
    pub fn new(shape: Shape, bits_per_key: f64, keys: u64) -> Result<Self> {
        let blocks = bits_per_key * keys as f64 / f64::from(BLOCK);
        let shares = match shape.choices {
            1 => vec![1.0],
            choices => region::mht_shares(region::rejected_share(shape.reads, choices), choices),
        };
        let table = |share: f64| vec![Block::default(); (share * blocks).round().max(1.0) as usize];
        let mut filter = Textbook {
            shape,
            tables: shares.into_iter().map(table).collect(),
            list: HashSet::new(),
            keys,
            insert_reads: 0,
        };
        let members = digests(Self::hashing(), 0..keys);
        for &digest in &members {
            filter.insert(digest);
        }
        let mut all = members.iter();
        ensure!(
            all.all(|&digest| filter.lookup(digest).0),
            "the filter does not find a key of its set"
        );
        Ok(filter)
    }

    /// How keys are hashed.
    pub fn hashing() -> Hashing {
        Hashing::default()
    }

    /// The block of a key in a table.
    fn place(&self, digest: Digest, table: usize) -> usize {
        let size = self.tables[table].len() as u64;
        reduce(digest.function(1000 + table as u64), size) as usize
    }

    fn positions(&self, digest: Digest) -> impl Iterator<Item = usize> + use<> {
        let Shape {
            functions, cells, ..
        } = self.shape;
        let position = move |n| reduce(digest.function(u64::from(n)), u64::from(cells)) as usize;
        (0..functions).map(position)
    }

    fn insert(&mut self, digest: Digest) {
        for table in 0..self.tables.len() {
            self.insert_reads += 1;
            let place = self.place(digest, table);
            let load = self.tables[table][place].load as usize;
            // A separate coin for each table: with one for all, keys that lose it would gather in the second table.
            let coin = digest.function(2000 + table as u64) as f64 / u64::MAX as f64;
            let taken = self.shape.threshold.is_none_or(|threshold| {
                load < threshold.level || load == threshold.level && coin < threshold.coin
            });
            if taken {
                let positions = self.positions(digest);
                let block = &mut self.tables[table][place];
                block.load += 1;
                positions.for_each(|cell| block.bits[cell / 64] |= 1 << (cell % 64));
                return;
            }
        }
        self.list.insert(digest);
    }

    /// Whether the filter accepts the key, and how many blocks the lookup read.
    pub fn lookup(&self, digest: Digest) -> (bool, u64) {
        for (table, blocks) in self.tables.iter().enumerate() {
            let block = &blocks[self.place(digest, table)];
            let reads = table as u64 + 1;
            if self
                .positions(digest)
                .all(|cell| block.bits[cell / 64] >> (cell % 64) & 1 == 1)
            {
                return (true, reads);
            }
            let level = self.shape.threshold;
            let level = level.map_or(usize::MAX, |threshold| threshold.level);
            if (block.load as usize) < level {
                return (false, reads);
            }
        }
        let listed = self.list.contains(&digest);
        (listed, self.tables.len() as u64)
    }

    /// Counts the false positives among `non_members` non-members.
    pub fn count(&self, non_members: u64) -> Count {
        Count::of(Self::hashing(), self.keys, non_members, |digests| {
            let found = digests.iter().filter(|&&digest| self.lookup(digest).0);
            found.count()
        })
    }

    /// The share of keys in the overflow list.
    pub fn overflow(&self) -> f64 {
        self.list.len() as f64 / self.keys as f64
    }

    /// Blocks read per insertion, per member query and per non-member query.
    pub fn reads(&self) -> [f64; 3] {
        let mean = |numbers| {
            let digests = digests(Self::hashing(), numbers);
            let reads = digests.iter().map(|&digest| self.lookup(digest).1);
            reads.sum::<u64>() as f64 / self.keys as f64
        };
        let inserted = self.insert_reads as f64 / self.keys as f64;
        [inserted, mean(0..self.keys), mean(self.keys..2 * self.keys)]
    }

    /// For each subtable, its number of blocks and how many of them have each load.
    pub fn loads(&self) -> Vec<(usize, Vec<usize>)> {
        let most = |blocks: &Vec<Block>| blocks.iter().map(|block| block.load).max();
        let most = self.tables.iter().filter_map(most).max().unwrap_or(0) as usize;
        let of_table = |blocks: &Vec<Block>| {
            let mut loads = vec![0; most + 1];
            blocks
                .iter()
                .for_each(|block| loads[block.load as usize] += 1);
            (blocks.len(), loads)
        };
        self.tables.iter().map(of_table).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_agrees_with_theorem_5() {
        let overflow = region::mht_overflow(1.2, 3);
        let shape = Shape {
            functions: 22,
            cells: 252,
            threshold: Some(Threshold::solve(1.2, 8.0, overflow)),
            reads: 1.2,
            choices: 3,
        };
        let filter = Textbook::new(shape, 32.0, 40_000).expect("no false negative");
        let [inserted, members, non_members] = filter.reads();
        assert!((inserted - 1.2).abs() < 0.02, "{inserted}");
        assert!((members - inserted).abs() < 0.01, "{members}");
        assert!((2.1..2.5).contains(&non_members), "{non_members}");
        assert!((filter.overflow() / overflow - 1.0).abs() < 0.3);
        let loads = filter.loads();
        assert_eq!((loads.len(), loads[0].1.len()), (3, 10));
    }

    #[test]
    fn filter_without_a_level_is_a_blocked_filter() {
        let shape = Shape {
            functions: 6,
            cells: BLOCK,
            threshold: None,
            reads: 1.0,
            choices: 1,
        };
        let filter = Textbook::new(shape, 8.0, 20_000).expect("no false negative");
        assert_eq!((filter.overflow(), filter.reads()[2]), (0.0, 1.0));
        let count = filter.count(50_000);
        assert!((0.02..0.04).contains(&count.rate()), "{count:?}");
    }
}
