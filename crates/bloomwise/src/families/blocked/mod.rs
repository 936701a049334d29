//! The blocked Bloom filter: one cache line per key.
//!
//! # The idea
//!
//! Many small Bloom filters side by side, each a block of 512 bits on one cache line (or of 256 bits, two on a line). The lower half of the
//! digest chooses the block. The upper half chooses the `k` bits in it: one bit in each of `k` words of the block, so that vector
//! instructions handle all of them at once (`kernel/block_bits`). A query waits for memory once, however many functions there are.
//!
//! For example, with two blocks of four words of 4 bits and 2 functions, "ant" goes to block 1 and has bit 3 of word 2 and bit 0 of word 3:
//!
//! ```text
//! block 0                   block 1
//! .... .... .... ....       .... .... ...1 1...      after ant
//! ```
//!
//! A key that falls into block 0 is denied after reading block 0 alone. A key of block 1 is accepted only if both of its bits are set there.
//!
//! # Parts
//!
//! | file | contents |
//! |---|---|
//! | `filter` | the filter |
//! | `options`, `builder` | its options and settings; how it is built, and its forecast |
//! | `lookup` | insertions and queries, compiled for each kernel |
//! | `file` | the filter in a file |
//! | `shared` | the filter for many threads |
//!
//! # Invariants
//!
//! - *No false negative.* The digest alone determines block and bits. Insertion sets all of these bits, and no operation
//!   clears a bit.
//! - All kernels set and test the same bits.
//! - A block never crosses a cache line: a line holds one block of 512 bits, or two of 256.
//!
//! # Costs
//!
//! Some blocks get more keys than others by chance. Full blocks add more errors than empty ones save. The best rates for a million
//! keys, by the formulas of [`crate::sizing`] (pages that compare filters have measured rates; tests compare both):
//!
//! | bits per key | Bloom | blocks of 512 | blocks of 256 |
//! |---|---|---|---|
//! | 8 | 2.16 % | 2.34 % | 2.51 % |
//! | 10 | 0.82 % | 0.98 % | 1.11 % |
//! | 16 | 0.046 % | 0.086 % | 0.128 % |
//!
//! The number of functions and the size account for the uneven load, so the filter meets a requested rate. A rate of 1 % takes 9.95 bits per
//! key instead of 9.60. A query costs one cache miss.
//!
//! # Differences from the paper
//!
//! 1. A key has one bit in each of `k` words of its block, where the paper puts bits anywhere in the block. One bit in each of eight words
//!    is the split block filter of Apache Parquet. Here a key may use fewer words, which lowers the rate from 1.05 to 0.975 % at 10 bits
//!    per key.
//! 2. The number of keys in a block has a binomial distribution, which is right for few blocks too. The paper uses the Poisson distribution.
//!
//! # Papers
//!
//! Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters", 2007: the structure, and the sum over the loads of the
//! blocks.

mod builder;
mod file;
mod filter;
mod lookup;
mod options;
mod shared;

pub use filter::Blocked;
