//! Builds a patch from a filter and the current keys.

use super::{Patch, Patched};
use crate::compose::any::AnyFilter;
use crate::error::{Error, Result};
use crate::families::guarded::Guarded;
use crate::filter::codec::Body;
use crate::filter::contract::{Filter, Lookup};
use crate::filter::family::Operation;
use crate::filter::forecast::Workload;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::format::{Persist, expect_sound};
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::sets::KeySets;

/// The rate of the filter of added keys, relative to the rate of the base.
const ADDED_RATE: f64 = 0.15;

/// The lowest rate requested for the filter of added keys.
const LOWEST_RATE: f64 = 1.0 / (1u64 << 31) as f64;

/// How often a filter that is not exact is enlarged, by 2 % each time. Even one enlargement is rare.
const MOST_GROWTHS: u32 = 64;

/// How many known negatives are queried at a time.
const QUERIED_AT_ONCE: usize = 1 << 12;

impl Patch {
    /// The patch that turns a filter of the positives of `old` into one of the positives of `new`. The patched filter is exact on the
    /// negatives of `new` and on the removed keys. The negatives of `old` are not used.
    ///
    /// If the filter is already patched, the patch is made for its base, so `old` must be the keys of the base.
    ///
    /// # Errors
    ///
    /// The filter denies a key of `old`, so it was not built from these keys; the sets have another hashing; or the filter is damaged.
    pub fn build(filter: &AnyFilter, old: &KeySets, new: &KeySets) -> Result<Patch> {
        let base = filter.base();
        let hashing = base.hashing();
        hashing.expect(old.hashing())?;
        hashing.expect(new.hashing())?;
        expect_sound(base)?;
        base.check()?;
        expect_keys(base, old.positives())?;
        let (kept, added) = split(base, new.positives());
        let removed = without(old.positives(), new.positives());
        let negatives: Vec<Digest> = new.negatives().iter().map(|known| known.digest).collect();
        let (mut denied, _) = split(base, &negatives);
        denied.extend_from_slice(&removed);
        let mut refused = negatives;
        refused.extend(removed);
        let sets = |positives: Vec<Digest>, negatives: Vec<Digest>| {
            let costs = vec![1.0; negatives.len()];
            let mut sets = KeySets::builder(hashing);
            sets.positive_digests(Digests::from_raw(hashing, positives))?
                .negative_digests(&Digests::from_raw(hashing, negatives), &costs)?;
            sets.build()
        };
        let rate = (ADDED_RATE * base.rate()).max(LOWEST_RATE);
        Ok(Patch {
            profile: Profile {
                hashing,
                keys: new.positives().len() as u64,
                capacity: None,
                target_rate: None,
            },
            base: base.checksum(),
            added: exact(&sets(added, refused)?, Some(rate))?,
            denied: exact(&sets(denied, kept)?, None)?,
            negatives: new.negatives().len() as u64,
        })
    }

    /// The filter with this patch. The patch replaces an older one.
    ///
    /// # Errors
    ///
    /// The patch was made for another filter, or the filter is damaged.
    pub fn apply(self, filter: AnyFilter) -> Result<AnyFilter> {
        let base = match filter {
            AnyFilter::Patched(patched) => patched.into_base(),
            base => base,
        };
        let patched = Patched::new(base, self)?;
        Ok(AnyFilter::Patched(Box::new(patched)))
    }
}

/// Returns an error if the base was certainly not built from these keys.
fn expect_keys(base: &AnyFilter, keys: &[Digest]) -> Result<()> {
    let (count, held) = (keys.len() as u64, base.len());
    let other = |instead: String| {
        Err(Error::OtherKeys {
            keys: count,
            instead,
        })
    };
    let (_, denied) = split(base, keys);
    if !denied.is_empty() {
        return other(format!("denies {} of them", denied.len()));
    }
    // Families that accept insertions may count a key twice or not at all.
    if !base.family().can(Operation::Insert) && held != count {
        return other(format!("has {held} keys"));
    }
    Ok(())
}

/// The smallest filter of these sets that is exact and, if a rate is given, has at most this rate. If no filter has so low a rate, it is the largest
/// one. `None` if there are no keys.
fn exact(sets: &KeySets, rate: Option<f64>) -> Result<Option<Guarded>> {
    if sets.positives().is_empty() {
        return Ok(None);
    }
    let workload = Workload::of(sets);
    let mut bits = Guarded::exact_bits(&workload);
    if let Some(rate) = rate {
        let forecast = Guarded::builder(Size::Rate(rate)).forecast(&workload)?;
        bits = bits.max(forecast.bits);
    }
    let mut smaller = 0;
    for _ in 0..MOST_GROWTHS {
        let filter = Guarded::builder(Size::Bits(bits)).build(sets)?;
        // Query all known negatives instead of using the builder's count: a wrong one may be a key that would be denied.
        let wrong = sets.negatives().chunks(QUERIED_AT_ONCE).any(|known| {
            let known: Vec<Digest> = known.iter().map(|known| known.digest).collect();
            !split(&filter, &known).0.is_empty()
        });
        // A filter does not take more bits than it can use, so more bits would change nothing.
        let is_largest = filter.size_in_bits() <= smaller;
        if !wrong && (is_largest || rate.is_none_or(|rate| filter.rate() <= rate)) {
            return Ok(Some(filter));
        }
        if is_largest {
            break;
        }
        smaller = filter.size_in_bits();
        bits += 64 + bits / 50;
    }
    let expected = "keys with distinct digests; hash with another seed";
    Err(Error::parameter("the set", "impossible to solve", expected))
}

/// Splits digests into those that a filter accepts and those that it denies.
fn split<F: Lookup>(filter: &F, digests: &[Digest]) -> (Vec<Digest>, Vec<Digest>) {
    let mut answers = vec![false; digests.len()];
    filter.query_batch(digests, &mut answers);
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for (&digest, answer) in digests.iter().zip(answers) {
        if answer { &mut yes } else { &mut no }.push(digest);
    }
    (yes, no)
}

/// The first of two sorted lists without the keys of the second.
fn without(all: &[Digest], others: &[Digest]) -> Vec<Digest> {
    let mut rest = others;
    let mut kept = all.to_vec();
    kept.retain(|digest| {
        while let [first, others @ ..] = rest
            && first < digest
        {
            rest = others;
        }
        rest.first() != Some(digest)
    });
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Hashing;

    #[test]
    fn difference_of_lists_has_what_only_the_first_has() {
        let list = |keys: &[u64]| {
            let mut digests: Vec<Digest> = keys
                .iter()
                .map(|key| Hashing::default().digest(key))
                .collect();
            digests.sort();
            digests
        };
        for (all, others, kept) in [
            (&[1, 2, 3, 4][..], &[2, 4, 5][..], &[1, 3][..]),
            (&[1, 2], &[], &[1, 2]),
            (&[], &[1, 2], &[]),
            (&[1, 2], &[1, 2], &[]),
        ] {
            assert_eq!(without(&list(all), &list(others)), list(kept));
        }
    }
}
