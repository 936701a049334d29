//! How the bits of a budget are spent.
//!
//! # The model
//!
//! An array of `m` slots in `b` bits has `b / m` bits for a slot. The keys without the extra bit let a share of
//! `2^-width` of all strangers through, the others half as many. With a guard column in the same array, strangers are
//! let through to the guard by one column less: of `N` known negatives, `N 2^-f` *survive* the `f` columns of the
//! fingerprint, and the guard must answer those. The array has room for so many keys as [`keys_for`] says; what the
//! positives leave is for survivors. If there are more, some are given up: measured at 2 to 7 bits per key, a quarter to a
//! third of those that are too many, but never so few that more than [`FULL`] of the slots are used. They are among the
//! cheapest. A survivor that is given up is let through by the guard with probability one half.
//!
//! # The choice
//!
//! Fewer slots are wider: fewer keys survive, but there is less room for them. All numbers of slots on a grid are tried, for
//! the guard in the array of the fingerprint and for the guard in an array of its own, which need not make room for
//! survivors in every column but costs a member a second visit. The least cost wins:
//!
//! ```text
//! cost = mu * (rate on unseen keys) + (1 - mu) * (rate by cost on known negatives)
//! ```
//!
//! where `mu` is the share of the cost that unseen keys have. Two arrays are taken if they cost 7 % less.

use super::array::{MAX_WIDTH, Shape};
use super::peel::FULL;
use super::theory::{keys_for, segment_bits_for, slots_for};
use crate::filter::Value;
use crate::forecast::Workload;

/// The share of the cost of one array that two may have at most.
const WORTH: f64 = 0.93;

/// Of the survivors that are too many, the share that is given up.
const GIVEN_UP: f64 = 0.33;

/// Numbers of slots that are tried.
const STEPS: u64 = 400;

/// What a filter is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub workload: &'a Workload,
    /// The whole size, a multiple of 64.
    pub bits: u64,
    pub arity: u32,
    /// The share of the cost that unseen keys have.
    pub unseen_share: f64,
}

/// How the bits are spent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// The array of the fingerprint.
    pub first: Shape,
    /// The array of the guard, if it has one of its own.
    pub second: Option<Shape>,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    /// The rate on unseen keys.
    pub unseen: f64,
    /// The rate by cost on known negatives.
    pub known: f64,
}

impl Plan {
    /// A plan for so many slots, if the bits can be cut like this.
    pub fn new(arity: u32, bits: u64, slots: u64, guard_slots: u64) -> Option<Self> {
        let shape = |slots: u64, bits: u64| {
            // Slots that are too wide are made more.
            let slots = slots.max(bits.div_ceil(MAX_WIDTH + 1) + 1);
            Shape::new(arity, slots, segment_bits_for(slots, arity), bits)
        };
        let second = match guard_slots {
            0 => None,
            slots => Some(shape(slots, slots)?),
        };
        let first = shape(slots, bits.checked_sub(guard_slots)?)?;
        Some(Plan { first, second })
    }

    /// The same bits in so many times as many slots.
    pub fn with_more_slots(self, times: f64) -> Option<Self> {
        let more = |slots: u64| (slots as f64 * times) as u64;
        let cut =
            |shape: Shape, slots, bits| Shape::new(shape.arity, slots, shape.segment_bits, bits);
        let (mut bits, mut second) = (self.first.bits, None);
        if let Some(shape) = self.second {
            // What the guard gets, the fingerprint gives.
            let slots = more(shape.slots).next_multiple_of(64);
            bits = (bits + shape.slots)
                .checked_sub(slots)
                .filter(|&bits| bits > 0)?;
            second = Some(cut(shape, slots, slots)?);
        }
        let first = cut(self.first, more(self.first.slots), bits)?;
        Some(Plan { first, second })
    }

    /// The same with segments of half the length for the guard: a front that gives up keys runs better in short windows.
    fn with_shorter_segments(mut self) -> Self {
        let guard = self.second.as_mut().unwrap_or(&mut self.first);
        guard.segment_bits = guard.segment_bits.saturating_sub(1);
        self
    }

    /// The bits of both arrays.
    pub fn bits(&self) -> u64 {
        self.first.bits + self.second.map_or(0, |shape| shape.bits)
    }

    /// What there is to tell about it: name and value.
    pub fn told(&self) -> Vec<(&'static str, Value)> {
        let Shape { slots, bits, .. } = self.first;
        let guard_slots = self.second.map_or(0, |shape| shape.slots);
        vec![
            ("bits", Value::Whole(self.bits())),
            ("arity", Value::Whole(u64::from(self.first.arity))),
            ("slots", Value::Whole(slots)),
            ("slot_bits", Value::Real(bits as f64 / slots as f64)),
            ("guard_slots", Value::Whole(guard_slots)),
            ("segment", Value::Whole(1 << self.first.segment_bits)),
        ]
    }

    /// The share of strangers that are let through.
    pub fn rate(&self) -> f64 {
        rate(&self.first) * self.second.as_ref().map_or(1.0, rate)
    }
}

/// The share of strangers that an array lets through.
fn rate(shape: &Shape) -> f64 {
    let narrow = 0.5f64.powi(shape.width as i32);
    narrow * (1.0 - 0.5 * shape.wide_share())
}

impl Task<'_> {
    /// What a plan leads to.
    pub fn predict(&self, plan: &Plan) -> Prediction {
        let unseen = plan.rate();
        let guard = plan.second.unwrap_or(plan.first);
        // The guard halves what is let through, but where there is not even one bit for all.
        let surviving = self.workload.negatives as f64 * (2.0 * unseen).min(1.0);
        let room = |all: f64| all - self.workload.keys as f64;
        let too_many = surviving - room(keys_for(guard.slots, self.arity) as f64);
        let known = if too_many <= 0.0 {
            0.0
        } else {
            let given_up = (GIVEN_UP * too_many).max(surviving - room(FULL * guard.slots as f64));
            unseen
                * self
                    .workload
                    .costs
                    .of_cheapest((given_up / surviving).min(1.0))
        };
        // Where a part of the array has no bits at all, the keys of that part have no guard.
        let known = known.max(if guard.width == 0 {
            2.0 * unseen - 1.0
        } else {
            0.0
        });
        Prediction { unseen, known }
    }

    /// The plan with the lowest cost.
    pub fn choose(&self) -> Option<Plan> {
        let least = slots_for(self.workload.keys, self.arity);
        let all = self.workload.keys.saturating_add(self.workload.negatives);
        // Slots without a bit are of use only where there is no bit for some anyway.
        let most = slots_for(all, self.arity).min(self.bits.max(least));
        let plan = |slots, guard_slots| Plan::new(self.arity, self.bits, slots, guard_slots);
        let one = self.cheapest(steps(least, most).filter_map(|slots| plan(slots, 0)));
        if self.workload.negatives == 0 {
            return one;
        }
        let whole = |slots: u64| slots.next_multiple_of(64);
        let two = steps(least, most).filter_map(|slots| plan(least, whole(slots)));
        // A fingerprint in less than a bit for each slot is none.
        let two = self.cheapest(two.filter(|plan| plan.first.width > 0));
        let cost = |plan: &Option<Plan>| plan.as_ref().map_or(f64::MAX, |plan| self.cost(plan));
        let best = match cost(&two) < WORTH * cost(&one) {
            true => two,
            false => one,
        };
        best.map(|plan| match self.predict(&plan).known > 0.0 {
            true => plan.with_shorter_segments(),
            false => plan,
        })
    }

    fn cost(&self, plan: &Plan) -> f64 {
        let Prediction { unseen, known } = self.predict(plan);
        self.unseen_share * unseen + (1.0 - self.unseen_share) * known
    }

    fn cheapest(&self, plans: impl Iterator<Item = Plan>) -> Option<Plan> {
        let costed = plans.map(|plan| (self.cost(&plan), plan));
        costed
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, plan)| plan)
    }
}

/// Numbers from one to another, closer together near the first: most plans need little more than that.
fn steps(least: u64, most: u64) -> impl Iterator<Item = u64> {
    let wide = most.saturating_sub(least) as f64;
    (0..=STEPS).map(move |step| {
        let share = step as f64 / STEPS as f64;
        least + (wide * share * share) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(workload: &Workload, bits_per_key: f64) -> Task<'_> {
        Task {
            workload,
            bits: (bits_per_key * workload.keys as f64) as u64 / 64 * 64,
            arity: 4,
            unseen_share: 0.1,
        }
    }

    #[test]
    fn budgets_of_the_paper_allow_all_negatives_to_be_guarded() {
        for (bits, negatives, most) in [
            (7.03, 1.0, 0.013),
            (8.44, 1.0, 0.005),
            (8.44, 20.0, 0.006),
            (11.25, 1.0, 0.0008),
        ] {
            let workload = Workload::new(1_500_000, (1.5e6 * negatives) as u64);
            let task = task(&workload, bits);
            let prediction = task.predict(&task.choose().expect("a plan"));
            assert_eq!(prediction.known, 0.0, "{bits} bits, {negatives} negatives");
            assert!(
                prediction.unseen < most,
                "{bits} bits: {}",
                prediction.unseen
            );
        }
    }

    #[test]
    fn many_negatives_ask_for_a_second_array_and_few_do_not() {
        let two = |negatives, bits| {
            let workload = Workload::new(1_000_000, negatives);
            let chosen = task(&workload, bits).choose();
            chosen.expect("a plan").second.is_some()
        };
        assert!(two(20_000_000, 8.44));
        assert!(!two(1_000_000, 12.0) && !two(0, 8.44) && !two(1000, 8.44));
        // Where there is hardly a bit for each key, there is no fingerprint to have an array of its own.
        assert!(!two(1_000_000, 2.0));
    }

    #[test]
    fn more_bits_are_never_worse_by_much() {
        for negatives in [0, 100_000, 1_000_000] {
            let workload = Workload::new(100_000, negatives);
            let mut before = 1.0;
            for step in 1..60 {
                let task = task(&workload, 0.25 * f64::from(step));
                let plan = task.choose().expect("a plan");
                let cost = task.cost(&plan);
                assert!(
                    cost <= before * 1.001,
                    "{} bits: {cost}, {before}",
                    task.bits
                );
                before = cost;
            }
        }
    }
}
