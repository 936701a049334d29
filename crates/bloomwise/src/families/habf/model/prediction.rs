//! Predicts the rates of a filter from its parameters.

use super::chains::{CellShares, chain_groups, second_round_rate};
use super::{Collisions, RateModel, Tuning, fill_after, max_functions, no_room};

/// The measured share without room at low loads, divided by the `k`-th power of the load.
const FEW_ORDERS: f64 = 0.1;

/// `k` times the measured share of pairs of owners that cannot be moved, if there is plenty of room.
const NO_PAIR: f64 = 0.85;

/// How quickly the share of pairs that cannot be moved rises with the share without room.
const NO_PAIR_ROOM: f64 = 5.0;

/// How many times as many cells a strict filter fills as one chain per repair would: pairs take two chains, and chains by
/// chance take further repairs.
const MORE_CELLS: f64 = 1.25;

/// How many times as often a single pass leaves chains by chance to known negatives as to unseen keys.
const SINGLE_PASS: f64 = 1.4;

/// Predicted rates.
#[derive(Clone, Copy, Debug)]
pub(in crate::families::habf) struct Prediction {
    /// The rate on known negatives, weighted by cost.
    pub known: f64,
    /// The rate on unseen keys.
    pub unseen: f64,
    /// The number of adjustments per positive.
    pub adjusted: f64,
}

impl RateModel<'_> {
    /// Predicts the rates of a filter with these parameters.
    pub fn predict(&self, tuning: Tuning) -> Prediction {
        let k = f64::from(tuning.functions);
        let collisions = self.collisions(tuning);
        let Collisions {
            bits, cells, rate, ..
        } = collisions;
        if cells == 0.0 || self.passes == 0 || collisions.count == 0.0 {
            return Prediction {
                known: rate,
                unseen: rate,
                adjusted: 0.0,
            };
        }
        let few_orders = FEW_ORDERS * collisions.load.min(1.0).powf(k);
        let no_room = no_room(collisions.load).max(few_orders);
        let no_owner = collisions.no_single_owner * self.no_pair(k, no_room);
        let repaired = collisions.count * (1.0 - no_room - no_owner).max(0.0);
        let ones = fill_after(k, bits, repaired);
        let by_chance = self.chains_by_chance(tuning, repaired / cells, ones);
        let left_by_chance = match (self.strict, self.passes) {
            (true, 1) => SINGLE_PASS * by_chance,
            (true, _) => 0.0,
            (false, _) => by_chance,
        };
        let left = self.workload.costs.of_cheapest(no_room) + no_owner;
        let fewer = ones / fill_after(k, bits, 0.0);
        Prediction {
            known: (rate * left.min(1.0) + left_by_chance).min(1.0),
            unseen: (rate * fewer.powf(k) + by_chance).min(1.0),
            adjusted: repaired,
        }
    }

    /// The share of bits without a single owner whose pair of owners cannot be moved either.
    fn no_pair(&self, k: f64, no_room: f64) -> f64 {
        if !self.strict {
            return 1.0;
        }
        let with_room = (NO_PAIR / k).min(1.0);
        with_room + (1.0 - with_room) * (1.0 - (-NO_PAIR_ROOM * no_room).exp())
    }

    /// The rate at which unseen keys read a chain and pass the second round, if there are `repairs` repairs per cell and a
    /// share `fill` of the bits is 1.
    fn chains_by_chance(&self, tuning: Tuning, repairs: f64, fill: f64) -> f64 {
        let Tuning {
            functions,
            cell_bits,
            ..
        } = tuning;
        let k = f64::from(functions);
        let more = if self.strict { MORE_CELLS } else { 1.0 };
        let chains_per_cell = more * k * repairs;
        let used = 1.0 - (-chains_per_cell).exp();
        // One in `k` cells of a chain names a function that is not initial, and one has the end bit. Chains share cells.
        let end = 1.0 - (1.0 - 1.0 / k).powf(chains_per_cell / used);
        let shares = CellShares {
            initial: used * (k - 1.0) / k,
            others: used / k,
            ends: used * end,
        };
        let pool = max_functions(cell_bits) + 1;
        let groups = chain_groups(shares, functions, pool);
        second_round_rate(&groups, functions, self.strict, fill)
    }
}
