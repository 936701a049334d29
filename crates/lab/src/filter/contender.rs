//! The filters that race, behind one trait. Filters of other crates are in [`super::peers::crates`].
//!
//! Each filter is used as its documentation recommends, at 10 bits per key where the size can be chosen. A counting
//! filter has as many counters as the others have bits, so that its false positive rate is the same. A guarded filter
//! is as large as the binary fuse filter it is compared with; it could be built on all cores, but is built on one like
//! all others.

use crate::prelude::*;
use bloomwise::unstable::Growable;
use bloomwise::{Balanced, Blocked, Bloom, Builder, Counting, Cuckoo, Guarded, Insert, Remove};

/// Bits per key of all filters that take a size. A binary fuse filter with 8-bit fingerprints has 9.
pub const BITS_PER_KEY: u64 = 10;

/// A filter that can be built from keys and queried.
pub trait Contender<K: Key>: Sized {
    /// Builds the filter from `keys`.
    fn build(keys: &[K]) -> Result<Self>;

    /// Returns whether `key` may be in the set.
    fn contains(&self, key: &K) -> bool;

    /// The size in bits.
    fn bits(&self) -> u64;
}

/// A filter of integers whose keys come and go, one by one.
pub trait Replaceable: Contender<u64> {
    /// An empty filter with room for `keys` keys.
    fn empty(keys: u64) -> Result<Self>;

    /// Inserts a key. A full filter is an error.
    fn insert(&mut self, key: u64) -> Result<()>;

    /// Removes a key; returns whether the filter held it.
    fn remove(&mut self, key: u64) -> bool;
}

/// A bloomwise filter that accepts keys one by one.
pub trait Growing: Growable + Insert {
    /// The builder of a filter of the size that all contenders have.
    fn contender() -> Builder<Self>;
}

impl Growing for Bloom {
    fn contender() -> Builder<Self> {
        Bloom::builder(Size::BitsPerKey(BITS_PER_KEY as f64))
    }
}

impl Growing for Blocked {
    fn contender() -> Builder<Self> {
        Blocked::builder(Size::BitsPerKey(BITS_PER_KEY as f64))
    }
}

impl Growing for Balanced {
    fn contender() -> Builder<Self> {
        Balanced::builder(Size::BitsPerKey(BITS_PER_KEY as f64))
    }
}

/// It has as many counters as the other filters have bits.
impl Growing for Counting {
    fn contender() -> Builder<Self> {
        Counting::builder(Size::BitsPerKey(4.0 * BITS_PER_KEY as f64))
    }
}

/// A bloomwise filter that is built from keys in its own way.
pub trait Ours<K: Key>: Filter + Sized {
    /// Builds the filter from `keys`.
    fn build(keys: &[K]) -> Result<Self>;
}

impl<K: Key, F: Growing> Ours<K> for F {
    fn build(keys: &[K]) -> Result<Self> {
        filled(F::contender(), keys)
    }
}

impl<K: Key, F: Ours<K>> Contender<K> for F {
    fn build(keys: &[K]) -> Result<Self> {
        Ours::build(keys)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        Filter::contains(self, key)
    }

    fn bits(&self) -> u64 {
        self.size_in_bits()
    }
}

/// The filter of `keys`, which are inserted in order.
pub fn filled<K, F>(builder: Builder<F>, keys: &[K]) -> Result<F>
where
    K: Key,
    F: Growable + Insert,
{
    let mut filter = builder.capacity(keys.len() as u64).create()?;
    filter.extend(keys);
    Ok(filter)
}

impl Ours<u64> for Cuckoo {
    fn build(keys: &[u64]) -> Result<Self> {
        let mut filter = <Self as Replaceable>::empty(keys.len() as u64)?;
        let mut keys = keys.iter();
        keys.try_for_each(|&key| Replaceable::insert(&mut filter, key))?;
        Ok(filter)
    }
}

impl Replaceable for Cuckoo {
    fn empty(keys: u64) -> Result<Self> {
        Ok(Cuckoo::builder(Size::BitsPerKey(11.0))
            .capacity(keys)
            .create()?)
    }

    fn insert(&mut self, key: u64) -> Result<()> {
        Cuckoo::insert(self, key)?;
        Ok(())
    }

    fn remove(&mut self, key: u64) -> bool {
        Remove::remove(self, key)
    }
}

/// Runs `work` in a pool of `threads` threads.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool?.install(work))
}

/// Builds a guarded filter on one core.
fn guarded<K: Key>(keys: &[K], negatives: impl Iterator<Item = K> + Send) -> Result<Guarded> {
    let builder = Guarded::builder(Size::BitsPerKey(FUSE_BITS));
    let costed = negatives.map(|key| (key, 1.0));
    Ok(on_threads(1, || builder.build_from(keys, costed))??)
}

/// Bits per key of a binary fuse filter with 8-bit fingerprints and a million keys.
const FUSE_BITS: f64 = 9.04;

/// It is as large as the binary fuse filter, and has no known negatives.
impl<K: Key> Ours<K> for Guarded {
    fn build(keys: &[K]) -> Result<Self> {
        guarded(keys, std::iter::empty())
    }
}

/// Builds a guarded filter with as many known negatives as keys. Hashing and sorting the negatives is part of the build. None of the
/// non-members that a race queries is a known negative.
pub fn with_negatives<K: Key>(keys: &[K]) -> Result<Guarded> {
    let outside = (0..keys.len() as u64).map(|n| K::number(n + (1 << 40)));
    guarded(keys, outside)
}
