//! The filter with one of the hashes.
//!
//! 1. Hash and sort the positives, peel them, and settle the columns of the fingerprint;
//! 2. find the known negatives that survive these columns;
//! 3. peel positives and survivors together, and settle the column of the guard: the bit of a survivor is the opposite of
//!    what a positive would have there.
//!
//! Step 1 or 3 fails where the positives cannot be peeled, or where a survivor had to be given up though the plan has room
//! for all that it takes.
//!
//! Hashing, sorting and the look for survivors use the threads of rayon's current pool; the halves of the array are
//! peeled side by side. Nothing depends on the number of threads.

use super::Guarded;
use super::array::{Array, Shape};
use super::peel::{Peeled, peel};
use super::theory::limit_rate;
use super::tuning::Plan;
use crate::codec::Head;
use crate::error::Result;
use crate::filter::{Filter, Report, Value};
use crate::forecast::Workload;
use crate::hash::Digest;
use crate::key::KeySets;
use crate::sort;
use rayon::prelude::*;

/// The column of the guard.
const GUARD: u64 = 1;

/// What the guard is to do about survivors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guarding {
    /// How many it takes, the costliest.
    pub taken: u64,
    /// Whether all of those must be solved.
    pub exact: bool,
}

/// A known negative that the fingerprint lets through.
#[derive(Clone, Copy, Debug)]
struct Survivor {
    cost: f64,
    /// Its hash in the array of the guard.
    hash: u64,
}

/// The filter with one of the hashes.
pub(super) struct Attempt<const ARITY: usize> {
    number: u64,
    first: Array,
    second: Option<Array>,
    /// The costliest first.
    survivors: Vec<Survivor>,
}

impl<const ARITY: usize> Attempt<ARITY> {
    /// The filter with the hashes of this number; `None` if the positives, or if it is to be exact the survivors, cannot be
    /// solved with them.
    pub fn new(
        sets: &KeySets,
        plan: Plan,
        number: u64,
        guarding: Guarding,
    ) -> Result<Option<Self>> {
        let Some(positives) = hashes(sets.positives(), |digest| first_hash(digest, number)) else {
            return Ok(None);
        };
        let mut first = Array::new(plan.first)?;
        let alone = plan.second.is_none() && !sets.negatives().is_empty();
        // The columns that the first array has for the fingerprint.
        let columns = if alone { !GUARD } else { u64::MAX };
        if !alone || plan.first.bits > plan.first.slots {
            let Some(peeled) = peel::<ARITY>(&plan.first, &positives, &[])? else {
                return Ok(None);
            };
            settle::<ARITY>(&mut first, &peeled, columns);
        }
        let mut attempt = Attempt {
            number,
            first,
            second: None,
            survivors: Vec::new(),
        };
        if sets.negatives().is_empty() {
            return Ok(Some(attempt));
        }
        attempt.survivors = attempt.survivors(sets, plan.second.is_some(), columns);
        let solved = match plan.second {
            None => {
                let shape = attempt.first.shape;
                attempt.guard(&shape, &positives, guarding)?
            }
            Some(shape) => {
                drop(positives);
                attempt.second = Some(Array::new(shape)?);
                match hashes(sets.positives(), |digest| second_hash(digest, number)) {
                    Some(positives) => attempt.guard(&shape, &positives, guarding)?,
                    None => false,
                }
            }
        };
        Ok(solved.then_some(attempt))
    }

    /// The known negatives that the fingerprint lets through.
    fn survivors(&self, sets: &KeySets, two: bool, columns: u64) -> Vec<Survivor> {
        let number = self.number;
        let survives = |digest: Digest| {
            let hash = first_hash(digest, number);
            let places = self.first.shape.places::<ARITY>(hash);
            let lets = self.first.agrees(&places, columns);
            lets.then(|| match two {
                true => second_hash(digest, number),
                false => hash,
            })
        };
        let negatives = sets.negatives().par_iter();
        let mut survivors: Vec<_> = negatives
            .filter_map(|negative| {
                let cost = negative.cost;
                survives(negative.digest).map(|hash| Survivor { cost, hash })
            })
            .collect();
        // Equal costs stay in the order of the digests.
        survivors.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        survivors
    }

    /// Settles the guard; `false` if the positives, or if it is to be exact the survivors, cannot be solved.
    fn guard(&mut self, shape: &Shape, positives: &[u64], guarding: Guarding) -> Result<bool> {
        // Keys without a bit for the guard cannot be helped, and more keys than slots cannot be solved.
        let has_guard = |hash: &u64| shape.places::<ARITY>(*hash).columns & GUARD != 0;
        let slots = (shape.slots as usize).saturating_sub(positives.len());
        let room = usize::try_from(guarding.taken).map_or(slots, |taken| taken.min(slots));
        let hashes = self.survivors.iter().map(|survivor| survivor.hash);
        let negatives: Vec<u64> = hashes.filter(has_guard).take(room).collect();
        let Some(peeled) = peel::<ARITY>(shape, positives, &negatives)? else {
            return Ok(false);
        };
        if guarding.exact && peeled.len() < positives.len() + negatives.len() {
            return Ok(false);
        }
        let array = self.second.as_mut().unwrap_or(&mut self.first);
        settle::<ARITY>(array, &peeled, GUARD);
        Ok(true)
    }

    /// The filter, and what became of the known negatives.
    pub fn finish(self, head: Head, workload: &Workload) -> (Guarded, Report) {
        let costs = &workload.costs;
        let array = self.second.as_ref().unwrap_or(&self.first);
        let wrong = |survivor: &&Survivor| array.contains::<ARITY>(survivor.hash);
        let (left, cost) = (self.survivors.iter().filter(wrong))
            .fold((0, 0.0), |(left, cost), survivor| {
                (left + 1, cost + survivor.cost * costs.unit)
            });
        let weighted = if costs.total > 0.0 {
            cost / costs.total
        } else {
            0.0
        };
        let (survivors, number) = (self.survivors.len() as u64, self.number);
        let filter = Guarded {
            number,
            first: self.first,
            second: self.second,
            head,
        };
        let mut facts = vec![
            ("survivors", Value::Whole(survivors)),
            ("left", Value::Whole(left)),
            ("weighted_fpr", Value::Real(weighted)),
            ("tries", Value::Whole(number + 1)),
        ];
        let bits_per_key = filter.size_in_bits() as f64 / workload.keys.max(1) as f64;
        let limit = limit_rate(bits_per_key, workload.negatives_per_key());
        // A filter that is wrong on some of them may be below the limit.
        if let Some(limit) = limit.filter(|_| left == 0) {
            let times = filter.info().predicted_fpr / limit;
            facts.push(("information_limit", Value::Real(limit)));
            facts.push(("times_limit", Value::Real(times)));
        }
        let guarded = workload.negatives - left;
        (filter, Report { guarded, facts })
    }
}

/// The hash in the first array. At first it is a half of the digest: keys are sorted by it already.
#[inline]
pub(super) fn first_hash(digest: Digest, number: u64) -> u64 {
    match number {
        0 => digest.high,
        _ => digest.function(2 * number),
    }
}

/// The hash in the second array.
#[inline]
pub(super) fn second_hash(digest: Digest, number: u64) -> u64 {
    digest.function(2 * number + 1)
}

/// The hashes of all keys, sorted; `None` if two are the same.
fn hashes(digests: &[Digest], hash: impl Fn(Digest) -> u64 + Sync) -> Option<Vec<u64>> {
    let mut hashes: Vec<u64> = digests.par_iter().map(|&digest| hash(digest)).collect();
    let rising = |hashes: &[u64]| hashes.is_sorted_by(|a, b| a < b);
    if !rising(&hashes) {
        sort::by_digest(&mut hashes, |&high| Digest { high, low: 0 });
    }
    rising(&hashes).then_some(hashes)
}

/// Writes keys down in some columns of an array.
fn settle<const ARITY: usize>(array: &mut Array, peeled: &Peeled, columns: u64) {
    for step in peeled.steps() {
        let places = array.shape.places::<ARITY>(step.hash);
        let wanted = places.fingerprint ^ u64::from(step.negative);
        array.settle(&places, step.pivot, wanted, columns);
    }
}
