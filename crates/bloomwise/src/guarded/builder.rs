//! From wishes and keys to a filter.
//!
//! The budget and the negatives give a plan ([`super::tuning`]); then one hash after the other is tried ([`super::attempt`]) until
//! one works. Of small sets that is every second hash, or one in four with three slots for each key; of large ones nearly every.
//! After some failures the array gets more slots, which are narrower; the size stays, unless a rate was asked for. Two keys have the
//! same hash for one function in 2^64, and not for the next, so that the search ends for all sets but those that somebody has made
//! for this very purpose, knowing the seed; those are an error after [`MAX_TRIES`].

use super::Guarded;
use super::attempt::{Attempt, Guarding};
use super::tuning::{Plan, Prediction, Task};
use crate::codec::Head;
use crate::error::{Error, Result};
use crate::family::Family;
use crate::filter::Report;
use crate::forecast::{Forecast, UNSEEN_SHARE, Workload};
use crate::hash::Hashing;
use crate::key::KeySets;
use crate::sizing::{Layout, Size};

/// Slots of a key where nothing else is asked for.
const ARITY: u32 = 4;

/// Hashes that are tried before an array gets more slots.
const TRIES: u64 = 8;

/// Hashes that are tried for the sake of a few survivors.
const PATIENCE: u64 = 80;

/// Hashes that are tried in all; by then an array has eleven times as many slots.
pub(super) const MAX_TRIES: u64 = 1000;

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
