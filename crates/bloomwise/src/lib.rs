//! Membership filters that know what a mistake costs.
//!
//! A filter answers "is this key in the set?" in about ten bits per key, whatever the length of the keys. A key of the
//! set is never denied. A key outside of it is sometimes taken for one inside: a false positive. How often that
//! happens depends on the space, and is yours to choose.
//!
//! # A set that grows
//!
//! ```
//! use bloomwise::{Bloom, Filter, Size};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let mut seen = Bloom::builder(1_000_000, Size::Rate(0.01)).build()?;
//! seen.insert("user4718");
//! seen.extend(["user1", "user2"]);
//! assert!(seen.contains(b"user4718"));
//! assert!(!seen.contains(b"user9999"));
//! # Ok(())
//! # }
//! ```
//!
//! # Which filter
//!
//! | type | what it can do | what it costs |
//! |---|---|---|
//! | [`Bloom`] | insert, [union](Bloom::union), [intersection](Bloom::intersection), estimate its size | 9.6 bits per key for 1 % |
//! | [`Blocked`] | insert; one cache line for a query | 9.9 bits per key for 1 % |
//! | [`Counting`] | insert and remove | 38.4 bits per key for 1 % |
//! | [`Habf`] | right on most known negatives, the costliest first; insert | more false positives on unseen keys |
//! | [`Seesaw`] | insert and remove, right on most known negatives, the costliest first; guards more at any time | 49.5 bits per key for 1 % on unseen keys |
//! | [`Balanced`] | insert; blocks filled evenly, for low rates | 10.1 bits per key for 1 %; 26.1 for 0.001 %, where [`Blocked`] takes 29.7 |
//! | [`Guarded`] | right on all known negatives, and on most others; a fixed set | 7.2 bits per key for 1 % |
//! | [`personalized`] variants of both, [`PersonalizedRejecting`] | every key walks its own way; for study | the same; slower |
//!
//! All are [`Filter`]s, which is usable as `dyn Filter`; [`AnyFilter`] holds one of any kind, and [`Spec`] makes one
//! from names and numbers, for programs whose users choose.
//!
//! # A set with known negatives
//!
//! Often some keys outside of the set are known that would be costly to get wrong. [`Habf`] is built with them:
//!
//! ```
//! use bloomwise::{Costed, Filter, Habf, Hashing, KeySets, Size};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let hashing = Hashing::default();
//! let bad = ["ads.example", "malware.example"].map(|key| hashing.digest(key.as_bytes()));
//! let good = [("bank.example", 900.0), ("news.example", 100.0)];
//! let good = good.map(|(key, cost)| Costed { digest: hashing.digest(key.as_bytes()), cost });
//! let sets = KeySets::new(bad.into(), good.into())?;
//! let filter = Habf::builder(Size::BitsPerKey(10.0)).hashing(hashing).build(&sets)?;
//! assert!(filter.contains(b"ads.example"));
//! # Ok(())
//! # }
//! ```
//!
//! If the set is fixed, all of them can be answered right. [`Guarded`] is built in the same way, and takes fewer bits:
//!
//! ```
//! use bloomwise::{Costed, Filter, Guarded, Hashing, KeySets, Size};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let digest = |n: u64| Hashing::default().digest(&n.to_le_bytes());
//! let outside = (1000..9000).map(|n| Costed { digest: digest(n), cost: 1.0 });
//! let sets = KeySets::new((0..1000).map(digest).collect(), outside.collect())?;
//! let filter = Guarded::builder(Size::BitsPerKey(10.0)).build(&sets)?;
//! assert!((0..1000).all(|n: u64| filter.contains(&n.to_le_bytes())));
//! assert!((1000..9000).all(|n: u64| !filter.contains(&n.to_le_bytes())));
//! # Ok(())
//! # }
//! ```
//!
//! # Which one to take
//!
//! Every family can say what it would do before it is built. A [`Planner`] asks all of them, and recommends one.
//!
//! ```
//! use bloomwise::{Family, Operation, Planner, Size, Workload};
//!
//! # fn main() -> bloomwise::Result<()> {
//! // A million keys, and as many known negatives; the set is fixed, or keys come and go.
//! let workload = Workload::new(1_000_000, 1_000_000);
//! let planner = Planner::new(&workload, Size::BitsPerKey(30.0));
//! assert_eq!(planner.advise()?.recommended, Family::Guarded);
//! let advice = planner.needs(Operation::Insert).needs(Operation::Remove).advise()?;
//! println!("{}: {}", advice.recommended.name(), advice.why);
//! # Ok(())
//! # }
//! ```
//!
//! # Many keys at a time
//!
//! A query on a large filter waits for memory. A batch asks for the memory of many keys at once, which is faster where
//! the filter is much larger than the cache; `docs/choosing.md` has by how much.
//!
//! ```
//! use bloomwise::{Blocked, Filter, Size};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let mut filter = Blocked::builder(1000, Size::BitsPerKey(12.0)).build()?;
//! filter.extend((0..1000u64).map(u64::to_le_bytes));
//! let answers = filter.contains_batch(&[&7u64.to_le_bytes(), b"something else"]);
//! assert_eq!(answers, [true, false]);
//! # Ok(())
//! # }
//! ```
//!
//! # Files
//!
//! Every filter can be saved and loaded ([`Persist`]), on any machine. The bytes carry a checksum, and are trusted in
//! nothing when they are read.
//!
//! ```
//! use bloomwise::{AnyFilter, Filter, Persist, Size, Spec};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let filter = Spec::new("blocked")?.size(Size::BitsPerKey(12.0)).build_from_keys(["ant", "bee"])?;
//! let bytes = filter.to_bytes();
//! let loaded = AnyFilter::from_bytes(&bytes)?;
//! assert!(loaded.contains(b"bee"));
//! assert!(AnyFilter::from_bytes(&bytes[1..]).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! # Keys
//!
//! A key is a byte string. Integers are hashed as their 8 little-endian bytes, so that all languages agree. Keys that
//! strangers choose should be hashed with a secret, see [`Hashing::SipHash`]: else somebody can look for keys that the
//! filter takes for its own.
//!
//! # The building blocks
//!
//! The modules below are what the families are made of, in the order in which a key passes through them: [`hash`] turns
//! it into a digest, [`probe`] turns that into positions, [`cells`] holds what is there, [`codec`] and [`mod@format`] write
//! it down; [`sizing`] has the formulas, [`key`] checks sets of keys, [`stash`] is a short exact list.

pub mod balanced;
pub mod cells;
pub mod codec;
pub mod format;
pub mod guarded;
pub mod habf;
pub mod hash;
pub mod key;
pub mod personalized;
pub mod plan;
pub mod probe;
pub mod seesaw;
pub mod sizing;
pub mod stash;

mod any;
mod blocked;
mod bloom;
mod builder;
mod cost;
mod counting;
mod error;
mod family;
mod filter;
mod forecast;
mod prefetch;
mod sort;
mod spec;
mod vector;

pub use any::AnyFilter;
pub use balanced::Balanced;
pub use blocked::Blocked;
pub use bloom::Bloom;
pub use builder::Builder;
pub use counting::Counting;
pub use error::{Error, Result};
pub use family::{Family, Operation};
pub use filter::{Filter, Info, Report, Value};
pub use forecast::{Forecast, Workload};
pub use format::Persist;
pub use guarded::Guarded;
pub use habf::Habf;
pub use hash::{Digest, Hashing};
pub use key::{Costed, KeySets};
pub use personalized::PersonalizedRejecting;
pub use plan::{Advice, Planner};
pub use seesaw::Seesaw;
pub use sizing::Size;
pub use spec::{Setting, Spec};

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
