//! How the size of a filter is divided among its shards.
//!
//! A size covers all shards together. A shard that is built separately knows the spec, its own number and its own keys, so these
//! determine its size:
//!
//! | size | capacity | a shard gets |
//! |---|---|---|
//! | bits per key | none | the bits of its keys |
//! | bits per key | given | its share of the bits, the same for all shards within a bit |
//! | bits | none | the bits of its keys; only a build of the whole filter knows how many bits a key gets |
//! | rate | any | what it needs |
//!
//! A shard takes at least as many bits as the smallest filter of its family. If all shards together then exceed the size, a whole build
//! with a number of bits gives each shard the smallest filter and divides the rest by keys. With bits per key the build is an error.

use super::Spec;
use crate::compose::sharded::Sharded;
use crate::compose::sharded::check_range;
use crate::error::{Error, Result};
use crate::filter::family::Operation;
use crate::filter::forecast::Workload;
use crate::filter::info::Report;
use crate::filter::sizing::Size;
use crate::keys::cost_sum::CostSum;
use crate::keys::sets::KeySets;
use std::ops::Range;

/// The sizes and capacities of the shards of one filter.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    /// The spec of the whole filter; its size is not a number of bits.
    spec: Spec,
    /// The number of shards.
    shards: u64,
    /// The bits of all shards together, if the caller gave a number of bits. Bits per key would lose some to rounding.
    bits: Option<u64>,
    /// The bits of the smallest filter.
    least: u64,
    /// The bits left after giving every shard the minimum, and the number of keys that share them; `None` if
    /// shards get the bits of their keys.
    spare: Option<(u64, u64)>,
}

impl Division {
    /// The division of a filter whose shards may be built separately.
    ///
    /// # Errors
    ///
    /// No filter can have this size or this number of shards; or the size is a number of bits, which needs the number of all keys.
    pub(super) fn of_parts(spec: &Spec, shards: u64) -> Result<Self> {
        if let Size::Bits(bits) = spec.size {
            let (got, expected) = (format!("{bits} bits"), "bits per key or a rate");
            return Err(Error::parameter("the size of shards", got, expected));
        }
        Self::new(spec.clone(), shards, None)
    }

    /// The division of a filter that is built as a whole. `count` counts the keys of each shard.
    ///
    /// # Errors
    ///
    /// No filter can have this size or this number of shards; or `count` fails.
    pub(crate) fn of_whole(
        spec: &Spec,
        shards: u64,
        count: impl FnOnce() -> Result<Vec<u64>>,
    ) -> Result<Self> {
        let Size::Bits(bits) = spec.size else {
            return Self::of_parts(spec, shards);
        };
        spec.size.budget(1)?;
        check_range(shards, &(0..shards))?;
        let per_key = |keys: u64| {
            let each = bits as f64 / keys.max(1) as f64;
            let spec = spec.clone().size(Size::BitsPerKey(each));
            Self::new(spec, shards, Some(bits))
        };
        if let Some(capacity) = spec.capacity {
            return per_key(capacity);
        }
        let counts = count()?;
        let keys = counts.iter().sum();
        let mut division = per_key(keys)?;
        if shards > 1 && !division.fits(&counts, bits)? {
            division.spare = Some((bits - shards * division.least, keys));
        }
        Ok(division)
    }

    /// The division by a spec whose size is not a number of bits. Returns an error if the smallest filters do not fit.
    fn new(spec: Spec, shards: u64, bits: Option<u64>) -> Result<Self> {
        check_range(shards, &(0..shards))?;
        let capacity = spec.capacity;
        spec.size.budget(capacity.unwrap_or(1))?;
        let division = Division {
            least: spec.least_bits(capacity.unwrap_or(0).div_ceil(shards)),
            spec,
            shards,
            bits,
            spare: None,
        };
        if capacity.is_none() && bits.is_none() {
            return Ok(division);
        }
        match division.budget(capacity.unwrap_or(1).max(1))? {
            Some(bits) if shards > 1 && bits / shards < division.least => {
                Err(division.too_many(bits))
            }
            _ => Ok(division),
        }
    }

    /// The most bits of all shards together if they have this many keys; `None` if the size is a rate.
    fn budget(&self, keys: u64) -> Result<Option<u64>> {
        match self.bits {
            Some(bits) => Ok(Some(bits)),
            None => self.spec.size.budget(keys),
        }
    }

    /// The spec of shard `number`, which has `keys` keys.
    fn shard(&self, number: u64, keys: u64) -> Result<Spec> {
        let spec = self.spec.clone();
        if let Some((spare, all)) = self.spare {
            let more = u128::from(spare) * u128::from(keys) / u128::from(all.max(1));
            let bits = self.least + more as u64;
            return Ok(spec.size(Size::Bits(bits)).capacity(keys.max(1)));
        }
        let Some(capacity) = spec.capacity else {
            return Ok(spec.capacity(keys));
        };
        // Keys are not spread evenly. A shard that gets more keys than its share is planned for all of them.
        let planned = capacity.div_ceil(self.shards).max(keys);
        let spec = spec.capacity(planned);
        let budgets = (self.budget(capacity)?, spec.size.budget(planned)?);
        let (Some(all), Some(own)) = budgets else {
            return Ok(spec);
        };
        let before = |number: u64| u128::from(all) * u128::from(number) / u128::from(self.shards);
        let share = (before(number + 1) - before(number)) as u64;
        Ok(match own > share {
            true => spec.size(Size::Bits(share.max(1))),
            false => spec,
        })
    }

    /// Builds a range of shards. `sets` must hold all their keys.
    pub(crate) fn build(&self, sets: &KeySets, range: Range<u64>) -> Result<(Sharded, Report)> {
        let (mut filters, mut reports) = (Vec::new(), Vec::new());
        let mut build = |number: u64, sets: &KeySets| {
            let spec = self.shard(number, sets.positives().len() as u64)?;
            let (filter, report) = spec.build_and_report(sets)?;
            filters.push(filter);
            reports.push((report, sets.total_cost()));
            Ok(())
        };
        // The keys of one shard need not be copied.
        let single = range.clone().count() == 1 && sets.are_of_shard(self.shards, range.start);
        if single {
            build(range.start, sets)?;
        } else {
            let split = sets.split(self.shards, range.clone());
            let mut split = range.clone().zip(split);
            split.try_for_each(|(number, sets)| build(number, &sets))?;
        }
        let shards = Sharded::new(self.spec.plan(), self.shards, range.start, filters)?;
        Ok((shards, add_up(&reports)))
    }

    /// Returns an error if all shards together, with `bits` bits and `keys` keys, exceed the size, or if they have no keys and no capacity but accept keys later.
    pub(crate) fn expect_whole(&self, bits: u64, keys: u64) -> Result<()> {
        // With a capacity, `new` has checked the size.
        if self.spec.capacity.is_some() {
            return Ok(());
        }
        match self.budget(keys)? {
            _ if keys == 0 && self.spec.family.can(Operation::Insert) => Err(Error::NoCapacity),
            // A fixed set may be empty; its filter still has a size.
            Some(most) if bits > most && keys > 0 && self.shards > 1 => Err(self.too_many(most)),
            _ => Ok(()),
        }
    }

    /// Whether all shards fit into this many bits if they have these numbers of keys and each gets the bits of its keys.
    fn fits(&self, counts: &[u64], bits: u64) -> Result<bool> {
        // Only the smallest filter may be larger than its size.
        let is_smallest = |keys: u64| Ok(self.spec.size.budget(keys)? < Some(self.least));
        let smallest: Vec<bool> = counts
            .iter()
            .map(|&keys| is_smallest(keys))
            .collect::<Result<_>>()?;
        if !smallest.contains(&true) {
            return Ok(true);
        }
        let mut all = 0u64;
        for (&keys, is_smallest) in counts.iter().zip(smallest) {
            all = all.saturating_add(match is_smallest {
                true => self.least,
                false => self.spec.forecast(&Workload::new(keys, 0))?.bits,
            });
        }
        Ok(all <= bits)
    }

    /// The error for more shards than fit into this many bits.
    fn too_many(&self, bits: u64) -> Error {
        let most = (bits / self.least).clamp(1, self.shards - 1);
        let least = self.least;
        let expected =
            format!("at most {most}: all share {bits} bits, and each takes at least {least}");
        Error::parameter("the number of shards", self.shards, expected)
    }
}

impl Spec {
    /// The bits of the smallest filter for this many keys.
    fn least_bits(&self, keys: u64) -> u64 {
        let spec = Spec {
            capacity: Some(keys),
            ..self.clone().size(Size::Bits(1))
        };
        // If the keys or the settings rule out the smallest filter, the build will return an error.
        let smallest = spec.forecast(&Workload::new(keys, 0));
        smallest.map_or(64, |forecast| forecast.bits)
    }
}

/// The report of all shards, each with the cost of its negatives: sums of counts, and means of rates by cost.
pub(crate) fn add_up(reports: &[(Report, CostSum)]) -> Report {
    let total: CostSum = reports.iter().map(|&(_, cost)| cost).sum();
    let mut wrong_costs =
        (reports.iter()).map(|(report, cost)| Some(cost.times(report.weighted_fpr?)));
    let wrong_cost = wrong_costs.try_fold(CostSum::default(), |sum, cost| Some(sum + cost?));
    let mut wrong = reports.iter().map(|(report, _)| report.wrong);
    Report {
        guarded: (reports.iter()).fold(0, |sum, (report, _)| sum.saturating_add(report.guarded)),
        wrong: wrong.try_fold(0u64, |sum, wrong| Some(sum.saturating_add(wrong?))),
        weighted_fpr: wrong_cost.and_then(|wrong| wrong.share_of(total)),
        ..Report::default()
    }
}
