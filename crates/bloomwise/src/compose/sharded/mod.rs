//! One filter made of many: each shard holds its share of the keys.
//!
//! # The idea
//!
//! [`crate::keys::Digest::shard`] assigns each key to one of `S` shards, by bits that no family uses otherwise. A shard is an ordinary filter
//! of the keys in its share. A query looks into the one shard its key belongs to, so the whole answers exactly what its shards answer. Known
//! negatives that a shard denies stay denied.
//!
//! Digests are uniform, so each shard receives the same share of queries for unseen keys, whatever its size. The rate of the whole is therefore the
//! plain mean of the rates of its shards. The fill is a share of cells, so each shard counts by its bits.
//!
//! Shards can be built one after the other in little memory, or on many machines, and then joined. They can be verified one at a time at
//! their first query. Down to 16,000 keys per shard, no family has a measurably higher rate than one filter of all keys (experiment
//! `shards` of the lab). A query of 8 to 512 shards takes 1.1 to 1.5 times as long as a query of a single filter. In a batch it takes 1.4 to
//! 2.4 times as long, because families have faster loops for one array.
//!
//! # A worked example
//!
//! With two shards, suppose the keys ant, bee and cow belong to shards 0, 1 and 0. Shard 0 is a filter of ant and cow, shard 1 of bee. A
//! query for bee reads only shard 1. A query for dog reads shard 0 or shard 1, depending on `shard(2)` of its digest.
//!
//! # No false negatives
//!
//! A key was added to shard `digest.shard(S)`, and a query for it reads the same shard, because `S` is a parameter of the file. That shard has no
//! false negatives. A shard that turns out to be damaged answers "yes".
//!
//! # Parts
//!
//! A range of shards, built anywhere, is a file too ([`Sharded`]). It is not a complete filter: it answers "yes" for every key of the
//! other shards, and they count with a rate of 1, as damaged shards do. [`Sharded::join`] makes one filter from ranges that belong together: same family, hashing and number of shards, and
//! each shard once.

mod change;
mod file;
mod filter;
mod inspect;
mod join;

pub use filter::Sharded;
pub(crate) use join::check_range;

/// The largest number of shards.
pub const MAX_SHARDS: u64 = 1 << 16;
