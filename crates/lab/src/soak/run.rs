//! Rounds on all processors, until the time is over, enough is done, or something is found.
//!
//! The seed differs from run to run unless it is given: every run then looks at filters that no run before has seen.
//! Nothing is lost by it, because the run prints its seed and a finding prints the seed of its own round.

use super::options::Options;
use super::random::Random;
use super::round::{self, Finding};
use super::tally::Tallies;
use anyhow::{Context, Result};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two lines of progress.
const MINUTE: Duration = Duration::from_secs(60);

/// What all threads share.
struct State {
    /// The seeds of the rounds.
    seeds: Random,
    /// What the finished rounds did.
    tallies: Tallies,
    /// What they found.
    findings: Vec<Finding>,
    /// Whether no further round starts.
    stopped: bool,
}

/// A run.
struct Run<'a> {
    state: Mutex<State>,
    /// Wakes the thread that prints.
    stop: Condvar,
    /// The number of operations after which the run stops.
    operations: u64,
    /// Where rounds write their files.
    folder: &'a Path,
}

/// Runs a soak and prints its progress. Returns whether it found nothing.
///
/// # Errors
///
/// No temporary folder can be made.
pub fn run(options: &Options) -> Result<bool> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR")?;
    if let Some(seed) = options.round {
        let (tallies, finding) = round::run(seed, None, folder.path());
        println!("{}", tallies.table());
        return Ok(report(finding.as_slice()));
    }
    let seed = options.seed.unwrap_or_else(drawn_seed);
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = options.threads.unwrap_or(processors);
    println!("seed {seed:#018x}, {threads} rounds at a time");
    let run = Run {
        state: Mutex::new(State {
            seeds: Random::new(seed),
            tallies: Tallies::default(),
            findings: Vec::new(),
            stopped: false,
        }),
        stop: Condvar::new(),
        operations: options.operations.unwrap_or(u64::MAX),
        folder: folder.path(),
    };
    let end = options.operations.is_none().then_some(options.minutes);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| run.work());
        }
        run.watch(end);
    });
    let state = run.lock();
    println!("{}", state.tallies.table());
    let operations = super::tally::grouped(state.tallies.total().operations());
    println!("{operations} operations, {} findings", state.findings.len());
    Ok(report(&state.findings))
}

/// Prints findings and returns whether there are none.
fn report(findings: &[Finding]) -> bool {
    for finding in findings {
        eprintln!("bloomwise-lab: {finding}");
    }
    findings.is_empty()
}

/// A seed that differs from run to run.
fn drawn_seed() -> u64 {
    // The standard library gives every hash map another state.
    RandomState::new().build_hasher().finish()
}

impl Run<'_> {
    /// Runs one round after the other.
    fn work(&self) {
        loop {
            let mut state = self.lock();
            if state.stopped {
                return;
            }
            let seed = state.seeds.bits();
            drop(state);
            let (tallies, finding) = round::run(seed, None, self.folder);
            let mut state = self.lock();
            state.tallies += &tallies;
            state.findings.extend(finding);
            let enough = state.tallies.total().operations() >= self.operations;
            if enough || !state.findings.is_empty() {
                state.stopped = true;
                self.stop.notify_all();
            }
        }
    }

    /// Prints a line each minute, and stops the run after `end`.
    fn watch(&self, end: Option<Duration>) {
        let start = Instant::now();
        let mut state = self.lock();
        let mut minutes = 0;
        while !state.stopped {
            let elapsed = start.elapsed();
            if end.is_some_and(|end| elapsed >= end) {
                state.stopped = true;
                break;
            }
            let passed = elapsed.as_secs() / MINUTE.as_secs();
            if passed > minutes {
                minutes = passed;
                println!("{}", state.tallies.line(minutes, state.findings.len()));
            }
            let next = MINUTE * (minutes as u32 + 1);
            let wake = end.map_or(next, |end| end.min(next));
            let wait = self.stop.wait_timeout(state, wake.saturating_sub(elapsed));
            (state, _) = wait.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The state. A round that panics does so outside of the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
