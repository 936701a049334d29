//! Predicts rates from parameters, and chooses the parameters from the budget and the negatives.
//!
//! | file | contents |
//! |---|---|
//! | `prediction` | the rates that a filter with given parameters will have, for forecasts |
//! | `choice` | the best parameters, by a simpler prediction |
//! | `chains` | how likely unseen keys read a chain: for predictions, and for the rate of a finished filter |
//! | [`owners`] | how likely a set bit has a single owner |
//!
//! # The model
//!
//! All numbers are per positive. A share `rate` of the negatives collide in the first round. Each repair needs a chain,
//! about `k` cells. The load of the cells is `L = k collisions / cells`. Collisions stay for three reasons. The shares are
//! fits to measured ones, over 3 to 16 bits per key, 2 to 8 functions and 0.1 to 20 negatives per positive:
//!
//! - *No room* for a chain: `exp(-2.5 / L)`, and at low loads at least `0.1 L^k`, because few functions have few orders.
//!   The optimiser repairs costly negatives first, so these are the cheapest, and the
//!   [`CostCurve`](crate::keys::cost::CostCurve) gives their cost.
//! - *No owner* can be adjusted. No bit has a single owner with chance `(1 - P)^k`, where `P` is the paper's bound
//!   ([`owners::single_owner`]). Most other bits have two owners. Of these pairs a share `0.85 / k` cannot be moved, and more if
//!   room is scarce: two chains are harder to store than one.
//! - *Chains by chance.* Repairs write cells, and a negative that was not a false positive before may become one through a
//!   chain that it reads by chance ([`chains::chain_groups`]). The optimiser repairs these in its later passes. If it has a single pass, they
//!   stay, at 1.4 times the rate of unseen keys, because repairs write cells near the known negatives. The paper's optimiser does
//!   not see them at all.
//!
//! An optimiser without passes repairs nothing.
//!
//! # The choice
//!
//! The parameters come from a grid. The choice drops parameters whose rate on unseen keys is more than twice the rate of a
//! plain Bloom filter. It keeps those whose predicted cost on known negatives is at most twice the least. Of these it
//! takes the one with the lowest rate on unseen keys. Costs below a twentieth of one negative count as equal.
//!
//! To compare parameters, only the first two shares are used, in simplified form: a fifth of the pairs cannot be moved. At 8 bits per key
//! and more the rest hardly matters. With fewer bits it would penalise every filter that has cells, and the choice would repair fewer known
//! negatives than it can.
//!
//! So the filter has no more cells than are useful. With a handful of negatives it is a plain filter with a few cells.
//! With far more negatives than it can repair it is a plain filter again.
//!
//! The choice depends on the platform's exponential function. In rare cases another platform may choose a neighbouring
//! point of the grid.

pub(super) mod chains;
mod choice;
pub mod owners;
mod prediction;

pub(super) use prediction::Prediction;

use super::shape::Kind;
use crate::cells::Block;
use crate::filter::forecast::Workload;
use crate::filter::sizing::{bloom_rate, mean_over_blocks};
use owners::single_owner;

/// The measured factor in the exponent of the share without room (see the module documentation).
const ROOM: f64 = 2.5;

/// The bits of a filter so large that its rate does not depend on its size.
const LARGE: f64 = 1e7;

/// The maximum number of functions per key with cells of `cell_bits` bits: all of the pool but one, which adjusted keys
/// need.
pub(super) fn max_functions(cell_bits: u32) -> u32 {
    (1 << (cell_bits - 1)) - 2
}

/// The share of collisions without room at this load of the cells, if functions can be stored in many orders.
fn no_room(load: f64) -> f64 {
    (-ROOM / load).exp()
}

/// The share of bits that are 1 after `repaired` repairs per positive. Nearly all moves lead to bits that are already set, so
/// each repair clears a bit.
fn fill_after(k: f64, bits: f64, repaired: f64) -> f64 {
    (1.0 - (-k / bits).exp() - repaired / bits).max(0.0)
}

/// The rate of the first round on unseen keys, with `keys` keys in `bits` bits and no adjustments.
pub(super) fn first_round_rate(kind: Kind, bits: u64, keys: u64, functions: u32) -> f64 {
    match kind {
        Kind::Full | Kind::Fast => bloom_rate(bits, keys, functions),
        Kind::Cache => mean_over_blocks(bits / Block::BITS, keys, |load| {
            bloom_rate(Block::BITS, load, functions)
        }),
    }
}

/// The parameters that the model chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tuning {
    /// Functions per key.
    pub functions: u32,
    /// Bits per chain cell.
    pub cell_bits: u32,
    /// The share of the space for chain cells.
    pub ratio: f64,
}

/// Predicts the rates of a filter from its parameters, for one kind, budget and workload.
#[derive(Clone, Debug)]
pub(super) struct RateModel<'a> {
    /// How keys find their bits and cells.
    pub kind: Kind,
    /// The budget.
    pub bits_per_key: f64,
    /// The number of keys, and the negatives with their costs.
    pub workload: &'a Workload,
    /// Whether the second round is strict, and the optimiser also adjusts pairs of owners.
    pub strict: bool,
    /// The maximum number of passes of the optimiser.
    pub passes: u32,
}

/// The parameters that the caller has set; `None` leaves the choice to the model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fixed {
    /// Functions per key.
    pub functions: Option<u32>,
    /// Bits per chain cell.
    pub cell_bits: Option<u32>,
    /// The share of the space for chain cells.
    pub ratio: Option<f64>,
}

/// What both the choice and the prediction start from. All numbers are per positive.
struct Collisions {
    /// Bits.
    bits: f64,
    /// Cells.
    cells: f64,
    /// The rate of the first round before any repair.
    rate: f64,
    /// Negatives that collide in the first round.
    count: f64,
    /// The share of collisions none of whose bits has a single owner.
    no_single_owner: f64,
    /// The load of the cells.
    load: f64,
}

impl RateModel<'_> {
    /// The collisions that a filter with these parameters has before the optimiser starts.
    fn collisions(&self, tuning: Tuning) -> Collisions {
        let (k, ratio) = (f64::from(tuning.functions), tuning.ratio);
        let bits = self.bits_per_key * (1.0 - ratio);
        let keys = ((LARGE / bits) as u64).max(1);
        let rate = first_round_rate(self.kind, LARGE as u64, keys, tuning.functions);
        let count = self.workload.negatives_per_key() * rate;
        let cells = self.bits_per_key * ratio / f64::from(tuning.cell_bits);
        Collisions {
            bits,
            cells,
            rate,
            count,
            no_single_owner: (1.0 - single_owner(k, bits)).powf(k),
            load: if count > 0.0 { k * count / cells } else { 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workload(negatives_per_key: f64) -> Workload {
        Workload::new(1_000_000, (1e6 * negatives_per_key) as u64)
    }

    fn model(workload: &Workload, bits_per_key: f64) -> RateModel<'_> {
        RateModel {
            kind: Kind::Full,
            bits_per_key,
            workload,
            strict: true,
            passes: 4,
        }
    }

    #[test]
    fn predictions_are_within_a_factor_of_two_of_measured_rates() {
        // 500,000 positives, equal costs: bits per key, negatives per key, k, ratio, measured rate on known negatives.
        let measured = [
            (5.0, 1.0, 3, 0.2, 4.25e-2),
            (7.0, 1.0, 4, 0.15, 2.89e-3),
            (7.0, 1.0, 5, 0.15, 6.22e-3),
            (8.44, 1.0, 4, 0.02, 7.12e-3),
            (8.44, 1.0, 4, 0.06, 7.10e-4),
            (8.44, 1.0, 4, 0.12, 1.68e-4),
            (8.44, 5.0, 4, 0.12, 1.07e-2),
            (8.44, 20.0, 4, 0.12, 2.17e-2),
            (10.0, 1.0, 5, 0.03, 1.64e-4),
            (10.0, 1.0, 6, 0.06, 5.2e-5),
        ];
        for (bits, negatives, functions, ratio, known) in measured {
            let tuning = Tuning {
                functions,
                cell_bits: 4,
                ratio,
            };
            let workload = workload(negatives);
            let predicted = model(&workload, bits).predict(tuning).known;
            let factor = predicted / known;
            assert!(
                (0.5..2.0).contains(&factor),
                "{bits} bits, k = {functions}: {predicted}, {known}"
            );
        }
    }

    #[test]
    fn few_negatives_or_far_too_many_give_a_plain_filter() {
        let choose = |bits, negatives| {
            model(&workload(negatives), bits)
                .choose(Fixed::default())
                .expect("a choice")
        };
        let few = choose(8.44, 1e-4);
        assert!(few.functions == 6 && few.ratio <= 0.001, "{few:?}");
        let many = choose(8.44, 20.0);
        assert!(many.functions == 6 && many.ratio == 0.0, "{many:?}");
        let as_many = choose(8.44, 1.0);
        assert!(
            (4..=5).contains(&as_many.functions) && (0.08..0.16).contains(&as_many.ratio),
            "{as_many:?}"
        );
    }

    #[test]
    fn fixed_parameters_are_kept_and_contradictions_are_refused() {
        let workload = workload(1.0);
        let model = model(&workload, 10.0);
        let fixed = Fixed {
            functions: Some(7),
            ..Fixed::default()
        };
        let chosen = model.choose(fixed).expect("a choice");
        assert_eq!((chosen.functions, chosen.cell_bits), (7, 5));
        let impossible = Fixed {
            functions: Some(7),
            cell_bits: Some(4),
            ratio: Some(0.1),
        };
        assert_eq!(model.choose(impossible), None);
    }
}
