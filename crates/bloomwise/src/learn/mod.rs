//! Learns from traffic which absent keys cost most.
//!
//! Filters of this crate take a list of known negatives with costs. A service that looks up keys sees such negatives all the time: keys that
//! were requested but absent. A [`Learner`] counts them and keeps the costliest. Its memory is fixed when it is created, however many keys the
//! stream has.
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
//! A table has a counter for each of its keys. An event adds its cost to the counter of its key; a new key gets a new counter. When the
//! table is full, a *purge* subtracts the same amount from every counter and drops those that reach zero, about a quarter of them.
//! The *offset* is the sum of these amounts. This is the algorithm of Misra and Gries (1982) for costs, with the purge of Anderson et al. (2017).
//!
//! For example, take room for two keys and the events a, a, a, b, c, a. When c finds no room, the counters are a: 3 and b: 1. The purge
//! subtracts 1, which drops b. Then c gets a counter of 1, and the last event raises a to 3. The offset is 1. The true costs are 4 for a, 1 for b
//! and 1 for c.
//!
//! # Guarantees
//!
//! Let `kept` be the counter of a key, 0 if it has none.
//!
//! 1. `kept <= cost <= kept + offset`, for every key. Only a purge makes a counter lower than the cost, by at most the amount that it adds to
//!    the offset. [`Learner::bounds`] gives both sides, [`Learner::error_bound`] the offset.
//! 2. The offset is at most about `total / (0.75 * counters)`: a purge takes its full amount from three quarters of the counters, and no more can
//!    be taken than was added. On skewed traffic it is far lower, because costly keys keep most of their cost.
//! 3. A key whose cost is above [`Learner::certain_above`] is in the list, with its name.
//!
//! A counter is identified by 64 bits of a key's digest. Among a billion keys, two share a counter with a probability below 3 %. Then one
//! of them gets the cost of both.
//!
//! # Names
//!
//! Keys can be long, and most keys of a stream occur once. So the bytes of keys, their *names*, have separate room, a quarter of the
//! memory. When it is full, the cheapest quarter of the names is dropped, and the *bar* rises to their cost. A key gets a name only if its
//! counter is above the bar. Counters stay without their names. A purge lowers the bar by its amount. So *a key without a name has a
//! counter of at most the bar*, at any time, which gives guarantee 3: `certain_above` is the offset plus the bar. A merged counter keeps
//! its name if there is room, and raises the bar if there is none. A key of more than [`Learner::MAX_KEY`] bytes never gets a name, but its
//! cost counts in [`Learner::total`].
//!
//! # Traffic that changes
//!
//! With a [half-life](Learner::with_half_life), costs decay whenever [`Learner::advance`] gets a later time. Counters do not change:
//! instead, costs of later events are divided by the product of all decay factors. A saved learner stores its time, so learners of
//! different days or machines can be merged.
//!
//! # Costs
//!
//! A counter takes 25 bytes, and a name takes 12 bytes and its length. All memory is allocated at the start: 64 MiB hold 1.6 million
//! counters and 400,000 names of 30 bytes. An eighth of the memory is left for [`Learner::top`]. An event reads two or three cache lines.
//!
//! # Why not the crate `datasketches`
//!
//! It has the same algorithm for whole numbers. Here, costs are real numbers and can decay, and the bytes of keys are
//! inside the memory limit. There, each key is a separate allocation.
//!
//! # Papers
//!
//! - Misra, Gries, "Finding repeated elements", 1982: the counters and their bounds.
//! - Anderson, Bevan, Lang, Liberty, Rhodes, Thaler, "A high-performance algorithm for identifying frequent items in data streams", 2017:
//!   purges by a quantile of a sample, and merging.
//! - Cormode, Shkapenyuk, Srivastava, Xu, "Forward decay", 2009: new costs grow while old ones stay.
//! - Ertl, "New cardinality estimation algorithms for `HyperLogLog` sketches", 2017: the number of distinct keys.

mod counter_table;
mod decay;
mod distinct;
mod exact_set;
mod file;
mod learner;
mod list;
mod names;
mod naming;
mod saved;

pub use distinct::Distinct;
pub use exact_set::ExactSet;
pub use learner::Learner;
pub use list::{Costliest, Learned};
