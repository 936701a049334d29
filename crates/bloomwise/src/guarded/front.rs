//! A stretch of an array from which keys are taken away.
//!
//! Peeling starts at the two ends of an array and runs inwards, so two stretches, the halves of the array, can be peeled at
//! the same time by two threads. A key whose slots lie in both halves is left where it is; what such keys hold up, around
//! the middle, is for a third stretch that is the whole array. What is taken away, and in which order, does not depend on the
//! number of threads.

use super::array::Shape;

/// A slot while keys are taken away.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// The exclusive or of the hashes of its keys.
    pub hashes: u64,
    /// The exclusive or of the names of its keys: 0 for a positive, 1 and so on for a negative.
    pub names: u32,
    /// The number of its keys.
    pub keys: u32,
}

/// A key that went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gone {
    pub hash: u64,
    /// 0 for a positive.
    pub name: u32,
    /// The number of its pivot among its slots.
    pub pivot: u8,
}

/// A stretch of the array.
pub(super) struct Front<'a, const ARITY: usize> {
    shape: &'a Shape,
    /// Its slots.
    pub slots: &'a mut [Slot],
    /// The number of the first of them.
    first: usize,
    /// Slots that may have one key.
    alone: Vec<usize>,
}

impl<'a, const ARITY: usize> Front<'a, ARITY> {
    /// The slots from this number on.
    pub fn new(shape: &'a Shape, slots: &'a mut [Slot], first: usize) -> Self {
        Front {
            shape,
            slots,
            first,
            alone: Vec::new(),
        }
    }

    /// Puts a key into its slots, all of which are in this stretch.
    #[inline]
    pub fn put(&mut self, hash: u64, name: u32) {
        for slot in self.shape.places::<ARITY>(hash).slots {
            let slot = &mut self.slots[slot - self.first];
            slot.hashes ^= hash;
            slot.names ^= name;
            slot.keys += 1;
        }
    }

    /// Takes away what can be taken away, starting from these slots, and hands it on.
    pub fn run(&mut self, from: std::ops::Range<usize>, mut went: impl FnMut(Gone)) {
        for slot in from {
            if self.slots[slot - self.first].keys == 1 {
                self.alone.push(slot);
                self.follow(&mut went);
            }
        }
    }

    /// Takes a key away that was given up, and what that sets free.
    pub fn give_up(&mut self, hash: u64, name: u32, mut went: impl FnMut(Gone)) {
        let slots = self.shape.places::<ARITY>(hash).slots;
        self.take(&slots, hash, name);
        self.follow(&mut went);
    }

    /// Takes away what is alone, until nothing is.
    fn follow(&mut self, went: &mut impl FnMut(Gone)) {
        while let Some(at) = self.alone.pop() {
            let Slot {
                hashes: hash,
                names: name,
                keys,
            } = self.slots[at - self.first];
            if keys != 1 {
                continue;
            }
            let slots = self.shape.places::<ARITY>(hash).slots;
            let end = self.first + self.slots.len();
            // Slots rise. A key that has some elsewhere is for later.
            if slots[0] < self.first || slots[ARITY - 1] >= end {
                continue;
            }
            self.take(&slots, hash, name);
            let pivot = slots.iter().position(|&slot| slot == at);
            let pivot = pivot.unwrap_or(0) as u8;
            went(Gone { hash, name, pivot });
        }
    }

    /// Takes a key out of its slots.
    #[inline]
    fn take(&mut self, slots: &[usize; ARITY], hash: u64, name: u32) {
        for &at in slots {
            let slot = &mut self.slots[at - self.first];
            slot.hashes ^= hash;
            slot.names ^= name;
            slot.keys -= 1;
            if slot.keys == 1 {
                self.alone.push(at);
            }
        }
    }
}
