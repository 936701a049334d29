//! The info of a filter of shards.

use super::filter::Sharded;
use crate::filter::Filter;
use crate::filter::info::{Info, Parameter, Role};

/// The parameters of shards that combine into one for the whole filter.
fn common(infos: &[Info]) -> impl Iterator<Item = Parameter> {
    infos[0].parameters.iter().filter_map(|first| {
        let mut values = infos.iter().map(|info| info.parameter(first.name));
        match first.role {
            Role::Total => {
                // Files may state any number, so sums saturate.
                let sum = values.try_fold(0u64, |sum, value| {
                    Some(sum.saturating_add(value?.as_u64()?))
                });
                Some(Parameter::total(first.name, sum?))
            }
            Role::Setting => {
                let same = values.all(|value| value == Some(&first.value));
                same.then(|| first.clone())
            }
            Role::Measure => None,
        }
    })
}

/// The mean of numbers with these weights. The weights are not all 0.
fn weighted_mean(numbers: impl Iterator<Item = (f64, u64)>) -> f64 {
    let (sum, weights) = numbers.fold((0.0, 0.0), |(sum, weights), (number, weight)| {
        let weight = weight as f64;
        (sum + number * weight, weights + weight)
    });
    sum / weights
}

impl Sharded {
    /// The rate of the whole filter, from the rate of each shard that is here.
    ///
    /// Each of all shards gets the same share of unseen keys. Shards that are absent or damaged answer "yes".
    pub(super) fn whole_rate(&self, rates: impl Iterator<Item = f64>) -> f64 {
        let sound = self.sound.iter().map(|sound| sound.get() != Some(&false));
        let here = rates
            .zip(sound)
            .map(|(rate, sound)| if sound { rate } else { 1.0 });
        let absent = self.of - self.parts.len() as u64;
        (here.sum::<f64>() + absent as f64) / self.of as f64
    }

    /// The information about the shards that are here. Its `fill` weighs each shard by its bits.
    pub(super) fn describe(&self) -> Info {
        let infos: Vec<Info> = self.filters().map(Filter::info).collect();
        let sizes = self.filters().map(Filter::size_in_bits);
        let fills = infos.iter().map(|info| info.fill).zip(sizes);
        let keys = || infos.iter().map(|info| info.keys);
        let mut parameters = vec![
            Parameter::measure("shards", self.of),
            Parameter::measure("smallest_shard", keys().min().unwrap_or(0)),
            Parameter::measure("largest_shard", keys().max().unwrap_or(0)),
        ];
        match self.damaged() {
            0 => {}
            damaged => parameters.push(Parameter::measure("damaged_shards", damaged)),
        }
        parameters.extend(common(&infos));
        Info::new(
            self.family(),
            &self.profile,
            parameters,
            weighted_mean(fills),
            self.whole_rate(infos.iter().map(|info| info.predicted_fpr)),
        )
    }
}
