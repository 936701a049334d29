//! Lives on all processors, until the time is over, enough is done, or something is found.
//!
//! The seed differs from run to run unless it is given: every run then looks at filters that no run before has seen. Nothing is lost by it, because the run
//! prints its seed and a finding prints the seed of its own life.

use super::options::Options;
use anyhow::{Context, Result};
use bloomwise::AnyFilter;
use bloomwise::format::{Check, MapFile};
use bloomwise_model::{Draw, Fault, Finding, Scale, Tallies, World, grouped, live};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two lines of progress.
const MINUTE: Duration = Duration::from_secs(60);

/// What all threads share.
struct State {
    /// The seeds of the lives.
    seeds: Draw<'static>,
    /// What the lives that are over did.
    tallies: Tallies,
    /// What they found, with the seeds of these lives.
    findings: Vec<(u64, Finding)>,
    /// Whether no further life starts.
    stopped: bool,
}

/// The lives of a soak: what they may use.
#[derive(Debug)]
pub struct Lives {
    /// Where files go.
    folder: tempfile::TempDir,
    /// The program `bloomwise`, if it is there.
    command: Option<PathBuf>,
}

impl Lives {
    /// Lives with a folder of their own. `bloomwise` is looked for beside this program.
    ///
    /// # Errors
    ///
    /// No temporary folder can be made.
    pub fn new() -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR")?;
        let beside = std::env::current_exe().ok();
        let command = beside.map(|path| path.with_file_name("bloomwise"));
        Ok(Lives {
            folder,
            command: command.filter(|path| path.is_file()),
        })
    }

    /// Lives the life of a seed. Returns what it did, and what it found.
    pub fn live(&self, seed: u64, fault: Option<Fault>) -> (Tallies, Option<Finding>) {
        let world = World {
            folder: Some(self.folder.path()),
            open: Some(open),
            command: self.command.as_deref(),
            threads: true,
        };
        let scale = if seed.is_multiple_of(2) {
            Scale::Tiny
        } else {
            Scale::Any
        };
        live(scale, &mut Draw::Seed(seed), world, fault)
    }
}

/// Maps the file of a life.
#[expect(unsafe_code, reason = "mapping a file has no safe form")]
fn open(path: &Path) -> bloomwise::Result<AnyFilter> {
    // SAFETY: the file is in a folder of this run, and no life changes it in place.
    unsafe { AnyFilter::open(path, Check::Whole) }
}

/// A run.
struct Run<'a> {
    state: Mutex<State>,
    /// Wakes the thread that prints.
    stop: Condvar,
    /// The number of operations after which the run stops.
    operations: u64,
    /// What lives may use.
    lives: &'a Lives,
}

/// Runs a soak and prints its progress. Returns whether it found nothing.
///
/// # Errors
///
/// No temporary folder can be made.
pub fn run(options: &Options) -> Result<bool> {
    let lives = Lives::new()?;
    if lives.command.is_none() {
        println!(
            "the command's update is left out: build it with `cargo build --release -p bloomwise-cli`"
        );
    }
    if let Some(seed) = options.life {
        let (tallies, finding) = lives.live(seed, None);
        println!("{}", tallies.table());
        let finding = finding.map(|finding| (seed, finding));
        return Ok(report(finding.as_slice()));
    }
    let seed = options.seed.unwrap_or_else(drawn_seed);
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = options.threads.unwrap_or(processors);
    println!("seed {seed:#018x}, {threads} lives at a time");
    let run = Run {
        state: Mutex::new(State {
            seeds: Draw::Seed(seed),
            tallies: Tallies::default(),
            findings: Vec::new(),
            stopped: false,
        }),
        stop: Condvar::new(),
        operations: options.operations.unwrap_or(u64::MAX),
        lives: &lives,
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
    let operations = grouped(state.tallies.total().operations());
    println!("{operations} operations, {} findings", state.findings.len());
    Ok(report(&state.findings))
}

/// Prints findings and returns whether there are none.
fn report(findings: &[(u64, Finding)]) -> bool {
    for (seed, finding) in findings {
        eprintln!("bloomwise-lab: life {seed:#018x}: {finding}");
        eprintln!("to repeat it: cargo run --release -p bloomwise-lab -- soak --life {seed:#018x}");
    }
    findings.is_empty()
}

/// A seed that differs from run to run.
fn drawn_seed() -> u64 {
    // The standard library gives every hash map another state.
    RandomState::new().build_hasher().finish()
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
            let (tallies, finding) = self.lives.live(seed, None);
            let mut state = self.lock();
            state.tallies += &tallies;
            state
                .findings
                .extend(finding.map(|finding| (seed, finding)));
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

    /// The state. A life that panics does so outside of the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
