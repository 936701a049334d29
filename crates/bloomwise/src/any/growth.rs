//! How much memory a filter takes, and how much more an insertion needs. A program with little memory asks before it inserts.

use super::AnyFilter;
use crate::bloom::Bloom;
use crate::error::Result;
use crate::family::Family;
use crate::filter::Filter;
use crate::key::Key;

impl AnyFilter {
    /// The bits that inserting `key` adds to [`Filter::size_in_bits`]: those of another layer if the filter is of kind `growing`, denies the key and
    /// its newest layer is full; otherwise 0. In a filter of shards, that of the shard of the key.
    ///
    /// ```
    /// use bloomwise::{Family, Filter, Size, Spec};
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let mut seen = Spec::new(Family::Growing).size(Size::Rate(0.01)).capacity(1).create()?;
    /// assert_eq!(seen.growth("ant")?, 0);
    /// seen.insert("ant")?;
    /// let (before, growth) = (seen.size_in_bits(), seen.growth("bee")?);
    /// seen.insert("bee")?;
    /// assert!(growth > 0 && seen.size_in_bits() == before + growth);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// No filter can have so large a layer.
    pub fn growth(&self, key: impl Key) -> Result<u64> {
        match self {
            AnyFilter::Growing(filter) => match filter.growth() {
                Ok(0) => Ok(0),
                _ if filter.contains(key) => Ok(0),
                growth => growth,
            },
            AnyFilter::Sharded(shards) if shards.family() == Family::Growing => {
                let shard = self.hashing().digest(&key).shard(shards.of());
                let place = shard.checked_sub(shards.range().0);
                let filter = place.and_then(|place| shards.filters().nth(place as usize));
                // `insert` refuses keys of shards that are elsewhere.
                filter.map_or(Ok(0), |filter| filter.growth(key))
            }
            _ => Ok(0),
        }
    }

    /// The bytes of memory that the filter takes beside its own struct and the cells that [`Filter::size_in_bits`] counts, as far as they grow
    /// with the filter: what files do not contain, layers and shards.
    pub fn bytes_beside_cells(&self) -> u64 {
        match self {
            AnyFilter::Cuckoo(filter) => filter.bytes_in_memory_only(),
            AnyFilter::Growing(filter) => (filter.layers() * size_of::<Bloom>()) as u64,
            AnyFilter::Sharded(shards) => shards
                .filters()
                .map(|filter| size_of::<AnyFilter>() as u64 + filter.bytes_beside_cells())
                .sum(),
            AnyFilter::Patched(patched) => patched.base().bytes_beside_cells(),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sharded::Sharded;
    use crate::sizing::Size;
    use crate::spec::Spec;

    fn growing(capacity: u64) -> AnyFilter {
        let spec = Spec::new(Family::Growing).size(Size::Rate(0.001));
        let spec = spec.capacity(capacity).set("expansion", 3u64);
        spec.and_then(|spec| spec.create()).expect("sound")
    }

    fn sharded(shards: u64) -> AnyFilter {
        let filters = (0..shards).map(|_| growing(50)).collect();
        AnyFilter::Sharded(Sharded::new(7, shards, 0, filters).expect("sound"))
    }

    #[test]
    fn growth_is_known_before_it_happens_in_shards_too() {
        for mut filter in [growing(50), sharded(1), sharded(4)] {
            let mut grown = 0;
            for key in 0..3000u64 {
                let (growth, before) = (filter.growth(key).expect("small"), filter.size_in_bits());
                filter.insert(key).expect("room");
                assert_eq!(filter.size_in_bits(), before + growth, "at {key}");
                assert_eq!(filter.growth(key).expect("small"), 0, "{key} is known");
                grown += u64::from(growth > 0);
            }
            assert!(grown >= 3, "{grown} layers more");
        }
    }

    #[test]
    fn other_kinds_do_not_grow() {
        for family in [Family::Bloom, Family::Cuckoo, Family::Counting] {
            let spec = Spec::new(family).size(Size::BitsPerKey(20.0)).capacity(10);
            let filter = spec.create().expect("sound");
            assert_eq!(filter.growth("a").expect("none"), 0);
        }
    }

    #[test]
    fn layers_and_shards_take_memory_beside_their_cells() {
        let layer = size_of::<Bloom>() as u64;
        assert_eq!(growing(50).bytes_beside_cells(), layer);
        let shard = size_of::<AnyFilter>() as u64 + layer;
        assert_eq!(sharded(4).bytes_beside_cells(), 4 * shard);
    }
}
