//! Builds filters of sets that are larger than memory.
//!
//! # The idea
//!
//! Keys are read once. The digest of each is written to a temporary file, into the partition that [`crate::keys::Digest::shard`] gives.
//! After the last key, the number of shards is chosen so that the keys of one shard and its build fit into memory. Then each shard is built
//! from its partitions and appended to a second temporary file, from which the filter answers. [`crate::Persist::save`] writes the filter to
//! a file of its own.
//!
//! ```
//! use bloomwise::large::LargeBuilder;
//! use bloomwise::{Family, Filter, Persist, Size, Spec};
//!
//! # fn main() -> bloomwise::Result<()> {
//! let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(10.0));
//! let mut build = LargeBuilder::new(spec, LargeBuilder::MIN_MEMORY, Some(3), &std::env::temp_dir())?;
//! for key in 0..5000 {
//!     build.positive(key)?;
//!     build.negative(key + 1_000_000, 1.0)?;
//! }
//! let built = build.finish(|_, _| {})?;
//! assert!(built.filter.contains(4718) && !built.filter.contains(1_000_000));
//! assert_eq!((built.keys, built.filter.shards()), (5000, 3));
//! # Ok(())
//! # }
//! ```
//!
//! # Guarantees
//!
//! - *Memory.* While keys are read, buffers for partitions take a quarter of the memory. A shard is built only if its cells, 64 bytes per
//!   positive and 72 per negative fit into memory together with these buffers. Builds of all families stay below that, digests included
//!   (`tests/memory.rs`). The finished filter is mapped: its pages count as memory of the process once they are read, and the system
//!   reclaims them when memory is short.
//! - *Bytes.* The keys, the spec and the number of shards determine the bytes of the filter. Memory, threads and the order of keys do not matter. The
//!   filter equals the one of [`crate::Spec::build_sharded`].
//! - *Files.* On Unix, both temporary files have no name and disappear when the builder is dropped or the process ends, even if it crashes. On systems where
//!   an open file cannot be deleted, they are deleted when the builder and the filter are dropped.
//!
//! # Costs
//!
//! 16 bytes of disk per positive and 24 per negative, written and read once, in blocks of a few kilobytes that are read back in the order of
//! partitions. If the spec gives a size in bits for the whole filter, everything is read twice: the distinct keys share that size and must
//! be counted first.
//!
//! # How many shards
//!
//! Without a given number, keys are divided into 1,024 partitions. The number of shards is then a power of two up to 1,024, so that each
//! consists of whole partitions: the first ten bits of the number that chooses the shard also choose the partition.

mod builder;
mod spill;

pub use builder::{LargeBuilder, LargeBuilt};
