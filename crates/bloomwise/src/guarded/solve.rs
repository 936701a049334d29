//! Solving a filter with one salt.
//!
//! 1. Hash and sort the positives, peel them, and solve the columns of the fingerprint.
//! 2. Find the survivors: the known negatives that match the fingerprint by chance.
//! 3. Peel positives and survivors together, and solve the guard column. A survivor gets the opposite of the bit that a
//!    positive with its hash would have.
//!
//! Solving fails if the positives cannot be peeled. It also fails if a survivor was given up although the plan has room
//! for all survivors that it takes.
//!
//! Hashing, sorting and the search for survivors use all cores. Two threads peel the two halves of an array. The result
//! does not depend on the number of threads.

use super::Guarded;
use super::array::{Array, Shape};
use super::peel::{Peeled, peel};
use super::plan::Plan;
use super::theory::limit_rate;
use crate::error::Result;
use crate::filter::Filter;
use crate::forecast::Workload;
use crate::hash::Digest;
use crate::info::{Report, Value};
use crate::parallel;
use crate::profile::Profile;
use crate::sets::KeySets;
use crate::sort;

/// The mask of the guard column.
const GUARD: u64 = 1;

/// Which survivors the guard must reject.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuardPolicy {
    /// The most survivors to take; the costliest come first.
    pub max_survivors: u64,
    /// Whether all that are taken must be solved.
    pub exact: bool,
}

/// A known negative that matches the fingerprint by chance.
#[derive(Clone, Copy, Debug)]
struct Survivor {
    /// The cost of a false positive on it.
    cost: f64,
    /// Its hash in the array that has the guard.
    hash: u64,
}

/// A filter that was solved with one salt.
pub(super) struct Solution<const ARITY: usize> {
    /// The salt of the hashes.
    salt: u64,
    /// The fingerprint, and the guard unless it has an array of its own.
    first: Array,
    /// The guard, if it has an array of its own.
    second: Option<Array>,
    /// The known negatives that match the fingerprint, the costliest first.
    survivors: Vec<Survivor>,
}

impl<const ARITY: usize> Solution<ARITY> {
    /// Solves the filter with the hashes of `salt`. Returns `None` if the positives cannot be solved with these hashes, or
    /// if `policy` is exact and a survivor that was taken cannot.
    pub fn solve(
        sets: &KeySets,
        plan: Plan,
        salt: u64,
        policy: GuardPolicy,
    ) -> Result<Option<Self>> {
        let Some(positives) = hashes(sets.positives(), |digest| first_hash(digest, salt)) else {
            return Ok(None);
        };
        let mut first = Array::new(plan.first)?;
        let has_guard = plan.second.is_none() && !sets.negatives().is_empty();
        // The columns of the fingerprint in the first array.
        let columns = if has_guard { !GUARD } else { u64::MAX };
        if !has_guard || plan.first.bits > plan.first.slots {
            let Some(peeled) = peel::<ARITY>(&plan.first, &positives, &[])? else {
                return Ok(None);
            };
            assign::<ARITY>(&mut first, &peeled, columns);
        }
        let mut solution = Solution {
            salt,
            first,
            second: None,
            survivors: Vec::new(),
        };
        if sets.negatives().is_empty() {
            return Ok(Some(solution));
        }
        solution.survivors = solution.survivors(sets, plan.second.is_some(), columns);
        let solved = match plan.second {
            None => {
                let shape = solution.first.shape;
                solution.solve_guard(&shape, &positives, policy)?
            }
            Some(shape) => {
                drop(positives);
                solution.second = Some(Array::new(shape)?);
                match hashes(sets.positives(), |digest| second_hash(digest, salt)) {
                    Some(positives) => solution.solve_guard(&shape, &positives, policy)?,
                    None => false,
                }
            }
        };
        Ok(solved.then_some(solution))
    }

    /// The known negatives that match the fingerprint in `columns`, the costliest first. `two_arrays` says whether the
    /// guard has an array of its own.
    fn survivors(&self, sets: &KeySets, two_arrays: bool, columns: u64) -> Vec<Survivor> {
        let salt = self.salt;
        let survives = |digest: Digest| {
            let hash = first_hash(digest, salt);
            let equation = self.first.shape.equation::<ARITY>(hash);
            let matches = self.first.satisfies(&equation, columns);
            matches.then(|| {
                if two_arrays {
                    second_hash(digest, salt)
                } else {
                    hash
                }
            })
        };
        let mut survivors = parallel::filter_map(sets.negatives(), |negative| {
            let cost = negative.cost;
            survives(negative.digest).map(|hash| Survivor { cost, hash })
        });
        // The sort is stable: equal costs stay in the order of the digests.
        survivors.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        survivors
    }

    /// Solves the guard column of the array of `shape`. Returns `false` if the positives cannot be solved, or if `policy` is
    /// exact and a survivor that was taken cannot.
    fn solve_guard(
        &mut self,
        shape: &Shape,
        positives: &[u64],
        policy: GuardPolicy,
    ) -> Result<bool> {
        // Keys without a guard bit cannot be guarded, and more keys than slots cannot be solved.
        let has_guard = |hash: &u64| shape.equation::<ARITY>(*hash).columns & GUARD != 0;
        let slots = (shape.slots as usize).saturating_sub(positives.len());
        let room = usize::try_from(policy.max_survivors).map_or(slots, |most| most.min(slots));
        let hashes = self.survivors.iter().map(|survivor| survivor.hash);
        let negatives: Vec<u64> = hashes.filter(has_guard).take(room).collect();
        let Some(peeled) = peel::<ARITY>(shape, positives, &negatives)? else {
            return Ok(false);
        };
        if policy.exact && peeled.len() < positives.len() + negatives.len() {
            return Ok(false);
        }
        let array = self.second.as_mut().unwrap_or(&mut self.first);
        assign::<ARITY>(array, &peeled, GUARD);
        Ok(true)
    }

    /// The filter, and the report on its known negatives.
    pub fn finish(self, profile: Profile, workload: &Workload) -> (Guarded, Report) {
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
        let (survivors, salt) = (self.survivors.len() as u64, self.salt);
        let filter = Guarded {
            salt,
            first: self.first,
            second: self.second,
            profile,
        };
        let mut facts = vec![
            ("survivors", Value::Whole(survivors)),
            ("left", Value::Whole(left)),
            ("weighted_fpr", Value::Real(weighted)),
            ("tries", Value::Whole(salt + 1)),
        ];
        let bits_per_key = filter.size_in_bits() as f64 / workload.keys.max(1) as f64;
        let limit = limit_rate(bits_per_key, workload.negatives_per_key());
        // The limit holds only for filters without an error on known negatives.
        if let Some(limit) = limit.filter(|_| left == 0) {
            let times = filter.rate() / limit;
            facts.push(("information_limit", Value::Real(limit)));
            facts.push(("times_limit", Value::Real(times)));
        }
        let guarded = workload.negatives - left;
        (filter, Report { guarded, facts })
    }
}

/// The hash of a key in the first array. For salt 0 it is the upper half of the digest, by which keys are already sorted.
#[inline]
pub(super) fn first_hash(digest: Digest, salt: u64) -> u64 {
    match salt {
        0 => digest.high,
        _ => digest.function(2 * salt),
    }
}

/// The hash of a key in the second array.
#[inline]
pub(super) fn second_hash(digest: Digest, salt: u64) -> u64 {
    digest.function(2 * salt + 1)
}

/// The sorted hashes of all keys; `None` if two are equal.
fn hashes(digests: &[Digest], hash: impl Fn(Digest) -> u64 + Sync) -> Option<Vec<u64>> {
    let mut hashes = parallel::map(digests, |&digest| hash(digest));
    let ascending = |hashes: &[u64]| hashes.is_sorted_by(|a, b| a < b);
    if !ascending(&hashes) {
        sort::by_digest(&mut hashes, |&high| Digest { high, low: 0 });
    }
    ascending(&hashes).then_some(hashes)
}

/// Assigns slots so that all peeled keys have the right XOR in `columns`, in the reverse order of peeling.
fn assign<const ARITY: usize>(array: &mut Array, peeled: &Peeled, columns: u64) {
    for step in peeled.steps() {
        let equation = array.shape.equation::<ARITY>(step.hash);
        let wanted = equation.fingerprint ^ u64::from(step.negative);
        array.assign(&equation, step.pivot, wanted, columns);
    }
}
