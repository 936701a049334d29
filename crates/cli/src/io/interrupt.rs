//! Signals: Ctrl-C ends the program at once, unless a file is being saved.
//!
//! Saving a filter writes a temporary file and renames it. An exit in between would leave the temporary file behind. So saving
//! holds a mutex, and the thread that handles signals waits for it. The file is then complete, old or new, and no temporary
//! file remains. At all other times there is nothing to clean up.
//!
//! A file that grows beyond the limit of the process (`ulimit -f`) causes a signal too, which would end the program in the middle of
//! a save. It has a handler that does nothing, so the write fails like that on a full disk.
//!
//! [`watch`] is the first thing that `main` does. A signal that arrives earlier ends the program as if it had no handlers: by
//! the signal itself. Nearly nine tenths of that time pass before `main`, while the system loads the program; the rest is
//! needed to find out which signals are ignored. Shells report the same exit code for both ends. At that time nothing has been
//! read or written.
//!
//! If the caller told the program to ignore a signal (`nohup`, a background job of a script), the signal stays ignored; the
//! other signals are handled. Without Unix signals, Ctrl-C ends the program at once.

#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::sync::{Mutex, PoisonError};

/// Held while a file is being saved.
static SAVING: Mutex<()> = Mutex::new(());

/// Starts the thread that handles signals.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    let ignored = ignored();
    let ending = [SIGHUP, SIGINT, SIGTERM]
        .into_iter()
        .filter(|signal| ignored & 1 << (signal - 1) == 0);
    let signals = Signals::new(ending.clone());
    // Without this handler the signal ends the program, and the next run deletes the temporary file.
    let _ = flag::register(SIGXFSZ, Arc::default());
    // Without handlers a signal ends the program by default, so the program can still run.
    let Ok(mut signals) = signals else {
        return;
    };
    let watcher = std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _saved = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
            // Shells use this exit code for a program that a signal ended.
            std::process::exit(128 + signal);
        }
    });
    if watcher.is_err() {
        // Without a thread the handlers end the program themselves. The next run deletes a temporary file that this leaves.
        for signal in ending {
            let at_once = Arc::new(AtomicBool::new(true));
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, at_once);
        }
    }
}

/// Does nothing where there are no Unix signals.
#[cfg(not(unix))]
pub fn watch() {}

/// The signals that were ignored when the program started, as a bit mask whose lowest bit is signal 1. Empty on systems
/// other than Linux, where it is unknown.
#[cfg(unix)]
fn ignored() -> u64 {
    let mask = bloomwise_compare::system_file::process_status("SigIgn");
    mask.and_then(|mask| u64::from_str_radix(&mask, 16).ok())
        .unwrap_or(0)
}

/// Runs `act`; a signal that arrives in the meantime waits until it is done.
pub fn uninterrupted<T>(act: impl FnOnce() -> T) -> T {
    let _saving = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
    act()
}
