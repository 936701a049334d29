//! The blocked Bloom filter: one cache line for a key.
//!
//! # The idea
//!
//! Many small Bloom filters side by side, each a block of 512 bits that lies on one cache line (or of 256 bits, two on
//! a line). The lower half of the digest chooses the block. The upper half chooses the `k` bits in it: one bit in each of `k`
//! words of the block, so that vector instructions handle all of them at once (`kernel/block_bits`). A query waits for memory once,
//! however many functions there are.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `filter` | the filter |
//! | `options` | its options and forecast |
//! | `lookup` | how it inserts and answers, compiled for each kernel |
//! | `file` | its form in a file |
//! | `shared` | the filter for many threads |
//!
//! # Invariants
//!
//! - *No false negative.* Block and bits are functions of the digest alone, insertion sets all of the bits, and nothing ever
//!   clears one.
//! - All kernels set and test the same bits.
//! - A block never crosses a cache line: a line holds one block of 512 bits, or two of 256.
//!
//! # Costs
//!
//! Chance fills some blocks more than others, and full blocks err more than empty ones save. The best rates of a million
//! keys, by the formulas of [`crate::sizing`], which tests compare with measurements:
//!
//! | bits per key | Bloom | blocks of 512 | blocks of 256 |
//! |---|---|---|---|
//! | 8 | 2.16 % | 2.34 % | 2.51 % |
//! | 10 | 0.82 % | 0.98 % | 1.11 % |
//! | 16 | 0.046 % | 0.086 % | 0.128 % |
//!
//! Number of functions and size take the uneven load into account, so a requested rate is kept; 1 % costs 9.95 bits per
//! key instead of 9.60. A query costs one cache miss.
//!
//! # Papers
//!
//! Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters", 2007: the structure and the
//! sum over the loads of the blocks. We use the binomial distribution of loads, which is right for few blocks too, where
//! they use the Poisson distribution. They put bits anywhere in a block. One bit in each of eight words is the split block
//! filter of Apache Parquet; we let a key use fewer words, which lowers the rate from 1.05 to 0.975 % at 10 bits per key.

mod file;
mod filter;
mod lookup;
mod options;
mod shared;

pub use filter::Blocked;
