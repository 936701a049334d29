//! Item-personalized Bloom filters: every key takes its own path through the filter.
//!
//! # The idea
//!
//! In a Bloom filter all keys use the same `k` functions. Here every slot has a function of its own, and a key walks from
//! slot to slot. The first function gives its first slot, the function of that slot gives the next, and so on for `k`
//! slots. Insertion sets the slots of the walk. A query walks until it finds a slot that is not set.
//!
//! Here is an example with 8 slots and walks of 3. "ant" starts at slot 5, whose function leads to slot 2, whose function
//! leads to slot 7.
//!
//! ```text
//! slot       0 1 2 3 4 5 6 7
//! after ant  . . 1 . . 1 . 1      "bee" starts at slot 2, which is set, and goes on to slot 4, which is not: no.
//! ```
//!
//! Three filters can walk. [`Bloom`](crate::Bloom) over bits and [`Counting`](crate::Counting) over counters, which can
//! also remove and count keys, are built with `personalized()`. They differ from the plain filters only in the positions of
//! a key. [`PersonalizedRejecting`] rejects keys that would collide too much, and keeps them in a list.
//!
//! ```
//! use bloomwise::{Bloom, Counting, Filter, Insert, Remove, Size};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let mut seen = Bloom::builder(Size::Rate(0.01)).capacity(1000).personalized().create()?;
//! seen.insert("ant");
//! assert!(seen.contains("ant"));
//! assert!(!seen.contains("bee"));
//!
//! let mut visits = Counting::builder(Size::Rate(0.01)).capacity(1000).personalized().create()?;
//! visits.extend(["ant", "ant"]);
//! assert!(visits.remove("ant"));
//! assert_eq!((visits.count("ant"), visits.count("bee")), (1, 0));
//! # Ok(())
//! # }
//! ```
//!
//! # Invariants
//!
//! - *No false negative.* A walk depends on the digest of the key and on the number of slots, and neither changes. A slot determines
//!   the next function whether or not it is set. So a query takes the walk of the insertion,
//!   and finds all its slots set, because no bit is ever cleared.
//! - A walk that returns to a slot does not repeat itself, because the step is a part of the function's number: it is
//!   `1 + slot + step * slots` ([`crate::unstable::probe::walk`]).
//!
//! # Costs
//!
//! The slots of a walk are as random and as independent as `k` functions of the digest. So the false positive rate is that
//! of a Bloom filter, [`crate::sizing::bloom_rate`]. Only the time differs: each step depends on the step before it. The
//! functions are numbers, not data, so the dependency is a chain of multiplications, not of reads. The processor can still
//! load several slots at once. `docs/measurements.md` in the repository has measurements.
//!
//! # The paper
//!
//! Venkataraman and Vaddadi, "Item-personalized Bloom filters". Taken from it: the walk (section 3), its counting variant
//! and its rejecting variant. Differences:
//!
//! 1. The next slot depends on the step too, not only on the slot; see above.
//! 2. The paper stores a function in every slot. A numbered function needs no memory.
//! 3. Counters stick at their maximum (`cells::counters`).
//! 4. A key for which the filter already says "yes" is neither set nor rejected: there is nothing to add. Otherwise a key
//!    that is inserted twice would be added to the list of rejected keys.
//! 5. The list of rejected keys has a limit. Beyond it, keys are inserted into the slots.
//!
//! | paper | here |
//! |---|---|
//! | n, size of the filter | slots |
//! | m, number of insertions | keys |
//! | k, length of the path | functions |
//! | `h_0`, mother hash function | the lower half of the digest |
//! | t, threshold of rejection | threshold |
//!
//! The paper expects fewer false positives than a Bloom filter has, because there are more combinations of functions. We
//! repeated the experiment of its section 4 with enough trials (`cargo run --release -p bloomwise-lab -- ibf-winners`) and
//! found no difference; [`crate::guide::papers`] has the numbers.

mod rejecting;

pub use rejecting::PersonalizedRejecting;
