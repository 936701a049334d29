//! Keys, their digests, and sets of them with costs.
//!
//! A key is bytes ([`Key`](crate::Key)). It is hashed once, to a [`Digest`] of 16 bytes, and every position, block, shard and coin of every family follows
//! from that. A [`Hashed`] key and [`Digests`] know the hashing that made them, so that digests of another hashing are an error. A [`KeySetsBuilder`]
//! collects positives and known negatives, drops repetitions and adds up costs; the result is [`KeySets`](crate::KeySets).
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

pub(crate) mod cost;
pub(crate) mod cost_sum;
pub(crate) mod digests;
pub(crate) mod hash;
pub(crate) mod key;
pub(crate) mod sets;
pub(crate) mod sort;

pub use cost_sum::CostSum;
pub use digests::Digests;
pub use hash::{Digest, Hashed};
pub use sets::{Costed, KeySetsBuilder};
