//! What a filter of shards says about itself.

use super::filter::Sharded;
use crate::filter::Filter;
use crate::filter::codec::Body;
use crate::filter::family::Family;
use crate::filter::info::{Info, Value};

/// Parameters that count something, so that those of shards add up.
const COUNTS: [&str; 6] = [
    "bits",
    "counters",
    "cells",
    "buckets",
    "known_negatives",
    "wrong",
];

/// Parameters that describe each shard, and the whole if all shards agree.
const SETTINGS: [&str; 9] = [
    "k",
    "block",
    "scheme",
    "choices",
    "cell_bits",
    "second_round",
    "fingerprint",
    "guard",
    "threshold",
];

/// The parameters of shards that say something about the whole.
fn common(infos: &[Info]) -> impl Iterator<Item = (&'static str, Value)> {
    infos[0].parameters.iter().filter_map(|(name, value)| {
        let mut others = infos.iter().map(|info| info.parameter(name));
        let value = if COUNTS.contains(name) {
            // Files may claim any number, so sums stop at the largest.
            let sum = others.try_fold(0u64, |sum, value| {
                Some(sum.saturating_add(value?.as_u64()?))
            });
            Value::Whole(sum?)
        } else {
            let same = SETTINGS.contains(name) && others.all(|other| other == Some(value));
            same.then(|| value.clone())?
        };
        Some((*name, value))
    })
}

impl<F: Body> Sharded<F> {
    /// The mean of a number of all shards. Each shard gets the same share of other keys.
    fn mean(&self, number: impl Fn(&F) -> f64) -> f64 {
        self.filters().map(number).sum::<f64>() / self.parts.len() as f64
    }
}

impl<F: Body> Filter for Sharded<F> {
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
            ("shards", Value::Whole(self.of)),
            ("smallest shard", Value::Whole(keys().min().unwrap_or(0))),
            ("largest shard", Value::Whole(keys().max().unwrap_or(0))),
        ];
        match self.damaged() {
            0 => {}
            damaged => parameters.push(("damaged shards", Value::Whole(damaged))),
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
