//! What changes a filter after it is made, in the form that all families share.
//!
//! [`crate::AnyFilter`] checks hashing and costs, and calls these methods. A family implements what it can do; the defaults say that it cannot. One that
//! has [`Insert`] or [`Remove`] only says so.

use crate::error::Result;
use crate::filter::contract::Filter;
use crate::filter::contract::sealed::Checked;
use crate::filter::family::Operation;
use crate::filter::info::Report;
use crate::filter::insert::Insert;
use crate::filter::remove::Remove;
use crate::keys::hash::Digest;

/// Changes by digests that the filter's own hashing made. Nothing checks that here.
pub trait Change: Filter {
    /// An error that says what to do instead, unless the filter has the operation.
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

    /// Adds keys, faster than one by one.
    fn insert_all(&mut self, digests: &[Digest]) -> Result<()> {
        match self.as_insert() {
            Some(filter) => {
                filter.add_digests(digests, Checked(()));
                Ok(())
            }
            None => Err(self.family().unsupported(Operation::Insert)),
        }
    }

    /// Removes a key. Returns `false`, and changes nothing, if the filter can tell that it is not there.
    fn remove_digest(&mut self, digest: Digest) -> Result<bool> {
        match self.as_remove() {
            Some(filter) => Ok(filter.take_digest(digest, Checked(()))),
            None => Err(self.family().unsupported(Operation::Remove)),
        }
    }

    /// Protects a key that is not in the set from being a false positive, which would cost `cost`.
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

    /// The bytes of memory that grow with the filter but are not cells that [`Filter::size_in_bits`] counts.
    fn bytes_beside_cells(&self) -> u64 {
        0
    }

    /// What a build reports, as far as the filter itself knows it.
    fn own_report(&self) -> Report {
        Report::default()
    }
}
