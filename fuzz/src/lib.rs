//! What the fuzz targets share.
//!
//! | module | contents | targets |
//! |---|---|---|
//! | [`exercise`] | everything that a caller can do with a filter that came from outside | `any_bytes`, `repaired_bytes` |
//! | [`forms`] | every way to save and to load a filter; all of them must agree | `any_bytes`, `repaired_bytes` |
//! | [`parts`] | a filter file taken apart, and put together with right lengths and checksums | `repaired_bytes` |
//! | [`number`] | numbers that are likely to break something | `repaired_bytes` |
//! | [`key_file`] | files of keys, written in every format | `key_files` |
//! | [`learner`] | files of learners, and what a caller can do with them | `any_bytes` |
//! | [`memory`] | the peak of the memory that some work allocates | all |
//!
//! A target panics if a law is broken. `README.md` has the list of laws and the commands.

pub mod exercise;
pub mod forms;
pub mod key_file;
pub mod learner;
pub mod memory;
pub mod number;
pub mod parts;

use bloomwise::Error;

/// Prepares the process: the library's parallel work runs on this thread, so that each run of an input is the same.
pub fn init() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    let built = pool.use_current_thread().build_global();
    built.expect("the first pool of the process");
}

/// Checks that an error is one line that says something.
pub fn check_error(error: &Error) {
    check_message(&error.to_string());
}

/// Checks that the text of an error is one line that says something.
pub fn check_message(text: &str) {
    assert!(!text.is_empty(), "an error without text");
    assert!(!text.contains('\n'), "an error of several lines: {text:?}");
}
