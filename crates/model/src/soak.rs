//! A soak: random lives of random filters in several threads, until the time is over, enough is done, or a promise is broken.
//!
//! Every other life is in a tiny filter, the others have up to 100,000 keys. An *operation* is one key inserted, removed, guarded or queried.

use crate::{Draw, Finding, Scale, Tallies, World, live};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two lines of progress.
const MINUTE: Duration = Duration::from_secs(60);

/// What the lives of a soak did, and what they found, with the seeds of these lives.
pub type Found = (Tallies, Vec<(u64, Finding)>);

/// A soak.
#[derive(Clone, Copy, Debug)]
pub struct Soak<'a> {
    /// What lives may use.
    pub world: World<'a>,
    /// Number of lives at a time.
    pub threads: usize,
    /// After this time it stops.
    pub time: Duration,
    /// After this number of operations it stops.
    pub operations: u64,
}

/// What all threads share.
struct State {
    /// The seeds of the lives.
    seeds: Draw<'static>,
    /// What the lives that are over did and found.
    found: Found,
    /// Whether no further life starts.
    stopped: bool,
}

/// A soak that runs.
struct Run<'a> {
    soak: Soak<'a>,
    state: Mutex<State>,
    /// Wakes the thread that waits for the end.
    stop: Condvar,
}

impl Soak<'_> {
    /// Lives the life of a seed. Returns what it did, and what it found.
    pub fn life(&self, seed: u64) -> (Tallies, Option<Finding>) {
        let tiny = seed.is_multiple_of(2);
        let scale = if tiny { Scale::Tiny } else { Scale::Any };
        live(scale, &mut Draw::Seed(seed), self.world, None)
    }

    /// Lives one life after the other. All are drawn from `seed`. Calls `progress` with a line each minute.
    pub fn run(&self, seed: u64, progress: &dyn Fn(String)) -> Found {
        let run = Run {
            soak: *self,
            state: Mutex::new(State {
                seeds: Draw::Seed(seed),
                found: Found::default(),
                stopped: false,
            }),
            stop: Condvar::new(),
        };
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| run.work());
            }
            run.watch(progress);
        });
        let state = run.state.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).found
    }
}

impl Run<'_> {
    /// Lives one life after the other.
    fn work(&self) {
        loop {
            let mut state = self.lock();
            if state.stopped {
                return;
            }
            let seed = state.seeds.bits();
            drop(state);
            let (done, finding) = self.soak.life(seed);
            let mut state = self.lock();
            let (tallies, findings) = &mut state.found;
            *tallies += &done;
            findings.extend(finding.map(|finding| (seed, finding)));
            let enough = tallies.total().operations() >= self.soak.operations;
            if enough || !findings.is_empty() {
                state.stopped = true;
                self.stop.notify_all();
            }
        }
    }

    /// Reports progress each minute, and stops the run when its time is over.
    fn watch(&self, progress: &dyn Fn(String)) {
        let start = Instant::now();
        let mut state = self.lock();
        let mut minutes = 0;
        while !state.stopped {
            let elapsed = start.elapsed();
            if elapsed >= self.soak.time {
                state.stopped = true;
                break;
            }
            let passed = elapsed.as_secs() / MINUTE.as_secs();
            if passed > minutes {
                minutes = passed;
                let (tallies, findings) = &state.found;
                progress(tallies.line(minutes, findings.len()));
            }
            let wake = self.soak.time.min(MINUTE * (minutes as u32 + 1));
            let wait = self.stop.wait_timeout(state, wake.saturating_sub(elapsed));
            (state, _) = wait.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The state. A life that panics does so outside of the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
