//! The counting Bloom filter: a Bloom filter that can remove keys.
//!
//! # The idea
//!
//! A Bloom filter with a counter of 4 bits in place of each bit. Insertion raises the counters at the key's `k`
//! positions, removal lowers them, and a query answers "yes" if none of the key's counters is 0.
//!
//! For example, with 8 counters and 2 functions, "ant" has positions 1 and 6, and "bee" has 3 and 6:
//!
//! ```text
//! position            0 1 2 3 4 5 6 7
//! after ant, bee      . 1 . 1 . . 2 .
//! after removing ant  . . . 1 . . 1 .
//! ```
//!
//! # Invariants
//!
//! - *No false negative* as long as only keys that are in the set are removed. Let `c` be the true number of times that keys
//!   of the set use a counter. The counter either equals `c`, or it has reached 15 at some time and stays there forever.
//!   This holds at the start, and insertion and removal change `c` and a counter that is not stuck alike. A key of the set
//!   makes `c` at least 1 at each of its positions, so each of its counters is above 0.
//! - A key whose positions coincide counts twice in the same counter, at insertion and at removal.
//! - The caller must not remove a key that is not in the set: that would lower counters of other keys. The filter refuses
//!   the removal if a counter is lower than what the key would have added.
//!
//! # Costs
//!
//! It takes four times the bits of a Bloom filter of the same rate. With the best `k`, a counter sticks with a probability of
//! 1.6e-15. A stuck counter only causes false positives, and [`Counting::stuck`] counts them.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `filter` | the filter |
//! | `builder` | its options and forecast |
//! | `file` | the filter in a file |
//! | `shared` | the filter for many threads |
//!
//! # Differences from the paper
//!
//! Positions come in pairs on one cache line, as in [`crate::bloom`]. The paper, like this crate, leaves counters at their maximum;
//! libraries that lower them lose keys.
//!
//! # Papers
//!
//! Fan, Cao, Almeida and Broder, "Summary cache", 2000: the structure and the width of 4 bits.

mod builder;
mod file;
mod filter;
mod shared;

pub use filter::Counting;

/// A counter has `2^LOG` bits.
const LOG: u32 = 2;
