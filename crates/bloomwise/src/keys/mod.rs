//! Keys, their digests, and sets of digests with costs.
//!
//! A key is bytes ([`Key`](crate::Key)); [`HashKey`](crate::HashKey) makes bytes of types that are only `Hash`. It is hashed once, to a
//! [`Digest`] of 16 bytes. Every position, block, shard and coin flip of every family is computed from the digest. A [`Hashed`] key and
//! [`Digests`] know the hashing that made them, so digests of another hashing are an error. A [`KeySetsBuilder`] collects positives and known
//! negatives, drops duplicates and adds up costs; the result is [`KeySets`](crate::KeySets).
//!
//! ```
//! use bloomwise::keys::Digests;
//! use bloomwise::{Blocked, Filter, Size};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let filter = Blocked::builder(Size::BitsPerKey(12.0)).build_from_keys(["ant", "bee"])?;
//! let digests = Digests::of(filter.hashing(), ["ant", "cow"]);
//! assert_eq!(filter.contains_digests(&digests)?, [true, false]);
//! # Ok(())
//! # }
//! ```

pub(crate) mod classes;
pub(crate) mod cost;
pub(crate) mod cost_sum;
pub(crate) mod costliest;
pub(crate) mod digests;
pub(crate) mod hash;
pub(crate) mod hash_key;
pub(crate) mod key;
#[cfg(feature = "random")]
mod named_hash;
pub(crate) mod sets;
pub(crate) mod sort;

pub use cost_sum::CostSum;
pub use digests::Digests;
pub use hash::{Digest, Hashed};
pub use sets::{Costed, KeySetsBuilder};
