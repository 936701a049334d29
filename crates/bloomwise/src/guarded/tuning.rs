//! How the bits of a budget are spent.
//!
//! # The model
//!
//! An array of `m` slots in `b` bits has `b / m` bits for a slot. The keys without the extra bit let a share of
//! `2^-width` of all strangers through, the others half as many. With a guard column in the same array, strangers are
//! let through to the guard by one column less: of `N` known negatives, `N 2^-f` *survive* the `f` columns of the
//! fingerprint, and the guard must answer those. Keys without the extra bit have one column less, and there the survivors are
//! twice as dense: what must be solved is as hard as its densest part.
//!
//! The array has room for so many keys as [`keys_for`] says; what the positives leave is for survivors. If there are more,
//! the guard takes the costliest, in one of two ways:
//!
//! - *exact*: as many as there is room for, and all of them are solved;
//! - *overfull*: a few more than can be solved, some of which are given up ([`super::peel`]). Measured where as many negatives as
//!   positives leave hardly a slot free, a quarter to a third of those that are too many are given up, and never so few that
//!   more than [`FULL`] of the slots are used. They are a part of the cheapest of those that were taken.
//!
//! A survivor that was not taken, or was given up, is let through by the guard with probability one half.
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
//! where `mu` is the share of the cost that unseen keys have. Two arrays are taken if they cost 10 % less, and errors on known
//! negatives if that costs 5 % less than none.

use super::array::{MAX_WIDTH, Shape};
use super::peel::{CHOICE, FULL};
use super::theory::{keys_for, segment_bits_for, slots_for};
use crate::filter::Value;
use crate::forecast::Workload;
use crate::sizing::MAX_BITS;

/// The share of the cost of one array that two may have at most.
const WORTH: f64 = 0.9;

/// The share of the cost of a plan without errors on known negatives that a plan with some may have at most.
const WORTH_ERRORS: f64 = 0.95;

/// Of the survivors that are too many, the share that is given up.
const GIVEN_UP: f64 = 0.33;

/// The least share of the survivors that are given up where any are: a front that stalls at all stalls often.
const LEAST_GIVEN_UP: f64 = 0.025;

/// The share of the survivors that may be given up; nobody has measured what comes beyond.
const MOST_GIVEN_UP: f64 = 0.05;

/// Shorter segments are for guards with so many times the slots that the positives need.
const ROOMY: f64 = 1.1;

/// The least weight of either rate: of plans that cost the same, the one that is also better elsewhere is taken.
const LEAST_WEIGHT: f64 = 1e-6;

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
    /// How many survivors the guard takes.
    pub taken: u64,
    /// Whether all that are taken are to be solved.
    pub exact: bool,
}

impl Prediction {
    /// Whether there is no error on known negatives.
    pub fn complete(&self) -> bool {
        self.exact && self.taken == u64::MAX
    }
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

    /// So many times as many slots, in so many times as many bits.
    pub fn with_more_slots(self, times: f64, bits: f64) -> Option<Self> {
        let more = |slots: u64| (slots as f64 * times) as u64;
        let cut =
            |shape: Shape, slots, bits| Shape::new(shape.arity, slots, shape.segment_bits, bits);
        let whole = |bits: f64| (bits as u64).next_multiple_of(64);
        let (mut bits, mut second) = (whole(self.first.bits as f64 * bits), None);
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

/// The share of negatives that survive the fingerprint where the most of them do, for an array that has a guard too.
fn densest(shape: &Shape) -> f64 {
    // A front runs over a window of any density.
    let width = match shape.narrow > shape.window() {
        true => shape.width,
        false => shape.width + 1,
    };
    0.5f64.powi(width.saturating_sub(1) as i32)
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
        let (keys, slots) = (self.workload.keys as f64, guard.slots as f64);
        // Where a part of the array has no bits at all, the keys of that part have no guard.
        let bare = match guard.width {
            0 => 2.0 * unseen - 1.0,
            _ => 0.0,
        };
        // The guard halves what is let through.
        let surviving = self.workload.negatives as f64 * 2.0 * (unseen - bare);
        let dense = match plan.second {
            None => self.workload.negatives as f64 * densest(&guard),
            Some(_) => surviving,
        };
        let solvable = keys_for(guard.slots, self.arity) as f64 - keys;
        // How many survive is a matter of chance, too: room is left for three deviations.
        let share = |room: f64| {
            let mean = room - 3.0 * room.max(0.0).sqrt();
            match mean < dense && room < self.workload.negatives as f64 {
                true => (mean / dense).max(0.0),
                false => 1.0,
            }
        };
        let exact = (share(solvable), 0.0);
        let overfull = {
            let full = FULL * slots - keys;
            let taken = share(full / (1.0 - MOST_GIVEN_UP));
            let too_many = (GIVEN_UP * (taken * dense - solvable)).max(taken * dense - full);
            (taken, (too_many / (taken * dense)).max(LEAST_GIVEN_UP))
        };
        let [exact_cost, overfull_cost] =
            [exact, overfull].map(|(taken, given_up)| self.lost(taken, given_up));
        // Not a number where nothing is taken at all.
        let better = overfull_cost < exact_cost && overfull.0 > 0.0;
        let (taken, lost) = match better {
            true => (overfull.0, overfull_cost),
            false => (exact.0, exact_cost),
        };
        Prediction {
            unseen,
            known: bare + (unseen - bare) * lost,
            taken: match taken < 1.0 {
                true => {
                    let mean = taken * surviving;
                    (mean + 3.0 * mean.sqrt()) as u64
                }
                false => u64::MAX,
            },
            exact: !better,
        }
    }

    /// The share of the cost of the survivors that the guard does nothing about, if it takes this share of them and gives up
    /// this share of those.
    fn lost(&self, taken: f64, given_up: f64) -> f64 {
        let cost = |share: f64| self.workload.costs.of_cheapest(share);
        let left = cost(1.0 - taken);
        if given_up == 0.0 {
            // The cheapest of none cost nothing.
            return if taken < 1.0 { left } else { 0.0 };
        }
        let choice = (CHOICE * given_up).min(1.0);
        left + (cost(1.0 - taken + taken * choice) - left) * given_up / choice
    }

    /// The plan with the lowest cost.
    pub fn choose(&self) -> Option<Plan> {
        let least = slots_for(self.workload.keys, self.arity);
        if least > MAX_BITS {
            return None;
        }
        let all = self.workload.keys.saturating_add(self.workload.negatives);
        // Some more, for what rounding takes. Slots without a bit are of use only where there is no bit for some anyway.
        let most = slots_for(all.saturating_add(64), self.arity).min(self.bits.max(least));
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
        best.map(|plan| {
            let guard = plan.second.unwrap_or(plan.first);
            let roomy = guard.slots as f64 > ROOMY * least as f64;
            match roomy && !self.predict(&plan).exact {
                true => plan.with_shorter_segments(),
                false => plan,
            }
        })
    }

    fn cost(&self, plan: &Plan) -> f64 {
        let prediction = self.predict(plan);
        let share = self.unseen_share.clamp(LEAST_WEIGHT, 1.0 - LEAST_WEIGHT);
        let cost = share * prediction.unseen + (1.0 - share) * prediction.known;
        match prediction.complete() {
            true => WORTH_ERRORS * cost,
            false => cost,
        }
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
