//! The families, one folder each. Families that spread a key over one array share [`spread`]; [`probe`] has the other ways to place a key.

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
pub(crate) mod spread;
