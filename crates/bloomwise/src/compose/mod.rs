//! Any filter, and filters made of filters: [`any`] holds a filter of any family, alone or made of others; [`sharded`] is for sets larger than memory or than
//! one machine, [`patched`] for fixed sets that change.

pub(crate) mod any;
pub mod patched;
pub mod sharded;
