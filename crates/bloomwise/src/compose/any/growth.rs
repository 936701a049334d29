//! The memory that a filter takes, and how much more an insertion needs. A program with little memory checks before it inserts.
//!
//! The file of a growing filter determines the size of its next layer. A forged file of a few hundred bytes can ask for a layer a hundred
//! thousand times its size. So programs that change filters of others set a limit.

use super::AnyFilter;
use crate::error::{Error, Result};
use crate::filter::change::Change;
use crate::filter::contract::Filter;
use crate::filter::family::Operation;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;

/// The bytes that a filter may grow to for each of its keys, unless a limit is given. A chain whose layers double takes at most 38, at the
/// lowest rate.
const BYTES_PER_KEY: u64 = 64;

/// The bytes that any filter may grow to, unless a limit is given.
const LEAST_LIMIT: u64 = 16 << 20;

/// The number of keys that are inserted together if no layer is added.
const BATCH: usize = 1024;

impl AnyFilter {
    /// The bits that inserting `key` adds to [`Filter::size_in_bits`]. This is the size of another layer if the filter is of kind
    /// `growing`, denies the key and its newest layer is full; otherwise 0. In a filter of shards, it is the growth of the key's shard.
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
        self.growth_for(self.hashing().digest(key))
    }

    /// Adds keys by their digests, unless the filter would grow beyond `most` bytes. `None` allows 64 bytes per key, at least 16 MiB, and a doubling
    /// of any filter. Use this for filters from files that you did not write.
    ///
    /// # Errors
    ///
    /// Those of [`AnyFilter::insert_digests`]; or the filter would take more bytes ([`Error::Growth`]). The keys before the one that needs
    /// them have been added.
    pub fn insert_digests_within(
        &mut self,
        digests: &Digests<'_>,
        most: Option<u64>,
    ) -> Result<()> {
        self.check_operation(Operation::Insert)?;
        for batch in digests.made_by(self.hashing())?.chunks(BATCH) {
            if self.keys_until_growth() >= batch.len() as u64 {
                self.add(batch)?;
                continue;
            }
            for digest in batch {
                self.expect_growth(*digest, most)?;
                self.add(std::slice::from_ref(digest))?;
            }
        }
        Ok(())
    }

    /// Adds a key and returns whether it is new, unless the filter would grow beyond `most` bytes. `None` allows 64 bytes per
    /// key, at least 16 MiB, and a doubling of any filter.
    ///
    /// # Errors
    ///
    /// Those of [`AnyFilter::insert`]; or the filter would take more bytes ([`Error::Growth`]).
    pub fn insert_within(&mut self, key: impl Key, most: Option<u64>) -> Result<bool> {
        if self.keys_until_growth() == 0 {
            self.expect_growth(self.hashing().digest(&key), most)?;
        }
        self.insert(key)
    }

    /// Returns an error if inserting this key would make the filter larger than `most` bytes.
    fn expect_growth(&self, digest: Digest, most: Option<u64>) -> Result<()> {
        // `Growing` never adds a layer that is too large for a filter.
        let growth = self.growth_for(digest).unwrap_or(0);
        if growth == 0 {
            return Ok(());
        }
        let bits = self.size_in_bits();
        let bytes = bits.saturating_add(growth) / 8;
        // A filter that is already large may double.
        let of_keys = || BYTES_PER_KEY.saturating_mul(self.len());
        let in_proportion = || of_keys().max(LEAST_LIMIT).max(bits / 4);
        match most.unwrap_or_else(in_proportion) {
            most if bytes > most => Err(Error::Growth { bytes, most }),
            _ => Ok(()),
        }
    }

    /// The bytes of memory that grow with the filter and that [`Filter::size_in_bits`] does not count: the structs of layers and shards,
    /// and data that files do not contain. The struct of the filter itself is not counted.
    pub fn bytes_beside_cells(&self) -> u64 {
        each!(self, filter => filter.bytes_beside_cells())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::spec::Spec;
    use crate::compose::sharded::Sharded;
    use crate::families::bloom::Bloom;
    use crate::filter::family::Family;
    use crate::filter::sizing::Size;

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
    fn growth_beyond_a_limit_is_refused_in_shards_too() {
        for mut filter in [growing(50), sharded(1), sharded(4)] {
            let digests = Digests::of(filter.hashing(), 0..100_000u64);
            let error = filter.insert_digests_within(&digests, Some(3000));
            let error = error.expect_err("3000 bytes");
            assert!(matches!(error, Error::Growth { most: 3000, bytes } if bytes > 3000));
            assert!(filter.size_in_bits() <= 8 * 3000, "{error}");
            let held = filter.len();
            let unknown = (held..100_000).find(|key| filter.growth(key).is_ok_and(|bits| bits > 0));
            let unknown = unknown.expect("a shard is full");
            assert!(filter.insert_within(unknown, Some(3000)).is_err());
            assert!(held > 300 && (0..held).all(|key| filter.contains(key)));
            let known = Digests::of(filter.hashing(), 0..held);
            let again = filter.insert_digests_within(&known, Some(3000));
            again.expect("known keys do not make it grow");
            let result = filter.insert_digests_within(&digests, None);
            result.expect("in proportion to its keys");
            assert!((0..100_000u64).all(|key| filter.contains(key)));
        }
    }

    #[test]
    fn large_filter_may_double() {
        // 25 MB for 1,000 keys are more than 64 bytes for each, and more than 16 MiB.
        let spec = Spec::new(Family::Growing).size(Size::BitsPerKey(200_000.0));
        let mut filter = spec.capacity(1000).create().expect("25 MB");
        let digests = Digests::of(filter.hashing(), 0..1001u64);
        let inserted = filter.insert_digests_within(&digests, None);
        inserted.expect("another layer of that size or less");
    }

    #[test]
    fn insertion_within_a_limit_gives_the_same_filter() {
        for family in Family::ALL
            .into_iter()
            .filter(|kind| kind.can(Operation::Insert))
        {
            let spec = Spec::new(family)
                .size(Size::BitsPerKey(40.0))
                .capacity(9000);
            let mut filter = spec.create().expect("sound");
            let mut other = filter.clone();
            let digests = Digests::of(filter.hashing(), 0..8000u64);
            filter.insert_digests(&digests).expect("room");
            other.insert_digests_within(&digests, None).expect("room");
            assert_eq!(filter, other);
        }
        let (mut filter, mut other) = (growing(50), growing(50));
        let digests = Digests::of(filter.hashing(), 0..8000u64);
        filter.insert_digests(&digests).expect("room");
        other.insert_digests_within(&digests, None).expect("room");
        assert_eq!(filter, other);
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
