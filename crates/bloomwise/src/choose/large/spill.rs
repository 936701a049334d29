//! Records of a fixed size, in partitions, in one file.
//!
//! Each partition has a buffer. A full buffer is appended to the file as a block, and its place is kept. So there is one open file, however many
//! partitions there are, and a partition is read back block by block.

use crate::error::{Error, Result};
use crate::format::temporary::Temporary;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file without a name, or one that is deleted in the end.
pub(super) struct Scratch {
    pub file: File,
    /// The folder that it is in, for errors.
    folder: PathBuf,
    /// Dropped after the file, since fields are dropped in order: some systems delete no file that is open.
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

    /// The error if the file cannot be written: the disk of its folder is full, in most cases.
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

/// Records in partitions.
pub(super) struct Spill {
    scratch: Scratch,
    /// Where the next block goes.
    end: u64,
    /// The most bytes of a buffer.
    room: usize,
    partitions: Vec<Partition>,
}

/// The records of a partition.
#[derive(Default)]
struct Partition {
    /// Where its blocks are, and how long they are.
    blocks: Vec<(u64, usize)>,
    /// What has not been written yet.
    buffer: Vec<u8>,
    /// The number of records.
    count: u64,
}

impl Spill {
    /// No records. Buffers take at most `memory` bytes, or four records each; and not more than 1,024 records, so that all of them stay in the
    /// processor's cache.
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

    /// The memory that buffers and the places of blocks take.
    pub fn memory(&self) -> u64 {
        let bytes = self.partitions.iter().map(|partition| {
            partition.buffer.capacity() + partition.blocks.capacity() * size_of::<(u64, usize)>()
        });
        bytes.sum::<usize>() as u64
    }

    /// Calls `act` with the records of a partition, some at a time.
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

    /// Forgets the records of a partition, which frees its buffer.
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
        // As if the system had refused to delete an open file.
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
