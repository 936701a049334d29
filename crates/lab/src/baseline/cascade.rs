//! A cascade of Bloom filters, as `CRLite` has it: no error on any known key.
//!
//! The first filter holds the positives, the second the known negatives that the first takes for positives, the third the
//! positives that the second takes for negatives, and so on until none is left. The first filter that says "no" decides: if its
//! number is odd the key is absent, else present. *No false negative*: a positive is in every odd filter that it comes to.
//!
//! All filters but the first have the same rate. It and that of the first are chosen such that the whole takes the budget and
//! the first, which decides for unseen keys, has the lowest rate that this allows.

use super::{Member, TooSmall, of_layer};
use anyhow::{Result, bail};
use bloomwise::{Bloom, Digest, Filter, KeySets, Size};

/// A cascade.
pub struct Cascade {
    filters: Vec<Bloom>,
}

/// Rates that the filters after the first may have.
const LATER: [f64; 6] = [0.5, 0.35, 0.25, 0.12, 0.06, 0.03];

/// Plans that are tried until one fits.
const TRIES: u32 = 8;

/// With digests of their own, filters leave a share of the keys to the next; so many that leave some mean that a key is on
/// both sides.
const MOST: usize = 64;

/// The bits of a Bloom filter of so many keys with this rate.
fn size(keys: f64, rate: f64) -> f64 {
    -keys * rate.log2() * std::f64::consts::LOG2_E
}

/// The bits that a whole cascade is expected to take.
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
    /// The cascade of these sets in at most so many bits.
    pub fn build(sets: &KeySets, budget: u64) -> Result<Self> {
        // How large it becomes is known once it is there; what is too much is then saved in the plan.
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

    /// The cascade of these sets in about so many bits.
    fn planned(sets: &KeySets, budget: u64) -> Result<Self> {
        let (positives, negatives) = (sets.positives().len() as f64, sets.negatives().len() as f64);
        let lowest = |later: f64| {
            let (mut low, mut high) = (1e-12, 0.9);
            for _ in 0..60 {
                let middle = f64::sqrt(low * high);
                match total(positives, negatives, middle, later) > budget as f64 {
                    true => low = middle,
                    false => high = middle,
                }
            }
            (high, later)
        };
        let best = LATER
            .map(lowest)
            .into_iter()
            .min_by(|a, b| a.0.total_cmp(&b.0));
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
            let mut filter = Bloom::builder(inside.len() as u64, Size::Bits(bits)).build()?;
            let layer = filters.len() as u64;
            for &digest in &inside {
                filter.insert_digest(of_layer(digest, layer));
            }
            // The other side's keys that are taken for this side's are what the next filter holds.
            outside.retain(|&digest| filter.contains_digest(of_layer(digest, layer)));
            std::mem::swap(&mut inside, &mut outside);
            filters.push(filter);
            if filters.len() > MOST {
                bail!("the cascade has no end: two keys have the same digest");
            }
        }
        Ok(Cascade { filters })
    }
}

impl Member for Cascade {
    fn has(&self, digest: Digest) -> bool {
        let said_no =
            |(layer, filter): (u64, &Bloom)| !filter.contains_digest(of_layer(digest, layer));
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
    use crate::baseline::tests::{check, set};

    #[test]
    fn a_cascade_errs_on_no_known_key() {
        let set = set();
        let sets = set
            .with_costs(&vec![1.0; set.negatives.len()])
            .expect("sound");
        for bits in [6, 10] {
            let budget = bits * set.positives.len() as u64;
            let filter = Cascade::build(&sets, budget).expect("fits");
            assert!(set.negatives.iter().all(|&digest| !filter.has(digest)));
            let rate = |at: usize| filter.filters[at].info().predicted_fpr;
            // What the second filter takes for a negative, the third takes for a positive at its own rate, and so on.
            let rate = rate(0) * (1.0 - rate(1) * (1.0 - rate(2)));
            assert!(filter.bits() <= budget);
            check(&filter, &set, budget, rate, 5.0);
        }
        assert!(Cascade::build(&sets, 100).is_err());
    }
}
