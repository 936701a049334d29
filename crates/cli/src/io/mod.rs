//! Everything that touches files, streams, signals and the terminal.
//!
//! Reading:
//! - [`input`] reads keys from files, one key after the other. [`key_list`] holds keys in memory; [`memory`] grows lists and sets and
//!   returns an error when memory runs out.
//! - [`filter_file`] loads a filter or a patch. [`revision`] is a filter that is loaded to be saved again. [`lock`] makes sure that only one process replaces a filter at a time.
//! - [`system_file`] reads facts about the machine and this process that Linux offers as files.
//!
//! Writing:
//! - [`output`] prints results to standard output and remarks to standard error.
//! - [`target`] checks that a file can be written before the work begins, and writes it whole or not at all.
//! - [`interrupt`] delays Ctrl-C while a file is being saved, and turns the signal for a file that is too large into an error.
//! - [`progress`] shows progress bars.

pub mod filter_file;
pub mod input;
pub mod interrupt;
pub mod key_list;
pub mod key_text;
pub mod lock;
pub mod memory;
pub mod output;
pub mod progress;
pub mod revision;
pub mod system_file;
pub mod target;
