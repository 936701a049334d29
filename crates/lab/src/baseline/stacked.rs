//! The Stacked filter of Deeds, Hentschel and Idreos, with three layers.
//!
//! The first layer holds the positives, the second known negatives, the third those positives that the second takes for
//! negatives. A key that the first layer does not know is absent; one that the second does not know is present; the third
//! decides for the rest:
//!
//! ```text
//! layer 1   positives                   no  -> absent
//! layer 2   known negatives             no  -> present
//! layer 3   positives of layer 2        no  -> absent, yes -> present
//! ```
//!
//! *No false negative*: a positive is in the first layer; if the second says "yes" of it, it is in the third. The second must not
//! change after the first positive came.
//!
//! Layers are Bloom filters or counting ones. All have about the same rate `e`, as in the SSCF paper, which is the lowest for
//! which `n + s + n e` keys fit the budget. A filter of a fixed set puts only those negatives into the second layer that the
//! first one takes for positives, `s e` of them ([`Stacked::build`]); one that grows must take all it is given
//! ([`Stacked::growing`]).

use super::Member;
use anyhow::Result;
use bloomwise::{Bloom, Counting, Digest, Filter, KeySets, Size};

/// A filter that can be a layer.
pub trait Layer: Filter + Sized {
    /// Bits of a cell.
    const WIDTH: f64;

    /// An empty one of so many bits, for so many keys.
    fn empty(keys: u64, bits: u64) -> Result<Self>;

    /// Adds a key.
    fn add(&mut self, digest: Digest);
}

impl Layer for Bloom {
    const WIDTH: f64 = 1.0;

    fn empty(keys: u64, bits: u64) -> Result<Self> {
        Ok(Bloom::builder(keys, Size::Bits(bits)).build()?)
    }

    fn add(&mut self, digest: Digest) {
        self.insert_digest(digest);
    }
}

impl Layer for Counting {
    const WIDTH: f64 = 4.0;

    fn empty(keys: u64, bits: u64) -> Result<Self> {
        Ok(Counting::builder(keys, Size::Bits(bits)).build()?)
    }

    fn add(&mut self, digest: Digest) {
        self.insert_digest(digest);
    }
}

/// A stacked filter.
pub struct Stacked<L> {
    layers: [L; 3],
}

/// How many keys each layer has if all have this rate.
type Load<'a> = &'a dyn Fn(f64) -> [f64; 3];

impl<L: Layer> Stacked<L> {
    /// The filter of a fixed set in so many bits.
    pub fn build(sets: &KeySets, budget: u64) -> Result<Self> {
        let keys = sets.positives().len() as f64;
        let negatives = sets.negatives().len() as f64;
        let mut filter = Self::sized(budget, &|rate| [keys, negatives * rate, keys * rate])?;
        let [first, second, _] = &mut filter.layers;
        sets.positives()
            .iter()
            .for_each(|&digest| first.add(digest));
        let negatives = sets.negatives().iter().map(|negative| negative.digest);
        negatives
            .filter(|&digest| first.contains_digest(digest))
            .for_each(|digest| second.add(digest));
        sets.positives()
            .iter()
            .for_each(|&digest| filter.add_to_third(digest));
        Ok(filter)
    }

    /// An empty filter of so many bits for so many keys, with these negatives.
    pub fn growing(keys: u64, negatives: &[Digest], budget: u64) -> Result<Self> {
        let (keys, known) = (keys as f64, negatives.len() as f64);
        let mut filter = Self::sized(budget, &|rate| [keys, known, keys * rate])?;
        let second = &mut filter.layers[1];
        negatives.iter().for_each(|&digest| second.add(digest));
        Ok(filter)
    }

    fn sized(budget: u64, load: Load<'_>) -> Result<Self> {
        // Bits for a key at a rate, in bits that are cells: log2(1 / rate) / ln 2.
        let per_key = |rate: f64| -rate.log2() * std::f64::consts::LOG2_E * L::WIDTH;
        let total = |rate: f64| load(rate).iter().sum::<f64>() * per_key(rate);
        let (mut low, mut high) = (1e-12, 1.0 - 1e-12);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            match total(middle) > budget as f64 {
                true => low = middle,
                false => high = middle,
            }
        }
        let bits = load(high).map(|keys| (keys * per_key(high)).max(64.0));
        // What rounding leaves goes to the first layer.
        let [_, second, third] = bits.map(|bits| bits as u64 / 64 * 64);
        let first = budget.saturating_sub(second + third).max(64) / 64 * 64;
        let [one, two, three] = load(high).map(|keys| keys.ceil() as u64);
        Ok(Stacked {
            layers: [
                L::empty(one, first)?,
                L::empty(two, second)?,
                L::empty(three, third)?,
            ],
        })
    }

    fn add_to_third(&mut self, digest: Digest) {
        let [_, second, third] = &mut self.layers;
        if second.contains_digest(digest) {
            third.add(digest);
        }
    }

    /// Adds a key.
    pub fn insert(&mut self, digest: Digest) {
        self.layers[0].add(digest);
        self.add_to_third(digest);
    }
}

impl Stacked<Counting> {
    /// Takes a key out that is in the set.
    pub fn remove(&mut self, digest: Digest) -> bool {
        let [first, second, third] = &mut self.layers;
        let held = second.contains_digest(digest);
        first.remove_digest(digest) && (!held || third.remove_digest(digest))
    }
}

impl<L: Layer> Member for Stacked<L> {
    fn has(&self, digest: Digest) -> bool {
        let [first, second, third] = &self.layers;
        first.contains_digest(digest)
            && (!second.contains_digest(digest) || third.contains_digest(digest))
    }

    fn bits(&self) -> u64 {
        self.layers.iter().map(Filter::size_in_bits).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::tests::{check, set};

    #[test]
    fn a_stacked_filter_denies_no_key_and_spares_known_negatives() {
        let set = set();
        let sets = set
            .with_costs(&vec![1.0; set.negatives.len()])
            .expect("sound");
        let budget = 10 * set.positives.len() as u64;
        let filter = Stacked::<Bloom>::build(&sets, budget).expect("fits");
        // Of unseen keys, the first layer takes about e, and the second lets nearly all of these pass.
        let first = filter.layers[0].info().predicted_fpr;
        let second = filter.layers[1].info().predicted_fpr;
        check(&filter, &set, budget, first * (1.0 - second), 5.0);
        let known = set.negatives.iter().filter(|&&d| filter.has(d)).count();
        assert!(known < 20, "{known}, where a plain filter has 160");
    }

    #[test]
    fn keys_come_and_go_in_a_growing_one() {
        let set = set();
        let budget = 32 * set.positives.len() as u64;
        let known = &set.negatives[..1000];
        let mut filter = Stacked::<Counting>::growing(20_000, known, budget).expect("fits");
        set.positives
            .iter()
            .for_each(|&digest| filter.insert(digest));
        check(
            &filter,
            &set,
            budget,
            filter.layers[0].info().predicted_fpr,
            10.0,
        );
        let hits = |filter: &Stacked<Counting>| known.iter().filter(|&&d| filter.has(d)).count();
        assert!(hits(&filter) < 5);
        let (gone, stay) = set.positives.split_at(10_000);
        assert!(gone.iter().all(|&digest| filter.remove(digest)));
        assert!(stay.iter().all(|&digest| filter.has(digest)));
        gone.iter().for_each(|&digest| filter.insert(digest));
        assert!(set.positives.iter().all(|&digest| filter.has(digest)));
    }
}
