//! The Weighted Bloom filter of Bruck, Gao and Jiang, and its counting version.
//!
//! A query for a key with a higher cost uses more functions, so the cost must be known at query time. The costliest
//! known negatives and their numbers of functions are in a map, keyed by digest, and the map's bytes count as size. All
//! other keys have `k` functions. A negative whose cost is `c` times the mean has `log2 c` more functions, up to 32:
//!
//! ```text
//! key       cost / mean   functions, k = 6
//! "ant"     -             6                   a positive, or not in the map
//! "bee"     8             9
//! ```
//!
//! *No false negatives*: insertion and query look a key up in the same map, which never changes, so they use the same
//! functions.
//!
//! [`Weighted::build`] chooses how many keys are in the map by the expected rate by cost. [`Weighted::with_share`]
//! takes that number as a parameter; the SSCF paper uses 0.005 %.

use crate::data::costliest;
use crate::prelude::*;
use bloomwise::keys::Costed;
use bloomwise::unstable::{PackedArray, probe};
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::iter;

/// Bits of a cell: a bit, or a counter of a filter from which keys can be removed.
pub const BIT: u64 = 1;
pub const COUNTER: u64 = 4;

/// A weighted filter.
pub struct Weighted {
    cells: PackedArray,
    width: u64,
    /// The number of functions for keys that are not in the map.
    functions: u32,
    /// The number of functions for the costliest negatives.
    map: HashMap<[u8; 16], u8, FixedState>,
}

/// The maximum number of functions.
const MAX_FUNCTIONS: f64 = 32.0;

/// The smallest and the largest share of the negatives tried for the map. Each share in between is twice the last.
const SHARES: [f64; 2] = [5e-5, 0.0512];

/// The bits of a map of `keys` keys: a power of two of slots, of which seven in eight can be used, each with a key, a
/// number and a control byte.
fn map_bits(keys: usize) -> u64 {
    match keys {
        0 => 0,
        _ => 8 * 18 * (keys * 8).div_ceil(7).max(4).next_power_of_two() as u64,
    }
}

/// Divides a budget between the map and the cells. Returns the number of cells and of functions.
fn split_budget(width: u64, budget: u64, keys: u64, mapped: usize) -> Option<(u64, u32)> {
    let cells = budget.checked_sub(map_bits(mapped))? / width;
    let best = std::f64::consts::LN_2 * cells as f64 / keys.max(1) as f64;
    (cells >= 64).then_some((cells, best.round().clamp(1.0, MAX_FUNCTIONS) as u32))
}

/// The number of functions for a negative that costs `times_mean` times the mean.
fn functions_of(base: u32, times_mean: f64) -> u32 {
    let more = times_mean.max(1.0).log2().round();
    (f64::from(base) + more).min(MAX_FUNCTIONS) as u32
}

/// The total cost of all negatives.
fn total(sets: &KeySets) -> f64 {
    sets.negatives().iter().map(|negative| negative.cost).sum()
}

impl Weighted {
    /// The filter of the positives in at most `budget` bits. The size of the map is the one with the lowest expected
    /// rate by cost.
    pub fn build(sets: &KeySets, budget: u64) -> Result<Self> {
        let negatives = sets.negatives().len();
        let count = |share: f64| (share * negatives as f64).round() as usize;
        let [least, most] = SHARES;
        let costliest = costliest(sets, count(most));
        let keys = sets.positives().len() as u64;
        let total = total(sets);
        let expected = |mapped: usize| {
            let (cells, base) = split_budget(BIT, budget, keys, mapped)?;
            let fill = 1.0 - (-(keys as f64) * f64::from(base) / cells as f64).exp();
            let mean = total / negatives as f64;
            let of = |n: &Costed| n.cost * fill.powi(functions_of(base, n.cost / mean) as i32);
            let inside = &costliest[..mapped];
            let rest = total - inside.iter().map(|negative| negative.cost).sum::<f64>();
            Some(inside.iter().map(of).sum::<f64>() + rest * fill.powi(base as i32))
        };
        let doubled = |share: &f64| Some(2.0 * share).filter(|&share| share <= most);
        let tried = iter::successors(Some(least), doubled).map(count);
        let tried = iter::once(0).chain(tried);
        let tried = tried.filter_map(|mapped| Some((expected(mapped)?, mapped)));
        let best = tried.min_by(|a, b| a.0.total_cmp(&b.0));
        let mapped = best.map_or(0, |(_, mapped)| mapped);
        Self::filled(BIT, sets, budget, &costliest[..mapped])
    }

    /// The filter of the positives in at most `budget` bits, with this share of the negatives in the map.
    pub fn with_share(sets: &KeySets, budget: u64, share: f64) -> Result<Self> {
        let count = share * sets.negatives().len() as f64;
        let mapped = costliest(sets, count.round() as usize);
        Self::filled(COUNTER, sets, budget, &mapped)
    }

    fn filled(width: u64, sets: &KeySets, budget: u64, mapped: &[Costed]) -> Result<Self> {
        let mean = total(sets) / sets.negatives().len() as f64;
        let keys = sets.positives();
        let mut filter = Self::empty(width, keys.len() as u64, mapped, mean, budget)?;
        keys.iter().for_each(|&digest| filter.insert(digest));
        Ok(filter)
    }

    /// An empty filter with capacity `keys`, with this share of the negatives in the map.
    pub fn growing(keys: u64, sets: &KeySets, budget: u64, share: f64) -> Result<Self> {
        let negatives = sets.negatives().len() as f64;
        let mapped = costliest(sets, (share * negatives).round() as usize);
        Self::empty(COUNTER, keys, &mapped, total(sets) / negatives, budget)
    }

    fn empty(width: u64, keys: u64, mapped: &[Costed], mean: f64, budget: u64) -> Result<Self> {
        let Some((cells, functions)) = split_budget(width, budget, keys, mapped.len()) else {
            bail!(TooSmall(budget));
        };
        let entry = |n: &Costed| {
            let functions = functions_of(functions, n.cost / mean);
            (n.digest.to_bytes(), functions as u8)
        };
        // Whole words.
        let whole = 64 / width;
        Ok(Weighted {
            cells: PackedArray::new(cells / whole * whole, width as u32)?,
            width,
            functions,
            map: mapped.iter().map(entry).collect(),
        })
    }

    /// The cells of a key.
    fn places(&self, digest: Digest) -> impl Iterator<Item = usize> + Clone + use<> {
        let own = self.map.get(&digest.to_bytes());
        let functions = own.map_or(self.functions, |&functions| functions.into());
        probe::spread(digest, 0..functions, self.cells.len())
    }

    /// Inserts a key.
    pub fn insert(&mut self, digest: Digest) {
        for cell in self.places(digest) {
            match self.width {
                BIT => self.cells.set(cell, 1),
                _ => _ = self.cells.counters_mut().raise(cell),
            }
        }
    }

    /// Removes a key that is in the set of a filter of counters.
    pub fn remove(&mut self, digest: Digest) -> bool {
        let places = self.places(digest);
        let counters = self.cells.counters_mut();
        let lowered = places.clone().take_while(|&cell| counters.lower(cell));
        let (lowered, all) = (lowered.count(), places.clone().count());
        if lowered < all {
            // Stuck counters were not lowered and are not raised.
            for cell in places.take(lowered) {
                counters.raise(cell);
            }
        }
        lowered == all
    }
}

impl DigestFilter for Weighted {
    fn may_contain(&self, digest: Digest) -> bool {
        self.places(digest).all(|cell| self.cells.get(cell) > 0)
    }

    fn bits(&self) -> u64 {
        self.cells.len() * self.width + map_bits(self.map.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::zipf;
    use crate::filter::tests::{check, set};
    use bloomwise::sizing::bloom_rate;

    #[test]
    fn weighted_filter_has_no_false_negatives_and_favours_costly_negatives() {
        let set = set();
        let costs = zipf::costs(set.negatives.len(), 1.5, 1);
        let sets = set.with_costs(&costs).expect("valid");
        let keys = set.positives.len() as u64;
        let (bits, counters) = (8 * keys, 32 * keys);
        let one = Weighted::build(&sets, bits).expect("fits");
        assert!(!one.map.is_empty(), "a map lowers the rate with such costs");
        let rate = bloom_rate(one.cells.len(), keys, one.functions);
        check(&one, &set, bits, rate, 1.0);
        let top = costs.iter().position(|&cost| cost == 1.0).expect("exists");
        assert!(one.map[&set.negatives[top].to_bytes()] > one.functions as u8);
        let mut other = Weighted::with_share(&sets, counters, 0.001).expect("fits");
        assert_eq!(other.map.len(), 20);
        check(
            &other,
            &set,
            counters,
            bloom_rate(other.cells.len(), keys, other.functions),
            1.0,
        );
        let (gone, stay) = set.positives.split_at(10_000);
        assert!(gone.iter().all(|&digest| other.remove(digest)));
        assert!(stay.iter().all(|&digest| other.may_contain(digest)));
    }

    #[test]
    fn map_counts_as_size() {
        assert_eq!(map_bits(0), 0);
        assert_eq!(map_bits(7), 8 * 144);
        assert_eq!(map_bits(8), 16 * 144);
        // The map of the standard library has as many slots.
        for keys in [1, 3, 7, 8, 100, 1000, 20_000] {
            let entry = |n: u64| (u128::from(n).to_le_bytes(), 0);
            let map: HashMap<[u8; 16], u8> = (0..keys).map(entry).collect();
            let places = match map.capacity() as u64 {
                few @ 0..7 => few + 1,
                many => many / 7 * 8,
            };
            assert_eq!(map_bits(keys as usize), places * 144);
        }
    }
}
