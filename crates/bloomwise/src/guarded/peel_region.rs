//! A region of an array from which keys are peeled.
//!
//! Peeling starts at the two ends of an array and moves inwards. So two threads can peel the two halves of the array at the
//! same time. A key with slots in both halves stays, and so do the keys near the middle that it blocks. A third region, the
//! whole array, peels those. The order of peeling does not depend on the number of threads.

use super::array::Shape;

/// The keys that still have a slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// The XOR of their hashes.
    pub hashes: u64,
    /// The XOR of their ids: 0 for a positive, 1 and up for a negative.
    pub ids: u32,
    /// Their number.
    pub keys: u32,
}

/// A key that was peeled.
#[derive(Clone, Copy, Debug)]
pub(super) struct PeeledKey {
    /// Its hash.
    pub hash: u64,
    /// Its id: 0 for a positive.
    pub id: u32,
    /// The index of its pivot among its slots.
    pub pivot: u8,
}

/// A region of the array.
pub(super) struct PeelRegion<'a, const ARITY: usize> {
    /// The shape of the whole array.
    shape: &'a Shape,
    /// The slots of the region.
    pub slots: &'a mut [Slot],
    /// The index of its first slot in the array.
    first: usize,
    /// Slots that may have a single key.
    single: Vec<usize>,
}

impl<'a, const ARITY: usize> PeelRegion<'a, ARITY> {
    /// The region of `slots`, the first of which has the index `first` in the array.
    pub fn new(shape: &'a Shape, slots: &'a mut [Slot], first: usize) -> Self {
        PeelRegion {
            shape,
            slots,
            first,
            single: Vec::new(),
        }
    }

    /// Adds a key to its slots, all of which are in the region.
    #[inline]
    pub fn add(&mut self, hash: u64, id: u32) {
        for slot in self.shape.equation::<ARITY>(hash).slots {
            let slot = &mut self.slots[slot - self.first];
            slot.hashes ^= hash;
            slot.ids ^= id;
            slot.keys += 1;
        }
    }

    /// Peels all keys that can be reached from the slots `from`, and passes each to `peeled`.
    pub fn peel(&mut self, from: std::ops::Range<usize>, mut peeled: impl FnMut(PeeledKey)) {
        for slot in from {
            if self.slots[slot - self.first].keys == 1 {
                self.single.push(slot);
                self.peel_singles(&mut peeled);
            }
        }
    }

    /// Removes a key without peeling it, then peels the keys that this frees.
    pub fn give_up(&mut self, hash: u64, id: u32, mut peeled: impl FnMut(PeeledKey)) {
        let slots = self.shape.equation::<ARITY>(hash).slots;
        self.remove(&slots, hash, id);
        self.peel_singles(&mut peeled);
    }

    /// Peels keys until no known slot has a single key.
    fn peel_singles(&mut self, peeled: &mut impl FnMut(PeeledKey)) {
        while let Some(at) = self.single.pop() {
            let Slot {
                hashes: hash,
                ids: id,
                keys,
            } = self.slots[at - self.first];
            if keys != 1 {
                continue;
            }
            let slots = self.shape.equation::<ARITY>(hash).slots;
            let end = self.first + self.slots.len();
            // Slots ascend. A key that also has slots outside of the region stays for the last region.
            if slots[0] < self.first || slots[ARITY - 1] >= end {
                continue;
            }
            self.remove(&slots, hash, id);
            let pivot = slots.iter().position(|&slot| slot == at);
            let pivot = pivot.unwrap_or(0) as u8;
            peeled(PeeledKey { hash, id, pivot });
        }
    }

    /// Removes a key from its slots.
    #[inline]
    fn remove(&mut self, slots: &[usize; ARITY], hash: u64, id: u32) {
        for &at in slots {
            let slot = &mut self.slots[at - self.first];
            slot.hashes ^= hash;
            slot.ids ^= id;
            slot.keys -= 1;
            if slot.keys == 1 {
                self.single.push(at);
            }
        }
    }
}
