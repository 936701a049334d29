//! A filter for sets that change: it removes keys, and it stops making the costly mistakes it is told about.
//!
//! # The idea
//!
//! A *cuckoo filter* stores a short fingerprint of each key, about ten bits, in one of two buckets that the key determines. A query looks
//! for the fingerprint in both. Removing a key removes its fingerprint. If both buckets are full, a fingerprint in one of them moves to its own
//! other bucket to make room, which may push out another one, and so on. Buckets can be 95 % full.
//!
//! A key outside of the set that shares fingerprint and buckets with a key is accepted wrongly. The filter keeps an exact list of those that
//! matter, the *exceptions*. Only actual mistakes need an entry: of 100,000 hot absent keys, a filter with a rate of 0.74 % is wrong on 740,
//! which take 16 kB.
//!
//! ```text
//!               buckets                             exact table
//! bee  →  .. 2f1 .. | .. 08c [2f1] ..   found   →   no entry           →  yes
//! cow  →  .. 3aa .. | .. 3aa 1d0 ..     found   →   exception, cost 7  →  no
//! dog  →  .. 111 .. | .. 5e0 ..         not found                      →  no
//! ```
//!
//! # Invariants
//!
//! Two keys are in one class if they have the same fingerprint and the same two buckets. A bucket and the fingerprint determine the other
//! bucket, and applying this twice gives the first bucket again. So classes do not overlap, and moving a fingerprint to its other bucket changes no class.
//!
//! 1. *For each class, fingerprints in the buckets plus extras in the table equal insertions minus removals.* An insertion adds one fingerprint
//!    to the buckets or one extra to the table. A failed walk is undone, so it moves nothing. The removal of a key takes one extra of that very
//!    key if it has one (digests tell keys apart), else one fingerprint of the class. An extra that moves back to the buckets leaves the table.
//! 2. *No key of the set has an exception.* An insertion removes the exception of its key. The build adds exceptions for known negatives, which
//!    are no keys of the set. Later the caller adds them ([`Cuckoo::guard`], [`Cuckoo::report_mistake`] and their variants), and must not name a
//!    key of the set.
//!
//! *No false negative*, after any sequence of insertions, removals of keys that are in the set, and guards of keys that are not. Take a key of
//! the set. If it is an extra, the answer is "yes". If it is not, its class has a fingerprint in the buckets by 1, and no exception denies it by 2.
//! The one assumption is that different keys have different digests of 128 bits, as everywhere in this crate.
//!
//! *A guarded key is denied.* The table holds its exception exactly, until the key is inserted or the table drops it for costlier ones. `info`
//! counts the mistakes that were dropped (`given_up`).
//!
//! The caller must avoid two things. Removing a key that was never inserted but is a false positive removes a fingerprint of another key.
//! Guarding a key of the set denies it. The second can happen by a race between threads or clients, which [`Cuckoo::guard_since`] closes; the
//! page of `insert_log` explains how.
//!
//! # Costs
//!
//! At 95 % load, fingerprints of `f` bits take `f / 0.95` bits per key and give a rate of `7.6 / 2^f`. An exception takes 178 bits. A query
//! reads two cache lines, and one more if the buckets say "yes" and there are exceptions. An insertion into a nearly full filter moves a few
//! fingerprints. The filter does not grow: inserting a key that finds no room returns [`crate::Error::Full`] and changes nothing. For a set
//! of unknown size, use [`crate::Growing`].
//!
//! # Differences from the papers
//!
//! Fan et al. find the other bucket by XOR, so the number of buckets must be a power of two. Here it can be any number. Adaptive cuckoo
//! filters and adaptive quotient filters repair a mistake by changing a fingerprint. For that they need the key that owns it, which they fetch
//! from a store of all keys at each mistake. This filter stores the mistake itself, so it needs no store, and a repaired mistake does not come
//! back when other keys move.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `shape` | where segments, buckets and the table are |
//! | `buckets`, `lanes` | fingerprints: look-up, insertion, removal |
//! | `table` | the exact table |
//! | `eviction` | which exceptions the table keeps |
//! | `filter` | the filter for one thread |
//! | `mistakes` | methods that guard keys and report mistakes |
//! | `shared` | the filter for many threads |
//! | `insert_log` | stamps, which close the race between a miss and an insertion |
//! | `waiting` | mistakes that were reported and wait for room |
//! | `options`, `plan`, `builder` | options and settings, sizes, construction |
//! | `inspect` | info |
//! | `file` | the filter in a file |
//!
//! # Papers
//!
//! Fan, Andersen, Kaminsky, Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", 2014. Mitzenmacher, Pontarelli, Reviriego, "Adaptive
//! Cuckoo Filters", 2018. Wen et al., "Adaptive Quotient Filters", 2024.

mod buckets;
mod builder;
mod eviction;
mod file;
mod filter;
mod insert_log;
mod inspect;
mod lanes;
mod mistakes;
mod options;
mod plan;
mod shape;
mod shared;
mod table;
mod waiting;

pub use filter::Cuckoo;
pub use insert_log::Stamp;
pub use mistakes::Reported;
pub use shared::SharedCuckoo;
