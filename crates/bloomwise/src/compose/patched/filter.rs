//! A filter and its patch.

use super::Patch;
use crate::compose::any::AnyFilter;
use crate::error::{Error, Result};
use crate::filter::change::Change;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::{Family, Operation};
use crate::filter::info::{Info, Parameter};
use crate::filter::profile::Profile;
use crate::format::expect_sound;
use crate::format::nested::Nested;
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};
use std::fmt;

/// A filter and the changes since it was built. [`Patch::apply`] creates one.
///
/// ```
/// use bloomwise::patched::Patch;
/// use bloomwise::{AnyFilter, Family, Filter, KeySets, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let old = KeySets::of_positives(0..1000);
/// let base = Spec::new(Family::Guarded).build(&old)?;
/// let patch = Patch::build(&base, &old, &KeySets::of_positives(1..1001))?;
/// let AnyFilter::Patched(patched) = patch.apply(base)? else { unreachable!() };
/// assert!(patched.contains(1000) && !patched.contains(0));
/// assert!(patched.base().contains(0), "the base does not change");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Patched {
    /// The hashing of both, and the keys of the set after the patch.
    pub(super) profile: Profile,
    /// The filter as it was built. Nothing changes it, or the patch would no longer fit.
    pub(super) base: Nested<AnyFilter>,
    /// What changed.
    pub(super) patch: Nested<Patch>,
}

impl Patched {
    /// A filter with its patch.
    ///
    /// # Errors
    ///
    /// The patch was made from another filter, or the filter is damaged.
    pub(crate) fn new(base: AnyFilter, patch: Patch) -> Result<Self> {
        expect_sound(&base)?;
        Self::over(Nested::new(base), Nested::new(patch))
    }

    /// A filter with its patch, if the base is the one that the patch was made from by its own account.
    pub(super) fn over(base: Nested<AnyFilter>, patch: Nested<Patch>) -> Result<Self> {
        let (expected, got) = (patch.filter.base, base.stated_checksum());
        if expected != got {
            return Err(Error::OtherBase { expected, got });
        }
        let hashing = base.filter.profile().hashing;
        hashing.expect(patch.filter.profile.hashing)?;
        Ok(Patched {
            profile: patch.filter.profile,
            base,
            patch,
        })
    }

    /// The filter without its patch.
    pub fn base(&self) -> &AnyFilter {
        &self.base.filter
    }

    /// What changed since the base was built.
    pub fn patch(&self) -> &Patch {
        &self.patch.filter
    }

    /// The base alone, to be patched again.
    pub(crate) fn into_base(self) -> AnyFilter {
        self.base.filter
    }
}

impl fmt::Debug for Patched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "Patched", f)
    }
}

impl sealed::Sealed for Patched {}

impl Lookup for Patched {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.patch().amend(digest, self.base().query(digest))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.base().prefetch(digest);
        self.patch().prefetch(digest);
    }

    // The base has a loop of its own.
    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        self.base().query_batch(digests, answers);
        prefetch::rolling(
            answers,
            digests,
            AHEAD_OF_LINES,
            |_, digest| self.patch().prefetch(digest),
            |answers, at, digest| answers[at] = self.patch().amend(digest, answers[at]),
        );
    }
}

impl Filter for Patched {
    /// The family of the base.
    fn family(&self) -> Family {
        self.base().family()
    }

    fn rate(&self) -> f64 {
        self.patch().amended_rate(self.base().rate())
    }

    fn size_in_bits(&self) -> u64 {
        let patch = self.patch().size_in_bits();
        self.base().size_in_bits().saturating_add(patch)
    }

    /// The information about the base, with the keys, the rate and the known negatives after the patch.
    fn info(&self) -> Info {
        let base = self.base().info();
        let mut parameters = vec![Parameter::measure("base_keys", base.keys)];
        parameters.extend(self.patch().summary());
        let others = base.parameters.into_iter();
        parameters
            .extend(others.filter(|other| !["known_negatives", "wrong"].contains(&other.name)));
        let predicted = self.patch().amended_rate(base.predicted_fpr);
        Info::new(
            self.family(),
            &self.profile,
            parameters,
            base.fill,
            predicted,
        )
    }
}

impl Change for Patched {
    fn check_operation(&self, operation: Operation) -> Result<()> {
        Err(operation.of_patched())
    }

    fn bytes_beside_cells(&self) -> u64 {
        self.base().bytes_beside_cells()
    }
}
