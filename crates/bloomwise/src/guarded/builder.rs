//! The builder: from options and keys to a filter.
//!
//! The size and the negatives give a plan ([`super::tuning`]). Then the builder tries one salt after the other until one
//! can be solved ([`super::solve`]). For small sets every second salt works, or one in four with three slots per key; for
//! large sets almost every one does. After some failures the array gets more slots, which are narrower. The size stays the
//! same, unless the caller asked for a rate.
//!
//! Two keys have equal hashes for one salt in `2^64`, and different ones for the next. So the search ends, unless an attacker
//! who knows the seed has chosen the keys. Then the build fails after [`MAX_TRIES`] salts.

use super::Guarded;
use super::array::MAX_WIDTH;
use super::plan::Plan;
use super::solve::{GuardPolicy, Solution};
use super::tuning::{Prediction, Requirements};
use crate::builder::{Buildable, Builder};
use crate::error::{Error, Result};
use crate::forecast::{Forecast, UNSEEN_SHARE, Workload};
use crate::info::Report;
use crate::profile::Profile;
use crate::sets::KeySets;
use crate::sizing::{Layout, Size};

/// The default number of slots of a key.
const ARITY: u32 = 4;

/// The number of salts to try before an array gets more slots.
const TRIES: u64 = 8;

/// The number of salts to try before survivors may be given up although the plan has room for them.
const PATIENCE: u64 = 80;

/// The number of salts to try in total. By then an array has eleven times as many slots.
pub(super) const MAX_TRIES: u64 = 1000;

/// The lowest rate that can be asked for: that of slots of [`MAX_WIDTH`] bits.
const MIN_RATE: f64 = 1.0 / (1u64 << MAX_WIDTH) as f64;

/// The options of [`Guarded`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of slots of a key.
    arity: u32,
    /// The share of the cost that falls on unseen keys.
    unseen_share: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            arity: ARITY,
            unseen_share: UNSEEN_SHARE,
        }
    }
}

impl Builder<Guarded> {
    /// The number of slots of a key, 3 or 4. The default, 4, takes 6 % less space; 3 reads a quarter less memory.
    pub fn arity(mut self, slots: u32) -> Self {
        self.options.arity = slots;
        self
    }

    /// The share of the cost of false positives that falls on unseen keys, 0 to 1. The default is 0.1. The share matters if
    /// the size is too small to guard all known negatives.
    pub fn unseen_share(mut self, share: f64) -> Self {
        self.options.unseen_share = share;
        self
    }

    /// Builds the filter with `ARITY` slots per key.
    fn with_arity<const ARITY: usize>(&self, sets: &KeySets) -> Result<(Guarded, Report)> {
        let workload = Workload::of(sets);
        let capacity = self.capacity_for(sets);
        let (plan, prediction) = self.plan(&workload, capacity)?;
        for salt in 0..MAX_TRIES {
            // 2 % more slots after every `TRIES` failures.
            let more = 1.02f64.powi((salt / TRIES) as i32);
            let Some(plan) = self.with_more_slots(plan, more) else {
                break;
            };
            let policy = GuardPolicy {
                max_survivors: prediction.max_survivors,
                exact: prediction.exact && salt < PATIENCE,
            };
            if let Some(solution) = Solution::<ARITY>::solve(sets, plan, salt, policy)? {
                let mut profile = Profile::new(sets.hashing(), capacity, self.size);
                profile.add_keys(sets.positives().len());
                return Ok(solution.finish(profile, &workload));
            }
        }
        let expected = "keys with distinct digests; hash with another seed";
        Err(Error::parameter("the set", "impossible to solve", expected))
    }

    /// The plan with `times` as many slots. If the caller asked for a rate, the plan gets as many bits as it needs to keep
    /// its rate.
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

    /// Checks the options, and chooses a plan. The size in bits is that of a filter of `capacity` keys.
    fn plan(&self, workload: &Workload, capacity: u64) -> Result<(Plan, Prediction)> {
        let Options {
            arity,
            unseen_share,
        } = self.options;
        if !(3..=4).contains(&arity) {
            return Err(Error::parameter("arity", arity, "3 or 4"));
        }
        if !(0.0..=1.0).contains(&unseen_share) {
            let expected = "a share from 0 to 1";
            return Err(Error::parameter("unseen-share", unseen_share, expected));
        }
        if let Size::Rate(rate) = self.size
            && (0.0..MIN_RATE).contains(&rate)
        {
            let expected = format!("at least {MIN_RATE:.1e}, the rate of the widest slots");
            return Err(Error::parameter("the false positive rate", rate, expected));
        }
        let planned = workload.grown_to(capacity);
        let requirements = |workload, bits| Requirements {
            workload,
            bits,
            arity,
            unseen_share,
        };
        let layout = Layout {
            cell_bits: 1,
            step: 64,
            rate: |bits, _, _| {
                let plan = requirements(&planned, bits).choose();
                plan.map_or(1.0, |plan| plan.rate())
            },
        };
        let bits = layout.fit(self.size, capacity, Some(1))?.cells;
        let too_many = || Error::parameter("the number of keys", workload.keys, "fewer keys");
        let requirements = requirements(workload, bits);
        let plan = requirements.choose().ok_or_else(too_many)?;
        Ok((plan, requirements.predict(&plan)))
    }
}

impl Buildable for Guarded {
    type Options = Options;

    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast> {
        let (plan, prediction) = builder.plan(workload, workload.keys)?;
        let arrays = 1 + u32::from(plan.second.is_some());
        Ok(Forecast {
            bits: plan.bits(),
            parameters: plan.parameters(),
            unseen: prediction.unseen,
            known: prediction.known,
            lines: f64::from(builder.options.arity * arrays),
        })
    }

    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)> {
        match builder.options.arity {
            3 => builder.with_arity::<3>(sets),
            _ => builder.with_arity::<4>(sets),
        }
    }
}
