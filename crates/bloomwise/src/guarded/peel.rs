//! Solving an array by peeling, and what is given up where that stalls.
//!
//! # The idea
//!
//! Every key is an equation: the exclusive or of its slots is to have a value. A slot that one key alone has can always
//! make that key's equation true, whatever the others say. So take that key away, and solve the rest first; now other
//! slots have a single key. If all keys go away like this, they are solved in the opposite order, each by the slot that
//! was its own, its *pivot*:
//!
//! ```text
//! slots      0 1 2 3 4 5
//! "ant"      x x     x         slot 0 has "ant" alone: ant goes, pivot 0
//! "bee"        x   x x         then slot 1 has "bee" alone: bee goes, pivot 1
//! "cow"          x x   x       slot 2 has "cow" alone: cow goes, pivot 2
//! solved     cow by slot 2, then bee by slot 1, then ant by slot 0
//! ```
//!
//! *Why it is right.* When a key is settled by its pivot, no key that was settled before has that slot: such keys went
//! later, and at that time the pivot had no other key. So nothing that was true becomes false.
//!
//! # The front
//!
//! Slots at the ends of the array have few keys, so peeling starts there, and two fronts run inwards. In an array that
//! is too full they stall, and everything between them is left. Positives must all go: another hash is tried then. But a
//! known negative can be given up, and the front runs on. Given up are, from the left front on, those of the cheapest
//! negatives that share a slot with one other key only, so that each sets one key free. With 98 keys for 100 slots, one
//! key in 90 is given up like this; giving up the cheapest ones wherever they are takes twice as many.
//!
//! # Costs
//!
//! 16 bytes for each slot, 9 for each key. Keys are in the order of their hashes, which is the order of their windows,
//! so that memory is walked through and not jumped about in.

use super::array::Shape;
use crate::cells;
use crate::error::Result;

/// The share of slots that a front can be brought to use by giving up negatives.
pub(super) const FULL: f64 = 0.97;

/// So many times as many negatives as must be given up are there to choose from, at first.
pub(super) const CHOICE: f64 = 8.0;

/// A slot while keys are taken away.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The exclusive or of the hashes of its keys.
    hashes: u64,
    /// The exclusive or of the names of its keys: 0 for a positive, 1 and so on for a negative.
    names: u32,
    /// The number of its keys.
    keys: u32,
}

/// The order in which keys went.
#[derive(Debug, Default)]
pub(super) struct Peeled {
    /// Their hashes.
    hashes: Vec<u64>,
    /// For each, the number of its pivot among its slots; 4 is added for a negative.
    notes: Vec<u8>,
}

/// A key as it is settled.
pub(super) struct Step {
    pub hash: u64,
    pub pivot: usize,
    pub negative: bool,
}

impl Peeled {
    /// The number of keys that went and were not given up.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The keys in the order in which they are to be settled.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        let both = self.hashes.iter().zip(&self.notes).rev();
        both.map(|(&hash, note)| Step {
            hash,
            pivot: usize::from(note & 3),
            negative: note & 4 != 0,
        })
    }
}

/// The order for all positives and for as many negatives as can be, the costliest of which come first; `None` if the
/// positives alone cannot be solved.
pub(super) fn peel<const ARITY: usize>(
    shape: &Shape,
    positives: &[u64],
    negatives: &[u64],
) -> Result<Option<Peeled>> {
    let mut peeling = Peeling::<ARITY>::new(shape, positives, negatives)?;
    for slot in 0..peeling.slots.len() {
        if peeling.slots[slot].keys == 1 {
            peeling.run_from(slot);
        }
    }
    peeling.give_up(negatives);
    Ok((peeling.left == 0).then_some(peeling.peeled))
}

struct Peeling<'a, const ARITY: usize> {
    shape: &'a Shape,
    slots: Vec<Slot>,
    /// Slots that may have one key.
    alone: Vec<usize>,
    /// Whether a negative is gone, by its name; the first entry is for all positives.
    gone: Vec<bool>,
    /// Keys that are still there.
    left: usize,
    peeled: Peeled,
}

impl<'a, const ARITY: usize> Peeling<'a, ARITY> {
    fn new(shape: &'a Shape, positives: &[u64], negatives: &[u64]) -> Result<Self> {
        let left = positives.len() + negatives.len();
        let mut peeling = Peeling {
            shape,
            slots: cells::zeroed(shape.slots, Slot::default())?,
            alone: Vec::new(),
            gone: vec![false; 1 + negatives.len()],
            left,
            peeled: Peeled {
                hashes: Vec::with_capacity(left),
                notes: Vec::with_capacity(left),
            },
        };
        let named = (1..).zip(negatives).map(|(name, &hash)| (name, hash));
        for (name, hash) in positives.iter().map(|&hash| (0, hash)).chain(named) {
            for slot in shape.places::<ARITY>(hash).slots {
                let slot = &mut peeling.slots[slot];
                slot.hashes ^= hash;
                slot.names ^= name;
                slot.keys += 1;
            }
        }
        Ok(peeling)
    }

    /// Takes away what can be taken away from this slot on.
    fn run_from(&mut self, slot: usize) {
        self.alone.push(slot);
        while let Some(at) = self.alone.pop() {
            let Slot {
                hashes,
                names,
                keys,
            } = self.slots[at];
            if keys == 1 {
                let pivot = self.take(hashes, names).iter().position(|&slot| slot == at);
                self.peeled.hashes.push(hashes);
                let pivot = pivot.unwrap_or(0) as u8;
                self.peeled.notes.push(pivot | u8::from(names > 0) << 2);
            }
        }
    }

    /// Takes a key out of its slots.
    #[inline]
    fn take(&mut self, hash: u64, name: u32) -> [usize; ARITY] {
        let slots = self.shape.places::<ARITY>(hash).slots;
        for at in slots {
            let slot = &mut self.slots[at];
            slot.hashes ^= hash;
            slot.names ^= name;
            slot.keys -= 1;
            if slot.keys == 1 {
                self.alone.push(at);
            }
        }
        self.gone[name as usize] = true;
        self.left -= 1;
        slots
    }

    /// Gives up negatives until all keys are gone, or all negatives.
    fn give_up(&mut self, negatives: &[u64]) {
        let too_many =
            self.peeled.hashes.len() as f64 + self.left as f64 - FULL * self.slots.len() as f64;
        let least = (negatives.len() / 10) as f64;
        let mut choice = (CHOICE * too_many).max(least).max(1.0) as usize;
        while self.left > 0 {
            let first = negatives.len().saturating_sub(choice);
            self.front(negatives, first);
            // Where all could be chosen from and keys are left, they are left because of positives or share all slots
            // with others.
            if first == 0 {
                return self.any(negatives);
            }
            choice *= 2;
        }
    }

    /// Gives up some of the negatives from this place in the list on, from the left of the array, where that sets a key free.
    fn front(&mut self, negatives: &[u64], first: usize) {
        let names = (first..negatives.len()).map(|at| at as u32 + 1);
        let hash = |name: u32| negatives[name as usize - 1];
        let mut still: Vec<u32> = names.filter(|&name| !self.gone[name as usize]).collect();
        still.sort_unstable_by_key(|&name| (hash(name), name));
        for name in still {
            let slots = self.shape.places::<ARITY>(hash(name)).slots;
            let frees = slots.iter().any(|&slot| self.slots[slot].keys == 2);
            if !self.gone[name as usize] && frees {
                self.drop_key(hash(name), name);
            }
        }
    }

    /// Gives up any negatives, the cheapest first.
    fn any(&mut self, negatives: &[u64]) {
        for (at, &hash) in negatives.iter().enumerate().rev() {
            if self.left > 0 && !self.gone[at + 1] {
                self.drop_key(hash, at as u32 + 1);
            }
        }
    }

    fn drop_key(&mut self, hash: u64, name: u32) {
        self.take(hash, name);
        if let Some(slot) = self.alone.pop() {
            self.run_from(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Digest;
    use proptest::prelude::*;

    fn hash(n: u64) -> u64 {
        Digest { high: n, low: !n }.function(1)
    }

    fn hashes(keys: std::ops::Range<u64>) -> Vec<u64> {
        keys.map(hash).collect()
    }

    proptest! {
        #[test]
        fn a_pivot_is_in_no_equation_that_is_true_already(
            slots in 32u64..400,
            positives in 0u64..100,
            negatives in 0u64..300,
        ) {
            let shape = Shape::new(4, slots, 3, slots).expect("sound");
            let (inside, outside) = (hashes(0..positives), hashes(1000..1000 + negatives));
            let Some(peeled) = peel::<4>(&shape, &inside, &outside).expect("small") else {
                return Ok(());
            };
            let mut taken = vec![false; slots as usize];
            let mut seen = 0;
            for step in peeled.steps() {
                let slots = shape.places::<4>(step.hash).slots;
                prop_assert!(!taken[slots[step.pivot]]);
                slots.iter().for_each(|&slot| taken[slot] = true);
                prop_assert_eq!(step.negative, !inside.contains(&step.hash));
                seen += u64::from(!step.negative);
            }
            // Positives are never given up, and nothing comes twice: its pivot would be taken.
            prop_assert_eq!(seen, positives);
        }
    }

    #[test]
    fn positives_that_are_too_many_fail_and_negatives_are_given_up_the_cheap_ones_mostly() {
        let shape = Shape::new(4, 20_000, 7, 20_000).expect("sound");
        let full = peel::<4>(&shape, &hashes(0..20_001), &[]).expect("small");
        assert!(full.is_none());
        let (inside, outside) = (hashes(0..10_000), hashes(50_000..60_000));
        let peeled = peel::<4>(&shape, &inside, &outside).expect("small");
        let peeled = peeled.expect("half as many positives as slots");
        assert!(peeled.len() > 17_000, "{} of 20,000 keys", peeled.len());
        let kept: std::collections::BTreeSet<u64> = peeled.steps().map(|step| step.hash).collect();
        let given_up = |part: &[u64]| part.iter().filter(|hash| !kept.contains(hash)).count();
        let (costly, cheap) = outside.split_at(5000);
        assert!(2 * given_up(costly) < given_up(cheap));
    }

    #[test]
    fn a_negative_with_the_hash_of_a_positive_is_given_up() {
        let shape = Shape::new(3, 100, 2, 100).expect("sound");
        let peeled = peel::<3>(&shape, &hashes(0..20), &hashes(5..6)).expect("small");
        let peeled = peeled.expect("few keys");
        assert!(peeled.len() == 20 && peeled.steps().all(|step| !step.negative));
    }
}
