//! Ctrl-C: an interrupt ends the program at once, unless a file is just being put in place.
//!
//! A filter is saved by writing a temporary file and renaming it. An exit in between would leave the temporary file
//! behind, so saving holds a lock, and whoever interrupts waits for it: the file is then whole, old or new, and nothing
//! lies beside it. At all other times there is nothing to clean up.

use std::process;
use std::sync::{Mutex, PoisonError};

/// Held while files are in a state that nobody should see.
static SAVING: Mutex<()> = Mutex::new(());

/// The exit code that shells give to what Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Starts to wait for interrupts.
pub fn watch() {
    // This fails where the caller has told the program to ignore such signals (`nohup`, a job in the background), which
    // is as it should be.
    let _ = ctrlc::try_set_handler(|| {
        let _saved = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
        process::exit(INTERRUPTED);
    });
}

/// Does something that an interrupt has to wait for.
pub fn uninterrupted<T>(act: impl FnOnce() -> T) -> T {
    let _saving = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
    act()
}
