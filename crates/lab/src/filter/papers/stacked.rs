//! The Stacked filter of Deeds, Hentschel and Idreos, with three layers.
//!
//! The first layer holds the positives, the second known negatives, the third the positives that are false positives of
//! the second. A key that is not in the first layer is absent; one that is not in the second is present; the third
//! decides for the rest:
//!
//! ```text
//! layer 1   positives                          no  -> absent
//! layer 2   known negatives                    no  -> present
//! layer 3   false positives of layer 2         no  -> absent, yes -> present
//! ```
//!
//! *No false negatives*: a positive is in the first layer; if the second layer answers "yes" for it, it is in the
//! third. The second layer must not change after the first positive was inserted.
//!
//! Layers are Bloom filters or counting filters, and each uses a separate digest. There are two ways to divide the
//! bits:
//!
//! - *Equal rates*, as the text of the SSCF paper says: all layers have about the same rate `e`, the lowest for which
//!   `n + s + n e` keys fit the budget. A filter of a fixed set puts only those negatives into the second layer that
//!   are false positives of the first, `s e` of them ([`Stacked::build`]). A growing filter must hold all that it is
//!   given ([`Stacked::growing`]).
//! - *As in the program* of the SSCF paper's authors ([`Stacked::as_published`]): the second layer has 3 functions and
//!   a rate of 0.1 %. The third layer gets as many of the remaining bits per key as the first.

use super::layer_digest;
use crate::prelude::*;
use bloomwise::unstable::{Lookup, bisect};
use bloomwise::{Bloom, Counting, Insert, Remove};
use std::f64::consts::{LN_2, LOG2_E};

/// A filter that can be a layer.
pub trait Layer: Insert + Lookup + Sized {
    /// Bits per cell.
    const WIDTH: f64;

    /// An empty filter of `bits` bits with capacity `keys`.
    fn empty(keys: u64, bits: u64, functions: u32) -> Result<Self>;

    /// Inserts a key.
    fn add(&mut self, digest: Digest) -> Result<()> {
        Ok(self.insert_digests(&as_digests(&[digest]))?)
    }
}

impl Layer for Bloom {
    const WIDTH: f64 = 1.0;

    fn empty(keys: u64, bits: u64, functions: u32) -> Result<Self> {
        let builder = Bloom::builder(Size::Bits(bits)).capacity(keys);
        Ok(builder.functions(functions).create()?)
    }
}

impl Layer for Counting {
    const WIDTH: f64 = 4.0;

    fn empty(keys: u64, bits: u64, functions: u32) -> Result<Self> {
        let builder = Counting::builder(Size::Bits(bits)).capacity(keys);
        Ok(builder.functions(functions).create()?)
    }
}

/// A stacked filter.
pub struct Stacked<L> {
    layers: [L; 3],
}

/// The capacity to plan for if `keys` keys are expected. Chance may bring some more. A small layer that is too full
/// would pass many times the planned number of keys to the next layer.
fn with_margin(keys: f64) -> f64 {
    keys + 4.0 * keys.sqrt() + 4.0
}

/// The lowest rate of a layer, and the number of rates from there to 1 that are tried.
const LOWEST_RATE: f64 = 1e-12;
const RATES: i32 = 1000;

/// The number of keys in each layer if all layers have the given rate.
type Load<'a> = &'a dyn Fn(f64) -> [f64; 3];

impl<L: Layer> Stacked<L> {
    /// The filter of a fixed set in `budget` bits.
    pub fn build(sets: &KeySets, budget: u64) -> Result<Self> {
        let keys = sets.positives().len() as f64;
        let negatives = sets.negatives().len() as f64;
        let load = |rate: f64| {
            let [second, third] = [negatives, keys].map(|count| with_margin(count * rate));
            [keys, second, third]
        };
        let mut filter = Self::sized(budget, &load)?;
        for &digest in sets.positives() {
            filter.add(0, digest)?;
        }
        for negative in sets.negatives() {
            if filter.holds(0, negative.digest) {
                filter.add(1, negative.digest)?;
            }
        }
        for &digest in sets.positives() {
            filter.add_to_third(digest)?;
        }
        Ok(filter)
    }

    /// An empty filter of `budget` bits with capacity `keys`, which guards `negatives`. All layers have the same rate.
    pub fn growing(keys: u64, negatives: &[Digest], budget: u64) -> Result<Self> {
        let (keys, known) = (keys as f64, negatives.len() as f64);
        let load = |rate: f64| [keys, known, with_margin(keys * rate)];
        Self::sized(budget, &load)?.with_second(negatives)
    }

    /// An empty filter of `budget` bits with capacity `keys`, which guards `negatives`, with the layer sizes of the
    /// SSCF paper's authors.
    pub fn as_published(keys: u64, negatives: &[Digest], budget: u64) -> Result<Self> {
        const FUNCTIONS: f64 = 3.0;
        const RATE: f64 = 0.001;
        let (keys, known) = (keys as f64, negatives.len() as f64);
        let cells = budget as f64 / L::WIDTH;
        let second = -known * FUNCTIONS / (1.0 - RATE.powf(1.0 / FUNCTIONS)).ln();
        let third = (cells - second) * RATE / (1.0 + RATE);
        let first = cells - second - third;
        // Rounded down, as in the authors' program.
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
        Stacked { layers }.with_second(negatives)
    }

    fn with_second(mut self, negatives: &[Digest]) -> Result<Self> {
        let mut all = negatives.iter();
        all.try_for_each(|&digest| self.add(1, digest))?;
        Ok(self)
    }

    fn sized(budget: u64, load: Load<'_>) -> Result<Self> {
        // Bits per key at a rate, with one cell per bit: log2(1 / rate) / ln 2.
        let per_key = |rate: f64| -rate.log2() * LOG2_E * L::WIDTH;
        let total = |rate: f64| load(rate).iter().sum::<f64>() * per_key(rate);
        let too_large = |rate| total(rate) > budget as f64;
        // With many negatives per key, a high rate overfills the second layer: the size falls with the rate, rises, and
        // falls again. The lowest rate that fits is the right one.
        let rate = |step: i32| LOWEST_RATE.powf(1.0 - f64::from(step) / f64::from(RATES));
        let fits = (1..RATES).find(|&step| !too_large(rate(step)));
        let step = fits.unwrap_or(RATES - 1);
        let (_, rate) = bisect((rate(step - 1), rate(step)), 50, f64::midpoint, too_large);
        let keys = load(rate).map(f64::ceil);
        let bits = load(rate).map(|keys| (keys * per_key(rate)).max(64.0));
        // The remainder of rounding goes to the first layer.
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
        self.layers[layer].query(layer_digest(digest, layer as u64))
    }

    fn add(&mut self, layer: usize, digest: Digest) -> Result<()> {
        self.layers[layer].add(layer_digest(digest, layer as u64))
    }

    fn add_to_third(&mut self, digest: Digest) -> Result<()> {
        if self.holds(1, digest) {
            self.add(2, digest)?;
        }
        Ok(())
    }

    /// Inserts a key.
    pub fn insert(&mut self, digest: Digest) -> Result<()> {
        self.add(0, digest)?;
        self.add_to_third(digest)
    }
}

impl Stacked<Counting> {
    /// Removes a key that is in the set. Returns whether all layers that hold it could remove it.
    pub fn remove(&mut self, digest: Digest) -> Result<bool> {
        let held = self.holds(1, digest);
        let mut remove = |layer: usize| -> Result<bool> {
            let digest = layer_digest(digest, layer as u64);
            Ok(self.layers[layer].remove_digests(&as_digests(&[digest]))? == 1)
        };
        Ok(remove(0)? && (!held || remove(2)?))
    }
}

impl<L: Layer> DigestFilter for Stacked<L> {
    fn may_contain(&self, digest: Digest) -> bool {
        self.holds(0, digest) && (!self.holds(1, digest) || self.holds(2, digest))
    }

    fn bits(&self) -> u64 {
        self.layers.iter().map(Filter::size_in_bits).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Set, Source};
    use crate::filter::tests::{check, set};

    /// Asserts that the layers err independently. Of the unseen keys, the first layer passes its share, and the second
    /// lets nearly all of these through. Known negatives that pass the first layer are all in the second, and the third
    /// passes its share.
    fn check_layers<L: Layer>(filter: &Stacked<L>, set: &Set, known: &[Digest], budget: u64) {
        let rates = filter
            .layers
            .each_ref()
            .map(|layer| layer.info().predicted_fpr);
        let [first, second, third] = rates;
        let unseen = first * (1.0 - second * (1.0 - third));
        check(filter, set, budget, unseen, 10.0);
        let hits = known
            .iter()
            .filter(|&&digest| filter.may_contain(digest))
            .count() as f64;
        let expected = known.len() as f64 * first * third;
        let bound = 5.0 * expected.max(1.0).sqrt() + 0.1 * expected;
        assert!(
            (hits - expected).abs() < bound,
            "{hits} instead of {expected}"
        );
    }

    #[test]
    fn stacked_filter_has_no_false_negatives_and_favours_known_negatives() {
        let set = set();
        let sets = set.with_equal_costs().expect("valid");
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
    fn many_negatives_per_key_do_not_overfill_the_second_layer() {
        let set = Set::sized(Source::Users, 2000, 200_000, 20_000);
        let sets = set.with_equal_costs().expect("valid");
        for bits in [18, 24, 60] {
            let budget = bits * set.positives.len() as u64;
            let filter = Stacked::<Bloom>::build(&sets, budget).expect("fits");
            check_layers(&filter, &set, &set.negatives, budget);
            assert!(filter.layers[0].info().predicted_fpr < 0.01, "{bits}");
        }
    }

    #[test]
    fn growing_filter_supports_insertion_and_removal() {
        let set = set();
        let (keys, budget) = (set.positives.len() as u64, 20 * set.positives.len() as u64);
        let (many, few) = (&set.negatives[..10_000], &set.negatives[..1000]);
        let filters = [
            (Stacked::<Counting>::growing(keys, many, budget), many),
            (Stacked::<Counting>::as_published(keys, few, budget), few),
        ];
        for (filter, known) in filters {
            let mut filter = filter.expect("fits");
            let insert = |filter: &mut Stacked<Counting>, keys: &[Digest]| {
                let mut all = keys.iter();
                all.try_for_each(|&digest| filter.insert(digest))
            };
            insert(&mut filter, &set.positives).expect("one hashing");
            check_layers(&filter, &set, known, budget);
            let (gone, stay) = set.positives.split_at(10_000);
            assert!(
                gone.iter()
                    .all(|&digest| filter.remove(digest).expect("one hashing"))
            );
            assert!(stay.iter().all(|&digest| filter.may_contain(digest)));
            insert(&mut filter, gone).expect("one hashing");
            assert!(
                set.positives
                    .iter()
                    .all(|&digest| filter.may_contain(digest))
            );
        }
    }
}
