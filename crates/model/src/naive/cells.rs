//! The slow model of filters that are an array of cells: a key adds to its positions, and is in the set if none of them is empty.

use super::{function, halves, scale};
use bloomwise::info::Value;
use bloomwise::keys::Digest;
use bloomwise::{AnyFilter, Family, Filter};

/// An array of cells.
#[derive(Clone)]
pub struct CellsModel {
    family: Family,
    /// A count for every cell; a cell of a bit filter is set if it is not 0.
    cells: Vec<u128>,
    functions: u64,
    /// Bits of a block, where there are blocks.
    block: u128,
    /// Set slots in a row at which a key is rejected, and the most keys that are, where keys are rejected.
    rejection: Option<(usize, usize)>,
    rejected: Vec<Digest>,
}

impl CellsModel {
    /// The model of an empty filter, from its info.
    pub fn of(filter: &AnyFilter) -> Self {
        let info = filter.info();
        let whole = |name: &str| info.parameter(name).and_then(Value::as_u64);
        let cells = ["bits", "counters", "slots"].into_iter().find_map(whole);
        let rejection = whole("threshold").zip(whole("list"));
        CellsModel {
            family: filter.family(),
            cells: vec![0; cells.expect("an array of cells has a length") as usize],
            functions: whole("k").expect("an array of cells has functions"),
            block: u128::from(whole("block").unwrap_or(0)),
            rejection: rejection.map(|(threshold, list)| (threshold as usize, list as usize)),
            rejected: Vec::new(),
        }
    }

    pub fn insert(&mut self, digest: Digest) {
        let positions = self.positions(digest);
        if let Some((threshold, list)) = self.rejection {
            if self.contains(digest) {
                return;
            }
            let mut runs = positions.windows(threshold);
            let collides = runs.any(|run| run.iter().all(|&slot| self.cells[slot] != 0));
            if collides && self.rejected.len() < list {
                self.rejected.push(digest);
                return;
            }
        }
        for position in positions {
            self.cells[position] += 1;
        }
    }

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
        positions.all(|position| self.cells[position] != 0) || self.rejected.contains(&digest)
    }

    fn positions(&self, digest: Digest) -> Vec<usize> {
        let cells = self.cells.len() as u128;
        match self.family {
            Family::Blocked => {
                let (high, low) = halves(digest);
                let block = scale(low, cells / self.block);
                let words = self.block / 64;
                let step = 8 / words;
                let line = block / step * 512;
                // A row has a bit in each word of the block; the last row starts anywhere and has what is left.
                let position = |i: u128| {
                    let bits = match i / words {
                        0 => high,
                        row => function(digest, row),
                    };
                    let word = ((u128::from(low) + i % words) * step + block % step) % 8;
                    line + 64 * word + u128::from(bits.to_le_bytes()[word as usize] % 64)
                };
                let positions = (0..u128::from(self.functions)).map(position);
                positions.map(|position| position as usize).collect()
            }
            Family::Bloom | Family::Counting => {
                let line = if self.family == Family::Bloom {
                    512
                } else {
                    128
                };
                let large = cells * (512 / line) >= 1 << 16;
                let (high, mut number) = halves(digest);
                let mut positions = Vec::new();
                while positions.len() < self.functions as usize {
                    let product = u128::from(number) * cells;
                    let (first, rest) = (product >> 64, product as u64);
                    let second = match large {
                        true => first ^ scale(rest, line),
                        false => scale(rest, cells),
                    };
                    positions.extend([first as usize, second as usize]);
                    number = number.rotate_left(5).wrapping_add(high);
                }
                positions.truncate(self.functions as usize);
                positions
            }
            // A walk: the slot and the step give the number of the next function.
            Family::Personalized | Family::PersonalizedCounting | Family::PersonalizedRejecting => {
                let mut slots = vec![scale(halves(digest).1, cells)];
                for step in 0..u128::from(self.functions) - 1 {
                    let number = 1 + slots[step as usize] + step * cells;
                    slots.push(scale(function(digest, number), cells));
                }
                slots.into_iter().map(|slot| slot as usize).collect()
            }
            family => unreachable!("a {} filter is no array of cells", family.name()),
        }
    }
}
