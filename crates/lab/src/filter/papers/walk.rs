//! The walk of the paper on item-personalized Bloom filters, to the letter, beside this library's walk and a Bloom
//! filter. All three set `k` bits of one array; they differ in how a key finds its slots.
//!
//! | path | the next slot depends on |
//! |---|---|
//! | [`Path::BySlot`], the paper | the key and the slot |
//! | [`Path::BySlotAndStep`], this library | the key, the slot and the step |
//! | [`Path::Fixed`], Bloom | the key and the step |
//!
//! In the paper "we re-hash the item using the hash function of the landed location". So a walk that returns to a slot
//! goes in circles: it has only as many slots as it found before. Among `n` slots, a walk returns after exactly `j`
//! slots with a chance of about `j / n`, and is then a false positive as often as a Bloom filter with `j` functions
//! ([`rate_by_slot`]). In a large filter that costs nothing; the experiment `ibf-walks` has numbers for small ones.
//!
//! *No false negatives*: a path depends on the key alone, and no bit is ever cleared.

use crate::prelude::*;
use bloomwise::unstable::{BitArray, probe, reduce};

/// How a key finds its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Each slot has a function, which leads to the next slot.
    BySlot,
    /// Each slot has a function for each step.
    BySlotAndStep,
    /// All keys have the same functions.
    Fixed,
}

/// A filter whose keys take a path through it.
pub struct Walk {
    bits: BitArray,
    /// The number of slots. The array may have more bits, up to a whole word.
    slots: u64,
    functions: u32,
    path: Path,
}

impl Walk {
    /// The filter of the positives in `slots` bits.
    pub fn build(sets: &KeySets, slots: u64, functions: u32, path: Path) -> Result<Self> {
        if slots == 0 {
            bail!(TooSmall(slots));
        }
        let mut filter = Walk {
            bits: BitArray::new(slots.div_ceil(64) * 64)?,
            slots,
            functions,
            path,
        };
        for &digest in sets.positives() {
            for slot in filter.path_of(digest) {
                filter.bits.set(slot);
            }
        }
        Ok(filter)
    }

    fn path_of(&self, digest: Digest) -> Box<dyn Iterator<Item = usize>> {
        let (slots, functions) = (self.slots, self.functions);
        match self.path {
            Path::BySlot => {
                // Function 0 is the paper's "mother hash function".
                let first = reduce(digest.function(0), slots);
                let next = move |&slot: &u64| Some(reduce(digest.function(1 + slot), slots));
                let walk = std::iter::successors(Some(first), next);
                Box::new(walk.take(functions as usize).map(|slot| slot as usize))
            }
            Path::BySlotAndStep => Box::new(probe::walk(digest, functions, slots)),
            Path::Fixed => Box::new(probe::spread(digest, 0..functions, slots)),
        }
    }
}

impl DigestFilter for Walk {
    fn may_contain(&self, digest: Digest) -> bool {
        self.path_of(digest).all(|slot| self.bits.get(slot))
    }

    fn bits(&self) -> u64 {
        self.slots
    }
}

/// The expected rate of the paper's walk with `functions` steps, `keys` keys and `slots` slots.
pub fn rate_by_slot(slots: f64, keys: f64, functions: u32) -> f64 {
    // The chances that a walk has j = 1, 2, ..., k different slots.
    let mut going = 1.0;
    let lengths = (1..=functions).map(|j| {
        let length = f64::from(j);
        let ends = if j == functions {
            going
        } else {
            going * length / slots
        };
        going -= ends;
        (length, ends)
    });
    let lengths: Vec<(f64, f64)> = lengths.collect();
    let empty = lengths.iter().map(|(j, chance)| chance * (1.0 - j / slots));
    let empty: f64 = empty.sum();
    let fill = 1.0 - empty.powf(keys);
    let rates = lengths.iter().map(|(j, chance)| chance * fill.powf(*j));
    rates.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::tests::{check, set};
    use bloomwise::sizing::bloom_rate;
    use bloomwise::{Hashing, KeySets};
    use proptest::prelude::*;

    const PATHS: [Path; 3] = [Path::BySlot, Path::BySlotAndStep, Path::Fixed];

    proptest! {
        #[test]
        fn tiny_filters_have_no_false_negatives(
            keys in 0u64..50, slots in 1u64..100, functions in 1u32..12, seed in any::<u64>(),
        ) {
            let mut sets = KeySets::builder(Hashing::Xxh3 { seed });
            sets.positives(0..keys);
            let sets = sets.build().expect("no costs");
            for path in PATHS {
                let filter = Walk::build(&sets, slots, functions, path).expect("small");
                for &digest in sets.positives() {
                    prop_assert!(filter.may_contain(digest));
                }
            }
        }
    }

    #[test]
    fn large_filters_have_the_rate_of_a_bloom_filter_on_every_path() {
        let set = set();
        let sets = set.with_equal_costs().expect("valid");
        let slots = 10 * set.positives.len() as u64;
        for path in PATHS {
            let filter = Walk::build(&sets, slots, 7, path).expect("fits");
            check(&filter, &set, slots, bloom_rate(slots, 20_000, 7), 2.0);
        }
    }

    #[test]
    fn walks_by_slot_go_in_circles_as_often_as_predicted() {
        let (keys, slots, functions) = (10u64, 100, 7);
        let mut hits = [0.0; 3];
        let (trials, queries) = (3000, 1000);
        for trial in 0..trials {
            let mut sets = KeySets::builder(Hashing::Xxh3 { seed: trial });
            sets.positives(0..keys);
            let sets = sets.build().expect("no costs");
            for (path, hits) in PATHS.into_iter().zip(&mut hits) {
                let filter = Walk::build(&sets, slots, functions, path).expect("small");
                let non_member = |key: u64| Hashing::Xxh3 { seed: trial }.digest(1000 + key);
                let found = (0..queries).filter(|&key| filter.may_contain(non_member(key)));
                *hits += found.count() as f64;
            }
        }
        let queries = (trials * queries) as f64;
        let [by_slot, by_both, fixed] = hits.map(|hits| hits / queries);
        let predicted = rate_by_slot(slots as f64, keys as f64, functions);
        // The fill varies from trial to trial, which raises the mean of its powers.
        assert!(
            (by_slot / predicted - 1.0).abs() < 0.15,
            "{by_slot}, {predicted}"
        );
        assert!(by_slot > 2.0 * fixed, "{by_slot}, {fixed}");
        assert!((by_both / fixed - 1.0).abs() < 0.1, "{by_both}, {fixed}");
    }

    #[test]
    fn predicted_rate_approaches_that_of_a_bloom_filter() {
        let large = rate_by_slot(1e7, 1e6, 7);
        assert!((large / bloom_rate(10_000_000, 1_000_000, 7) - 1.0).abs() < 1e-3);
        assert_eq!(rate_by_slot(100.0, 0.0, 7), 0.0);
    }
}
