//! A filter for sets that change: keys are removed again, and costly mistakes are excepted as they become known.
//!
//! # The idea
//!
//! A *cuckoo filter* keeps a short fingerprint of each key, ten bits, in one of two buckets that follow from the key. A query looks
//! for the fingerprint in both. To remove a key, its fingerprint is taken away. If both buckets are full, a fingerprint there moves to its own other
//! bucket to make room, which may push another one, and so on: buckets can be 95 % full.
//!
//! Some keys outside of the set share fingerprint and bucket with a key: they are wrongly accepted. The filter keeps an exact list of
//! those that matter, the *exceptions*. Only mistakes need a place there: of 100,000 hot absent keys, a filter with a rate of 0.74 %
//! is wrong on 740, and these take 16 kB.
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
//! Two keys are of one class if they have the same fingerprint and the same two buckets. The other bucket follows from a bucket and
//! the fingerprint, and the other of the other is the first, so classes do not overlap, and moving a fingerprint to its other
//! bucket changes no class.
//!
//! 1. *The buckets hold as many fingerprints of a class as its keys were inserted, less those that are extras.* An insertion adds one
//!    fingerprint to the buckets or one extra to the table. A failed walk is undone, so it moves nothing. The removal of a key takes one away,
//!    first of the extras of that very key, which digests tell apart, else of the class. When an extra moves back, one goes and one comes.
//! 2. *No key of the set has an exception.* An insertion removes the exception of its key. Only [`Cuckoo::guard`] adds one.
//!
//! *No false negative*, after any sequence of insertions, removals of keys that are in the set, and guards of keys that are not: a
//! key of the set is an extra, and the answer is "yes"; or, by 1, its class has a fingerprint in the buckets, and by 2 no exception denies it. The
//! one assumption is that different keys have different digests of 128 bits, as everywhere in this crate.
//!
//! *A guarded key is denied*: it has an exception, which the table holds exactly, until it is inserted or the table gives it up for
//! costlier ones. `info` counts the mistakes that were given up.
//!
//! Two things are the debt of the caller. Removing a key that was never inserted, and that the filter wrongly accepts, takes a
//! fingerprint of another key away. Guarding a key of the set denies it. The second happens by a race, which
//! [`Cuckoo::guard_since`] closes; the page of `recent` explains it.
//!
//! # Costs
//!
//! At 95 % load, fingerprints of `f` bits take `f / 0.95` bits per key and give a rate of `7.6 / 2^f`; an exception takes 178 bits. A query
//! reads two cache lines, and one more if the answer of the buckets is "yes" and there are exceptions. An insertion into a nearly full
//! filter moves a few fingerprints. The filter keeps its size: a key that finds no room is an error, [`crate::Error::Full`], and nothing
//! changes. A set of unknown size needs [`crate::Growing`].
//!
//! # Where it differs from the papers
//!
//! Fan et al. find the other bucket by exclusive-or, so the number of buckets is a power of two. Here it is any number. Adaptive cuckoo filters
//! and adaptive quotient filters mend a mistake by changing a fingerprint, for which they need the key that has it: from a store of
//! all keys, at each mistake. Here the mistake itself is kept, so no store is needed, and a mended mistake does not come back when
//! other keys move.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `shape` | where things lie |
//! | `buckets`, `lanes` | fingerprints: look-up, insertion, removal |
//! | `table` | the exact table |
//! | `keeper` | which exceptions it keeps |
//! | `filter` | the filter for one thread |
//! | `exceptions` | the mistakes that it is told about |
//! | `shared` | the filter for many threads |
//! | `recent` | stamps, which close the race between a miss and an insertion |
//! | `waiting` | mistakes that were reported and wait for room |
//! | `plan`, `builder` | sizes, options, construction |
//! | `inspect` | what it says about itself |
//! | `file` | its form in a file |
//!
//! # Papers
//!
//! Fan, Andersen, Kaminsky, Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", 2014. Mitzenmacher, Pontarelli, Reviriego, "Adaptive
//! Cuckoo Filters", 2018. Wen et al., "Adaptive Quotient Filters", 2024.

mod buckets;
mod builder;
mod exceptions;
mod file;
mod filter;
mod inspect;
mod keeper;
mod lanes;
mod plan;
mod recent;
mod shape;
mod shared;
mod table;
mod waiting;

pub use exceptions::Reported;
pub use filter::Cuckoo;
pub use recent::Stamp;
pub use shared::SharedCuckoo;
