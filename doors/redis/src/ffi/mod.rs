//! The FFI boundary: the server is written in C. All `unsafe` of this crate is in this folder.
//!
//! | file | contents |
//! |---|---|
//! | `load` | what the server calls when it loads the module |
//! | `command` | registers commands, and calls them |
//! | `call` | one call of a command: its arguments, its key, what it replicates |
//! | `border` | catches panics, which must not unwind into C |
//! | `data_type` | what the server does with our keys: saving, loading, freeing, copying |
//! | `stream`, `pieces` | filters as strings of an RDB file, or as commands |
//! | `allocator` | Rust allocates from the server's memory |
//!
//! The server runs one command at a time, in one thread. Values of keys are freed in that thread or, if they are large, in
//! another one, after nobody else can reach them.

#![expect(unsafe_code, reason = "the server's interface is in C")]

#[cfg_attr(
    test,
    allow(dead_code, reason = "tests have no server to allocate from")
)]
mod allocator;
mod border;
mod call;
mod command;
mod data_type;
mod load;
mod pieces;
mod stream;

pub use border::strike;
pub use call::{Call, Target};
pub use command::{Access, Command, Entry, Meta};

use crate::reply::printable;

/// A line for the log. The server takes it as a format of C, in which a percent sign asks for an argument.
fn log_line(text: &str) -> String {
    printable(text).replace('%', "%%")
}
