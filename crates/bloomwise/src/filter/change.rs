//! Changes to an existing filter, in one form for all families.
//!
//! [`crate::AnyFilter`] checks hashing and costs and calls these methods. A family implements the operations it has. The default methods
//! return errors. A family with [`Insert`] or [`Remove`] only overrides `as_insert` or `as_remove`.

use crate::error::Result;
use crate::filter::contract::Filter;
use crate::filter::contract::sealed::Checked;
use crate::filter::family::Operation;
use crate::filter::info::Report;
use crate::filter::insert::Insert;
use crate::filter::remove::Remove;
use crate::keys::hash::Digest;

/// Changes by digests. The filter's own hashing must have made the digests; these methods do not check that.
pub trait Change: Filter {
    /// Returns an error that says what to do instead, unless the filter has the operation.
    fn check_operation(&self, operation: Operation) -> Result<()> {
        self.family().check(operation)
    }

    /// The filter itself, if it has [`Insert`].
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        None
    }

    /// The filter itself, if it has [`Remove`].
    fn as_remove(&mut self) -> Option<&mut dyn Remove> {
        None
    }

    /// Adds a key and returns whether it is new: whether the filter denied it before.
    fn insert_digest(&mut self, digest: Digest) -> Result<bool> {
        match self.as_insert() {
            Some(filter) => Ok(filter.add_digest(digest, Checked(()))),
            None => Err(self.family().unsupported(Operation::Insert)),
        }
    }

    /// Adds keys. This is faster than adding them one by one.
    fn insert_all(&mut self, digests: &[Digest]) -> Result<()> {
        match self.as_insert() {
            Some(filter) => {
                filter.add_digests(digests, Checked(()));
                Ok(())
            }
            None => Err(self.family().unsupported(Operation::Insert)),
        }
    }

    /// Removes a key. If the filter can tell that it is not there, it returns `false` and changes nothing.
    fn remove_digest(&mut self, digest: Digest) -> Result<bool> {
        match self.as_remove() {
            Some(filter) => Ok(filter.take_digest(digest, Checked(()))),
            None => Err(self.family().unsupported(Operation::Remove)),
        }
    }

    /// Prevents a false positive on a key outside of the set. `cost` is what a false positive on it costs.
    fn guard_digest(&mut self, _digest: Digest, _cost: f64) -> Result<()> {
        Err(self.family().unsupported(Operation::Guard))
    }

    /// Adds all keys of `other`.
    fn unite(&mut self, _other: &Self) -> Result<()> {
        Err(self.family().unsupported(Operation::Union))
    }

    /// How many keys can be added before the filter grows.
    fn keys_until_growth(&self) -> u64 {
        u64::MAX
    }

    /// The bits that inserting this key adds to [`Filter::size_in_bits`].
    fn growth_for(&self, _digest: Digest) -> Result<u64> {
        Ok(0)
    }

    /// The bytes of memory that grow with the filter and that [`Filter::size_in_bits`] does not count.
    fn bytes_beside_cells(&self) -> u64 {
        0
    }

    /// The part of a build's report that the filter itself knows.
    fn own_report(&self) -> Report {
        Report::default()
    }
}
