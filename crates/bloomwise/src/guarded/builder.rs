//! From wishes and keys to a filter.
//!
//! The budget and the negatives give a plan ([`super::tuning`]). Then, until it works, with one hash after the other:
//!
//! 1. hash and sort the positives, peel them, and settle the columns of the fingerprint;
//! 2. find the known negatives that survive these columns;
//! 3. peel positives and survivors together, and settle the column of the guard: the bit of a survivor is the opposite of
//!    what a positive would have there.
//!
//! Step 1 or 3 fails where the positives cannot be peeled, or where a survivor had to be given up though the plan has room
//! for all that it takes. Of small sets that is every second hash, or three in four with three slots for each key; of large ones
//! hardly any. After some failures the array gets
//! more slots, which are narrower; the size stays, unless a rate was asked for. Two keys have the same hash for one function in
//! 2^64, and not for the next, so that the search ends for all sets but those that somebody has made for this very purpose, knowing
//! the seed; those are an error after [`MAX_TRIES`].
//!
//! Hashing, sorting and the look for survivors use the threads of rayon's current pool; the halves of the array are
//! peeled side by side. Nothing depends on the number of threads.

use super::Guarded;
use super::array::{Array, Shape};
use super::peel::{Peeled, peel};
use super::theory::limit_rate;
use super::tuning::{Plan, Prediction, Task};
use crate::codec::Head;
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::{Filter, Report, Value};
use crate::forecast::{Forecast, Workload};
use crate::hash::{Digest, Hashing};
use crate::key::KeySets;
use crate::sizing::{Layout, Size};
use crate::sort;
use rayon::prelude::*;

/// Slots of a key where nothing else is asked for.
pub(super) const ARITY: u32 = 4;

/// The share of the cost that unseen keys have where nothing else is said.
pub(super) const UNSEEN_SHARE: f64 = 0.1;

/// Hashes that are tried before an array gets more slots.
const TRIES: u64 = 8;

/// Hashes that are tried for the sake of a few survivors.
const PATIENCE: u64 = 80;

/// Hashes that are tried in all; by then an array has eleven times as many slots.
pub(super) const MAX_TRIES: u64 = 1000;

/// The column of the guard.
const GUARD: u64 = 1;

/// The wishes for a [`Guarded`].
#[derive(Clone, Debug)]
pub struct GuardedBuilder {
    size: Size,
    hashing: Hashing,
    capacity: Option<u64>,
    arity: u32,
    unseen_share: f64,
}

impl GuardedBuilder {
    pub(super) fn new(size: Size) -> Self {
        GuardedBuilder {
            size,
            hashing: Hashing::default(),
            capacity: None,
            arity: ARITY,
            unseen_share: UNSEEN_SHARE,
        }
    }

    /// How keys are hashed, instead of XXH3 with seed 0.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = hashing;
        self
    }

    /// For how many keys the size is worked out, instead of the number of positives. The set is fixed all the same.
    pub fn capacity(mut self, keys: u64) -> Self {
        self.capacity = Some(keys);
        self
    }

    /// How many slots a key has: 4, which is the default and takes 6 % less space, or 3, which reads a quarter less memory.
    pub fn arity(mut self, slots: u32) -> Self {
        self.arity = slots;
        self
    }

    /// Which share of the cost of false positives comes from keys that are not known, 0 to 1; 0.1 unless something else is
    /// said. It matters where the budget does not allow all known negatives to be guarded.
    pub fn unseen_share(mut self, share: f64) -> Self {
        self.unseen_share = share;
        self
    }

    /// The filter of these keys.
    ///
    /// # Errors
    ///
    /// A size or a setting that no filter can have; memory that is not there.
    pub fn build(&self, sets: &KeySets) -> Result<Guarded> {
        self.build_and_report(sets).map(|(filter, _)| filter)
    }

    /// The filter of these keys, and what became of the known negatives.
    ///
    /// # Errors
    ///
    /// As for [`GuardedBuilder::build`].
    pub fn build_and_report(&self, sets: &KeySets) -> Result<(Guarded, Report)> {
        match self.arity {
            3 => self.with_arity::<3>(sets),
            _ => self.with_arity::<4>(sets),
        }
    }

    fn with_arity<const ARITY: usize>(&self, sets: &KeySets) -> Result<(Guarded, Report)> {
        let workload = Workload::of(sets);
        let (plan, prediction) = self.plan(&workload)?;
        for number in 0..MAX_TRIES {
            // A fiftieth more slots after so many failures.
            let more = 1.02f64.powi((number / TRIES) as i32);
            let Some(plan) = self.with_more_slots(plan, more) else {
                break;
            };
            let guard = Guarding {
                taken: prediction.taken,
                exact: prediction.exact && number < PATIENCE,
            };
            if let Some(attempt) = Attempt::<ARITY>::new(sets, plan, number, guard)? {
                let mut head = Head::new(Family::Guarded, self.hashing);
                head.add_keys(sets.positives().len());
                return Ok(attempt.finish(head, &workload));
            }
        }
        let expected = "digests that can be told apart; hash with another seed";
        Err(Error::parameter("the set", "impossible to solve", expected))
    }

    /// The plan with so many times as many slots. Where a rate is asked for, they must not become narrower for it.
    fn with_more_slots(&self, plan: Plan, times: f64) -> Option<Plan> {
        let mut bits = match self.size {
            Size::Rate(_) => times,
            _ => return plan.with_more_slots(times, 1.0),
        };
        let mut more = plan.with_more_slots(times, bits)?;
        while more.rate() > plan.rate() {
            bits *= 1.001;
            more = plan.with_more_slots(times, bits)?;
        }
        Some(more)
    }

    /// What the filter will do, without making it.
    ///
    /// # Errors
    ///
    /// As for [`GuardedBuilder::build`], but for the memory.
    pub fn forecast(&self, workload: &Workload) -> Result<Forecast> {
        let (plan, prediction) = self.plan(workload)?;
        let arrays = 1 + u32::from(plan.second.is_some());
        Ok(Forecast {
            bits: plan.bits(),
            parameters: plan.told(),
            unseen: prediction.unseen,
            known: prediction.known,
            lines: f64::from(self.arity * arrays),
        })
    }

    /// How the bits are to be spent, and what comes of it.
    fn plan(&self, workload: &Workload) -> Result<(Plan, Prediction)> {
        if !(3..=4).contains(&self.arity) {
            return Err(Error::parameter("arity", self.arity, "3 or 4"));
        }
        if !(0.0..=1.0).contains(&self.unseen_share) {
            let expected = "a share from 0 to 1";
            return Err(Error::parameter(
                "unseen-share",
                self.unseen_share,
                expected,
            ));
        }
        let planned = workload.grown_to(self.capacity.unwrap_or(workload.keys));
        let task = |workload, bits| Task {
            workload,
            bits,
            arity: self.arity,
            unseen_share: self.unseen_share,
        };
        let layout = Layout {
            cell_bits: 1,
            step: 64,
            rate: |bits, _, _| {
                let plan = task(&planned, bits).choose();
                plan.map_or(1.0, |plan| plan.rate())
            },
        };
        let bits = layout.fit(self.size, planned.keys, Some(1))?.cells;
        let impossible = || Error::parameter("the size", bits, "fewer bits");
        let task = task(workload, bits);
        let plan = task.choose().ok_or_else(impossible)?;
        Ok((plan, task.predict(&plan)))
    }
}

/// What the guard is to do about survivors.
#[derive(Clone, Copy, Debug)]
struct Guarding {
    /// How many it takes, the costliest.
    taken: u64,
    /// Whether all of those must be solved.
    exact: bool,
}

/// A known negative that the fingerprint lets through.
#[derive(Clone, Copy, Debug)]
struct Survivor {
    cost: f64,
    /// Its hash in the array of the guard.
    hash: u64,
}

/// The filter with one of the hashes.
struct Attempt<const ARITY: usize> {
    number: u64,
    first: Array,
    second: Option<Array>,
    /// The costliest first.
    survivors: Vec<Survivor>,
}

impl<const ARITY: usize> Attempt<ARITY> {
    /// The filter with the hashes of this number; `None` if the positives, or if it is to be exact the survivors, cannot be
    /// solved with them.
    fn new(sets: &KeySets, plan: Plan, number: u64, guarding: Guarding) -> Result<Option<Self>> {
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
    fn finish(self, head: Head, workload: &Workload) -> (Guarded, Report) {
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
