//! The array of a guarded filter as far as peeling is concerned.

use crate::workload::digest_of;
use bloomwise::unstable::reduce;

/// The shape of the array.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Slots per key.
    pub arity: usize,
    /// Slots of the array.
    pub slots: u64,
    /// A segment has `2^segment_bits` slots.
    pub segment_bits: u32,
}

impl Shape {
    /// The slots of a key.
    pub fn places(&self, hash: u64) -> impl Iterator<Item = usize> + use<> {
        let (bits, arity) = (self.segment_bits, self.arity);
        let start = reduce(hash, self.slots + 1 - ((arity as u64) << bits));
        let product = u128::from(hash) * 0x9E37_79B9_7F4A_7C15;
        let offsets = product as u64 ^ (product >> 64) as u64;
        (0..arity).map(move |j| {
            let offset = offsets >> (16 * j) & ((1 << bits) - 1);
            (start + ((j as u64) << bits) + offset) as usize
        })
    }
}

/// Keys in slots, some of which are removed.
pub struct Peeling<'a> {
    shape: Shape,
    hashes: &'a [u64],
    /// For each slot, the XOR of the numbers of its keys and how many keys it has.
    pub slots: Vec<(u32, u32)>,
    removed: Vec<bool>,
    /// The number of keys not removed yet.
    pub left: usize,
}

impl<'a> Peeling<'a> {
    /// Puts all keys into their slots.
    pub fn new(shape: Shape, hashes: &'a [u64]) -> Self {
        let mut slots = vec![(0, 0); shape.slots as usize];
        for (number, &hash) in hashes.iter().enumerate() {
            for place in shape.places(hash) {
                slots[place].0 ^= number as u32;
                slots[place].1 += 1;
            }
        }
        Peeling {
            shape,
            hashes,
            slots,
            removed: vec![false; hashes.len()],
            left: hashes.len(),
        }
    }

    /// Removes a key, and then every key that is alone in a slot.
    fn remove(&mut self, number: usize) {
        let mut ready = vec![number];
        while let Some(number) = ready.pop() {
            if self.removed[number] {
                continue;
            }
            self.removed[number] = true;
            self.left -= 1;
            for place in self.shape.places(self.hashes[number]) {
                let slot = &mut self.slots[place];
                slot.0 ^= number as u32;
                slot.1 -= 1;
                if slot.1 == 1 {
                    ready.push(slot.0 as usize);
                }
            }
        }
    }

    /// Peels as many keys as possible.
    pub fn run(&mut self) {
        for place in 0..self.slots.len() {
            if self.slots[place].1 == 1 {
                self.remove(self.slots[place].0 as usize);
            }
        }
    }

    /// Gives up keys with numbers from `first` on, from the left of the array, where that frees another key. Returns
    /// how many.
    pub fn give_up(&mut self, first: usize) -> usize {
        let mut still: Vec<usize> = (first..self.hashes.len())
            .filter(|&n| !self.removed[n])
            .collect();
        still.sort_unstable_by_key(|&number| self.hashes[number]);
        let mut count = 0;
        for number in still {
            let mut places = self.shape.places(self.hashes[number]);
            if !self.removed[number] && places.any(|place| self.slots[place].1 == 2) {
                self.remove(number);
                count += 1;
            }
        }
        count
    }
}

/// The hashes of `count` keys.
pub fn hashes(count: usize, seed: u64) -> Vec<u64> {
    let digest = digest_of(seed, !seed);
    (0..count as u64).map(|n| digest.function(n)).collect()
}
