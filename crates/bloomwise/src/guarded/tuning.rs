//! Tuning: how a filter spends its bits.
//!
//! # The model
//!
//! An array of `m` slots in `b` bits has `b / m` bits per slot. Of the non-members without the extra bit, a share of
//! `2^-width` passes; of the others, half of that. If the guard column is in the same array, one column less is left for
//! the fingerprint: of `N` known negatives, `N 2^-f` *survive* the `f` columns of the fingerprint, and the guard must
//! reject them. Keys without the extra bit have one column less, so survivors are twice as dense in that part of the
//! array. An array is as hard to solve as its densest part.
//!
//! An array has room for as many keys as [`keys_for`] says. The positives take their part of the room, and the rest is
//! for survivors. If there are more survivors, the guard takes the costliest, in one of two ways:
//!
//! - *exact*: it takes as many as there is room for, and all of them are solved;
//! - *overfull*: it takes a few more than can be solved, and some are given up ([`super::peel`]). Where as many negatives
//!   as positives leave hardly a slot free, peeling gave up a quarter to a third of the excess in measurements, and
//!   never used more than [`FULL`] of the slots. It gives up some of the cheapest survivors that were taken.
//!
//! A survivor that was not taken, or was given up, passes the guard with probability one half.
//!
//! # The choice
//!
//! With fewer slots, each slot is wider: fewer negatives survive, but there is less room for them. The guard can share the
//! array of the fingerprint or have an array of its own. With its own array, the other columns need no room for
//! survivors, but the lookup of a member reads a second array. Tuning tries a grid of slot numbers for both forms and
//! takes the plan with the lowest cost:
//!
//! ```text
//! cost = mu * (rate on unseen keys) + (1 - mu) * (rate by cost on known negatives)
//! ```
//!
//! Here `mu` is the share of the cost that falls on unseen keys. Two arrays must cost 10 % less than one. A plan with
//! errors on known negatives must cost 5 % less than a plan without.

use super::array::Shape;
use super::peel::{CHOICE, FULL};
use super::plan::Plan;
use super::theory::{keys_for, slots_for};
use crate::forecast::Workload;
use crate::sizing::MAX_BITS;

/// Two arrays are chosen if their cost is below this share of the cost of one.
const WORTH: f64 = 0.9;

/// A plan with errors on known negatives is chosen if its cost is below this share of the cost of a plan without.
const WORTH_ERRORS: f64 = 0.95;

/// Of the survivors that do not fit, the share that is given up.
const GIVEN_UP: f64 = 0.33;

/// The least share of the survivors taken that are given up if any are: peeling that stalls once stalls often.
const LEAST_GIVEN_UP: f64 = 0.025;

/// The largest share of the survivors taken that may be given up. The model was not measured beyond it.
const MOST_GIVEN_UP: f64 = 0.05;

/// A guard gets shorter segments if it has more than this many times the slots that the positives need.
const ROOMY: f64 = 1.1;

/// The least weight of either rate, so that the other rate decides between plans of equal cost.
const LEAST_WEIGHT: f64 = 1e-6;

/// The number of steps in the grid of slot numbers.
const STEPS: u64 = 400;

/// What a plan is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requirements<'a> {
    /// The keys, the known negatives and their costs.
    pub workload: &'a Workload,
    /// The size of the filter, a multiple of 64.
    pub bits: u64,
    /// The number of slots of a key.
    pub arity: u32,
    /// The share of the cost that falls on unseen keys.
    pub unseen_share: f64,
}

/// The predicted rates of a plan, and how many survivors its guard takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    /// The false positive rate on unseen keys.
    pub unseen: f64,
    /// The false positive rate by cost on known negatives.
    pub known: f64,
    /// The most survivors that the guard takes; [`u64::MAX`] if it takes all.
    pub max_survivors: u64,
    /// Whether all survivors that are taken must be solved.
    pub exact: bool,
}

impl Prediction {
    /// Whether the filter has no error on known negatives.
    pub fn is_complete(&self) -> bool {
        self.exact && self.max_survivors == u64::MAX
    }
}

/// The share of negatives that survive the fingerprint in the densest part of an array that also has the guard.
fn densest_survival(shape: &Shape) -> f64 {
    // A dense part of at most one window does not stop peeling.
    let width = if shape.narrow > shape.window() {
        shape.width
    } else {
        shape.width + 1
    };
    0.5f64.powi(width.saturating_sub(1) as i32)
}

impl Requirements<'_> {
    /// The prediction for a plan.
    pub fn predict(&self, plan: &Plan) -> Prediction {
        let unseen = plan.rate();
        let guard = plan.second.unwrap_or(plan.first);
        let (keys, slots) = (self.workload.keys as f64, guard.slots as f64);
        // The share of keys without a guard bit, if narrow slots have no bits.
        let bare = match guard.width {
            0 => 2.0 * unseen - 1.0,
            _ => 0.0,
        };
        // The guard lets half of the survivors pass, so twice the rate survives.
        let surviving = self.workload.negatives as f64 * 2.0 * (unseen - bare);
        let dense = match plan.second {
            None => self.workload.negatives as f64 * densest_survival(&guard),
            Some(_) => surviving,
        };
        let solvable = keys_for(guard.slots, self.arity) as f64 - keys;
        // The share of survivors to take. Their number is random, so room for three standard deviations is left.
        let share = |room: f64| {
            let mean = room - 3.0 * room.max(0.0).sqrt();
            if mean < dense && room < self.workload.negatives as f64 {
                (mean / dense).max(0.0)
            } else {
                1.0
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
            [exact, overfull].map(|(taken, given_up)| self.unguarded_cost(taken, given_up));
        // The cost of the overfull way is NaN if it takes no survivor.
        let is_overfull = overfull_cost < exact_cost && overfull.0 > 0.0;
        let (taken, unguarded) = if is_overfull {
            (overfull.0, overfull_cost)
        } else {
            (exact.0, exact_cost)
        };
        Prediction {
            unseen,
            known: bare + (unseen - bare) * unguarded,
            max_survivors: if taken < 1.0 {
                let mean = taken * surviving;
                (mean + 3.0 * mean.sqrt()) as u64
            } else {
                u64::MAX
            },
            exact: !is_overfull,
        }
    }

    /// The share of the survivors' cost that the guard does not cover, if it takes the share `taken` of them and gives up
    /// the share `given_up` of those.
    fn unguarded_cost(&self, taken: f64, given_up: f64) -> f64 {
        let cost = |share: f64| self.workload.costs.of_cheapest(share);
        let left = cost(1.0 - taken);
        if given_up == 0.0 {
            // If nothing is left, its cost must be exactly 0; the curve may round.
            return if taken < 1.0 { left } else { 0.0 };
        }
        let choice = (CHOICE * given_up).min(1.0);
        left + (cost(1.0 - taken + taken * choice) - left) * given_up / choice
    }

    /// The plan with the lowest cost; `None` if there are too many keys for an array.
    pub fn choose(&self) -> Option<Plan> {
        let least = slots_for(self.workload.keys, self.arity);
        if least > MAX_BITS {
            return None;
        }
        let all = self.workload.keys.saturating_add(self.workload.negatives);
        // 64 keys more allow for rounding. More slots than bits help only if the positives alone need them.
        let most = slots_for(all.saturating_add(64), self.arity).min(self.bits.max(least));
        let plan = |slots, guard_slots| Plan::new(self.arity, self.bits, slots, guard_slots);
        let one = self.cheapest(steps(least, most).filter_map(|slots| plan(slots, 0)));
        if self.workload.negatives == 0 {
            return one;
        }
        let whole = |slots: u64| slots.next_multiple_of(64);
        let two = steps(least, most).filter_map(|slots| plan(least, whole(slots)));
        // A fingerprint needs at least one bit per slot.
        let two = self.cheapest(two.filter(|plan| plan.first.width > 0));
        let cost = |plan: &Option<Plan>| plan.as_ref().map_or(f64::MAX, |plan| self.cost(plan));
        let best = if cost(&two) < WORTH * cost(&one) {
            two
        } else {
            one
        };
        best.map(|plan| {
            let guard = plan.second.unwrap_or(plan.first);
            let roomy = guard.slots as f64 > ROOMY * least as f64;
            if roomy && !self.predict(&plan).exact {
                plan.with_shorter_segments()
            } else {
                plan
            }
        })
    }

    /// The cost of a plan, with the discount for plans without errors on known negatives.
    fn cost(&self, plan: &Plan) -> f64 {
        let prediction = self.predict(plan);
        let share = self.unseen_share.clamp(LEAST_WEIGHT, 1.0 - LEAST_WEIGHT);
        let cost = share * prediction.unseen + (1.0 - share) * prediction.known;
        if prediction.is_complete() {
            WORTH_ERRORS * cost
        } else {
            cost
        }
    }

    /// The plan with the lowest cost.
    fn cheapest(&self, plans: impl Iterator<Item = Plan>) -> Option<Plan> {
        let costed = plans.map(|plan| (self.cost(&plan), plan));
        costed
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, plan)| plan)
    }
}

/// The grid of slot numbers from `least` to `most`. It is finer near `least`, where most of the best plans lie.
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

    fn requirements(workload: &Workload, bits_per_key: f64) -> Requirements<'_> {
        Requirements {
            workload,
            bits: (bits_per_key * workload.keys as f64) as u64 / 64 * 64,
            arity: 4,
            unseen_share: 0.1,
        }
    }

    #[test]
    fn all_known_negatives_are_guarded_in_the_budgets_of_the_habf_paper() {
        for (bits, negatives, most) in [
            (7.03, 1.0, 0.013),
            (8.44, 1.0, 0.005),
            (8.44, 20.0, 0.006),
            (11.25, 1.0, 0.0008),
        ] {
            let workload = Workload::new(1_500_000, (1.5e6 * negatives) as u64);
            let requirements = requirements(&workload, bits);
            let plan = requirements.choose().expect("a plan");
            let prediction = requirements.predict(&plan);
            assert_eq!(prediction.known, 0.0, "{bits} bits, {negatives} negatives");
            assert!(
                prediction.unseen < most,
                "{bits} bits: {}",
                prediction.unseen
            );
        }
    }

    #[test]
    fn the_guard_gets_its_own_array_only_for_many_negatives() {
        let two = |negatives, bits| {
            let workload = Workload::new(1_000_000, negatives);
            let chosen = requirements(&workload, bits).choose();
            chosen.expect("a plan").second.is_some()
        };
        assert!(two(20_000_000, 8.44));
        assert!(!two(1_000_000, 12.0) && !two(0, 8.44) && !two(1000, 8.44));
        // With two bits per key, no bit per slot is left for a fingerprint beside a second array.
        assert!(!two(1_000_000, 2.0));
    }

    #[test]
    fn more_bits_never_cost_more_beyond_rounding() {
        for negatives in [0, 100_000, 1_000_000] {
            let workload = Workload::new(100_000, negatives);
            let mut before = 1.0;
            for step in 1..60 {
                let requirements = requirements(&workload, 0.25 * f64::from(step));
                let plan = requirements.choose().expect("a plan");
                let cost = requirements.cost(&plan);
                assert!(
                    cost <= before * 1.001,
                    "{} bits: {cost}, {before}",
                    requirements.bits
                );
                before = cost;
            }
        }
    }
}
