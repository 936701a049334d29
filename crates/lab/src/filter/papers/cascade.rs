//! A cascade of Bloom filters, as in `CRLite`: no errors on any known key.
//!
//! The first filter holds the positives. The second holds the known negatives that are false positives of the first,
//! the third holds the positives that are false positives of the second, and so on until none is left. The first filter
//! that answers "no" decides: if its number is odd, the key is absent, otherwise present. *No false negatives*: a
//! positive is in every odd filter that its query reaches.
//!
//! All filters but the first have the same rate. The two rates are chosen so that the cascade uses the budget and the
//! rate of the first filter, which decides for unseen keys, is as low as possible.

use super::layer_digest;
use crate::prelude::*;
use bloomwise::unstable::{Lookup, bisect};
use bloomwise::{Bloom, Insert};

/// A cascade.
pub struct Cascade {
    filters: Vec<Bloom>,
}

/// The rates to try for the filters after the first.
const LATER: [f64; 6] = [0.5, 0.35, 0.25, 0.12, 0.06, 0.03];

/// How many plans are tried until one fits.
const TRIES: u32 = 8;

/// The maximum number of filters. With separate digests, each filter leaves only a share of the keys to the next; if
/// this many still leave some, a key is on both sides.
const MAX_FILTERS: usize = 64;

/// The bits of a Bloom filter with `keys` keys and this rate.
fn size(keys: f64, rate: f64) -> f64 {
    -keys * rate.log2() * std::f64::consts::LOG2_E
}

/// The expected bits of a whole cascade.
fn total(positives: f64, negatives: f64, first: f64, later: f64) -> f64 {
    let mut sum = size(positives, first);
    let (mut inside, mut outside) = (positives, negatives * first);
    while inside + outside > 0.5 {
        sum += size(outside, later) + size(inside * later, later);
        (inside, outside) = (inside * later, outside * later);
    }
    sum
}

impl Cascade {
    /// The cascade of `sets` in at most `budget` bits.
    pub fn build(sets: &KeySets, budget: u64) -> Result<Self> {
        // The size is known only after the build. The next plan saves what was too much.
        let mut planned = budget;
        for _ in 0..TRIES {
            let cascade = Self::planned(sets, planned)?;
            match cascade.bits().checked_sub(budget) {
                None | Some(0) => return Ok(cascade),
                Some(excess) => planned = planned.saturating_sub(excess + budget / 1000),
            }
        }
        bail!(TooSmall(budget));
    }

    /// The cascade of `sets` in about `budget` bits.
    fn planned(sets: &KeySets, budget: u64) -> Result<Self> {
        let (positives, negatives) = (sets.positives().len() as f64, sets.negatives().len() as f64);
        let lowest = |later: f64| {
            let too_large = |first| total(positives, negatives, first, later) > budget as f64;
            let middle = |low: f64, high: f64| f64::sqrt(low * high);
            let (_, first) = bisect((1e-12, 0.9), 60, middle, too_large);
            (first, later)
        };
        let plans = LATER.map(lowest).into_iter();
        let best = plans.min_by(|a, b| a.0.total_cmp(&b.0));
        let (first, later) = best.unwrap_or((0.9, 0.5));
        if first > 0.89 {
            bail!(TooSmall(budget));
        }
        let mut inside = sets.positives().to_vec();
        let mut outside: Vec<Digest> = sets.negatives().iter().map(|n| n.digest).collect();
        let mut filters: Vec<Bloom> = Vec::new();
        while !inside.is_empty() {
            let rate = if filters.is_empty() { first } else { later };
            let bits = (size(inside.len() as f64, rate) as u64).max(64);
            let mut filter = Bloom::builder(Size::Bits(bits))
                .capacity(inside.len() as u64)
                .create()?;
            let layer = filters.len() as u64;
            let digests = inside.iter().map(|&digest| layer_digest(digest, layer));
            filter.insert_digests(&as_digests(&digests.collect::<Vec<_>>()))?;
            // The next filter holds the other side's keys that this filter answers "yes" for.
            outside.retain(|&digest| filter.query(layer_digest(digest, layer)));
            std::mem::swap(&mut inside, &mut outside);
            filters.push(filter);
            if filters.len() > MAX_FILTERS {
                bail!("the cascade does not end: a positive and a negative have the same digest");
            }
        }
        Ok(Cascade { filters })
    }
}

impl DigestFilter for Cascade {
    fn may_contain(&self, digest: Digest) -> bool {
        let said_no = |(layer, filter): (u64, &Bloom)| !filter.query(layer_digest(digest, layer));
        let number = (0..).zip(&self.filters).position(said_no);
        number.unwrap_or(self.filters.len()) % 2 == 1
    }

    fn bits(&self) -> u64 {
        self.filters.iter().map(Filter::size_in_bits).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::tests::{check, set};

    #[test]
    fn cascade_has_no_errors_on_known_keys() {
        let set = set();
        let sets = set.with_equal_costs().expect("valid");
        for bits in [6, 10] {
            let budget = bits * set.positives.len() as u64;
            let filter = Cascade::build(&sets, budget).expect("fits");
            assert!(
                set.negatives
                    .iter()
                    .all(|&digest| !filter.may_contain(digest))
            );
            let rate = |at: usize| filter.filters[at].info().predicted_fpr;
            // A false positive of the first filter that is one of the second, too, is decided by the third, and so on.
            let rate = rate(0) * (1.0 - rate(1) * (1.0 - rate(2)));
            assert!(filter.bits() <= budget);
            check(&filter, &set, budget, rate, 5.0);
        }
        assert!(Cascade::build(&sets, 100).is_err());
    }
}
