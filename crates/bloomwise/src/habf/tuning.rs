//! Parameters that follow the budget and the negatives.
//!
//! # The model
//!
//! All numbers are per positive. `rate` of the negatives collide in the first round. To repair one takes a chain, about
//! `k` cells. Measured over 4 to 16 bits per key, 2 to 8 functions and 0.1 to 20 negatives per positive, the share of
//! collisions that find no room is, within a factor of two,
//!
//! ```text
//! no room = exp(-2.5 cells / (k collisions))
//! ```
//!
//! and a fifth of `(1 - P)^k` have no bit with owners that can be changed; `P` is the paper's bound on the chance that a set bit
//! has a single owner ([`single_owner`]), and most others have two. Costly negatives take their turns first, so those without room are the cheapest ones: what they
//! cost is read off the [`CostCurve`](crate::cost::CostCurve).
//!
//! # The choice
//!
//! Of all settings on a grid those are kept whose predicted cost on known negatives is at most twice the least, and of
//! these the one with the lowest rate on unseen keys wins. Settings that have more than twice the rate of a plain filter on
//! unseen keys are not looked at. So cells are not piled up where they no
//! longer help; with a handful of negatives the filter is a plain one but for a few cells, and with far more than can
//! be repaired it is a plain one again. The choice rests on the exponential function of the platform, so that another
//! platform might, once in a great while, choose the neighbour on the grid. Costs that come to less than a twentieth of one negative count as none.

use super::shape::Kind;
use super::theory::{both_rounds, expressor_rate, single_owner};
use crate::forecast::Workload;
use crate::sizing::{MAX_FUNCTIONS, blocked_rate, bloom_rate};

/// How cells and collisions share the fate of a collision, see above.
const ROOM: f64 = 2.5;

/// The share of collisions without a single owner that have no two either, see above.
const NO_PAIR: f64 = 0.2;

/// A rate on known negatives so many times the least is good enough.
const GOOD_ENOUGH: f64 = 2.0;

/// The rate on unseen keys may be so many times that of a plain filter.
const PRICE: f64 = 2.0;

/// Bits of a filter that is large enough to have no corrections for its size.
const LARGE: f64 = 1e7;

/// The most functions a key can have with cells of so many bits: one of the pool must be left to change to.
pub(super) fn most_functions(cell_bits: u32) -> u32 {
    (1 << (cell_bits - 1)) - 2
}

/// What may be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parameters {
    pub functions: u32,
    pub cell_bits: u32,
    /// The share of the space that the cells take.
    pub ratio: f64,
}

/// What a filter is made for.
#[derive(Clone, Debug)]
pub(super) struct Task<'a> {
    pub kind: Kind,
    pub bits_per_key: f64,
    pub workload: &'a Workload,
    /// Whether the second round believes only chains that can have been stored, and pairs of owners are changed too.
    pub strict: bool,
}

/// Predicted rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// On known negatives, by cost.
    pub known: f64,
    /// On keys that nobody has seen.
    pub unseen: f64,
    /// Positives whose functions are changed, for each positive.
    pub changed: f64,
}

/// What is fixed by the caller.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fixed {
    pub functions: Option<u32>,
    pub cell_bits: Option<u32>,
    pub ratio: Option<f64>,
}

impl Task<'_> {
    /// The rates that parameters will lead to.
    pub fn predict(&self, parameters: Parameters) -> Prediction {
        let Parameters {
            functions,
            cell_bits,
            ratio,
        } = parameters;
        let bits = self.bits_per_key * (1.0 - ratio);
        let keys = ((LARGE / bits) as u64).max(1);
        let rate = match self.kind {
            Kind::Full | Kind::Fast => bloom_rate(LARGE as u64, keys, functions),
            Kind::Cache => blocked_rate(512, LARGE as u64, keys, functions),
        };
        let k = f64::from(functions);
        let collisions = self.workload.negatives_per_key() * rate;
        let cells = self.bits_per_key * ratio / f64::from(cell_bits);
        let no_room = match collisions > 0.0 {
            true => (-ROOM * cells / (k * collisions)).exp(),
            false => 0.0,
        };
        let no_pair = if self.strict { NO_PAIR } else { 1.0 };
        let no_owner = no_pair * (1.0 - single_owner(k, bits)).powf(k);
        let repaired = collisions * (1.0 - no_room - no_owner).max(0.0);
        // Nearly all changes move on to bits that are set, so that fewer are.
        let ones = 1.0 - (-k / bits).exp();
        let fewer = (1.0 - repaired / (bits * ones)).max(0.0);
        let unseen = rate * fewer.powf(k);
        let costs = &self.workload.costs;
        Prediction {
            known: rate * (costs.of_cheapest(no_room) + no_owner).min(1.0),
            unseen: match self.strict || cells == 0.0 {
                true => unseen,
                false => both_rounds(unseen, expressor_rate(repaired, cells)),
            },
            changed: repaired,
        }
    }

    /// The best parameters among those that keep what is fixed; without cells if a plain filter is as good. `None` if
    /// what is fixed cannot be.
    pub fn choose(&self, fixed: Fixed) -> Option<Parameters> {
        let of_one = 0.05 / self.workload.negatives.max(1) as f64;
        let rated = |p: Parameters| {
            let prediction = self.predict(p);
            (prediction.known.max(of_one), prediction.unseen, p)
        };
        let plain = Fixed {
            ratio: Some(0.0),
            ..Fixed::default()
        };
        let unseen = self.grid(plain).map(|p| self.predict(p).unseen);
        let bound = PRICE * unseen.fold(1.0, f64::min);
        let mut all: Vec<_> = self.grid(fixed).map(rated).collect();
        // What is fixed may leave nothing within the bound.
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

    fn grid(&self, fixed: Fixed) -> impl Iterator<Item = Parameters> {
        let one_or =
            |value: Option<f64>, others: Vec<f64>| value.map_or(others, |value| vec![value]);
        let functions = (1..=MAX_FUNCTIONS).map(f64::from).collect();
        let functions = one_or(fixed.functions.map(f64::from), functions);
        // None, and from a thousandth to a half of the space in steps of a tenth.
        let steps = (0..66).map(|step| 0.001 * 1.1f64.powi(step));
        let ratios = one_or(fixed.ratio, std::iter::once(0.0).chain(steps).collect());
        let widths = match (fixed.cell_bits, self.kind) {
            (Some(bits), _) => vec![bits],
            (None, Kind::Cache) => vec![4],
            (None, Kind::Full | Kind::Fast) => vec![4, 5, 6],
        };
        let widths_first = widths[0];
        functions.into_iter().flat_map(move |functions| {
            let functions = functions as u32;
            // The narrowest cell is the best. A plain filter has none, and need not care.
            let fits = |bits: &&u32| functions <= most_functions(**bits);
            let cell_bits = widths.iter().find(fits).copied();
            // One function alone is never worth cells, whatever the model says.
            let worth = functions > 1 || fixed.functions.is_some();
            let plain = |ratio: &f64| *ratio == 0.0 || cell_bits.is_some() && worth;
            let ratios: Vec<f64> = ratios.iter().copied().filter(plain).collect();
            ratios.into_iter().map(move |ratio| Parameters {
                functions,
                cell_bits: cell_bits.unwrap_or(widths_first),
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

    fn task(workload: &Workload, bits_per_key: f64) -> Task<'_> {
        Task {
            kind: Kind::Full,
            bits_per_key,
            workload,
            strict: true,
        }
    }

    #[test]
    fn the_model_agrees_with_what_was_measured() {
        // 500,000 positives, equal costs: bits per key, negatives per key, k, ratio, and the measured rate on known ones.
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
            let predicted = task(&workload, bits).predict(parameters).known;
            let factor = predicted / known;
            assert!(
                (0.5..2.0).contains(&factor),
                "{bits} bits, k = {functions}: {predicted}, {known}"
            );
        }
    }

    #[test]
    fn few_negatives_and_far_too_many_ask_for_a_plain_filter() {
        let choose = |bits, negatives| {
            task(&workload(negatives), bits)
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
    fn what_is_fixed_stays_and_what_cannot_be_is_refused() {
        let workload = workload(1.0);
        let task = task(&workload, 10.0);
        let fixed = Fixed {
            functions: Some(7),
            ..Fixed::default()
        };
        let chosen = task.choose(fixed).expect("a choice");
        assert_eq!((chosen.functions, chosen.cell_bits), (7, 5));
        let impossible = Fixed {
            functions: Some(7),
            cell_bits: Some(4),
            ratio: Some(0.1),
        };
        assert_eq!(task.choose(impossible), None);
    }
}
