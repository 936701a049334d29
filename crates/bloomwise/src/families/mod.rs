//! The families, one folder each. Families that spread a key over one array share [`mod@array`]; [`probe`] has the other ways to place a key.

pub(crate) mod array;
pub mod balanced;
pub mod blocked;
pub mod bloom;
pub mod counting;
pub mod cuckoo;
pub mod growing;
pub mod guarded;
pub mod habf;
pub mod personalized;
pub(crate) mod probe;
pub mod seesaw;
