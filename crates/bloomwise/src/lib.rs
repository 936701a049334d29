//! Membership filters that know what a mistake costs.
//!
//! A filter answers "is this key in the set?" in about ten bits per key, whatever the length of the keys. A key of the
//! set is never denied. A key outside of the set is sometimes accepted: a false positive. You choose how often by
//! choosing the space.
//!
//! # A set that grows
//!
//! ```
//! use bloomwise::{Bloom, prelude::*};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let mut seen = Bloom::builder(Size::Rate(0.01)).capacity(1_000_000).create()?;
//! assert!(seen.insert("user4718"), "it is new");
//! seen.extend(["user1", "user2"]);
//! assert!(seen.contains("user4718"));
//! assert!(!seen.contains("user9999"));
//! # Ok(())
//! # }
//! ```
//!
//! # A set with known negatives
//!
//! Often you know keys outside of the set on which a false positive would be costly. If the set is fixed, [`Guarded`]
//! answers all of them correctly:
//!
//! ```
//! use bloomwise::{Guarded, prelude::*};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let blocked = ["ads.example", "malware.example"];
//! let popular = [("bank.example", 900.0), ("news.example", 100.0)];
//! let filter = Guarded::builder(Size::BitsPerKey(12.0)).build_from(blocked, popular)?;
//! assert!(filter.contains("ads.example"));
//! assert!(!filter.contains("bank.example") && !filter.contains("news.example"));
//! # Ok(())
//! # }
//! ```
//!
//! # Which filter
//!
//! | type | operations | cost |
//! |---|---|---|
//! | [`Bloom`] | insert, [union](Bloom::union_with), [intersection](Bloom::intersect_with) | 9.6 bits per key for 1 % |
//! | [`Blocked`] | insert, union; a query reads one cache line | 9.95 bits per key for 1 % |
//! | [`Growing`] | insert, without knowing the number of keys | 11.05 bits per key for 1 % at its first capacity, more as it grows |
//! | [`Counting`] | insert, remove, union | 38.5 bits per key for 1 % |
//! | [`Cuckoo`] | insert, remove, guard at any time; denies the keys it guards at once | 10.9 bits per key for 1 % |
//! | [`Guarded`] | a fixed set; answers all known negatives correctly, and most others | 6.8 bits per key for 1 % |
//! | [`patched`] | a fixed set that changes: a filter of any kind, and a small [`Patch`](patched::Patch) | 2.4 % of the filter for each percent of keys replaced |
//! | [`Shared`], [`SharedCuckoo`](cuckoo::SharedCuckoo), [`SharedSeesaw`](seesaw::SharedSeesaw) | [`Bloom`], [`Blocked`], [`Counting`]; [`Cuckoo`]; [`Seesaw`] for many threads at a time | the same |
//! | [`Balanced`] | insert; evenly filled blocks, for low rates | 10.1 bits per key for 1 %; 26.2 for 0.001 %, where [`Blocked`] takes 29.8 |
//! | [`Habf`] | insert; answers most known negatives correctly, the costliest first | more false positives on unseen keys |
//! | [`Seesaw`] | insert, remove, guard at any time; answers most guarded keys correctly | 48.0 bits per key for 1 % on unseen keys |
//! | [`personalized`] variants | each key has its own hash functions; for study | slower |
//!
//! Each family has a module of its name, whose page says how it works, why it denies no key, and what it costs. The last
//! four rows are the papers' filters.
//!
//! Each family predicts what a filter will do before it is built. A [`Planner`](planner::Planner) compares the families and recommends one:
//!
//! ```
//! use bloomwise::planner::Planner;
//! use bloomwise::{Family, Operation, Size, Workload};
//!
//! # fn main() -> bloomwise::Result<()> {
//! // A million keys and a million known negatives: a fixed set, or keys that come and go.
//! let workload = Workload::new(1_000_000, 1_000_000);
//! let planner = Planner::new(&workload, Size::BitsPerKey(30.0));
//! assert_eq!(planner.advise()?.recommended, Family::Guarded);
//! let advice = planner.needs(Operation::Insert).needs(Operation::Remove).advise()?;
//! println!("{}: {}", advice.recommended.name(), advice.why);
//! # Ok(())
//! # }
//! ```
//!
//! # Every family has the same shape
//!
//! `X::builder(size)` starts a [`Builder`], which ends with `create` (an empty filter), `build_from_keys` (the filter of keys), `build_from`
//! (of keys and known negatives), `build` (of [`KeySets`]) or `forecast`. All filters implement [`Filter`] and [`Persist`]. Filters that accept
//! every new key implement [`Insert`], and filters that can remove keys implement [`Remove`]. The [`prelude`] has these traits and [`Size`].
//! [`AnyFilter`] holds a filter of any family, and [`Spec`] describes one by data, for programs whose users choose.
//!
//! # Keys and digests
//!
//! A key is a byte string, a string or an integer; see [`Key`]. [`HashKey`] makes keys of other types, for filters that stay in one
//! program. If people you do not trust choose the keys, hash with a secret ([`Hashing::SipHash`]): otherwise they can construct false
//! positives.
//!
//! A key is hashed once to a digest of 16 bytes. [`Digests`](keys::Digests) holds digests of many keys together with their hashing, so
//! that digests of another hashing are an error and never a wrong answer.
//!
//! # Many keys at a time
//!
//! A query on a large filter waits for memory. A batch prefetches the memory of many keys at once:
//!
//! ```
//! use bloomwise::{Blocked, prelude::*};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let filter = Blocked::builder(Size::BitsPerKey(12.0)).build_from_keys(0..1000)?;
//! assert_eq!(filter.contains_batch([7, 1_000_007]), [true, false]);
//! # Ok(())
//! # }
//! ```
//!
//! # Files
//!
//! Every filter can be saved and loaded on any machine ([`Persist`]). Loading verifies the checksums and validates every
//! field; corrupt bytes are an error. A filter can also answer from a mapped file (`format::MapFile::open`), or from bytes that someone else holds,
//! without a copy ([`Persist::from_owner`]).
//!
//! ```
//! use bloomwise::{AnyFilter, Family, Spec, format::Check, prelude::*};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let spec = Spec::new(Family::Blocked).size(Size::BitsPerKey(12.0));
//! let bytes = spec.build_from_keys(["ant", "bee"])?.to_bytes();
//! assert!(AnyFilter::from_bytes(&bytes)?.contains("bee"));
//! assert!(AnyFilter::from_bytes(&bytes[1..]).is_err());
//! assert!(AnyFilter::from_owner(bytes, Check::Whole)?.contains("ant"));
//! # Ok(())
//! # }
//! ```
//!
//! # Sets larger than memory
//!
//! A filter can be made of shards, each for its share of the keys. A `large::LargeBuilder` builds them one after the other within a memory
//! limit. [`Spec::build_shards`] builds some of them on one of many machines, and [`Sharded::join`](sharded::Sharded::join) makes one filter of all. [`AnyFilter`] reads it
//! like any other.
//!
//! # Features
//!
//! - `mmap` (default): filters that answer from mapped files, `format::MapFile::open`, and builds of sets larger than memory, `large::LargeBuilder`.
//! - `rayon` (default): builds on all cores. The bytes of a filter do not depend on it.
//! - `serde`: [`Spec`], [`Size`], [`Family`], [`Hashing`], [`info::Value`], [`info::Info`] and [`info::Report`] can be serialized.

// The way of a key, from the top down. A room uses the rooms above it.

mod error; // The error type.

mod machine; // Instructions, cores and caches.

pub mod keys; // Keys, digests, and sets of them.

mod cells; // Arrays of bits and counters.

mod kernel; // Vector code that reads the arrays.

mod filter; // The contracts of every family.

mod threads; // Arrays that threads share.

mod families; // The filters.

pub mod format; // Files.

mod compose; // Any filter, and filters made of filters.

mod choose; // Families as data.

pub mod learn; // Costly negatives from a stream.

pub mod guide;
pub mod prelude;
pub mod unstable;

// Modules by topic.

pub use choose::construction;
#[cfg(feature = "mmap")]
pub use choose::large;
pub use choose::planner;
pub use compose::{patched, sharded};
pub use families::{balanced, blocked, bloom, counting, cuckoo, growing};
pub use families::{guarded, habf, personalized, seesaw};
pub use filter::{info, setting as settings, sizing};

// What most programs need.

pub use choose::spec::Spec;
pub use compose::any::AnyFilter;
pub use error::{Error, Result};
pub use families::balanced::Balanced;
pub use families::blocked::Blocked;
pub use families::bloom::Bloom;
pub use families::counting::Counting;
pub use families::cuckoo::Cuckoo;
pub use families::growing::Growing;
pub use families::guarded::Guarded;
pub use families::habf::Habf;
pub use families::seesaw::Seesaw;
pub use filter::builder::Builder;
pub use filter::family::{Family, Operation};
pub use filter::forecast::{Forecast, Workload};
pub use filter::sizing::Size;
pub use filter::{Filter, Insert, Remove};
pub use format::Persist;
pub use keys::hash::Hashing;
pub use keys::hash_key::HashKey;
pub use keys::key::Key;
pub use keys::sets::KeySets;
pub use threads::shared::Shared;

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So are those of `docs/from-a-log.md`,
#[cfg(doctest)]
#[doc = include_str!("../../../docs/from-a-log.md")]
struct FromALog;

/// and those of `docs/lsm.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/lsm.md")]
struct Lsm;
