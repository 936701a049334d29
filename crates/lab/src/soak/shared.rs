//! A filter that several threads can change, of either family that has one.

use super::keys::Keys;
use anyhow::{Result, bail};
use bloomwise::{AnyFilter, Digests, Error, Family, Filter, SharedCuckoo, SharedSeesaw};

/// A filter for many threads.
pub enum Shared {
    Seesaw(SharedSeesaw),
    Cuckoo(SharedCuckoo),
}

impl Shared {
    /// Makes a filter usable by many threads.
    pub fn new(filter: &AnyFilter) -> Result<Self> {
        match filter {
            AnyFilter::Seesaw(filter) => Ok(Shared::Seesaw(SharedSeesaw::new(filter.clone()))),
            AnyFilter::Cuckoo(filter) => Ok(Shared::Cuckoo(SharedCuckoo::new(filter.clone()))),
            _ => bail!("this kind has no filter that removes keys for many threads"),
        }
    }

    /// Adds a key and returns whether it is new; `None` if there is no room for it.
    pub fn insert(&self, keys: &Keys, number: usize) -> Result<Option<bool>> {
        let key = keys.key(number);
        match self {
            Shared::Seesaw(filter) => Ok(Some(filter.insert(key))),
            Shared::Cuckoo(filter) => match filter.insert(key) {
                Err(Error::Full { .. }) => Ok(None),
                inserted => Ok(Some(inserted?)),
            },
        }
    }

    /// Adds keys at once. `false`, and nothing is added, if the family may have no room for them.
    pub fn insert_digests(&self, digests: &Digests<'_>) -> Result<bool> {
        match self {
            Shared::Seesaw(filter) => filter.insert_digests(digests)?,
            Shared::Cuckoo(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Removes a key, and returns whether the filter had it.
    pub fn remove(&self, keys: &Keys, number: usize) -> bool {
        let key = keys.key(number);
        match self {
            Shared::Seesaw(filter) => filter.remove(key),
            Shared::Cuckoo(filter) => filter.remove(key),
        }
    }

    /// Guards a key, if the filter can. It must not be in the set of a cuckoo filter.
    pub fn guard(&self, keys: &Keys, number: usize, is_member: bool) -> Result<bool> {
        let key = keys.key(number);
        match self {
            Shared::Seesaw(filter) if filter.family() == Family::SeesawAdaptive => {
                filter.guard(key)?;
            }
            Shared::Cuckoo(filter) if !is_member => {
                // Nobody else inserts this key, so the stamp is no more than exercise.
                let (_, stamp) = filter.contains_stamped(key);
                filter.guard_since(key, 1.0 + number as f64, stamp)?;
            }
            Shared::Seesaw(_) | Shared::Cuckoo(_) => return Ok(false),
        }
        Ok(true)
    }

    /// The filter, to query it.
    pub fn filter(&self) -> &dyn Filter {
        match self {
            Shared::Seesaw(filter) => filter,
            Shared::Cuckoo(filter) => filter,
        }
    }

    /// A copy while other threads work.
    pub fn snapshot(&self) -> Result<AnyFilter> {
        Ok(match self {
            Shared::Seesaw(filter) => filter.snapshot()?.into(),
            Shared::Cuckoo(filter) => filter.snapshot()?.into(),
        })
    }

    /// The filter for use by one thread.
    pub fn into_inner(self) -> Result<AnyFilter> {
        Ok(match self {
            Shared::Seesaw(filter) => filter.into_inner().into(),
            Shared::Cuckoo(filter) => filter.into_inner()?.into(),
        })
    }
}
