//! A filter that several threads can change, of any family that has one.

use super::keys::Numbered;
use anyhow::{Result, bail};
use bloomwise::cuckoo::SharedCuckoo;
use bloomwise::keys::Digests;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::unstable::Shareable;
use bloomwise::{AnyFilter, Counting, Error, Family, Filter, Shared};

/// What threads do with a filter that they share. An operation that a family lacks returns `None`.
pub trait ForThreads: Sync {
    /// Adds a key and returns whether it is new; `None` if there is no room for it.
    fn insert(&self, key: Numbered) -> Result<Option<bool>>;

    /// Adds keys at once. `None`, and nothing is added, if the family may have no room for them.
    fn insert_digests(&self, digests: &Digests<'_>) -> Result<Option<()>>;

    /// Removes a key and returns whether the filter had it.
    fn remove(&self, _key: Numbered) -> Option<bool> {
        None
    }

    /// Guards a key. It must not be in the set of a cuckoo filter.
    fn guard(&self, _key: Numbered, _is_member: bool) -> Result<Option<()>> {
        Ok(None)
    }

    /// The filter, to query it.
    fn filter(&self) -> &dyn Filter;

    /// A copy while other threads work.
    fn snapshot(&self) -> Result<AnyFilter>;

    /// The filter for use by one thread.
    fn into_inner(self: Box<Self>) -> Result<AnyFilter>;
}

/// Makes a filter usable by many threads.
pub fn for_threads(filter: &AnyFilter) -> Result<Box<dyn ForThreads>> {
    Ok(match filter.clone() {
        AnyFilter::Bloom(filter) => Box::new(Atomic::new(filter, None)),
        AnyFilter::Blocked(filter) => Box::new(Atomic::new(filter, None)),
        AnyFilter::Counting(filter) => {
            let remove = |filter: &Shared<Counting>, key: Numbered| filter.remove(key);
            Box::new(Atomic::new(filter, Some(remove)))
        }
        AnyFilter::Seesaw(filter) => Box::new(SharedSeesaw::new(filter)),
        AnyFilter::Cuckoo(filter) => Box::new(SharedCuckoo::new(filter)),
        _ => bail!("this kind has no filter for many threads"),
    })
}

/// A filter in atomic words.
struct Atomic<F: Shareable> {
    filter: Shared<F>,
    /// How a key is removed, where the family can.
    remove: Option<fn(&Shared<F>, Numbered) -> bool>,
}

impl<F: Shareable> Atomic<F> {
    fn new(filter: F, remove: Option<fn(&Shared<F>, Numbered) -> bool>) -> Self {
        Atomic {
            filter: Shared::new(filter),
            remove,
        }
    }
}

impl<F: Shareable + Into<AnyFilter>> ForThreads for Atomic<F>
where
    Shared<F>: Sync,
{
    fn insert(&self, key: Numbered) -> Result<Option<bool>> {
        Ok(Some(self.filter.insert(key)))
    }

    fn insert_digests(&self, digests: &Digests<'_>) -> Result<Option<()>> {
        Ok(Some(self.filter.insert_digests(digests)?))
    }

    fn remove(&self, key: Numbered) -> Option<bool> {
        self.remove.map(|remove| remove(&self.filter, key))
    }

    fn filter(&self) -> &dyn Filter {
        &self.filter
    }

    fn snapshot(&self) -> Result<AnyFilter> {
        Ok(self.filter.snapshot()?.into())
    }

    fn into_inner(self: Box<Self>) -> Result<AnyFilter> {
        Ok(self.filter.into_inner()?.into())
    }
}

impl ForThreads for SharedSeesaw {
    fn insert(&self, key: Numbered) -> Result<Option<bool>> {
        Ok(Some(SharedSeesaw::insert(self, key)))
    }

    fn insert_digests(&self, digests: &Digests<'_>) -> Result<Option<()>> {
        Ok(Some(SharedSeesaw::insert_digests(self, digests)?))
    }

    fn remove(&self, key: Numbered) -> Option<bool> {
        Some(SharedSeesaw::remove(self, key))
    }

    fn guard(&self, key: Numbered, _is_member: bool) -> Result<Option<()>> {
        match self.family() {
            Family::SeesawAdaptive => Ok(Some(SharedSeesaw::guard(self, key)?)),
            _ => Ok(None),
        }
    }

    fn filter(&self) -> &dyn Filter {
        self
    }

    fn snapshot(&self) -> Result<AnyFilter> {
        Ok(SharedSeesaw::snapshot(self)?.into())
    }

    fn into_inner(self: Box<Self>) -> Result<AnyFilter> {
        Ok(SharedSeesaw::into_inner(*self)?.into())
    }
}

impl ForThreads for SharedCuckoo {
    fn insert(&self, key: Numbered) -> Result<Option<bool>> {
        match SharedCuckoo::insert(self, key) {
            Err(Error::Full { .. }) => Ok(None),
            inserted => Ok(Some(inserted?)),
        }
    }

    fn insert_digests(&self, _digests: &Digests<'_>) -> Result<Option<()>> {
        Ok(None)
    }

    fn remove(&self, key: Numbered) -> Option<bool> {
        Some(SharedCuckoo::remove(self, key))
    }

    fn guard(&self, key: Numbered, is_member: bool) -> Result<Option<()>> {
        if is_member {
            return Ok(None);
        }
        // No other thread inserts this key, so the stamp is no more than exercise.
        let (_, stamp) = self.contains_stamped(key);
        self.guard_since(key, 1.0, stamp)?;
        Ok(Some(()))
    }

    fn filter(&self) -> &dyn Filter {
        self
    }

    fn snapshot(&self) -> Result<AnyFilter> {
        Ok(SharedCuckoo::snapshot(self)?.into())
    }

    fn into_inner(self: Box<Self>) -> Result<AnyFilter> {
        Ok(SharedCuckoo::into_inner(*self)?.into())
    }
}
