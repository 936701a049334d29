//! Builds filters of several shards from a spec.

use super::Spec;
use super::division::Division;
use crate::compose::any::AnyFilter;
use crate::compose::sharded::Sharded;
use crate::compose::sharded::check_range;
use crate::error::Result;
use crate::filter::Filter;
use crate::filter::info::Report;
use crate::filter::sizing::Size;
use crate::keys::sets::KeySets;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

impl Spec {
    /// The filter of these sets, made of `shards` shards, and the report of the build. [`Digest::shard`](crate::keys::Digest::shard) assigns
    /// the keys to shards.
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
    /// Those of [`Spec::build`]; the number of shards is 0 or above 65,536; or the smallest filters of all shards together exceed the size.
    pub fn build_sharded(&self, sets: &KeySets, shards: u64) -> Result<(AnyFilter, Report)> {
        let division = Division::of_whole(self, shards, || Ok(sets.count_shards(shards)))?;
        let (shards, report) = division.build(sets, 0..shards)?;
        division.expect_whole(shards.size_in_bits(), shards.len())?;
        Ok((Sharded::join(vec![shards])?, report))
    }

    /// Runs all checks of a build of `shards` shards that do not need the keys: settings, size and number. Programs call it before they read keys.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::build_sharded`].
    pub fn check_shards(&self, shards: u64) -> Result<()> {
        // Without a capacity, only a number of bits can be checked before keys are read.
        Division::of_whole(self, shards, || Ok(vec![0; shards as usize]))?;
        // One key is enough, and takes hardly any memory.
        let spec = Spec {
            size: match self.size {
                Size::Bits(bits) => Size::BitsPerKey(bits.min(16) as f64),
                size => size,
            },
            capacity: Some(self.capacity.unwrap_or(0).min(1)),
            ..self.clone()
        };
        spec.build(&KeySets::empty(self.chosen_hashing()))
            .map(|_| ())
    }

    /// The approximate number of bytes of the cells of one of `shards` shards, if it has `keys` of `all` keys.
    #[cfg(feature = "mmap")]
    pub(crate) fn cell_bytes(&self, keys: u64, all: u64, shards: u64) -> u64 {
        let share = keys as f64 / all.max(1) as f64;
        let keys = keys.max(self.capacity.unwrap_or(0).div_ceil(shards));
        match self.size {
            Size::Bits(bits) if self.capacity.is_none() => (bits as f64 * share / 8.0) as u64,
            Size::Bits(bits) => bits / shards / 8,
            Size::BitsPerKey(bits) => (keys as f64 * bits / 8.0) as u64,
            Size::Rate(_) => 8 * keys,
        }
    }

    /// Some shards of the filter of a set, and the report of the build, for builds on several machines. `range` has the numbers of the
    /// shards, out of `shards`. `sets` must contain all keys of these shards, and may contain others. If all machines use the same spec and
    /// each shard is built once, [`Sharded::join`] gives the same filter as [`Spec::build_sharded`].
    ///
    /// # Errors
    ///
    /// Those of [`Spec::build`]; the range is empty or exceeds the number of shards; the size is a number of bits for the whole filter,
    /// which needs the number of all keys; or the smallest filters of all shards together exceed the size for the capacity. Without a
    /// capacity, a shard does not know how many keys the others have, so a shard with too few keys takes the smallest filter.
    pub fn build_shards(
        &self,
        sets: &KeySets,
        shards: u64,
        range: Range<u64>,
    ) -> Result<(Sharded, Report)> {
        check_range(shards, &range)?;
        Division::of_parts(self, shards)?.build(sets, range)
    }

    /// A hash of everything except the keys that determines a shard.
    pub(super) fn plan(&self) -> u64 {
        let (unit, size) = match self.size {
            Size::Bits(bits) => ("bits", bits),
            Size::BitsPerKey(bits) => ("bits per key", bits.to_bits()),
            Size::Rate(rate) => ("rate", rate.to_bits()),
        };
        let (kind, capacity) = (self.family.name(), self.capacity.unwrap_or(0));
        // Plans in files got these names before other presets were possible.
        let paper = match self.preset {
            None => "false",
            Some("paper") => "true",
            Some(other) => other,
        };
        let mut text = format!("{kind}, {unit} {size}, capacity {capacity}, paper {paper}");
        for (name, value) in &self.values {
            text.push_str(&format!(", {name} {value}"));
        }
        xxh3_64(text.as_bytes())
    }
}
