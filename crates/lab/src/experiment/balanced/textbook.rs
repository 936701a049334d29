//! The filters of the paper's section IX, as its text has them: no notes, no coin at lookup, and a list that costs nothing.
//!
//! Every block has its load beside its bits and is a Bloom filter of what the counter leaves. A key reads one block of each
//! subtable in turn and goes into the first that is below the level, or at the level if a coin says so; the list takes those
//! that are turned away by all. A lookup goes the same way and stops at the first match, or at the first block below the level.
//! With one table and no level this is the blocked Bloom filter.
//!
//! The library's own filter differs on purpose (`docs/papers.md`); this one is here so that the paper's model can be held against
//! the paper's filter.

use super::count::{Count, digests};
use anyhow::{Result, ensure};
use bloomwise::balanced::theory::{Threshold, region};
use bloomwise::hash::reduce;
use bloomwise::{Digest, Hashing};
use std::collections::HashSet;

/// Bits of a block.
pub const BLOCK: u32 = 256;

/// What a filter is made of.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Positions of a key in a block.
    pub functions: u32,
    /// Bits of a block that are for keys.
    pub cells: u32,
    /// When blocks turn keys away; `None` for a blocked filter.
    pub threshold: Option<Threshold>,
    /// Reads for an insertion, by which the subtables are sized.
    pub reads: f64,
    /// Subtables.
    pub choices: u32,
}

/// A block.
#[derive(Clone, Copy, Default)]
struct Block {
    load: u32,
    bits: [u64; BLOCK as usize / 64],
}

/// A filter of the paper, full.
pub struct Textbook {
    shape: Shape,
    tables: Vec<Vec<Block>>,
    list: HashSet<(u64, u64)>,
    keys: u64,
    insert_reads: u64,
}

impl Textbook {
    /// A filter of these keys in so many bits for each, the list not counted. All members are looked up.
    pub fn new(shape: Shape, bits_per_key: f64, keys: u64) -> Result<Self> {
        let blocks = bits_per_key * keys as f64 / f64::from(BLOCK);
        let shares = match shape.choices {
            1 => vec![1.0],
            choices => region::mht_shares(region::turned_away(shape.reads, choices), choices),
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
            "a member is denied"
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
            // A coin for each table: with one for all, those who lose it would gather in the second.
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
        self.list.insert((digest.high, digest.low));
    }

    /// Whether a key is taken for a member, and how many blocks that took.
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
            let level = self
                .shape
                .threshold
                .map_or(usize::MAX, |threshold| threshold.level);
            if (block.load as usize) < level {
                return (false, reads);
            }
        }
        let listed = self.list.contains(&(digest.high, digest.low));
        (listed, self.tables.len() as u64)
    }

    /// How many of so many strangers are taken for members.
    pub fn count(&self, strangers: u64) -> Count {
        Count::of(Self::hashing(), self.keys, strangers, |digests| {
            digests
                .iter()
                .filter(|&&digest| self.lookup(digest).0)
                .count()
        })
    }

    /// The share of keys in the list.
    pub fn overflow(&self) -> f64 {
        self.list.len() as f64 / self.keys as f64
    }

    /// Blocks read for an insertion, and for the lookup of a member and of a stranger.
    pub fn reads(&self) -> [f64; 3] {
        let mean = |numbers| {
            let digests = digests(Self::hashing(), numbers);
            let reads = digests.iter().map(|&digest| self.lookup(digest).1);
            reads.sum::<u64>() as f64 / self.keys as f64
        };
        let inserted = self.insert_reads as f64 / self.keys as f64;
        [inserted, mean(0..self.keys), mean(self.keys..2 * self.keys)]
    }

    /// For each subtable its blocks, and how many have each load from 0 to one above the level.
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
    fn a_filter_keeps_what_theorem_5_says() {
        let overflow = region::mht_overflow(1.2, 3);
        let shape = Shape {
            functions: 22,
            cells: 252,
            threshold: Some(Threshold::solve(1.2, 8.0, overflow)),
            reads: 1.2,
            choices: 3,
        };
        let filter = Textbook::new(shape, 32.0, 40_000).expect("finds its members");
        let [inserted, members, strangers] = filter.reads();
        assert!((inserted - 1.2).abs() < 0.02, "{inserted}");
        assert!((members - inserted).abs() < 0.01, "{members}");
        assert!((2.1..2.5).contains(&strangers), "{strangers}");
        assert!((filter.overflow() / overflow - 1.0).abs() < 0.3);
        let loads = filter.loads();
        assert_eq!((loads.len(), loads[0].1.len()), (3, 10));
    }

    #[test]
    fn without_a_level_it_is_a_blocked_filter() {
        let shape = Shape {
            functions: 6,
            cells: BLOCK,
            threshold: None,
            reads: 1.0,
            choices: 1,
        };
        let filter = Textbook::new(shape, 8.0, 20_000).expect("finds its members");
        assert_eq!((filter.overflow(), filter.reads()[2]), (0.0, 1.0));
        let count = filter.count(50_000);
        assert!((0.02..0.04).contains(&count.rate()), "{count:?}");
    }
}
