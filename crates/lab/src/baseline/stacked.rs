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
//! Layers are Bloom filters or counting ones, and each knows a key by another digest. Bits are shared out in one of two ways:
//!
//! - *Equal rates*: all layers have about the same rate `e`, as the text of the SSCF paper says, which is the lowest for which
//!   `n + s + n e` keys fit the budget. A filter of a fixed set puts only those negatives into the second layer that the
//!   first one takes for positives, `s e` of them ([`Stacked::build`]); one that grows must take all it is given
//!   ([`Stacked::growing`]).
//! - *As the authors of the SSCF paper have it* in their program ([`Stacked::as_published`]): the second layer has 3 functions and
//!   a rate of 0.1 %; of what is left, the third gets as much for each of its keys as the first.

use super::{Member, of_layer};
use anyhow::Result;
use bloomwise::{Bloom, Counting, Digest, Filter, KeySets, Size};
use std::f64::consts::{LN_2, LOG2_E};

/// A filter that can be a layer.
pub trait Layer: Filter + Sized {
    /// Bits of a cell.
    const WIDTH: f64;

    /// An empty one of so many bits, for so many keys, with so many functions.
    fn empty(keys: u64, bits: u64, functions: u32) -> Result<Self>;

    /// Adds a key.
    fn add(&mut self, digest: Digest);
}

impl Layer for Bloom {
    const WIDTH: f64 = 1.0;

    fn empty(keys: u64, bits: u64, functions: u32) -> Result<Self> {
        let builder = Bloom::builder(keys, Size::Bits(bits));
        Ok(builder.functions(functions).build()?)
    }

    fn add(&mut self, digest: Digest) {
        self.insert_digest(digest);
    }
}

impl Layer for Counting {
    const WIDTH: f64 = 4.0;

    fn empty(keys: u64, bits: u64, functions: u32) -> Result<Self> {
        let builder = Counting::builder(keys, Size::Bits(bits));
        Ok(builder.functions(functions).build()?)
    }

    fn add(&mut self, digest: Digest) {
        self.insert_digest(digest);
    }
}

/// A stacked filter.
pub struct Stacked<L> {
    layers: [L; 3],
}

/// What to plan for if so many keys are expected: chance may bring some more, and a small layer that is too full fails the
/// next one, which gets many times the keys it was meant for.
fn room(keys: f64) -> f64 {
    keys + 4.0 * keys.sqrt() + 4.0
}

/// How many keys each layer has if all have this rate.
type Load<'a> = &'a dyn Fn(f64) -> [f64; 3];

impl<L: Layer> Stacked<L> {
    /// The filter of a fixed set in so many bits.
    pub fn build(sets: &KeySets, budget: u64) -> Result<Self> {
        let keys = sets.positives().len() as f64;
        let negatives = sets.negatives().len() as f64;
        let load = |rate: f64| [keys, room(negatives * rate), room(keys * rate)];
        let mut filter = Self::sized(budget, &load)?;
        let add = |filter: &mut Self, layer: usize, digest: Digest| {
            filter.layers[layer].add(of_layer(digest, layer as u64));
        };
        for &digest in sets.positives() {
            add(&mut filter, 0, digest);
        }
        for negative in sets.negatives() {
            if filter.holds(0, negative.digest) {
                add(&mut filter, 1, negative.digest);
            }
        }
        for &digest in sets.positives() {
            filter.add_to_third(digest);
        }
        Ok(filter)
    }

    /// An empty filter of so many bits for so many keys, with these negatives, all layers with the same rate.
    pub fn growing(keys: u64, negatives: &[Digest], budget: u64) -> Result<Self> {
        let (keys, known) = (keys as f64, negatives.len() as f64);
        let load = |rate: f64| [keys, known, room(keys * rate)];
        Ok(Self::sized(budget, &load)?.with_second(negatives))
    }

    /// The same with the layers of the authors of the SSCF paper.
    pub fn as_published(keys: u64, negatives: &[Digest], budget: u64) -> Result<Self> {
        const FUNCTIONS: f64 = 3.0;
        const RATE: f64 = 0.001;
        let (keys, known) = (keys as f64, negatives.len() as f64);
        let cells = budget as f64 / L::WIDTH;
        let second = -known * FUNCTIONS / (1.0 - RATE.powf(1.0 / FUNCTIONS)).ln();
        let third = (cells - second) * RATE / (1.0 + RATE);
        let first = cells - second - third;
        // Rounded down, as they do.
        let functions = |cells: f64, keys: f64| (LN_2 * cells / keys.max(1.0)).floor();
        let layer = |keys: f64, cells: f64, functions: f64| {
            let bits = (cells * L::WIDTH) as u64 / 64 * 64;
            L::empty(keys.ceil() as u64, bits.max(64), functions.max(1.0) as u32)
        };
        let layers = [
            layer(keys, first, functions(first, keys))?,
            layer(known, second, FUNCTIONS)?,
            layer(keys * RATE, third, functions(third, keys * RATE))?,
        ];
        Ok(Stacked { layers }.with_second(negatives))
    }

    fn with_second(mut self, negatives: &[Digest]) -> Self {
        let second = &mut self.layers[1];
        negatives
            .iter()
            .for_each(|&digest| second.add(of_layer(digest, 1)));
        self
    }

    fn sized(budget: u64, load: Load<'_>) -> Result<Self> {
        // Bits for a key at a rate, in bits that are cells: log2(1 / rate) / ln 2.
        let per_key = |rate: f64| -rate.log2() * LOG2_E * L::WIDTH;
        let total = |rate: f64| load(rate).iter().sum::<f64>() * per_key(rate);
        let (mut low, mut high) = (1e-12, 1.0 - 1e-12);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            match total(middle) > budget as f64 {
                true => low = middle,
                false => high = middle,
            }
        }
        let keys = load(high).map(f64::ceil);
        let bits = load(high).map(|keys| (keys * per_key(high)).max(64.0));
        // What rounding leaves goes to the first layer.
        let [_, second, third] = bits.map(|bits| bits as u64 / 64 * 64);
        let first = budget.saturating_sub(second + third).max(64) / 64 * 64;
        let layer = |keys: f64, bits: u64| {
            let functions = LN_2 * bits as f64 / L::WIDTH / keys.max(1.0);
            L::empty(keys as u64, bits, functions.round().clamp(1.0, 32.0) as u32)
        };
        Ok(Stacked {
            layers: [
                layer(keys[0], first)?,
                layer(keys[1], second)?,
                layer(keys[2], third)?,
            ],
        })
    }

    fn holds(&self, layer: usize, digest: Digest) -> bool {
        self.layers[layer].contains_digest(of_layer(digest, layer as u64))
    }

    fn add_to_third(&mut self, digest: Digest) {
        if self.holds(1, digest) {
            self.layers[2].add(of_layer(digest, 2));
        }
    }

    /// Adds a key.
    pub fn insert(&mut self, digest: Digest) {
        self.layers[0].add(of_layer(digest, 0));
        self.add_to_third(digest);
    }
}

impl Stacked<Counting> {
    /// Takes a key out that is in the set.
    pub fn remove(&mut self, digest: Digest) -> bool {
        let held = self.holds(1, digest);
        let mut remove =
            |layer: usize| self.layers[layer].remove_digest(of_layer(digest, layer as u64));
        remove(0) && (!held || remove(2))
    }
}

impl<L: Layer> Member for Stacked<L> {
    fn has(&self, digest: Digest) -> bool {
        self.holds(0, digest) && (!self.holds(1, digest) || self.holds(2, digest))
    }

    fn bits(&self) -> u64 {
        self.layers.iter().map(Filter::size_in_bits).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::tests::{check, set};
    use crate::workload::Set;

    /// Asserts that layers err independently of each other: of unseen keys, the first takes its share, and the second lets
    /// nearly all of these pass; of known ones that the first takes, all are in the second, and the third takes its share.
    fn check_layers<L: Layer>(filter: &Stacked<L>, set: &Set, known: &[Digest], budget: u64) {
        let rates = filter
            .layers
            .each_ref()
            .map(|layer| layer.info().predicted_fpr);
        let [first, second, third] = rates;
        let unseen = first * (1.0 - second * (1.0 - third));
        check(filter, set, budget, unseen, 10.0);
        let hits = known.iter().filter(|&&digest| filter.has(digest)).count() as f64;
        let expected = known.len() as f64 * first * third;
        let bound = 5.0 * expected.max(1.0).sqrt() + 0.1 * expected;
        assert!(
            (hits - expected).abs() < bound,
            "{hits} instead of {expected}"
        );
    }

    #[test]
    fn a_stacked_filter_denies_no_key_and_spares_known_negatives() {
        let set = set();
        let sets = set
            .with_costs(&vec![1.0; set.negatives.len()])
            .expect("sound");
        for bits in [5, 7, 10, 14, 18, 22] {
            let budget = bits * set.positives.len() as u64;
            let filter = Stacked::<Bloom>::build(&sets, budget).expect("fits");
            check_layers(&filter, &set, &set.negatives, budget);
            let [first, second, third] = filter.layers.each_ref().map(Filter::info);
            let most = 2.0 * first.predicted_fpr;
            assert!(
                second.predicted_fpr < most && third.predicted_fpr < most,
                "{bits}"
            );
        }
    }

    #[test]
    fn keys_come_and_go_in_a_growing_one() {
        let set = set();
        let (keys, budget) = (set.positives.len() as u64, 20 * set.positives.len() as u64);
        let (many, few) = (&set.negatives[..10_000], &set.negatives[..1000]);
        let filters = [
            (Stacked::<Counting>::growing(keys, many, budget), many),
            (Stacked::<Counting>::as_published(keys, few, budget), few),
        ];
        for (filter, known) in filters {
            let mut filter = filter.expect("fits");
            set.positives
                .iter()
                .for_each(|&digest| filter.insert(digest));
            check_layers(&filter, &set, known, budget);
            let (gone, stay) = set.positives.split_at(10_000);
            assert!(gone.iter().all(|&digest| filter.remove(digest)));
            assert!(stay.iter().all(|&digest| filter.has(digest)));
            gone.iter().for_each(|&digest| filter.insert(digest));
            assert!(set.positives.iter().all(|&digest| filter.has(digest)));
        }
    }
}
