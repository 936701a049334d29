//! Item-personalized Bloom filters: every key finds its own way through the filter.
//!
//! # The idea
//!
//! In a Bloom filter all keys use the same `k` functions. Here every slot of the filter has a function of its own, and a
//! key walks: the first function leads it to a slot, the function of that slot to the next, `k` slots in all. Insertion
//! sets the slots of the walk; a query walks until it comes to a slot that is not set.
//!
//! With 8 slots and walks of 3: "ant" starts at 5, whose function sends it to 2, whose function sends it to 7.
//!
//! ```text
//! slot       0 1 2 3 4 5 6 7
//! after ant  . . 1 . . 1 . 1      "bee" starts at 2, which is set, goes on to 4, which is not: no.
//! ```
//!
//! Three filters can walk. [`Bloom`](crate::Bloom) over bits and [`Counting`](crate::Counting) over counters, so that keys
//! can be removed and counted, are built with `personalized()`; where a key goes is all that is different.
//! [`PersonalizedRejecting`] turns away keys that would collide too much and keeps those in a list.
//!
//! ```
//! use bloomwise::{Bloom, Counting, Filter, Size};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let mut seen = Bloom::builder(1000, Size::Rate(0.01)).personalized().build()?;
//! seen.insert("ant");
//! assert!(seen.contains(b"ant"));
//! assert!(!seen.contains(b"bee"));
//!
//! let mut visits = Counting::builder(1000, Size::Rate(0.01)).personalized().build()?;
//! visits.extend(["ant", "ant"]);
//! assert!(visits.remove("ant"));
//! assert_eq!((visits.count("ant"), visits.count("bee")), (1, 0));
//! # Ok(())
//! # }
//! ```
//!
//! # Invariants
//!
//! - *No false negative.* A walk depends on the digest of the key and on the number of slots, on nothing that changes:
//!   which functions it takes is decided by where it is, not by what is set there. So a query walks where the insertion
//!   walked, and finds all of those slots set, since nothing clears a bit.
//! - A walk that comes to a slot again does not go in circles, because the step is part of the function's number: it is
//!   `1 + slot + step * slots` ([`crate::probe::walk`]).
//!
//! # Costs
//!
//! The slots of a walk are as random, and as independent, as `k` functions of the digest, so the false positive rate is
//! that of a Bloom filter, [`crate::sizing::bloom_rate`]. What is different is the time: a step can only be worked out
//! after the one before it. Since the functions are numbers and not data, that is a chain of multiplications and not of
//! reads: the processor can still wait for several slots at once. `docs/choosing.md` has what was measured.
//!
//! # Papers
//!
//! Venkataraman and Vaddadi, "Item-personalized Bloom filters". Taken: the walk (section 3), its counting and its
//! rejecting variant. Differences, numbered:
//!
//! 1. The next slot depends on the step too, not only on the slot; see above.
//! 2. The paper stores a function in every slot. A numbered function needs no memory.
//! 3. Counters stick at their maximum ([`crate::cells::PackedArray`]).
//! 4. A key that the filter already answers with "yes" is neither set nor rejected: there is nothing to add. Without
//!    this, inserting a key twice would put it on the list of the rejected.
//! 5. The list of the rejected has a limit; beyond it keys are inserted after all.
//!
//! | paper | here |
//! |---|---|
//! | n, size of the filter | slots |
//! | m, number of insertions | keys |
//! | k, length of the path | functions |
//! | `h_0`, mother hash function | function 0 of the digest |
//! | t, threshold of rejection | threshold |
//!
//! The paper expects fewer false positives than a Bloom filter has, because there are more combinations of functions. The
//! experiment of its section 4, repeated with enough trials (`cargo run --release -p bloomwise-lab -- ibf-winners`),
//! shows no difference; `docs/papers.md` has the numbers.

mod rejecting;

pub use rejecting::PersonalizedRejecting;
