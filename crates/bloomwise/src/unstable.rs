//! The building blocks of the families. They may change in any release.
//!
//! Programs that study filters use them: the evaluation in this repository does. [`Lookup`] queries a filter by digest
//! without the check that the filter made it; a digest of another hashing then denies keys of the set.

pub use crate::cells::counters::Counters;
pub use crate::cells::{BitArray, Bits, Block, BlockArray, PackedArray, PackedView};
pub use crate::filter::bisect::bisect;
pub use crate::filter::builder::{Buildable, Growable};
pub use crate::filter::contract::Lookup;
pub use crate::keys::hash::reduce;
pub use crate::machine::processor::Kernel;
pub use crate::threads::shared::Shareable;

/// Classes of keys.
pub mod classes {
    pub use crate::families::classed::{Cap, ClassFilters};
    pub use crate::keys::classes::{Reads, Rule, Sample};
}

/// Where a key's cells are.
pub mod probe {
    pub use crate::families::probe::{block_of, spread, walk};
}

/// Files that are complete or absent: each is written under a temporary name in the folder of its target, synced to the
/// disk, and then takes its name.
pub mod atomic {
    pub use crate::format::atomic::{ReadBack, WriteContent, check, create, replace};
    pub use crate::format::temporary::{open_to_lock, remove_abandoned};
}
