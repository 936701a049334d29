//! Fixed-size records in partitions, in one file.
//!
//! Each partition has a buffer. A full buffer is appended to the file as a block, and the partition remembers the block's place. So one
//! open file is enough, however many partitions there are, and a partition is read back block by block.

use crate::error::Result;
use crate::format::scratch::Scratch;
use std::path::Path;

/// Records in partitions, most of them in a file.
pub(super) struct Spill {
    /// The file of the blocks.
    scratch: Scratch,
    /// The position of the next block.
    end: u64,
    /// The most bytes in a buffer.
    room: usize,
    /// The blocks and the buffer of each partition.
    partitions: Vec<Partition>,
}

/// The records of a partition.
#[derive(Default)]
struct Partition {
    /// The position and length of each block.
    blocks: Vec<(u64, usize)>,
    /// Records that have not been written yet.
    buffer: Vec<u8>,
    /// The number of records.
    count: u64,
}

impl Spill {
    /// An empty spill. Its buffers take at most `memory` bytes, but at least four records each, and at most 1,024 records each so that they
    /// stay in the processor's cache.
    pub fn new(folder: &Path, partitions: u64, record: usize, memory: u64) -> Result<Self> {
        let records = (memory / partitions.max(1)) as usize / record;
        Ok(Spill {
            scratch: Scratch::new(folder)?,
            end: 0,
            room: records.clamp(4, 1 << 10) * record,
            partitions: (0..partitions).map(|_| Partition::default()).collect(),
        })
    }

    /// Adds a record to a partition.
    #[inline]
    pub fn push(&mut self, partition: u64, record: &[u8]) -> Result<()> {
        let room = self.room;
        let partition = &mut self.partitions[partition as usize];
        if partition.buffer.len() + record.len() > room {
            let block = (self.end, partition.buffer.len());
            self.scratch.append(&partition.buffer)?;
            self.end += block.1 as u64;
            partition.blocks.push(block);
            partition.buffer.clear();
        }
        if partition.buffer.capacity() == 0 {
            partition.buffer.reserve_exact(room);
        }
        partition.buffer.extend_from_slice(record);
        partition.count += 1;
        Ok(())
    }

    /// The number of records of all partitions.
    pub fn total(&self) -> u64 {
        self.partitions.iter().map(|one| one.count).sum()
    }

    /// The number of records of a partition.
    pub fn count(&self, partition: u64) -> u64 {
        self.partitions[partition as usize].count
    }

    /// The memory of the buffers and the list of blocks in bytes.
    pub fn memory(&self) -> u64 {
        let bytes = self.partitions.iter().map(|partition| {
            partition.buffer.capacity() + partition.blocks.capacity() * size_of::<(u64, usize)>()
        });
        bytes.sum::<usize>() as u64
    }

    /// Calls `act` with the records of a partition, one block at a time.
    pub fn read(&self, partition: u64, act: &mut dyn FnMut(&[u8])) -> Result<()> {
        let partition = &self.partitions[partition as usize];
        let mut block = Vec::new();
        for &(at, len) in &partition.blocks {
            block.resize(len, 0);
            self.scratch.read_at(at, &mut block)?;
            act(&block);
        }
        act(&partition.buffer);
        Ok(())
    }

    /// Drops the records of a partition and frees its buffer.
    pub fn forget(&mut self, partition: u64) {
        self.partitions[partition as usize] = Partition::default();
    }
}
