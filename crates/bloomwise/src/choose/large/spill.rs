//! Fixed-size records in partitions, in one file.
//!
//! Each partition has a buffer. A full buffer is appended to the file as a block, and the partition remembers the block's place. So one
//! open file is enough, however many partitions there are, and a partition is read back block by block.

use crate::error::{Error, Result};
use crate::format::temporary::Temporary;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A temporary file that is deleted when it is dropped, or that has no name from the start.
pub(super) struct Scratch {
    /// The open file.
    pub file: File,
    /// Its folder, named in errors.
    folder: PathBuf,
    /// Deletes the file if it has a name. It is dropped after `file`, because fields are dropped in order and some systems cannot delete an
    /// open file.
    _name: Name,
}

/// The name of a file that could not be deleted while it was open. Dropping it deletes the file.
struct Name(Option<PathBuf>);

impl Scratch {
    /// An empty file in a folder.
    pub fn new(folder: &Path) -> Result<Self> {
        let created = Temporary::beside(&folder.join("filter"));
        let Temporary { file, path } = created.map_err(|error| Error::file(folder, error))?;
        let removed = fs::remove_file(&path);
        Ok(Scratch {
            file,
            folder: folder.to_path_buf(),
            _name: Name(removed.is_err().then_some(path)),
        })
    }

    /// The error if the file cannot be written, usually because the disk is full.
    pub fn failed(&self, error: io::Error) -> Error {
        Error::Scratch {
            folder: self.folder.clone(),
            source: error,
        }
    }
}

impl AsRef<File> for Scratch {
    fn as_ref(&self) -> &File {
        &self.file
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // An error here cannot be reported.
            let _ = fs::remove_file(path);
        }
    }
}

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
            let written = self.scratch.file.write_all(&partition.buffer);
            written.map_err(|error| self.scratch.failed(error))?;
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
            let mut file = &self.scratch.file;
            let read = file
                .seek(SeekFrom::Start(at))
                .and_then(|_| file.read_exact(&mut block));
            read.map_err(Error::reading)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::map_file;

    #[test]
    #[cfg_attr(miri, ignore = "Miri cannot map files")]
    fn file_that_keeps_its_name_is_deleted_after_the_last_reader_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scratch");
        // As on a system that does not delete open files.
        let mut scratch = Scratch {
            file: File::create_new(&path).expect("a new file"),
            folder: folder.path().to_path_buf(),
            _name: Name(Some(path.clone())),
        };
        scratch.file.write_all(b"cells").expect("room");
        let pages = map_file(scratch).expect("it can be mapped");
        let reader = pages.slice(2..);
        drop(pages);
        assert!(path.exists() && reader == "lls");
        drop(reader);
        assert!(!path.exists());
    }
}
