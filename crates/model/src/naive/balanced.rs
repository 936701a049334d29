//! The slow model of a balanced filter. It reads the parameters from the filter's file, as `docs/format.md` describes it.

use super::{function, scale};
use bloomwise::keys::Digest;
use bloomwise::{AnyFilter, Family, Filter, Persist};
use std::collections::BTreeSet;
use std::ops::Range;

#[derive(Clone, Default)]
struct Block {
    set: BTreeSet<u128>,
    load: u64,
    /// Groups from which the block has rejected a key.
    recorded: BTreeSet<u128>,
}

#[derive(Clone)]
pub struct BalancedModel {
    functions: u128,
    /// The words of a block.
    words: u128,
    /// The bits of the last word that keys can set.
    free: u128,
    level: u64,
    coin: u128,
    groups: u128,
    budget: u64,
    reads: u64,
    tables: Vec<Range<u64>>,
    blocks: Vec<Block>,
    list: Vec<Digest>,
    list_room: u64,
}

impl BalancedModel {
    /// The model of an empty balanced filter; `None` for other families.
    pub fn of(filter: &AnyFilter) -> Option<Self> {
        if filter.family() != Family::Balanced {
            return None;
        }
        let bytes = filter.to_bytes();
        let words = bytes[80..].chunks_exact(8);
        let words: Vec<u64> = words
            .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")))
            .collect();
        let (bits, width, scheme, level) = (words[1], words[2], words[3], words[4]);
        let states = level + (2 << words[6]);
        let counter = states.next_power_of_two().trailing_zeros();
        let sizes = &words[13..][..words[12] as usize];
        let tables = (0..sizes.len()).map(|choice| match scheme {
            3 => {
                let start: u64 = sizes[..choice].iter().sum();
                start..start + sizes[choice]
            }
            _ => 0..sizes[choice],
        });
        Some(BalancedModel {
            functions: u128::from(words[0]),
            words: (1 << width) / 64,
            free: 64 - u128::from(counter),
            level,
            coin: u128::from(words[5]),
            groups: u128::from(words[6]),
            budget: words[8],
            reads: 0,
            tables: tables.collect(),
            blocks: vec![Block::default(); (bits >> width) as usize],
            list: Vec::new(),
            list_room: words[7],
        })
    }

    pub fn insert(&mut self, digest: Digest) {
        for choice in 0..self.tables.len() {
            if self.reads >= self.budget {
                break;
            }
            self.reads += 1;
            let (block, wins, group) = self.candidate(digest, choice);
            let positions = self.positions(digest, block);
            let block = &mut self.blocks[block];
            if positions.is_subset(&block.set) {
                return;
            }
            if block.load < self.level || block.load == self.level && wins {
                block.set.extend(positions);
                block.load += 1;
                return;
            }
            block.recorded.insert(group);
        }
        if self.list.contains(&digest) {
            return;
        }
        if (self.list.len() as u64) < self.list_room {
            self.list.push(digest);
        } else {
            let (block, ..) = self.candidate(digest, 0);
            let positions = self.positions(digest, block);
            self.blocks[block].set.extend(positions);
        }
    }

    pub fn contains(&self, digest: Digest) -> bool {
        let listed = self.list.contains(&digest);
        for choice in 0..self.tables.len() {
            let (block, wins, group) = self.candidate(digest, choice);
            let positions = self.positions(digest, block);
            let block = &self.blocks[block];
            if positions.is_subset(&block.set) {
                return true;
            }
            if !block.recorded.contains(&group) || block.load == self.level && wins {
                return listed && self.reads >= self.budget;
            }
        }
        listed
    }

    /// The block of a choice, whether the key wins the coin toss there, and its group.
    fn candidate(&self, digest: Digest, choice: usize) -> (usize, bool, u128) {
        let hash = match choice {
            0 => u128::from(digest) as u64,
            _ => function(digest, 8 + choice as u128),
        };
        let table = &self.tables[choice];
        let size = u128::from(table.end - table.start);
        let lower = u128::from(hash) * size % (1 << 64);
        let draw = lower / (1 << 48);
        let group = lower / (1 << 32) % (1 << 16) * self.groups / (1 << 16);
        let block = u128::from(table.start) + scale(hash, size);
        (block as usize, draw < self.coin, group)
    }

    /// One bit in each word of the block, row by row; the last row starts anywhere and has what is left.
    fn positions(&self, digest: Digest, block: usize) -> BTreeSet<u128> {
        let step = 8 / self.words;
        let position = |i: u128| {
            let bits = match i / self.words {
                0 => (u128::from(digest) >> 64) as u64,
                row => function(digest, row),
            };
            let first = u128::from(digest) % self.words;
            let word = (first + i) % self.words;
            let byte = bits.to_le_bytes()[(word * step + block as u128 % step) as usize];
            let bit = match word == self.words - 1 {
                true => u128::from(byte) * self.free / 256,
                false => u128::from(byte) % 64,
            };
            64 * word + bit
        };
        (0..self.functions).map(position).collect()
    }
}
