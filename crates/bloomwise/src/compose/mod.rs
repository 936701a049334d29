//! Filters made of filters: [`sharded`] for sets larger than memory or than one machine, [`patched`] for fixed sets that change.

pub mod patched;
pub mod sharded;
