//! Ctrl-C: an interrupt ends the program at once, unless a file is just being put in place.
//!
//! A filter is saved by writing a temporary file and renaming it. An exit in between would leave the temporary file
//! behind, so saving holds a lock, and whoever interrupts waits for it: the file is then whole, old or new, and nothing
//! lies beside it. At all other times there is nothing to clean up.
//!
//! A signal that the caller told the program to ignore (`nohup`, a job in the background of a script) stays ignored;
//! the others are waited for all the same. Where there are no Unix signals, Ctrl-C ends the program without waiting.

use std::sync::{Mutex, PoisonError};

/// Held while files are in a state that nobody should see.
static SAVING: Mutex<()> = Mutex::new(());

/// Starts to wait for interrupts.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let ignored = ignored();
    let ending = [SIGHUP, SIGINT, SIGTERM]
        .into_iter()
        .filter(|signal| ignored & 1 << (signal - 1) == 0);
    // Without a watcher an interrupt ends the program as it always did; that is no reason not to start.
    let Ok(mut signals) = Signals::new(ending) else {
        return;
    };
    let watcher = std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _saved = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
            // The exit code that shells give to what a signal ended.
            std::process::exit(128 + signal);
        }
    });
    drop(watcher);
}

/// There is nothing to wait for.
#[cfg(not(unix))]
pub fn watch() {}

/// The signals that were ignored when the program began, a bit each from SIGHUP up. Linux tells; elsewhere none are
/// known to be.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// Does something that an interrupt has to wait for.
pub fn uninterrupted<T>(act: impl FnOnce() -> T) -> T {
    let _saving = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
    act()
}
