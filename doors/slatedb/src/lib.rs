//! Filters for [SlateDB](https://slatedb.io) that learn which missing keys cost reads.
//!
//! A `get` of a missing key asks the filter of every table that could have it. Each false positive reads a block from
//! object storage for nothing, and a missing key that is looked up again and again does so each time. This crate gives the tables filters that have fewer
//! false positives in the same space, and none for the missing keys that were looked up most before the table was written.
//!
//! ```no_run
//! use bloomwise::{Family, Size, Spec};
//! use bloomwise_slatedb::{Misses, Policy, Reporting};
//! use slatedb::object_store::memory::InMemory;
//! use slatedb::{Db, DbReadOps};
//! use std::{sync::Arc, time::Duration};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let misses = Misses::new(32 << 20, Duration::from_secs(86_400))?; // 32 MiB; half-life of a day
//! let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(10.0));
//! let policy = Policy::new(spec)?.learning_from(&misses);
//!
//! let db = Db::builder("store", Arc::new(InMemory::new()))
//!     .with_filter_policies(policy.policies())
//!     .build()
//!     .await?;
//!
//! db.put(b"here", b"value").await?;
//! let reads = Reporting::new(&db, misses); // reports what was not there
//! assert!(reads.get(b"missing").await?.is_none());
//! # Ok(())
//! # }
//! ```
//!
//! # What happens
//!
//! 1. [`Reporting`], or a call of [`Misses::missed`], reports each key that was not there.
//! 2. A flush or a compaction finishes a table. Its filter is built from its keys and from the costliest misses in its range
//!    ([`Policy`]). With [`Guarded`](bloomwise::Guarded) filters, the default choice, the filter denies every one of them.
//! 3. After the next compaction, those keys cost no reads any more. New ones are learned, old ones fade.
//!
//! # What stays as it was
//!
//! - *Answers.* A filter never denies a key of its table: what was reported and is in the table counts as a key. Damaged bytes become a
//!   filter that denies nothing, and are counted ([`Counts::damaged`]).
//! - *Existing stores.* [`Policy::policies`] also reads the Bloom filters of tables that SlateDB's default policy has built. A store can go back to that
//!   policy, too: it reads the tables that were built in the meantime without a filter.
//! - *Scans.* As with SlateDB's filters, a range scan asks no filter, and a prefix scan does if the policy has a
//!   [prefix extractor](Policy::prefix_extractor).
//!
//! A compactor or a reader that runs in another process needs the same policies. That compactor learns nothing from this process, unless you
//! send it [`Misses::to_bytes`] from time to time.

mod counters;
mod fading;
mod list;
mod misses;
mod old_bloom;
mod policy;
mod reporting;
mod table_builder;
mod table_filter;

pub use counters::Counts;
pub use misses::Misses;
pub use policy::Policy;
pub use reporting::Reporting;

/// The example of the README is a test, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
