//! Peeling: the order in which the keys of an array are solved, and which negatives are given up if it stalls.
//!
//! # The idea
//!
//! Every key is an equation: the XOR of its slots must have a certain value. A slot that belongs to a single key can
//! always satisfy the equation of that key, whatever the other slots hold. So remove that key and solve the other keys
//! first. Its removal leaves other slots with a single key. If all keys can be removed like this, solve them in the
//! reverse order, each by the slot that only it had when it was removed, its *pivot*:
//!
//! ```text
//! slots      0 1 2 3 4 5
//! "ant"      x x     x         slot 0 has only "ant": remove ant, pivot 0
//! "bee"        x   x x         now slot 1 has only "bee": remove bee, pivot 1
//! "cow"          x x   x       slot 2 has only "cow": remove cow, pivot 2
//! solved     cow by slot 2, then bee by slot 1, then ant by slot 0
//! ```
//!
//! *Why it is right.* When a key is solved by its pivot, no key that is already solved has that slot: those keys were
//! removed later, and when this key was removed its pivot had no other key. So every equation that holds keeps holding.
//!
//! # Giving up negatives
//!
//! Slots at the ends of the array have few keys, so peeling starts there and moves inwards from both ends. In an array
//! that is too full it stalls, and all keys in between remain. Positives must all be peeled; if one remains, the build
//! retries with another hash. But a known negative can be given up, and peeling goes on. The candidates are the cheapest
//! negatives. From left to right, those that share a slot with exactly one other key are given up, so that each frees a
//! key. With 98 keys for 100 slots, this gives up one key in 90. Giving up the cheapest negatives wherever they are takes
//! twice as many.
//!
//! # Costs
//!
//! Peeling takes 16 bytes per slot and 9 bytes per key. Keys are sorted by hash, which is the order of their windows, so
//! memory is read almost in sequence. Two threads peel the two halves of the array ([`super::peel_region`]); one key in 60
//! remains for the last pass over the whole array.

use super::array::Shape;
use super::peel_region::{PeelRegion, PeeledKey, Slot};
use crate::error::Result;
use crate::parallel;
use crate::storage;

/// The share of slots that peeling can use if it gives up negatives.
pub(super) const FULL: f64 = 0.97;

/// The number of candidates, at first, for each negative that must be given up.
pub(super) const CHOICE: f64 = 8.0;

/// All peeled keys, in three parts: the left half, the right half, and the rest.
#[derive(Debug)]
pub(super) struct Peeled {
    parts: [PeelOrder; 3],
}

/// Keys in the order in which they were peeled.
#[derive(Debug)]
struct PeelOrder {
    /// The hash of each key.
    hashes: Vec<u64>,
    /// For each key, the index of its pivot among its slots, plus 4 for a negative.
    tags: Vec<u8>,
}

/// A key to be solved.
pub(super) struct Step {
    /// Its hash.
    pub hash: u64,
    /// The index of its pivot among its slots.
    pub pivot: usize,
    /// Whether it is a known negative.
    pub negative: bool,
}

impl Peeled {
    /// The number of keys that were peeled and not given up.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.hashes.len()).sum()
    }

    /// The keys in the order in which they must be solved: the reverse of peeling.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        let parts = self.parts.iter().rev();
        let keys = parts.flat_map(|part| part.hashes.iter().zip(&part.tags).rev());
        keys.map(|(&hash, tag)| Step {
            hash,
            pivot: usize::from(tag & 3),
            negative: tag & 4 != 0,
        })
    }
}

impl PeelOrder {
    fn with_capacity(keys: usize) -> Self {
        PeelOrder {
            hashes: Vec::with_capacity(keys),
            tags: Vec::with_capacity(keys),
        }
    }

    #[inline]
    fn push(&mut self, key: PeeledKey) {
        self.hashes.push(key.hash);
        self.tags.push(key.pivot | u8::from(key.id > 0) << 2);
    }
}

/// Peels all positives, and as many negatives as possible. `positives` must be sorted; `negatives` must be ordered by
/// cost, the costliest first. Returns `None` if the positives cannot all be peeled.
pub(super) fn peel<const ARITY: usize>(
    shape: &Shape,
    positives: &[u64],
    negatives: &[u64],
) -> Result<Option<Peeled>> {
    let mut slots = storage::zeroed(shape.slots, Slot::default())?;
    let middle = shape.slots / 2;
    fill::<ARITY>(shape, &mut slots, middle, positives, negatives);
    let (left, right) = slots.split_at_mut(middle as usize);
    // The peeled keys of a half, and the ids of the negatives among them.
    let peel_half = |slots: &mut [Slot], first: usize| {
        let mut order = PeelOrder::with_capacity((positives.len() + negatives.len()) / 2);
        let mut ids = Vec::new();
        let all = first..first + slots.len();
        PeelRegion::<ARITY>::new(shape, slots, first).peel(all, |key| {
            order.push(key);
            ids.extend((key.id > 0).then_some(key.id));
        });
        // If a half stalls early, the last pass has many keys and needs the memory.
        order.hashes.shrink_to_fit();
        order.tags.shrink_to_fit();
        (order, ids)
    };
    let ((left, left_ids), (right, right_ids)) =
        parallel::join(|| peel_half(left, 0), || peel_half(right, middle as usize));
    let peeled = left.hashes.len() + right.hashes.len();
    let mut gone = vec![false; 1 + negatives.len()];
    for id in left_ids.into_iter().chain(right_ids) {
        gone[id as usize] = true;
    }
    let remaining = positives.len() + negatives.len() - peeled;
    let mut last_pass = LastPass {
        shape,
        region: PeelRegion::<ARITY>::new(shape, &mut slots, 0),
        progress: Progress {
            gone,
            remaining,
            order: PeelOrder::with_capacity(remaining),
        },
    };
    // Keys with slots in both halves have blocked the keys near the middle.
    let window = shape.window();
    let near = middle.saturating_sub(window)..(middle + window).min(shape.slots);
    last_pass.peel(near.start as usize..near.end as usize);
    last_pass.give_up(negatives, peeled);
    let Progress {
        remaining, order, ..
    } = last_pass.progress;
    Ok((remaining == 0).then_some(Peeled {
        parts: [left, right, order],
    }))
}

/// Adds all keys to their slots.
fn fill<const ARITY: usize>(
    shape: &Shape,
    slots: &mut [Slot],
    middle: u64,
    positives: &[u64],
    negatives: &[u64],
) {
    // Windows of the keys before `left` end in the left half; windows of the keys from `right` on start in the right half.
    let left = positives.partition_point(|&hash| shape.start(hash) + shape.window() <= middle);
    let right = positives.partition_point(|&hash| shape.start(hash) < middle);
    let add = |slots: &mut [Slot], first: usize, keys: &[u64]| {
        let mut region = PeelRegion::<ARITY>::new(shape, slots, first);
        keys.iter().for_each(|&hash| region.add(hash, 0));
    };
    let (left_half, right_half) = slots.split_at_mut(middle as usize);
    parallel::join(
        || add(left_half, 0, &positives[..left]),
        || add(right_half, middle as usize, &positives[right..]),
    );
    add(slots, 0, &positives[left..right]);
    let mut region = PeelRegion::<ARITY>::new(shape, slots, 0);
    for (id, &hash) in (1..).zip(negatives) {
        region.add(hash, id);
    }
}

/// The pass over the whole array, after its halves.
struct LastPass<'a, const ARITY: usize> {
    shape: &'a Shape,
    region: PeelRegion<'a, ARITY>,
    progress: Progress,
}

/// Which keys are gone, and which remain.
struct Progress {
    /// Whether a negative is gone, by its id. The first entry stands for all positives and is not read.
    gone: Vec<bool>,
    /// The number of keys that were neither peeled nor given up.
    remaining: usize,
    /// The keys that the last pass has peeled.
    order: PeelOrder,
}

impl Progress {
    /// Records that a key was peeled or given up.
    fn key_is_gone(&mut self, id: u32) {
        self.gone[id as usize] = true;
        self.remaining -= 1;
    }

    /// Records that a key was peeled, and its place in the order.
    fn key_is_peeled(&mut self, key: PeeledKey) {
        self.key_is_gone(key.id);
        self.order.push(key);
    }
}

impl<const ARITY: usize> LastPass<'_, ARITY> {
    /// Peels all keys that can be reached from the slots `from`.
    fn peel(&mut self, from: std::ops::Range<usize>) {
        let progress = &mut self.progress;
        self.region.peel(from, |key| progress.key_is_peeled(key));
    }

    /// Gives up negatives until no key or no negative remains. `peeled` is the number of keys peeled in the halves.
    fn give_up(&mut self, negatives: &[u64], peeled: usize) {
        let keys = peeled + self.progress.order.hashes.len() + self.progress.remaining;
        let too_many = keys as f64 - FULL * self.shape.slots as f64;
        let least = (negatives.len() / 10) as f64;
        let mut candidates = (CHOICE * too_many).max(least).max(1.0) as usize;
        while self.progress.remaining > 0 {
            let first = negatives.len().saturating_sub(candidates);
            self.give_up_from_left(negatives, first);
            // All negatives were candidates. Keys that remain are blocked by positives, or share every slot with two or
            // more keys.
            if first == 0 {
                return self.give_up_cheapest(negatives);
            }
            candidates *= 2;
        }
    }

    /// Goes through the negatives from the index `first` on, in the order of their windows, and gives up those that free
    /// another key.
    fn give_up_from_left(&mut self, negatives: &[u64], first: usize) {
        let ids = (first..negatives.len()).map(|at| at as u32 + 1);
        let hash = |id: u32| negatives[id as usize - 1];
        let mut candidates: Vec<u32> = ids.filter(|&id| !self.progress.gone[id as usize]).collect();
        candidates.sort_unstable_by_key(|&id| (hash(id), id));
        for id in candidates {
            let slots = self.shape.equation::<ARITY>(hash(id)).slots;
            let frees = slots.iter().any(|&slot| self.region.slots[slot].keys == 2);
            if !self.progress.gone[id as usize] && frees {
                self.give_up_key(hash(id), id);
            }
        }
    }

    /// Gives up negatives, the cheapest first, until no key or no negative remains.
    fn give_up_cheapest(&mut self, negatives: &[u64]) {
        for (at, &hash) in negatives.iter().enumerate().rev() {
            if self.progress.remaining > 0 && !self.progress.gone[at + 1] {
                self.give_up_key(hash, at as u32 + 1);
            }
        }
    }

    /// Gives up one negative, and peels the keys that this frees.
    fn give_up_key(&mut self, hash: u64, id: u32) {
        let progress = &mut self.progress;
        progress.key_is_gone(id);
        self.region
            .give_up(hash, id, |key| progress.key_is_peeled(key));
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

    fn sorted(keys: std::ops::Range<u64>) -> Vec<u64> {
        let mut hashes = hashes(keys);
        hashes.sort_unstable();
        hashes
    }

    /// The number of keys that cannot be peeled: slow, but obviously right.
    fn core(shape: &Shape, mut keys: Vec<u64>) -> usize {
        let slots = |hash: u64| shape.equation::<4>(hash).slots;
        loop {
            let mut load = vec![0; shape.slots as usize];
            keys.iter()
                .for_each(|&key| slots(key).iter().for_each(|&slot| load[slot] += 1));
            let before = keys.len();
            keys.retain(|&key| slots(key).iter().all(|&slot| load[slot] > 1));
            if keys.len() == before {
                return before;
            }
        }
    }

    proptest! {
        #[test]
        fn a_pivot_is_in_no_equation_solved_before(
            slots in 32u64..400,
            positives in 0u64..100,
            negatives in 0u64..300,
        ) {
            let shape = Shape::new(4, slots, 3, slots).expect("valid");
            let (inside, outside) = (sorted(0..positives), hashes(1000..1000 + negatives));
            let Some(peeled) = peel::<4>(&shape, &inside, &outside).expect("small") else {
                return Ok(());
            };
            let mut taken = vec![false; slots as usize];
            let mut seen = 0;
            for step in peeled.steps() {
                let slots = shape.equation::<4>(step.hash).slots;
                prop_assert!(!taken[slots[step.pivot]]);
                slots.iter().for_each(|&slot| taken[slot] = true);
                prop_assert_eq!(step.negative, !inside.contains(&step.hash));
                seen += u64::from(!step.negative);
            }
            // Positives are never given up, and no key comes twice: its pivot would be taken.
            prop_assert_eq!(seen, positives);
        }
    }

    #[test]
    fn peeling_in_parts_peels_every_key_that_can_be_peeled() {
        for segment_bits in [2, 4, 5] {
            for slots in [130, 400, 1000] {
                let shape = Shape::new(4, slots, segment_bits, slots).expect("valid");
                let mut solved = 0;
                for start in 0..200 {
                    let first = 10_000 * start;
                    let keys = sorted(first..first + 4 * slots / 10 + start % 20 * slots / 35);
                    let peeled = peel::<4>(&shape, &keys, &[]).expect("small");
                    assert_eq!(peeled.is_some(), core(&shape, keys) == 0);
                    solved += u32::from(peeled.is_some());
                }
                assert!(solved > 0 && solved < 200, "{solved}");
            }
        }
    }

    #[test]
    fn too_many_positives_fail_and_cheap_negatives_are_given_up_first() {
        let shape = Shape::new(4, 20_000, 7, 20_000).expect("valid");
        let full = peel::<4>(&shape, &sorted(0..20_001), &[]).expect("small");
        assert!(full.is_none());
        let (inside, outside) = (sorted(0..10_000), hashes(50_000..60_000));
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
        let shape = Shape::new(3, 100, 2, 100).expect("valid");
        let peeled = peel::<3>(&shape, &sorted(0..20), &hashes(5..6)).expect("small");
        let peeled = peeled.expect("few keys");
        assert!(peeled.len() == 20 && peeled.steps().all(|step| !step.negative));
    }
}
