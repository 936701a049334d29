//! Patches of filters of any family.

use super::AnyFilter;
use crate::compose::patched::{Patch, Patched};
use crate::error::Result;
use crate::keys::sets::KeySets;

impl Patch {
    /// The patch that turns a filter of the positives of `old` into one of the positives of `new`. The patched filter is exact on the
    /// negatives of `new` and on the removed keys. The negatives of `old` are not used.
    ///
    /// If the filter is already patched, the patch is made for its base, so `old` must be the keys of the base.
    ///
    /// # Errors
    ///
    /// The filter denies a key of `old`, so it was not built from these keys; the sets have another hashing; or the filter is damaged.
    pub fn build(filter: &AnyFilter, old: &KeySets, new: &KeySets) -> Result<Patch> {
        Patch::between(filter.base(), old, new)
    }

    /// The filter with this patch. The patch replaces an older one.
    ///
    /// # Errors
    ///
    /// The patch was made for another filter, or the filter is damaged.
    pub fn apply(self, filter: AnyFilter) -> Result<AnyFilter> {
        let base = match filter {
            AnyFilter::Patched(patched) => patched.into_base(),
            base => base,
        };
        let patched = Patched::new(base, self)?;
        Ok(AnyFilter::Patched(Box::new(patched)))
    }
}

impl AnyFilter {
    /// The filter without its patch; without a patch, the filter itself.
    pub fn base(&self) -> &AnyFilter {
        match self {
            AnyFilter::Patched(patched) => patched.base(),
            base => base,
        }
    }

    /// The changes since the filter was built, if it is patched.
    pub fn patch(&self) -> Option<&Patch> {
        match self {
            AnyFilter::Patched(patched) => Some(patched.patch()),
            _ => None,
        }
    }
}
