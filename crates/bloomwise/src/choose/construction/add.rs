//! Adds keys.

use super::Construction;
use super::start::{BATCH, Way};
use crate::compose::any::AnyFilter;
use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::keys::digests::Digests;
use crate::keys::hash::Digest;
use crate::keys::key::Key;
use crate::keys::sets::Costed;
use crate::machine::memory::Need;

impl Construction {
    /// Adds a key of the set.
    ///
    /// # Errors
    ///
    /// There is not enough memory, the filter is full, or a temporary file cannot be written.
    #[inline]
    pub fn positive(&mut self, key: impl Key) -> Result<()> {
        match &mut self.way {
            Way::InMemory(sets, ..) => {
                let reserved = sets.try_reserve(1, 0);
                reserved.map_err(|_| out_of_memory(size_of::<Digest>()))?;
                sets.positive(key);
                Ok(())
            }
            Way::Streaming(filter, batch, keys) => {
                batch.push(filter.hashing().digest(key));
                match batch.len() < BATCH {
                    true => Ok(()),
                    false => insert(filter, batch, keys),
                }
            }
            #[cfg(feature = "mmap")]
            Way::Large(build) => build.positive(key),
        }
    }

    /// Adds keys of the set.
    ///
    /// # Errors
    ///
    /// Those of [`Construction::positive`].
    #[inline]
    pub fn positives<K: Key>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        let mut keys = keys.into_iter();
        if let Way::InMemory(sets, ..) = &mut self.way {
            // An iterator that knows its length is hashed in one loop.
            let count = keys.size_hint().0;
            let bytes = count.saturating_mul(size_of::<Digest>());
            let reserved = sets.try_reserve(count, 0);
            reserved.map_err(|_| out_of_memory(bytes))?;
            sets.positives(keys.by_ref().take(count));
        }
        keys.try_for_each(|key| self.positive(key))
    }

    /// Adds a known negative and what a false positive on it costs. It is lost if there was to be none.
    ///
    /// # Errors
    ///
    /// There is not enough memory, the cost is negative, infinite or not a number, or a temporary file cannot be written.
    #[inline]
    pub fn negative(&mut self, key: impl Key, cost: f64) -> Result<()> {
        match &mut self.way {
            Way::InMemory(sets, ..) => {
                let reserved = sets.try_reserve(0, 1);
                reserved.map_err(|_| out_of_memory(size_of::<Costed>()))?;
                sets.negative(key, cost);
                Ok(())
            }
            Way::Streaming(..) => Ok(()),
            #[cfg(feature = "mmap")]
            Way::Large(build) => build.negative(key, cost),
        }
    }
}

/// Inserts a batch of digests, which is empty then.
pub(super) fn insert(
    filter: &mut AnyFilter,
    batch: &mut Vec<Digest>,
    keys: &mut u64,
) -> Result<()> {
    let digests = Digests::from_raw(filter.hashing(), &batch[..]);
    filter.insert_digests(&digests)?;
    *keys += batch.len() as u64;
    batch.clear();
    Ok(())
}

#[cold]
fn out_of_memory(bytes: usize) -> Error {
    Need::Keys.refused(bytes as u64)
}
