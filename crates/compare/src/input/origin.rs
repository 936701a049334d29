//! The file that bytes come from, and what is said if it cannot be read.

use super::source::Compression;
use crate::Error;
use std::io::{self, ErrorKind};

/// The maximum length of a line or a row in bytes. Without it, a file without line ends, such as `/dev/zero`, would take all memory.
const MAX_LINE: usize = 1 << 28;

/// The file that bytes come from; used in errors.
pub struct Origin {
    /// The name of the file.
    pub name: String,
    /// How the file is compressed.
    pub compression: Compression,
}

impl Origin {
    /// The file and the number of a line, for an error.
    pub fn line(&self, line: u64) -> String {
        format!("{}, line {line}", self.name)
    }

    /// The error if reading fails at `line`.
    pub fn unreadable(&self, line: u64, error: &io::Error) -> Error {
        if let Some(Error::Cancelled) = error.get_ref().and_then(|cause| cause.downcast_ref()) {
            return Error::Cancelled;
        }
        let (place, compression) = (self.line(line), self.compression.name());
        if error.kind() == ErrorKind::OutOfMemory {
            return Error::invalid(format!(
                "{place} does not fit into memory; check that this is a file of keys"
            ));
        }
        if error.kind() == ErrorKind::FileTooLarge {
            let limit = MAX_LINE >> 20;
            return Error::invalid(format!(
                "{place} is longer than {limit} MiB; check that this is a file of keys"
            ));
        }
        Error::invalid(match self.compression {
            Compression::None => {
                format!("{place}: cannot be read ({error}); check the file and the disk")
            }
            Compression::Gzip | Compression::Zstd => format!(
                "{place}: the {compression} data is damaged or truncated ({error}); get a new copy of the file"
            ),
        })
    }
}

/// Returns an error if a line or a row has become too long.
pub fn check_length(length: usize) -> io::Result<()> {
    if length > MAX_LINE {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(())
}
