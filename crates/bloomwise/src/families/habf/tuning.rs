//! Chooses the parameters from the budget and the negatives.
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
//!   ([`single_owner`]). Most other bits have two owners. Of these pairs a share `0.85 / k` cannot be moved, and more if
//!   room is scarce: two chains are harder to store than one.
//! - *Chains by chance.* Repairs write cells, and a negative that was not a false positive before may become one through a
//!   chain that it reads by chance ([`chain_groups`]). The optimiser repairs these in its later passes. If it has a single pass, they
//!   stay, at 1.4 times the rate of unseen keys: the repairs were made where negatives are. The paper's optimiser does
//!   not see them at all.
//!
//! An optimiser without passes repairs nothing.
//!
//! # The choice
//!
//! The parameters come from a grid. The choice drops parameters whose rate on unseen keys is more than twice that of a
//! plain Bloom filter. It keeps those whose predicted cost on known negatives is at most twice the least. Of these it
//! takes the one with the lowest rate on unseen keys. Costs below a twentieth of one negative count as equal.
//!
//! The comparison takes the first two shares alone, in their simplest form, with a fifth for the pairs. The rest matters
//! little from 8 bits per key on. Below, it would rate every filter with cells worse, and the choice would repair fewer
//! known negatives than it can.
//!
//! So the filter has no more cells than are useful. With a handful of negatives it is a plain filter with a few cells.
//! With far more negatives than it can repair it is a plain filter again.
//!
//! The choice depends on the platform's exponential function. In rare cases another platform may choose a neighbouring
//! point of the grid.

use super::chain_model::{CellShares, chain_groups, second_round};
use super::shape::{DEFAULT_CELL_BITS, Kind};
use super::theory::single_owner;
use crate::cells::Block;
use crate::filter::forecast::Workload;
use crate::filter::sizing::{MAX_FUNCTIONS, bloom_rate, mean_over_blocks};

/// The measured factor in the exponent of the share without room (see the module documentation).
const ROOM: f64 = 2.5;

/// The measured share without room at low loads, divided by the `k`-th power of the load.
const FEW_ORDERS: f64 = 0.1;

/// `k` times the measured share of pairs of owners that cannot be moved, if there is plenty of room.
const NO_PAIR: f64 = 0.85;

/// The share of pairs of owners that cannot be moved, in the comparison of parameters.
const NO_PAIR_COMPARED: f64 = 0.2;

/// How quickly the share of pairs that cannot be moved rises with the share without room.
const NO_PAIR_ROOM: f64 = 5.0;

/// How many times as many cells a strict filter fills as one chain per repair would: pairs take two chains, and chains by
/// chance take further repairs.
const MORE_CELLS: f64 = 1.25;

/// How many times as often a single pass leaves chains by chance to known negatives as to unseen keys.
const SINGLE_PASS: f64 = 1.4;

/// A rate on known negatives of at most this many times the least is good enough.
const GOOD_ENOUGH: f64 = 2.0;

/// The rate on unseen keys is at most this many times that of a plain filter.
const PRICE: f64 = 2.0;

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
pub(super) fn first_round(kind: Kind, bits: u64, keys: u64, functions: u32) -> f64 {
    match kind {
        Kind::Full | Kind::Fast => bloom_rate(bits, keys, functions),
        Kind::Cache => mean_over_blocks(bits / Block::BITS, keys, |load| {
            bloom_rate(Block::BITS, load, functions)
        }),
    }
}

/// The parameters of a filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parameters {
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

/// Predicted rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// The rate on known negatives, weighted by cost.
    pub known: f64,
    /// The rate on unseen keys.
    pub unseen: f64,
    /// The number of adjustments per positive.
    pub adjusted: f64,
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
    fn collisions(&self, parameters: Parameters) -> Collisions {
        let (k, ratio) = (f64::from(parameters.functions), parameters.ratio);
        let bits = self.bits_per_key * (1.0 - ratio);
        let keys = ((LARGE / bits) as u64).max(1);
        let rate = first_round(self.kind, LARGE as u64, keys, parameters.functions);
        let count = self.workload.negatives_per_key() * rate;
        let cells = self.bits_per_key * ratio / f64::from(parameters.cell_bits);
        Collisions {
            bits,
            cells,
            rate,
            count,
            no_single_owner: (1.0 - single_owner(k, bits)).powf(k),
            load: if count > 0.0 { k * count / cells } else { 0.0 },
        }
    }

    /// Predicts the rates of a filter with these parameters.
    pub fn predict(&self, parameters: Parameters) -> Prediction {
        let k = f64::from(parameters.functions);
        let collisions = self.collisions(parameters);
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
        let by_chance = self.chains_by_chance(parameters, repaired / cells, ones);
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

    /// The rates on known negatives and on unseen keys by which [`RateModel::choose`] compares parameters.
    fn compared(&self, parameters: Parameters) -> (f64, f64) {
        let k = f64::from(parameters.functions);
        let collisions = self.collisions(parameters);
        let no_room = no_room(collisions.load);
        let no_owner = NO_PAIR_COMPARED * collisions.no_single_owner;
        let repaired = collisions.count * (1.0 - no_room - no_owner).max(0.0);
        let (before, after) = (
            fill_after(k, collisions.bits, 0.0),
            fill_after(k, collisions.bits, repaired),
        );
        let left = self.workload.costs.of_cheapest(no_room) + no_owner;
        let unseen = collisions.rate * (after / before).powf(k);
        (collisions.rate * left.min(1.0), unseen)
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
    fn chains_by_chance(&self, parameters: Parameters, repairs: f64, fill: f64) -> f64 {
        let Parameters {
            functions,
            cell_bits,
            ..
        } = parameters;
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
        second_round(&groups, functions, self.strict, fill)
    }

    /// Chooses the best parameters that agree with `fixed`; without cells if a plain filter is as good. `None` if
    /// `fixed` contradicts itself.
    pub fn choose(&self, fixed: Fixed) -> Option<Parameters> {
        let negligible = 0.05 / self.workload.negatives.max(1) as f64;
        let rated = |p: Parameters| {
            let (known, unseen) = self.compared(p);
            (known.max(negligible), unseen, p)
        };
        let plain = Fixed {
            ratio: Some(0.0),
            ..Fixed::default()
        };
        let unseen = self.grid(plain).map(|p| self.compared(p).1);
        let bound = PRICE * unseen.fold(1.0, f64::min);
        let mut all: Vec<_> = self.grid(fixed).map(rated).collect();
        // The fixed parameters may allow nothing within the bound.
        if all.iter().any(|&(_, unseen, _)| unseen <= bound) {
            all.retain(|&(_, unseen, _)| unseen <= bound);
        }
        let least = all.iter().map(|&(known, ..)| known).fold(1.0, f64::min);
        let good = all
            .iter()
            .filter(|&&(known, ..)| known <= GOOD_ENOUGH * least);
        let best = good.min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|&(.., parameters)| parameters)
    }

    /// All parameters of the grid that agree with `fixed`.
    fn grid(&self, fixed: Fixed) -> impl Iterator<Item = Parameters> {
        let one_or =
            |value: Option<f64>, others: Vec<f64>| value.map_or(others, |value| vec![value]);
        let functions = (1..=MAX_FUNCTIONS).map(f64::from).collect();
        let functions = one_or(fixed.functions.map(f64::from), functions);
        // No cells, or from 0.1 % to half of the space in steps of 10 %.
        let steps = (0..66).map(|step| 0.001 * 1.1f64.powi(step));
        let ratios = one_or(fixed.ratio, std::iter::once(0.0).chain(steps).collect());
        let widths = match (fixed.cell_bits, self.kind) {
            (Some(bits), _) => vec![bits],
            (None, Kind::Cache) => vec![DEFAULT_CELL_BITS],
            (None, Kind::Full | Kind::Fast) => vec![4, 5, 6],
        };
        let narrowest = widths[0];
        functions.into_iter().flat_map(move |functions| {
            let functions = functions as u32;
            // The narrowest cell that can name the functions is best. A plain filter has no cells, so any width will
            // do.
            let fits = |bits: &&u32| functions <= max_functions(**bits);
            let cell_bits = widths.iter().find(fits).copied();
            // With a single function cells are never worthwhile; the model does not know that.
            let worthwhile = functions > 1 || fixed.functions.is_some();
            let useful = |ratio: &f64| *ratio == 0.0 || cell_bits.is_some() && worthwhile;
            let ratios: Vec<f64> = ratios.iter().copied().filter(useful).collect();
            ratios.into_iter().map(move |ratio| Parameters {
                functions,
                cell_bits: cell_bits.unwrap_or(narrowest),
                ratio,
            })
        })
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
            let parameters = Parameters {
                functions,
                cell_bits: 4,
                ratio,
            };
            let workload = workload(negatives);
            let predicted = model(&workload, bits).predict(parameters).known;
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
