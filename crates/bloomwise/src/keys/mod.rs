//! Keys, their digests, and sets of digests with costs.
//!
//! A key is bytes ([`key`]); [`hash_key`] makes bytes of types that are only `Hash`. It is hashed once, to a digest of 16 bytes ([`hash`]).
//! Every position, block, shard and coin flip of every family is computed from the digest. [`digests`] keeps digests together with the
//! hashing that made them. [`sets`] collects positives and known negatives, drops duplicates and adds up costs; [`sort`] sorts them.
//! [`cost`] and [`cost_sum`] describe costs.

pub(crate) mod cost;
pub(crate) mod cost_sum;
pub(crate) mod digests;
pub(crate) mod hash;
pub(crate) mod hash_key;
pub(crate) mod key;
pub(crate) mod sets;
pub(crate) mod sort;
