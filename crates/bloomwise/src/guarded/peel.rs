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
//! so that memory is walked through and not jumped about in. The two halves of the array are peeled at the same time
//! ([`super::front`]); one key in 60 is left for the end.

use super::array::Shape;
use super::front::{Front, Gone, Slot};
use crate::cells;
use crate::error::Result;

/// The share of slots that a front can be brought to use by giving up negatives.
pub(super) const FULL: f64 = 0.97;

/// So many times as many negatives as must be given up are there to choose from, at first.
pub(super) const CHOICE: f64 = 8.0;

/// The order in which keys went: part by part.
#[derive(Debug)]
pub(super) struct Peeled {
    parts: [Part; 3],
}

/// Keys in the order in which they went.
#[derive(Debug)]
struct Part {
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
        self.parts.iter().map(|part| part.hashes.len()).sum()
    }

    /// The keys in the order in which they are to be settled.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        let parts = self.parts.iter().rev();
        let keys = parts.flat_map(|part| part.hashes.iter().zip(&part.notes).rev());
        keys.map(|(&hash, note)| Step {
            hash,
            pivot: usize::from(note & 3),
            negative: note & 4 != 0,
        })
    }
}

impl Part {
    fn with_capacity(keys: usize) -> Self {
        Part {
            hashes: Vec::with_capacity(keys),
            notes: Vec::with_capacity(keys),
        }
    }

    #[inline]
    fn push(&mut self, gone: Gone) {
        self.hashes.push(gone.hash);
        self.notes.push(gone.pivot | u8::from(gone.name > 0) << 2);
    }
}

/// The order for all positives, which are sorted, and for as many negatives as can be, the costliest of which come first;
/// `None` if the positives alone cannot be solved.
pub(super) fn peel<const ARITY: usize>(
    shape: &Shape,
    positives: &[u64],
    negatives: &[u64],
) -> Result<Option<Peeled>> {
    let mut slots = cells::zeroed(shape.slots, Slot::default())?;
    let middle = shape.slots / 2;
    fill::<ARITY>(shape, &mut slots, middle, positives, negatives);
    let (one, other) = slots.split_at_mut(middle as usize);
    // A half of the keys, and the names of the negatives among them.
    let half = |slots: &mut [Slot], first: usize| {
        let mut part = Part::with_capacity((positives.len() + negatives.len()) / 2);
        let mut names = Vec::new();
        let all = first..first + slots.len();
        Front::<ARITY>::new(shape, slots, first).run(all, |gone| {
            part.push(gone);
            names.extend((gone.name > 0).then_some(gone.name));
        });
        // What stalls at once leaves much to the end, which needs the memory.
        part.hashes.shrink_to_fit();
        part.notes.shrink_to_fit();
        (part, names)
    };
    let ((one, names), (other, more)) =
        rayon::join(|| half(one, 0), || half(other, middle as usize));
    let went = one.hashes.len() + other.hashes.len();
    let mut gone = vec![false; 1 + negatives.len()];
    for name in names.into_iter().chain(more) {
        gone[name as usize] = true;
    }
    let left = positives.len() + negatives.len() - went;
    let mut peeling = Peeling {
        shape,
        front: Front::<ARITY>::new(shape, &mut slots, 0),
        notes: Notes {
            gone,
            left,
            part: Part::with_capacity(left),
        },
    };
    // Keys on both sides of the middle have held up what is near it.
    let window = shape.window();
    let near = middle.saturating_sub(window)..(middle + window).min(shape.slots);
    peeling.run(near.start as usize..near.end as usize);
    peeling.give_up(negatives, went);
    let Notes { left, part, .. } = peeling.notes;
    Ok((left == 0).then_some(Peeled {
        parts: [one, other, part],
    }))
}

/// Puts all keys into their slots.
fn fill<const ARITY: usize>(
    shape: &Shape,
    slots: &mut [Slot],
    middle: u64,
    positives: &[u64],
    negatives: &[u64],
) {
    // Keys whose windows end in the left half, and those whose windows start in the right one.
    let left = positives.partition_point(|&hash| shape.start(hash) + shape.window() <= middle);
    let right = positives.partition_point(|&hash| shape.start(hash) < middle);
    let put = |slots: &mut [Slot], first: usize, keys: &[u64]| {
        let mut front = Front::<ARITY>::new(shape, slots, first);
        keys.iter().for_each(|&hash| front.put(hash, 0));
    };
    let (one, other) = slots.split_at_mut(middle as usize);
    rayon::join(
        || put(one, 0, &positives[..left]),
        || put(other, middle as usize, &positives[right..]),
    );
    put(slots, 0, &positives[left..right]);
    let mut front = Front::<ARITY>::new(shape, slots, 0);
    for (name, &hash) in (1..).zip(negatives) {
        front.put(hash, name);
    }
}

/// The whole array, after its halves.
struct Peeling<'a, const ARITY: usize> {
    shape: &'a Shape,
    front: Front<'a, ARITY>,
    notes: Notes,
}

/// Who is gone.
struct Notes {
    /// Whether a negative is, by its name; the first entry is for all positives.
    gone: Vec<bool>,
    /// Keys that are still there.
    left: usize,
    part: Part,
}

impl Notes {
    /// Notes a key that was taken away, or given up.
    fn leaves(&mut self, name: u32) {
        self.gone[name as usize] = true;
        self.left -= 1;
    }

    /// Notes a key that went and is to be settled.
    fn went(&mut self, key: Gone) {
        self.leaves(key.name);
        self.part.push(key);
    }
}

impl<const ARITY: usize> Peeling<'_, ARITY> {
    /// Takes away what can be taken away from these slots on.
    fn run(&mut self, from: std::ops::Range<usize>) {
        let notes = &mut self.notes;
        self.front.run(from, |key| notes.went(key));
    }

    /// Gives up negatives until all keys are gone, or all negatives.
    fn give_up(&mut self, negatives: &[u64], went: usize) {
        let keys = went + self.notes.part.hashes.len() + self.notes.left;
        let too_many = keys as f64 - FULL * self.shape.slots as f64;
        let least = (negatives.len() / 10) as f64;
        let mut choice = (CHOICE * too_many).max(least).max(1.0) as usize;
        while self.notes.left > 0 {
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
        let mut still: Vec<u32> = names
            .filter(|&name| !self.notes.gone[name as usize])
            .collect();
        still.sort_unstable_by_key(|&name| (hash(name), name));
        for name in still {
            let slots = self.shape.places::<ARITY>(hash(name)).slots;
            let frees = slots.iter().any(|&slot| self.front.slots[slot].keys == 2);
            if !self.notes.gone[name as usize] && frees {
                self.drop_key(hash(name), name);
            }
        }
    }

    /// Gives up any negatives, the cheapest first.
    fn any(&mut self, negatives: &[u64]) {
        for (at, &hash) in negatives.iter().enumerate().rev() {
            if self.notes.left > 0 && !self.notes.gone[at + 1] {
                self.drop_key(hash, at as u32 + 1);
            }
        }
    }

    fn drop_key(&mut self, hash: u64, name: u32) {
        let notes = &mut self.notes;
        notes.leaves(name);
        self.front.give_up(hash, name, |key| notes.went(key));
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

    /// How many keys are left when none of them has a slot alone: slow, and right at a glance.
    fn core(shape: &Shape, mut keys: Vec<u64>) -> usize {
        let slots = |hash: u64| shape.places::<4>(hash).slots;
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
        fn a_pivot_is_in_no_equation_that_is_true_already(
            slots in 32u64..400,
            positives in 0u64..100,
            negatives in 0u64..300,
        ) {
            let shape = Shape::new(4, slots, 3, slots).expect("sound");
            let (inside, outside) = (sorted(0..positives), hashes(1000..1000 + negatives));
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
    fn halves_and_the_rest_take_away_all_that_can_be_taken_away() {
        for segment_bits in [2, 4, 5] {
            for slots in [130, 400, 1000] {
                let shape = Shape::new(4, slots, segment_bits, slots).expect("sound");
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
    fn positives_that_are_too_many_fail_and_negatives_are_given_up_the_cheap_ones_mostly() {
        let shape = Shape::new(4, 20_000, 7, 20_000).expect("sound");
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
        let shape = Shape::new(3, 100, 2, 100).expect("sound");
        let peeled = peel::<3>(&shape, &sorted(0..20), &hashes(5..6)).expect("small");
        let peeled = peeled.expect("few keys");
        assert!(peeled.len() == 20 && peeled.steps().all(|step| !step.negative));
    }
}
