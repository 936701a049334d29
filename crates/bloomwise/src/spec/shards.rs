//! Filters of several shards, made of specs.

use super::Spec;
use crate::any::{AnyFilter, Shards};
use crate::cost_sum::CostSum;
use crate::error::{Error, Result};
use crate::info::Report;
use crate::sets::KeySets;
use crate::sharded::check_range;
use crate::sizing::Size;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

impl Spec {
    /// The filter of these sets, made of `shards` shards, and what the build did. [`Digest::shard`](crate::Digest::shard) says which keys a shard gets.
    ///
    /// ```
    /// use bloomwise::{Family, Filter, KeySets, Size, Spec};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(12.0));
    /// let sets = KeySets::of_positives(0..10_000);
    /// let (filter, _) = spec.build_sharded(&sets, 4)?;
    /// assert!(filter.contains(4718) && filter.shards() == 4);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Spec::build`]; there are no shards or more than 65,536.
    pub fn build_sharded(&self, sets: &KeySets, shards: u64) -> Result<(AnyFilter, Report)> {
        let spec = self.per_key(|| Ok(sets.positives().len() as u64))?;
        let (shards, report) = spec.build_shards(sets, shards, 0..shards)?;
        Ok((Shards::join(vec![shards])?, report))
    }

    /// This spec with bits per key in place of a number of bits for the whole filter, which has as many keys as its capacity says, or as `count` does.
    pub(crate) fn per_key(&self, count: impl FnOnce() -> Result<u64>) -> Result<Spec> {
        let Size::Bits(bits) = self.size else {
            return Ok(self.clone());
        };
        let keys = self.capacity.map_or_else(count, Ok)?;
        let each = bits as f64 / keys.max(1) as f64;
        Ok(self.clone().size(Size::BitsPerKey(each)))
    }

    /// The checks of a build of `shards` shards, without keys: settings, size and number. Programs call it before they read keys.
    ///
    /// # Errors
    ///
    /// As for [`Spec::build_sharded`].
    pub fn check_shards(&self, shards: u64) -> Result<()> {
        // One key is enough, so that hardly any memory is taken.
        let spec = Spec {
            size: match self.size {
                Size::Bits(bits) => Size::BitsPerKey(bits.min(16) as f64),
                size => size,
            },
            capacity: self.capacity.map(|capacity| capacity.min(1)),
            ..self.clone()
        };
        let none = KeySets::empty(self.chosen_hashing());
        spec.build_shards(&none, shards, 0..1).map(|_| ())
    }

    /// About how many bytes the cells of one of `shards` shards take, if it has `keys` keys.
    #[cfg(feature = "mmap")]
    pub(crate) fn cell_bytes(&self, keys: u64, shards: u64) -> u64 {
        let keys = keys.max(self.capacity.unwrap_or(0).div_ceil(shards));
        match self.size {
            Size::Bits(bits) => bits / shards / 8,
            Size::BitsPerKey(bits) => (keys as f64 * bits / 8.0) as u64,
            Size::Rate(_) => 8 * keys,
        }
    }

    /// Some shards of the filter of a set, and what the build did: for builds on several machines. `range` are the numbers of the shards out
    /// of `shards`; `sets` has all keys of these, and may have others. The same spec everywhere, each shard made once and
    /// [`Shards::join`] give the same filter as [`Spec::build_sharded`].
    ///
    /// # Errors
    ///
    /// As for [`Spec::build`]; the range is empty or exceeds the number of shards; the size is a number of bits for the whole filter, whose
    /// number of keys is not known here.
    pub fn build_shards(
        &self,
        sets: &KeySets,
        shards: u64,
        range: Range<u64>,
    ) -> Result<(Shards, Report)> {
        check_range(shards, &range)?;
        if let Size::Bits(bits) = self.size {
            let expected = "bits per key or a rate";
            return Err(Error::parameter(
                "the size of shards",
                format!("{bits} bits"),
                expected,
            ));
        }
        let spec = match self.capacity {
            Some(keys) => self.clone().capacity(keys.div_ceil(shards.max(1))),
            None => self.clone(),
        };
        let (mut filters, mut reports) = (Vec::new(), Vec::new());
        let mut build = |sets: &KeySets| {
            let (filter, report) = spec.build_and_report(sets)?;
            filters.push(filter);
            reports.push((report, sets.total_cost()));
            Ok(())
        };
        // The keys of one shard need not be copied.
        let single = range.clone().count() == 1 && sets.are_of_shard(shards, range.start);
        if single {
            build(sets)?;
        } else {
            let mut split = sets.split(shards, range.clone()).into_iter();
            split.try_for_each(|sets| build(&sets))?;
        }
        let shards = Shards::new(self.plan(), shards, range.start, filters)?;
        Ok((shards, add_up(&reports)))
    }

    /// A number that stands for everything that decides about a shard but its keys.
    fn plan(&self) -> u64 {
        let (unit, size) = match self.size {
            Size::Bits(bits) => ("bits", bits),
            Size::BitsPerKey(bits) => ("bits per key", bits.to_bits()),
            Size::Rate(rate) => ("rate", rate.to_bits()),
        };
        let (kind, capacity) = (self.family.name(), self.capacity.unwrap_or(0));
        let mut text = format!(
            "{kind}, {unit} {size}, capacity {capacity}, paper {}",
            self.paper
        );
        for (name, value) in &self.values {
            text.push_str(&format!(", {name} {value}"));
        }
        xxh3_64(text.as_bytes())
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
