//! Slow models of the families, obviously right: one `Vec` entry per cell, arithmetic on `u128`, nothing packed, nothing
//! shared with the library but the digest. Lives in small filters compare every answer with theirs.

mod balanced;
mod cuckoo;
mod growing;
mod guarded;
mod habf;
pub mod seesaw;

use balanced::BalancedModel;
use bloomwise::info::Value;
use bloomwise::keys::Digest;
use bloomwise::{AnyFilter, Family, Filter};
use cuckoo::CuckooModel;
use growing::GrowingModel;
use seesaw::SeesawModel;

/// A model of one of the families.
#[derive(Clone)]
pub struct Model {
    family: Family,
    /// A count for every cell; a cell of a bit filter is set if it is not 0.
    cells: Vec<u128>,
    functions: u64,
    /// Bits of a block, where there are blocks.
    block: u128,
    /// Set slots in a row at which a key is rejected, and the most keys that are, where keys are rejected.
    rejection: Option<(usize, usize)>,
    rejected: Vec<Digest>,
    /// The model, where the family has one of its own.
    habf: Option<habf::Habf>,
    /// All there is, where blocks are balanced.
    balanced: Option<BalancedModel>,
    guarded: Option<guarded::Guarded>,
    seesaw: Option<SeesawModel>,
    growing: Option<GrowingModel>,
    cuckoo: Option<CuckooModel>,
}

impl Model {
    /// The model of an empty filter, from its info. For families that are built with negatives, the filter may hold keys.
    pub fn of(filter: &AnyFilter) -> Self {
        let info = filter.info();
        let whole = |name: &str| info.parameter(name).and_then(Value::as_u64);
        let cells = ["bits", "counters", "slots", "buckets"]
            .into_iter()
            .find_map(whole);
        let rejection = whole("threshold").zip(whole("list"));
        Model {
            family: filter.family(),
            cells: vec![0; cells.expect("all have cells") as usize],
            functions: whole("k").unwrap_or(0),
            block: u128::from(whole("block").unwrap_or(0)),
            rejection: rejection.map(|(threshold, list)| (threshold as usize, list as usize)),
            rejected: Vec::new(),
            habf: match filter {
                AnyFilter::Habf(_) => Some(habf::Habf::of(filter)),
                _ => None,
            },
            balanced: BalancedModel::of(filter),
            guarded: match filter {
                AnyFilter::Guarded(_) => Some(guarded::Guarded::of(filter)),
                _ => None,
            },
            seesaw: SeesawModel::of(filter),
            growing: GrowingModel::of(filter),
            cuckoo: CuckooModel::of(filter),
        }
    }

    /// Adds a key. `false`, and nothing changes, if there is no room for it.
    pub fn insert(&mut self, digest: Digest) -> bool {
        if let Some(cuckoo) = &mut self.cuckoo {
            return cuckoo.insert(digest);
        }
        self.add(digest);
        true
    }

    /// Adds a key to a model that has room for every key.
    fn add(&mut self, digest: Digest) {
        if let Some(habf) = &mut self.habf {
            return habf.insert(digest);
        }
        if let Some(balanced) = &mut self.balanced {
            return balanced.insert(digest);
        }
        if let Some(seesaw) = &mut self.seesaw {
            return seesaw.insert(digest);
        }
        if let Some(growing) = &mut self.growing {
            return growing.insert(digest);
        }
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

    /// Removes a key that is in the set.
    pub fn remove(&mut self, digest: Digest) {
        if let Some(seesaw) = &mut self.seesaw {
            return seesaw.remove(digest);
        }
        if let Some(cuckoo) = &mut self.cuckoo {
            return cuckoo.remove(digest);
        }
        for position in self.positions(digest) {
            // At 15 a counter of the filter sticks; the model goes far beyond and never comes back.
            if self.cells[position] >= 15 {
                self.cells[position] = 1 << 100;
            }
            self.cells[position] -= 1;
        }
    }

    /// Guards a key, where the family can.
    pub fn guard(&mut self, digest: Digest) {
        if let Some(seesaw) = &mut self.seesaw {
            seesaw.guard(digest);
        }
        if let Some(cuckoo) = &mut self.cuckoo {
            cuckoo.guard(digest);
        }
    }

    /// The answer of a filter.
    pub fn contains(&self, digest: Digest) -> bool {
        if let Some(habf) = &self.habf {
            return habf.contains(digest);
        }
        if let Some(balanced) = &self.balanced {
            return balanced.contains(digest);
        }
        if let Some(guarded) = &self.guarded {
            return guarded.contains(digest);
        }
        if let Some(seesaw) = &self.seesaw {
            return seesaw.contains(digest);
        }
        if let Some(growing) = &self.growing {
            return growing.contains(digest);
        }
        if let Some(cuckoo) = &self.cuckoo {
            return cuckoo.contains(digest);
        }
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
            _ => {
                let mut slots = vec![scale(halves(digest).1, cells)];
                for step in 0..u128::from(self.functions) - 1 {
                    let number = 1 + slots[step as usize] + step * cells;
                    slots.push(scale(function(digest, number), cells));
                }
                slots.into_iter().map(|slot| slot as usize).collect()
            }
        }
    }
}

/// The upper and the lower half of a digest.
fn halves(digest: Digest) -> (u64, u64) {
    let bits = u128::from(digest);
    ((bits >> 64) as u64, bits as u64)
}

/// Function `i` of a digest, as `docs/format.md` has it.
fn function(digest: Digest, i: u128) -> u64 {
    let modulus = 1u128 << 64;
    let (high, low) = halves(digest);
    let left = u128::from(low) ^ (i * 0x9E37_79B9_7F4A_7C15 % modulus);
    let right = (u128::from(high) + i * 0xBB67_AE85_84CA_A73B) % modulus;
    let product = left * right;
    (product % modulus) as u64 ^ (product / modulus) as u64
}

fn scale(hash: u64, n: u128) -> u128 {
    u128::from(hash) * n / (1 << 64)
}
