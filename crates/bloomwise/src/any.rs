//! A filter of any family.
//!
//! Front ends hold an [`AnyFilter`] and need not know the families: it is a [`Filter`], it can be saved and loaded, and it
//! passes insertions, removals, guards and unions on to families that have them. For the others the error says what to do
//! instead.

mod growth;
mod patches;

use crate::codec::{Body, Form, Head, Parameters, Payload, Writer};
use crate::digests::Digests;
use crate::error::{Error, Result, expect_equal};
use crate::family::{Family, Operation};
use crate::filter::{Filter, Lookup, digest_groups, sealed};
use crate::hash::Digest;
use crate::info::{Info, Report};
use crate::key::Key;
use crate::patched::Patched;
use crate::personalized::PersonalizedRejecting;
use crate::profile::Profile;
use crate::sharded::Sharded;
use crate::{Balanced, Blocked, Bloom, Counting, Cuckoo, Growing, Guarded, Habf, Seesaw};
use std::io;

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
/// let error = again.guard("bee").unwrap_err();
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
    Sharded(Shards),
    Patched(Box<Patched<AnyFilter>>),
}

/// Some or all of the shards of a filter: what [`crate::Spec::build_shards`] makes on one of many machines. [`Shards::join`] makes a filter of them.
pub type Shards = Sharded<AnyFilter>;

impl Shards {
    /// The filter of shards that belong together, in any order.
    ///
    /// # Errors
    ///
    /// They were made by different plans, a shard is missing, or one is there twice.
    pub fn join(ranges: Vec<Shards>) -> Result<AnyFilter> {
        Shards::joined(ranges).map(AnyFilter::Sharded)
    }
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
    /// [`Check::FirstUse`](crate::Check::FirstUse).
    pub fn damaged_shards(&self) -> u64 {
        match self {
            AnyFilter::Sharded(shards) => shards.damaged(),
            AnyFilter::Patched(patched) => patched.base().damaged_shards(),
            _ => 0,
        }
    }

    /// Adds a key and returns whether it is new: whether the filter denied it before.
    ///
    /// # Errors
    ///
    /// The family has a fixed set, or there is no room for the key ([`Error::Full`]).
    pub fn insert(&mut self, key: impl Key) -> Result<bool> {
        Ok(match self {
            AnyFilter::Bloom(filter) => filter.insert(key),
            AnyFilter::Blocked(filter) => filter.insert(key),
            AnyFilter::Counting(filter) => filter.insert(key),
            AnyFilter::Habf(filter) => filter.insert(key),
            AnyFilter::Seesaw(filter) => filter.insert(key),
            AnyFilter::Balanced(filter) => filter.insert(key),
            AnyFilter::Growing(filter) => filter.insert(key),
            AnyFilter::Cuckoo(filter) => return filter.insert(key),
            AnyFilter::PersonalizedRejecting(filter) => filter.insert(key),
            AnyFilter::Sharded(shards) => {
                let digest = shards.hashing().digest(&key);
                return shards.change(digest, |filter| filter.insert(key));
            }
            AnyFilter::Guarded(_) | AnyFilter::Patched(_) => {
                return Err(self.unsupported(Operation::Insert));
            }
        })
    }

    /// Adds keys, faster than one by one.
    ///
    /// # Errors
    ///
    /// The family has a fixed set, or there is no room for a key ([`Error::Full`]); those before it were added.
    pub fn extend<K: Key>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        self.check_operation(Operation::Insert)?;
        let mut result = Ok(());
        digest_groups(self.hashing(), keys, |digests| {
            if result.is_ok() {
                result = self.add(digests);
            }
        });
        result
    }

    /// Adds keys by their digests.
    ///
    /// # Errors
    ///
    /// The family has a fixed set, there is no room for a key ([`Error::Full`]), or the filter hashes differently.
    pub fn insert_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.check_operation(Operation::Insert)?;
        self.add(digests.made_by(self.hashing())?)
    }

    /// Removes a key that is in the set. Returns `false`, and changes nothing, if the filter can tell that it is not.
    ///
    /// # Errors
    ///
    /// The family cannot remove.
    pub fn remove(&mut self, key: impl Key) -> Result<bool> {
        match self {
            AnyFilter::Counting(filter) => Ok(filter.remove(key)),
            AnyFilter::Seesaw(filter) => Ok(filter.remove(key)),
            AnyFilter::Cuckoo(filter) => Ok(filter.remove(key)),
            AnyFilter::Sharded(shards) => {
                let digest = shards.hashing().digest(&key);
                shards.change(digest, |filter| filter.remove(key))
            }
            _ => Err(self.unsupported(Operation::Remove)),
        }
    }

    /// Removes keys by their digests and returns how many were removed.
    ///
    /// # Errors
    ///
    /// The family cannot remove, or the filter hashes differently.
    pub fn remove_digests(&mut self, digests: &Digests<'_>) -> Result<u64> {
        match self {
            AnyFilter::Counting(filter) => filter.remove_digests(digests),
            AnyFilter::Seesaw(filter) => filter.remove_digests(digests),
            AnyFilter::Cuckoo(filter) => filter.remove_digests(digests),
            AnyFilter::Sharded(shards) => {
                let mut removed = 0;
                for &digest in digests.made_by(shards.hashing())? {
                    let one = Digests::from_raw(digests.hashing(), vec![digest]);
                    removed += shards.change(digest, |filter| filter.remove_digests(&one))?;
                }
                Ok(removed)
            }
            _ => Err(self.unsupported(Operation::Remove)),
        }
    }

    /// Protects a key that is not in the set from being a false positive. A `cuckoo` filter denies the key from now on, so it must not be in
    /// the set; a false positive on it costs 1.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys once it is built.
    pub fn guard(&mut self, key: impl Key) -> Result<()> {
        self.guard_with_cost(key, 1.0)
    }

    /// Protects a key as [`AnyFilter::guard`] does, and says what a false positive on it costs. `cuckoo` gives up the cheapest keys when it
    /// has no room for more; `seesaw-adaptive` ignores the cost.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys once it is built, or the cost is negative, infinite or not a number.
    pub fn guard_with_cost(&mut self, key: impl Key, cost: f64) -> Result<()> {
        match self {
            AnyFilter::Seesaw(filter) => filter.guard(key),
            AnyFilter::Cuckoo(filter) => filter.guard(key, cost).map(|_| ()),
            AnyFilter::Sharded(shards) => {
                let digest = shards.hashing().digest(&key);
                shards.change(digest, |filter| filter.guard_with_cost(key, cost))
            }
            _ => Err(self.unsupported(Operation::Guard)),
        }
    }

    /// Protects keys by their digests, each with cost 1.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys once it is built, or the filter hashes differently.
    pub fn guard_digests(&mut self, digests: &Digests<'_>) -> Result<()> {
        self.guard_digests_with_costs(digests, &vec![1.0; digests.len()])
    }

    /// Protects keys by their digests, each with its cost, as [`AnyFilter::guard_with_cost`] does.
    ///
    /// # Errors
    ///
    /// The family cannot guard keys once it is built, the filter hashes differently, or the costs are not one for each digest.
    pub fn guard_digests_with_costs(&mut self, digests: &Digests<'_>, costs: &[f64]) -> Result<()> {
        match self {
            AnyFilter::Seesaw(filter) => filter.guard_digests(digests),
            AnyFilter::Cuckoo(filter) => filter.guard_digests(digests, costs),
            AnyFilter::Sharded(shards) => {
                let all = digests.made_by(shards.hashing())?;
                if all.len() != costs.len() {
                    let expected = format!("{}, one for each digest", all.len());
                    return Err(Error::parameter(
                        "the number of costs",
                        costs.len(),
                        expected,
                    ));
                }
                for (&digest, &cost) in all.iter().zip(costs) {
                    let one = Digests::from_raw(digests.hashing(), vec![digest]);
                    shards.change(digest, |filter| {
                        filter.guard_digests_with_costs(&one, &[cost])
                    })?;
                }
                Ok(())
            }
            _ => Err(self.unsupported(Operation::Guard)),
        }
    }

    /// Adds all keys of `other`.
    ///
    /// # Errors
    ///
    /// The family has no union, or the filters were not built alike.
    pub fn union(&mut self, other: &AnyFilter) -> Result<()> {
        self.check_operation(Operation::Union)?;
        expect_equal("kind", self.family().name(), other.family().name())?;
        match (&mut *self, other) {
            (AnyFilter::Bloom(filter), AnyFilter::Bloom(other)) => filter.union(other),
            (AnyFilter::Blocked(filter), AnyFilter::Blocked(other)) => filter.union(other),
            (AnyFilter::Counting(filter), AnyFilter::Counting(other)) => filter.union(other),
            _ => Err(self.unsupported(Operation::Union)),
        }
    }

    /// The report of a filter that keys were inserted into one by one: what [`crate::Spec::build_and_report`] reports, as far
    /// as the filter itself knows it. Scans its cells.
    pub fn report(&self) -> Report {
        match self {
            AnyFilter::Balanced(filter) => filter.report(),
            _ => Report::default(),
        }
    }

    /// Adds the keys of digests that this filter's hashing made.
    fn add(&mut self, digests: &[Digest]) -> Result<()> {
        match self {
            AnyFilter::Bloom(filter) => filter.add(digests),
            AnyFilter::Blocked(filter) => filter.add(digests),
            AnyFilter::Counting(filter) => filter.add(digests),
            AnyFilter::Habf(filter) => filter.add(digests),
            AnyFilter::Seesaw(filter) => filter.add(digests),
            AnyFilter::Balanced(filter) => filter.add(digests),
            AnyFilter::Growing(filter) => filter.add(digests),
            AnyFilter::Cuckoo(filter) => return filter.add(digests),
            AnyFilter::PersonalizedRejecting(filter) => filter.add(digests),
            AnyFilter::Sharded(shards) => {
                let mut digests = digests.iter();
                return digests
                    .try_for_each(|&digest| shards.change(digest, |filter| filter.add(&[digest])));
            }
            AnyFilter::Guarded(_) | AnyFilter::Patched(_) => {
                return Err(self.unsupported(Operation::Insert));
            }
        }
        Ok(())
    }

    /// An error that says what to do instead, unless the filter has the operation. A patched filter has none, and a filter of shards no union;
    /// others have what their family has.
    ///
    /// # Errors
    ///
    /// The filter does not have the operation.
    pub fn check_operation(&self, operation: Operation) -> Result<()> {
        match self {
            AnyFilter::Patched(_) => Err(self.unsupported(operation)),
            AnyFilter::Sharded(_) if operation == Operation::Union => {
                Err(self.unsupported(operation))
            }
            _ => self.family().check(operation),
        }
    }

    /// The error for an operation that the filter does not have.
    fn unsupported(&self, operation: Operation) -> Error {
        match self {
            AnyFilter::Patched(_) => operation.of_patched(),
            AnyFilter::Sharded(_) if operation == Operation::Union => operation.of_shards(),
            _ => self.family().unsupported(operation),
        }
    }

    #[inline]
    fn inner(&self) -> &dyn Body {
        match self {
            AnyFilter::Bloom(filter) => filter,
            AnyFilter::Blocked(filter) => filter,
            AnyFilter::Counting(filter) => filter,
            AnyFilter::Habf(filter) => filter,
            AnyFilter::Seesaw(filter) => filter,
            AnyFilter::Balanced(filter) => filter,
            AnyFilter::Guarded(filter) => filter,
            AnyFilter::Growing(filter) => filter,
            AnyFilter::Cuckoo(filter) => filter,
            AnyFilter::PersonalizedRejecting(filter) => filter,
            AnyFilter::Sharded(shards) => shards,
            AnyFilter::Patched(patched) => patched.as_ref(),
        }
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

impl Lookup for AnyFilter {
    #[inline]
    fn profile(&self) -> &Profile {
        self.inner().profile()
    }

    #[inline]
    fn query(&self, digest: Digest) -> bool {
        self.inner().query(digest)
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.inner().prefetch(digest);
    }

    // Batches go to the family whole, so that its own loop is compiled for it.
    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        self.inner().query_batch(digests, answers);
    }
}

impl Filter for AnyFilter {
    fn family(&self) -> Family {
        self.inner().family()
    }

    fn rate(&self) -> f64 {
        self.inner().rate()
    }

    fn size_in_bits(&self) -> u64 {
        self.inner().size_in_bits()
    }

    fn info(&self) -> Info {
        self.inner().info()
    }
}

impl Body for AnyFilter {
    fn parameters(&self) -> Vec<u64> {
        self.inner().parameters()
    }

    fn payload_words(&self) -> u64 {
        self.inner().payload_words()
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        self.inner().write_payload(writer)
    }

    fn read(
        head: &Head,
        parameters: &mut Parameters<'_>,
        payload: &mut Payload<'_>,
    ) -> Result<Self> {
        let (p, w) = (parameters, payload);
        match head.form {
            Form::Plain => {}
            Form::Sharded => {
                let shards = Shards::read(head, p, w)?;
                let (first, count) = shards.range();
                return match shards.is_complete() {
                    true => Ok(AnyFilter::Sharded(shards)),
                    false => Err(Error::Incomplete {
                        first,
                        last: first + count - 1,
                        shards: shards.of(),
                    }),
                };
            }
            Form::Patched => {
                let patched = Patched::read(head, p, w)?;
                return Ok(AnyFilter::Patched(Box::new(patched)));
            }
            Form::Patch => return Err(Error::IsPatch),
        }
        match head.family {
            Family::Bloom | Family::Personalized => Bloom::read(head, p, w).map(AnyFilter::Bloom),
            Family::Blocked => Blocked::read(head, p, w).map(AnyFilter::Blocked),
            Family::Counting | Family::PersonalizedCounting => {
                Counting::read(head, p, w).map(AnyFilter::Counting)
            }
            Family::Habf | Family::HabfFast | Family::HabfCache => {
                Habf::read(head, p, w).map(AnyFilter::Habf)
            }
            Family::Seesaw | Family::SeesawAdaptive => {
                Seesaw::read(head, p, w).map(AnyFilter::Seesaw)
            }
            Family::Balanced => Balanced::read(head, p, w).map(AnyFilter::Balanced),
            Family::Guarded => Guarded::read(head, p, w).map(AnyFilter::Guarded),
            Family::Growing => Growing::read(head, p, w).map(AnyFilter::Growing),
            Family::Cuckoo => Cuckoo::read(head, p, w).map(AnyFilter::Cuckoo),
            Family::PersonalizedRejecting => {
                PersonalizedRejecting::read(head, p, w).map(AnyFilter::PersonalizedRejecting)
            }
        }
    }

    fn check(&self) -> Result<()> {
        self.inner().check()
    }

    fn form(&self) -> Form {
        self.inner().form()
    }

    fn trust(&self) {
        self.inner().trust();
    }
}
