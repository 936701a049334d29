//! Builds of sets that are larger than memory.
//!
//! # The idea
//!
//! Keys are read once. The digest of each goes to a temporary file, into the partition that [`crate::keys::Digest::shard`] says (`spill`). When all keys are
//! there, the number of shards is chosen so that the keys of one shard and its build fit into memory. Then one shard after the other is built
//! from its partitions and appended to a second temporary file, from which the filter answers. [`crate::Persist::save`] writes it to its own file.
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
//! # What it promises
//!
//! - *Memory.* Buffers for partitions take a quarter of the memory while keys are read. A shard is built only if its cells, 64 bytes per positive and 72 per
//!   negative fit into the memory beside these buffers: what builds of all families take at most, including the digests (`tests/memory.rs`).
//!   The finished filter is mapped: its pages count as memory of the process once they are read, and the system takes them back when it needs room.
//! - *Bytes.* The filter depends on the keys, the spec and the number of shards, and on nothing else: not on the memory, the number of threads or the
//!   order of keys. It is the filter of [`crate::Spec::build_sharded`].
//! - *Files.* Both temporary files have no name on Unix: they are gone when the builder or the process ends, however it ends. Where
//!   an open file cannot be deleted, they are deleted when the builder and the filter are dropped.
//!
//! # Costs
//!
//! 16 bytes of disk per positive and 24 per negative, written and read once, in pieces of some kilobytes that are read back in the order of
//! partitions. A size in bits for the whole filter is read twice, since the distinct keys share it and must be counted first.
//!
//! # Which number of shards
//!
//! Without one, keys are partitioned into 1,024. Shards are then a power of two up to that, so that each is made of whole partitions: the first
//! ten bits of the number that chooses the shard also choose the partition.

mod builder;
mod spill;

pub use builder::{LargeBuilder, LargeBuilt};
