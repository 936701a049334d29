//! The capacity and rate that each layer of a chain is planned for.

use crate::families::bloom::Bloom;
use crate::filter::sizing::MIN_RATE;

/// Starting with this layer, counted from 0, each has at least twice the capacity of the one before.
const DOUBLING: usize = 32;

/// The capacities and rates of all layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Schedule {
    /// The capacity of the first layer.
    pub(super) capacity: u64,
    /// The rate of the first layer at capacity.
    rate: f64,
    /// The factor between the capacities of consecutive layers.
    pub(super) expansion: u32,
}

impl Schedule {
    /// The schedule of a chain that starts with a layer for `capacity` keys. `target` is the requested rate of all layers together.
    pub(super) fn new(first: &Bloom, capacity: u64, target: Option<f64>, expansion: u32) -> Self {
        let rate = target.map_or_else(|| first.rate_of(capacity), first_rate);
        Schedule {
            capacity,
            rate,
            expansion,
        }
    }

    /// Capacity and rate of layer `number`, counted from 0.
    pub(super) fn layer(&self, number: usize) -> (u64, f64) {
        let capacity = (1..=number).fold(self.capacity, |capacity, number| {
            let least = if number < DOUBLING { 1 } else { 2 };
            capacity.saturating_mul(u64::from(self.expansion.max(least)))
        });
        // Halving is exact, so the layers are the same on every machine. The standard library does not guarantee that for powers.
        let rate = (0..number).fold(self.rate, |rate, _| rate / 2.0);
        (capacity, rate.max(MIN_RATE))
    }
}

/// The rate of the first layer of a chain for this rate. The other half is for the later layers.
pub(super) fn first_rate(rate: f64) -> f64 {
    (rate / 2.0).max(MIN_RATE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::growing::MAX_LAYERS;

    #[test]
    fn rates_of_all_layers_are_below_the_rate_and_capacities_rise() {
        for (rate, expansion) in [(0.5, 1), (0.01, 2), (1e-12, 3), (1e-15, 32768)] {
            let schedule = Schedule {
                capacity: 100,
                rate: first_rate(rate),
                expansion,
            };
            let layers: Vec<_> = (0..MAX_LAYERS).map(|n| schedule.layer(n)).collect();
            let all: f64 = layers.iter().map(|(_, rate)| rate).sum();
            assert!(all <= rate + 1e-16, "{all} for {rate}");
            assert_eq!(layers[0], (100, first_rate(rate)));
            assert_eq!(layers[1].0, 100 * u64::from(expansion));
            assert!(layers.windows(2).all(|pair| pair[0].0 <= pair[1].0));
            assert!(layers[MAX_LAYERS - 1].0 > 1 << 30, "even for expansion 1");
        }
    }
}
