//! What long work wants from the program that runs it: to show progress and remarks, to say when to stop, and to tell the time.

use crate::Message;
use std::time::Duration;

/// The program that runs long work. [`Quiet`] is one that shows nothing.
///
/// A web page runs the work in a worker, sends itself a message for each step, stops when the worker is told to, and takes the time from
/// `performance.now()`.
pub trait Host {
    /// Some work begins. What is returned hears how far it is, and is dropped when it ends.
    fn begin<'a>(&'a self, _work: Work<'_>) -> Box<dyn Progress + 'a> {
        Box::new(Quiet)
    }

    /// Something that the user should know.
    fn remark(&self, _message: &Message) {}

    /// Whether the work should end early. It is asked between pieces of work; the work then fails with [`Error::Cancelled`](crate::Error::Cancelled).
    fn is_cancelled(&self) -> bool {
        false
    }

    /// The time since some moment in the past.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    fn now(&self) -> Duration {
        use std::sync::LazyLock;
        use std::time::Instant;
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }

    /// The time since some moment in the past. The standard library has no clock in a web page.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn now(&self) -> Duration;
}

/// Some work that begins.
#[derive(Clone, Copy, Debug)]
pub enum Work<'a> {
    /// A file is read. Progress is in bytes.
    Reading {
        /// The name of the file.
        name: &'a str,
        /// The size of the file, if it is known.
        bytes: Option<u64>,
    },
    /// A number of steps, each of which has a name.
    Steps(u64),
    /// Work that does not say how far it is.
    Whole(&'static str),
}

/// Hears how far some work is.
pub trait Progress {
    /// So many more bytes or steps are done.
    fn advance(&mut self, _by: u64) {}

    /// A step begins.
    fn step(&mut self, _name: &str) {}
}

/// Shows nothing and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Host for Quiet {}

impl Progress for Quiet {}

/// The clock of a program, for work whose progress another one shows.
pub(crate) struct Muted<'a>(pub &'a dyn Host);

impl Host for Muted<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn now(&self) -> Duration {
        self.0.now()
    }
}

/// Runs `work` and says so.
pub(crate) fn during<T>(host: &dyn Host, name: &'static str, work: impl FnOnce() -> T) -> T {
    let _progress = host.begin(Work::Whole(name));
    work()
}
