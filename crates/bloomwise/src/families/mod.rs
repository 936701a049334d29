//! The families, one folder each.
//!
//! Where the cells of a key are is decided in one of these places:
//!
//! | module | positions of a key | families |
//! |---|---|---|
//! | [`spread`] | pairs on one cache line, or a walk, in one array | bloom, counting, growing, and the personalized ones |
//! | `kernel/block_bits` | a row of bits in one block | blocked, balanced |
//! | `shape` in the folder of the family | of its own kind | cuckoo, guarded, habf, seesaw |
//!
//! [`probe`] has the functions of the digest that several of them use.

pub mod balanced;
pub mod blocked;
pub mod bloom;
pub(crate) mod classed;
pub mod counting;
pub mod cuckoo;
pub mod growing;
pub mod guarded;
pub mod habf;
pub mod personalized;
pub(crate) mod probe;
pub mod seesaw;
pub(crate) mod spread;
