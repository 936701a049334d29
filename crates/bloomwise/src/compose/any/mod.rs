//! A filter of any family.
//!
//! Front ends hold an [`AnyFilter`] and need not know the families. It is a [`Filter`], it can be saved and loaded, and it
//! passes insertions, removals, guards and unions to families that have them. For the others, the error says what to do
//! instead.

/// Runs the same code for the filter of every variant. Its type is known in each arm, so the cost is one jump and no vtable.
macro_rules! each {
    ($any:expr, $filter:ident => $act:expr) => {
        match $any {
            AnyFilter::Bloom($filter) => $act,
            AnyFilter::Blocked($filter) => $act,
            AnyFilter::Counting($filter) => $act,
            AnyFilter::Habf($filter) => $act,
            AnyFilter::Seesaw($filter) => $act,
            AnyFilter::Balanced($filter) => $act,
            AnyFilter::Guarded($filter) => $act,
            AnyFilter::Growing($filter) => $act,
            AnyFilter::Cuckoo($filter) => $act,
            AnyFilter::PersonalizedRejecting($filter) => $act,
            AnyFilter::Sharded($filter) => $act,
            AnyFilter::Patched($filter) => $act,
        }
    };
}

mod body;
mod change;
mod growth;
pub(crate) mod types;

use crate::compose::patched::{Patch, Patched};
use crate::compose::sharded::Sharded;
use crate::error::Result;
use crate::families::personalized::PersonalizedRejecting;
use crate::filter::change::Change;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::family::{Family, Operation};
use crate::filter::info::{Info, Report};
use crate::filter::profile::Profile;
use crate::keys::hash::Digest;
use crate::{Balanced, Blocked, Bloom, Counting, Cuckoo, Growing, Guarded, Habf, Seesaw};
use std::fmt;

/// A filter of one of the families.
///
/// ```
/// use bloomwise::{AnyFilter, Family, Filter, Persist, Size, Spec};
///
/// # fn main() -> bloomwise::Result<()> {
/// let spec = Spec::new(Family::Counting).size(Size::Rate(0.001)).capacity(100);
/// let mut filter = spec.create()?;
/// assert!(filter.insert("ant")?, "it is new");
/// let mut again = AnyFilter::from_bytes(&filter.to_bytes())?;
/// assert!(again.contains("ant") && again.remove("ant")?);
///
/// let error = again.guard("bee", 1.0).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "a counting filter cannot guard keys; use cuckoo, or guarded for a fixed set"
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum AnyFilter {
    /// A Bloom filter, `personalized` ones included.
    Bloom(Bloom),
    /// A blocked Bloom filter.
    Blocked(Blocked),
    /// A counting Bloom filter, `personalized-counting` ones included.
    Counting(Counting),
    /// A hash adaptive Bloom filter of any kind.
    Habf(Habf),
    /// A seesaw counting filter of either kind.
    Seesaw(Seesaw),
    /// A filter of evenly filled blocks.
    Balanced(Balanced),
    /// A filter of a fixed set that is exact on known negatives.
    Guarded(Guarded),
    /// A chain of Bloom filters.
    Growing(Growing),
    /// A cuckoo filter.
    Cuckoo(Cuckoo),
    /// A personalized filter with an exact list of rejected keys.
    PersonalizedRejecting(PersonalizedRejecting),
    /// Some or all shards of a filter.
    Sharded(Sharded),
    /// A filter of any family with a patch.
    Patched(Box<Patched>),
}

impl AnyFilter {
    /// The number of shards; 1 for a filter without shards.
    pub fn shards(&self) -> u64 {
        match self {
            AnyFilter::Sharded(shards) => shards.of(),
            AnyFilter::Patched(patched) => patched.base().shards(),
            _ => 1,
        }
    }

    /// The number of shards that were found damaged at their first query. They answer "yes" to every query; see
    /// [`Check::FirstUse`](crate::format::Check::FirstUse).
    pub fn damaged_shards(&self) -> u64 {
        match self {
            AnyFilter::Sharded(shards) => shards.damaged(),
            AnyFilter::Patched(patched) => patched.base().damaged_shards(),
            _ => 0,
        }
    }

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

    /// The report of a filter that was filled by insertions: the part of [`crate::Spec::build_and_report`] that the filter itself
    /// knows. Scans its cells.
    pub fn report(&self) -> Report {
        each!(self, filter => filter.own_report())
    }

    /// Returns an error that says what to do instead, unless the filter has the operation. A patched filter has none, a filter of shards
    /// has no union, and all others have the operations of their family.
    ///
    /// # Errors
    ///
    /// The filter does not have the operation.
    pub fn check_operation(&self, operation: Operation) -> Result<()> {
        each!(self, filter => filter.check_operation(operation))
    }
}

/// Implements the conversion from a family's own type.
macro_rules! from_families {
    ($($family:ident),*) => {$(
        impl From<$family> for AnyFilter {
            fn from(filter: $family) -> Self {
                AnyFilter::$family(filter)
            }
        }
    )*};
}

from_families!(
    Bloom,
    Blocked,
    Counting,
    Habf,
    Seesaw,
    Balanced,
    Guarded,
    Growing,
    Cuckoo,
    PersonalizedRejecting
);

impl fmt::Debug for AnyFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each!(self, filter => fmt::Debug::fmt(filter, f))
    }
}

impl sealed::Sealed for AnyFilter {}

/// A query that is not inlined. Inlined, the longest query of all families would make every other save the registers that it needs.
trait QueryApart: Lookup {
    #[inline(never)]
    fn query_apart(&self, digest: Digest) -> bool {
        self.query(digest)
    }
}

impl<F: Lookup> QueryApart for F {}

impl Lookup for AnyFilter {
    #[inline]
    fn profile(&self) -> &Profile {
        each!(self, filter => filter.profile())
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        each!(self, filter => filter.query_apart(digest))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        each!(self, filter => filter.prefetch(digest));
    }

    // The family gets the whole batch, so that its own loop is compiled for it.
    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        each!(self, filter => filter.query_batch(digests, answers));
    }
}

impl Filter for AnyFilter {
    fn family(&self) -> Family {
        each!(self, filter => filter.family())
    }

    fn rate(&self) -> f64 {
        each!(self, filter => filter.rate())
    }

    fn size_in_bits(&self) -> u64 {
        each!(self, filter => filter.size_in_bits())
    }

    fn info(&self) -> Info {
        each!(self, filter => filter.info())
    }
}
