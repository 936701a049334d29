//! Everything that touches files, streams, signals and the terminal.
//!
//! Reading:
//! - [`keys`] reads keys from files.
//! - [`filter_file`] loads a filter or a patch. [`revision`] is a filter that is loaded to be saved again. [`lock`] makes sure that only one process replaces a filter at a time.
//!
//! Writing:
//! - [`output`] prints results to standard output and remarks to standard error.
//! - [`target`] checks that a file can be written before the work begins, and writes it whole or not at all.
//! - [`interrupt`] delays Ctrl-C while a file is being saved, and turns the signal for a file that is too large into an error.
//! - [`progress`] shows progress bars.

pub mod filter_file;
pub mod interrupt;
pub mod keys;
pub mod lock;
pub mod output;
pub mod progress;
pub mod revision;
pub mod target;
