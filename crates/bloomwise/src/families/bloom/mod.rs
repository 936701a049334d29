//! The Bloom filter.
//!
//! # The idea
//!
//! `m` bits, all 0 at the start. Inserting a key sets the bits at `k` positions, which are computed from its digest. A query answers "yes"
//! if all bits of the key are 1.
//!
//! For example, with 8 bits and 2 functions, "ant" has positions 1 and 6, and "bee" has 3 and 6:
//!
//! ```text
//! position   0 1 2 3 4 5 6 7
//! after ant  . 1 . . . . 1 .
//! after bee  . 1 . 1 . . 1 .      "cow" has 2 and 3: bit 2 is 0, no.  "dog" has 1 and 3: yes, a false positive.
//! ```
//!
//! # Invariants
//!
//! - *No false negative.* Insertion sets all bits of the key. Only [`Bloom::intersect_with`] clears bits, and it keeps those
//!   that are set in both filters. A key that is in both filters has all of its bits set in both, and so in the result.
//! - Filters can be united only if kind, bits, functions and hashing agree. A key then has the same positions in both.
//!
//! # Costs
//!
//! With `m / n` bits per key and the best `k = m / n * ln 2`, the false positive rate is `0.6185^(m/n)`: 0.82 % at 10
//! bits. Positions come in pairs on one cache line (`spread/pairs.rs`), so a query for a key of the set reads about `k / 2` lines. A query
//! tests the two bits of a pair together and stops at the first pair that has a 0. For three of four non-members it reads one line.
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
//! Positions come in pairs on one cache line, which raises the rate at 10 bits per key from 0.819 to 0.824 %. All hash functions are
//! computed from one digest of 128 bits.
//!
//! # Papers
//!
//! Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970: the structure. Swamidass and Baldi,
//! "Mathematical correction for fingerprint similarity measures", 2007: the estimate of the number of keys.

mod builder;
mod file;
mod filter;
mod shared;

pub use filter::Bloom;
