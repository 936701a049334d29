//! The steps of a comparison, as the front end sees them.

use crate::host::{Host, Progress, Work};
use crate::{Error, Result};

/// Steps of which one runs at a time.
pub struct Steps<'a> {
    /// The front end.
    host: &'a dyn Host,
    /// Hears of each step.
    progress: Box<dyn Progress + 'a>,
}

impl<'a> Steps<'a> {
    /// So many steps.
    pub fn new(count: usize, host: &'a dyn Host) -> Self {
        let progress = host.begin(Work::Steps(count as u64));
        Steps { host, progress }
    }

    /// The program that runs them.
    pub fn host(&self) -> &'a dyn Host {
        self.host
    }

    /// Runs a step, unless the front end wants no more of them.
    pub fn run<T>(&mut self, name: &str, step: impl FnOnce() -> T) -> Result<T> {
        if self.host.is_cancelled() {
            return Err(Error::Cancelled);
        }
        self.progress.step(name);
        let result = step();
        self.progress.advance(1);
        Ok(result)
    }
}
