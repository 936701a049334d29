//! Filters as bytes and as files.
//!
//! # The idea
//!
//! A file consists of a header with its own checksum, the parameters of the family, the payload (aligned to 64 bytes), a checksum for each mebibyte
//! of the payload, and a checksum of those checksums. [`crate::guide::file_format`] documents every field. A filter of a few hundred keys inside
//! another file has a [short form](Persist::to_short_bytes) with a header of about 20 bytes.
//!
//! # What is written
//!
//! A file is complete or absent. [`Persist::save`] writes a new file in the same folder, waits until it is on the disk, reads it back, and
//! renames it. If reading back fails, the old file stays and the new one is deleted. A process that is killed in between leaves the new
//! file, `.bloomwise.*.tmp`. The command line deletes such files when it next writes to the folder;
//! [`crate::unstable::atomic::remove_abandoned`] does the same for other programs.
//!
//! # What is read
//!
//! Loading trusts no byte. It verifies the header's checksum before it uses any length, and compares lengths with the available bytes. It touches
//! memory only as bytes arrive. The payload's checksums must match, every field must have a value that a writer can produce, and no bytes may
//! be left over.
//!
//! [`Persist::from_owner`] with [`Check::Header`] reads only header and parameters. The filter then answers from bytes that the caller
//! keeps. Whatever those bytes are, queries neither panic nor read outside of them.
//!
//! # Damaged cells never get a valid checksum
//!
//! With [`Check::Header`], and in a shard with [`Check::FirstUse`], loading may not notice damage. Writing the filter does:
//!
//! - Cells that have not been verified remember the bytes they came from (`Doubt`). All cells of a family are in a `Storage` or in atomic
//!   words, which pass the doubt to each copy: to a clone, to the cells after the first change, to a filter for many threads and back.
//! - One writer writes all bytes of a filter and collects the doubts. Before it writes the last checksum, it verifies the bytes in doubt. If they are
//!   damaged, it makes the last checksum wrong in every form, so reading the filter fails. [`Persist::save`] and [`Persist::write_to`]
//!   verify first, write nothing, and return [`crate::Error::Damaged`].
//! - Shards and patched filters that have not changed are written as they were read, with their original checksums. A changed shard is an ordinary
//!   filter, and the above applies to it.
//! - Only a union brings in cells of another filter, and it refuses damaged ones. A patch is neither made from a damaged filter nor applied to one.
//!
//! # Mapped files
//!
//! `MapFile::open` (feature `mmap`, on by default) maps a file. It is `unsafe` because the caller must ensure that the file does not change. What can
//! happen to the file:
//!
//! - *It is replaced or deleted.* Nothing happens: the mapping keeps the old file until the filter is dropped. This library and its command
//!   never change a file in place. They write a new one and rename it.
//! - *Another program writes into it.* Queries answer wrongly for the cells that changed. They do not read outside of the file: lengths and
//!   parameters were copied when the file was opened, and any position computed from a cell is checked or reduced to the array. In
//!   Rust, memory that changes under a shared reference is undefined behaviour. This describes what this code does with today's compiler; it is not
//!   a promise. Make the file read-only.
//! - *It is truncated.* The system ends the process with a signal (`SIGBUS`) when a query needs a missing page. Safe code cannot turn
//!   this into an error. If others may truncate the file, use [`Persist::load`].

mod arriving;
pub(crate) mod atomic;
mod byte_range;
mod check;
mod header;
#[cfg(feature = "mmap")]
mod mapped;
pub(crate) mod nested;
mod persist;
mod read;
mod read_back;
#[cfg(feature = "mmap")]
pub(crate) mod scratch;
mod short;
pub(crate) mod temporary;
mod write;

pub use crate::filter::codec::Form;
pub use arriving::Arriving;
pub use check::Check;
pub use header::{Header, VERSION};
#[cfg(feature = "mmap")]
pub use mapped::MapFile;
pub use persist::Persist;
pub(crate) use write::expect_sound;

use check::expect_sum;
use read::read_padding;
use write::{spoil, write, write_file};
