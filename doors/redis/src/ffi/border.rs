//! Where a panic ends.
//!
//! The server is written in C, so a panic must not unwind into it: Rust would end the process, with all keys of all clients. Every function that
//! the server calls does its work in [`contain`]. What the server then sees is a failure that it knows how to handle:
//!
//! | the server calls | after a panic |
//! |---|---|
//! | a command | The client gets an error, and nothing is replicated. A value that the command was changing answers with errors from then on, and is neither saved nor copied. |
//! | `rdb_load` | The key is not loaded, as if its bytes were damaged. |
//! | `rdb_save`, `aof_rewrite` | The server discards the file or the stream that it writes ([`give_up`]). |
//! | `copy` | `COPY` is an error, and is not replicated. |
//! | `digest` | The digest is that of a part of the value. Nothing but `DEBUG DIGEST` uses it. |
//! | `mem_usage`, `free_effort` | The value counts as nothing. |
//! | `free` | The memory is lost. |
//! | `INFO` | The section ends early. |
//!
//! The log has the panic's message and place.

use super::log_line;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::abort;
use valkey_module::logging::log_warning;
use valkey_module::raw;

/// Does what the server has called a function for. `place` names the function, and `failed` says what it returns after a panic.
pub fn contain<T>(place: &'static str, failed: impl FnOnce() -> T, work: impl FnOnce() -> T) -> T {
    let work = || {
        strike(place);
        work()
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| failed())
}

/// Panics if a test has asked for it. Release builds do nothing.
pub fn strike(place: &'static str) {
    #[cfg(debug_assertions)]
    crate::fault::strike(place);
    #[cfg(not(debug_assertions))]
    let _ = place;
}

/// Sends the messages of panics to the server's log.
pub fn log_panics() {
    set_hook(Box::new(|panic| {
        let text = panic.to_string().replace('\n', " ");
        log_warning(log_line(&format!("a bug, please report it: {text}")));
    }));
}

/// Makes the server discard what it is writing, after a value was not written or only a part of it.
///
/// A callback cannot return that it has failed, and the server would end the value after what there is: it would replace a good file with one that it
/// cannot load. But it remembers errors of writing: `SAVE`, the rewrite of the append-only file and the synchronization of a replica
/// then fail, and the last good file stays. An error is what it remembers after a command that does not exist, in RDB files, too.
/// `DUMP` does not look at errors; what it returns is a part of a value, which `RESTORE` refuses, since the length of each filter comes first.
pub fn give_up(file: *mut raw::RedisModuleIO) {
    // SAFETY: the server calls us with this file, and the function pointer was set when the module was initialized. The format says that no arguments follow.
    unsafe {
        if let Some(emit) = raw::RedisModule_EmitAOF {
            emit(
                file,
                c"(none: a filter was not saved)".as_ptr(),
                c"".as_ptr(),
            );
        }
    }
    if !raw::is_io_error(file) {
        // A server of which that is not true. It restarts from its last good file.
        abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_becomes_a_failure_and_the_work_goes_on() {
        assert_eq!(contain("mem_usage", || 0, || 7), 7);
        assert_eq!(contain("mem_usage", || 0, || panic!("a bug")), 0);
        assert_eq!(contain("mem_usage", || 0, || 7), 7);
    }
}
