//! The info of a filter of shards.

use super::filter::Sharded;
use crate::compose::any::AnyFilter;
use crate::filter::Filter;
use crate::filter::family::Family;
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

impl Sharded {
    /// The mean over all shards. Each shard gets the same share of unseen keys.
    fn mean(&self, number: impl Fn(&AnyFilter) -> f64) -> f64 {
        self.filters().map(number).sum::<f64>() / self.parts.len() as f64
    }
}

impl Filter for Sharded {
    fn family(&self) -> Family {
        self.parts[0].filter.family()
    }

    fn rate(&self) -> f64 {
        self.mean(Filter::rate)
    }

    fn size_in_bits(&self) -> u64 {
        let sizes = self.filters().map(Filter::size_in_bits);
        sizes.fold(0, u64::saturating_add)
    }

    fn info(&self) -> Info {
        let infos: Vec<Info> = self.filters().map(Filter::info).collect();
        let mean =
            |number: fn(&Info) -> f64| infos.iter().map(number).sum::<f64>() / infos.len() as f64;
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
            mean(|info| info.fill),
            mean(|info| info.predicted_fpr),
        )
    }
}
