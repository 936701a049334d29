//! Learns from traffic which absent keys cost most.
//!
//! Filters of this crate want a list of known negatives with costs. A service that looks up keys sees those negatives go by: keys that were
//! asked for and were not there. A [`Learner`] watches them and keeps the costliest, in memory that is fixed when it is made, however many
//! keys go by.
//!
//! ```
//! use bloomwise::learn::Learner;
//! use bloomwise::{Filter, Guarded, Hashing, Size};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let mut learner = Learner::new(Hashing::default(), 1 << 20)?;
//! for visitor in 0..1000 {
//!     // Looked up in the store, and not found.
//!     learner.record(format!("visitor{visitor}"));
//!     learner.record("favicon.ico");
//! }
//! learner.record_cost("backup.tar", 250.0)?; // It cost as much as 250 others.
//!
//! let costliest = learner.top(2);
//! assert_eq!((costliest[0].key, costliest[0].cost), (&b"favicon.ico"[..], 1000.0));
//! assert_eq!((costliest[1].key, costliest[1].cost), (&b"backup.tar"[..], 250.0));
//!
//! let negatives = costliest.iter().map(|learned| (learned.key, learned.cost));
//! let filter = Guarded::builder(Size::BitsPerKey(12.0)).build_from(["index.html"], negatives)?;
//! assert!(!filter.contains("favicon.ico"));
//! # Ok(())
//! # }
//! ```
//!
//! # How it works
//!
//! A table has a counter for each of its keys. An event adds its cost to the counter of its key; a new key gets a counter. When the
//! table is full, a *purge* subtracts the same amount from every counter and drops those that reach zero: the lower quarter, more or
//! less. The *offset* is the sum of these amounts. This is the algorithm of Misra and Gries (1982) for costs, with the purge of Anderson et
//! al. (2017).
//!
//! With room for two keys, and the events a, a, a, b, c, a: the counters are a: 3, b: 1 when c finds no room. The purge subtracts 1, which
//! drops b; then c: 1 and a: 3 are counted. The offset is 1. The true cost of a is 4, of b 1, of c 1.
//!
//! # What it promises
//!
//! Let `kept` be the counter of a key, 0 if it has none.
//!
//! 1. `kept <= cost <= kept + offset`, for every key. Only a purge makes a counter lower than the cost, and it takes at most what it adds to
//!    the offset. [`Learner::bounds`] gives both sides, [`Learner::error_bound`] the offset.
//! 2. The offset is about `total / (0.75 * counters)` at most: a purge takes its whole amount from three quarters of the counters, and no more can
//!    be taken than was added. On skewed traffic it is far lower, since costly keys keep most of their cost.
//! 3. A key whose cost is above [`Learner::certain_above`] is in the list, with its name.
//!
//! A counter belongs to 64 bits of a key's digest. Two of a billion keys share a counter with a probability below 3 %, and then
//! one of them has the cost of both.
//!
//! # Names
//!
//! The bytes of keys are long, and most keys of a stream are seen once. So names have their own room, a quarter of the memory. When it is
//! full, the cheapest quarter of the names goes, and the *bar* rises to their cost: keys get a name only if their counter is above the
//! bar. The counters stay. A purge lowers the bar by its amount. So *a key without a name has a counter of at most the bar*, at any time,
//! which gives promise 3: `certain_above` is offset plus bar. A merged counter keeps its name as long as there is room, and raises the bar only
//! if it has none. A key of more than [`Learner::MAX_KEY`] bytes is never kept; its cost counts in
//! [`Learner::total`].
//!
//! # Traffic that drifts
//!
//! With a [half-life](Learner::with_half_life), costs fade whenever [`Learner::advance`] gets a later time. No counter changes: costs of later
//! events are divided by the product of all factors instead. A saved learner knows its time, so that learners of many days or machines can
//! be merged.
//!
//! # Costs
//!
//! 25 bytes per counter, and 12 bytes and its length for each name, all taken at the start: 64 MiB hold 1.6 million counters and 400,000
//! names of 30 bytes. An eighth of the memory is left for [`Learner::top`]. An event reads two or three cache lines.
//!
//! # Why not a sketch from elsewhere
//!
//! The crate `datasketches` has the same algorithm for whole numbers. Here costs are real numbers and can decay, and the bytes of keys are
//! inside the memory limit; there each key is an allocation of its own.
//!
//! # Papers
//!
//! - Misra, Gries, "Finding repeated elements", 1982: the counters and their bounds.
//! - Anderson, Bevan, Lang, Liberty, Rhodes, Thaler, "A high-performance algorithm for identifying frequent items in data streams", 2017:
//!   purges by a quantile of a sample, and merging.
//! - Cormode, Shkapenyuk, Srivastava, Xu, "Forward decay", 2009: new costs grow instead of old ones shrinking.
//! - Ertl, "New cardinality estimation algorithms for `HyperLogLog` sketches", 2017: the number of distinct keys.

mod counters;
mod decay;
mod distinct;
mod file;
mod learner;
mod list;
mod members;
mod names;
mod naming;
mod saved;

pub use distinct::Distinct;
pub use learner::Learner;
pub use list::{Costliest, Learned};
pub use members::Members;
