//! A filter of any family.
//!
//! Front ends hold an [`AnyFilter`] and need not know the families: it is a [`Filter`], it can be saved and loaded, and it
//! passes insertions, removals, guards and unions on to families that have them. For the others the error says what to do
//! instead.

/// Does the same with the filter of every variant, whose type is known in each arm: one jump, and no vtable.
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
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is the type of its name")]
pub enum AnyFilter {
    Bloom(Bloom),
    Blocked(Blocked),
    Counting(Counting),
    Habf(Habf),
    Seesaw(Seesaw),
    Balanced(Balanced),
    Guarded(Guarded),
    Growing(Growing),
    Cuckoo(Cuckoo),
    PersonalizedRejecting(PersonalizedRejecting),
    Sharded(Sharded),
    Patched(Box<Patched>),
}

impl AnyFilter {
    /// The number of shards; 1 for a filter that has none.
    pub fn shards(&self) -> u64 {
        match self {
            AnyFilter::Sharded(shards) => shards.of(),
            AnyFilter::Patched(patched) => patched.base().shards(),
            _ => 1,
        }
    }

    /// The number of shards that turned out to be damaged when they were queried first. They answer "yes" to every query; see
    /// [`Check::FirstUse`](crate::format::Check::FirstUse).
    pub fn damaged_shards(&self) -> u64 {
        match self {
            AnyFilter::Sharded(shards) => shards.damaged(),
            AnyFilter::Patched(patched) => patched.base().damaged_shards(),
            _ => 0,
        }
    }

    /// The filter without its patch, if it has one; else the filter itself.
    pub fn base(&self) -> &AnyFilter {
        match self {
            AnyFilter::Patched(patched) => patched.base(),
            base => base,
        }
    }

    /// What changed since the filter was built, if it is patched.
    pub fn patch(&self) -> Option<&Patch> {
        match self {
            AnyFilter::Patched(patched) => Some(patched.patch()),
            _ => None,
        }
    }

    /// The report of a filter that keys were inserted into one by one: what [`crate::Spec::build_and_report`] reports, as far
    /// as the filter itself knows it. Scans its cells.
    pub fn report(&self) -> Report {
        each!(self, filter => filter.own_report())
    }

    /// An error that says what to do instead, unless the filter has the operation. A patched filter has none, and a filter of shards no union;
    /// others have what their family has.
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

impl sealed::Sealed for AnyFilter {}

/// A query that is not inlined. Inlined, the longest query of all families would make each of them save the registers that it needs.
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

    // Batches go to the family whole, so that its own loop is compiled for it.
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
