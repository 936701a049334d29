//! What goes in: keys, their digests, and sets of them with costs.
//!
//! A key is bytes ([`key`]). It is hashed once, to a digest of 16 bytes ([`hash`]), and every position, block, shard and coin of every family follows from
//! that. [`digests`] keeps digests together with the hashing that made them. [`sets`] collects positives and known negatives, drops repetitions and adds
//! up costs; [`sort`] sorts them. [`cost`] and [`cost_sum`] describe costs.

pub(crate) mod cost;
pub(crate) mod cost_sum;
pub(crate) mod digests;
pub(crate) mod hash;
pub(crate) mod key;
pub(crate) mod sets;
pub(crate) mod sort;
