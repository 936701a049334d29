//! The changes since a filter was built.

use crate::families::guarded::Guarded;
use crate::filter::codec::{Described, Description};
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::family::Family;
use crate::filter::info::Parameter;
use crate::filter::profile::Profile;
use crate::keys::hash::{Digest, Hashing};
use std::fmt;

/// The changes since a filter was built: keys that were added, and keys to deny.
///
/// ```
/// use bloomwise::patched::Patch;
/// use bloomwise::{Family, Filter, KeySets, Persist, Size, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let yesterday = KeySets::of_positives(0..10_000);
/// let base = Spec::new(Family::Guarded).size(Size::BitsPerKey(8.44)).build(&yesterday)?;
///
/// // A hundred keys are removed, a hundred others are added, and some negatives are known.
/// let today = KeySets::new(100..10_100, (20_000..30_000).map(|key| (key, 1.0)))?;
/// let patch = Patch::build(&base, &yesterday, &today)?;
/// assert!(patch.to_bytes().len() < base.to_bytes().len() / 8);
///
/// // A client has the base, and downloads the patch.
/// let patched = Patch::from_bytes(&patch.to_bytes())?.apply(base)?;
/// assert!((100..10_100).all(|key| patched.contains(key)));
/// assert!((0..100).chain(20_000..30_000).all(|key| !patched.contains(key)));
/// # Ok(())
/// # }
/// ```
///
/// A patch can be saved and loaded like a filter, but it answers no queries: it says how to change the answers of its base.
#[derive(Clone, PartialEq)]
pub struct Patch {
    /// Hashing, and the number of keys of the set after the patch.
    pub(super) profile: Profile,
    /// The checksum of the base that the patch was made for.
    pub(super) base: u64,
    /// The keys that were added; `None` if there are none.
    pub(super) added: Option<Guarded>,
    /// The keys to deny unless they were added; `None` if there are none.
    pub(super) denied: Option<Guarded>,
    /// The number of known negatives that the patched filter denies, whatever its base answers.
    pub(super) negatives: u64,
}

impl Patch {
    /// The number of keys that the patch adds. New keys that the base already accepts do not count.
    pub fn added(&self) -> u64 {
        self.added.as_ref().map_or(0, Filter::len)
    }

    /// The number of keys that the patch denies: removed keys, and known negatives that the base accepts.
    pub fn denied(&self) -> u64 {
        self.denied.as_ref().map_or(0, Filter::len)
    }

    /// The checksum of the filter that the patch was made for ([`crate::Persist::checksum`]).
    pub fn base_checksum(&self) -> u64 {
        self.base
    }

    /// The hashing of base and patch.
    pub fn hashing(&self) -> Hashing {
        self.profile.hashing
    }

    /// The number of keys of the set after the patch.
    pub fn keys(&self) -> u64 {
        self.profile.keys
    }

    /// The size of both filters.
    pub fn size_in_bits(&self) -> u64 {
        let sizes = self.parts().map(Filter::size_in_bits);
        sizes.fold(0, u64::saturating_add)
    }

    /// Prefetches the memory of both filters.
    #[inline]
    pub(super) fn prefetch(&self, digest: Digest) {
        self.parts().for_each(|part| part.prefetch(digest));
    }

    /// The answer for a key, given the answer of the base.
    #[inline]
    pub(super) fn amend(&self, digest: Digest, base: bool) -> bool {
        let says = |part: &Option<Guarded>| part.as_ref().is_some_and(|part| part.query(digest));
        (base && !says(&self.denied)) || says(&self.added)
    }

    /// The rate on unseen keys, given the rate of the base.
    pub(super) fn amended_rate(&self, base: f64) -> f64 {
        let rate = |part: &Option<Guarded>| part.as_ref().map_or(0.0, Filter::rate);
        let passed = base * (1.0 - rate(&self.denied));
        let added = rate(&self.added);
        added + (1.0 - added) * passed
    }

    /// The filters that have keys, of the two.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Guarded> {
        self.added.iter().chain(&self.denied)
    }

    /// The number of known negatives that the patch was built with. The patched filter denies all of them.
    pub fn known_negatives(&self) -> u64 {
        self.negatives
    }

    /// The parameters that [`Info`](crate::info::Info) lists.
    pub(super) fn summary(&self) -> Vec<Parameter> {
        let mut parameters = vec![
            Parameter::measure("added", self.added()),
            Parameter::measure("denied", self.denied()),
        ];
        // Omitted without known negatives, because the base may have some.
        if self.negatives > 0 {
            parameters.push(Parameter::total("known_negatives", self.negatives));
            parameters.push(Parameter::total("wrong", 0));
        }
        parameters
    }
}

impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patch")
            .field("keys", &self.keys())
            .field("added", &self.added())
            .field("denied", &self.denied())
            .field("bits", &self.size_in_bits())
            .finish()
    }
}

impl sealed::Sealed for Patch {}

impl Described for Patch {
    /// The family of the two filters.
    fn description(&self) -> Description {
        Description {
            family: Family::Guarded,
            profile: self.profile,
            bits: self.size_in_bits(),
        }
    }
}
