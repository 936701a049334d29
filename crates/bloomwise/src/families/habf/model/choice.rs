//! Chooses the parameters.

use super::{Fixed, RateModel, Tuning, fill_after, max_functions, no_room};
use crate::families::habf::shape::{DEFAULT_CELL_BITS, Kind};
use crate::filter::sizing::MAX_FUNCTIONS;

/// The share of pairs of owners that cannot be moved, in the comparison of parameters.
const NO_PAIR_COMPARED: f64 = 0.2;

/// A rate on known negatives of at most this many times the least is good enough.
const GOOD_ENOUGH: f64 = 2.0;

/// The rate on unseen keys is at most this many times the rate of a plain filter.
const PRICE: f64 = 2.0;

impl RateModel<'_> {
    /// The rates on known negatives and on unseen keys by which [`RateModel::choose`] compares parameters.
    fn compared_rates(&self, tuning: Tuning) -> (f64, f64) {
        let k = f64::from(tuning.functions);
        let collisions = self.collisions(tuning);
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

    /// Chooses the best parameters that agree with `fixed`; without cells if a plain filter is as good. `None` if
    /// `fixed` contradicts itself.
    pub fn choose(&self, fixed: Fixed) -> Option<Tuning> {
        let negligible = 0.05 / self.workload.negatives.max(1) as f64;
        let rated = |p: Tuning| {
            let (known, unseen) = self.compared_rates(p);
            (known.max(negligible), unseen, p)
        };
        let plain = Fixed {
            ratio: Some(0.0),
            ..Fixed::default()
        };
        let unseen = self.grid(plain).map(|p| self.compared_rates(p).1);
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
        best.map(|&(.., tuning)| tuning)
    }

    /// All parameters of the grid that agree with `fixed`.
    fn grid(&self, fixed: Fixed) -> impl Iterator<Item = Tuning> {
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
            ratios.into_iter().map(move |ratio| Tuning {
                functions,
                cell_bits: cell_bits.unwrap_or(narrowest),
                ratio,
            })
        })
    }
}
