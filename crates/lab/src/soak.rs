//! A soak: random lives of random filters, until the time is over or a promise is broken.
//!
//! `cargo run --release -p bloomwise-lab -- soak --minutes 10` runs it, and `soak --help` lists its options. It prints one line a minute and a table by kind at
//! the end. At the first broken promise it stops, prints what is broken, the filter, the fewest steps that show it and the command that repeats it, and exits
//! with code 1. A panic counts as a broken promise.
//!
//! [`bloomwise_model`] has the lives and the promises. The seed differs from run to run unless it is given: every run then looks at filters that no run before
//! has seen. Nothing is lost by it, because the run prints its seed and a finding prints the seed of its own life.

use anyhow::{Context, Result};
use bloomwise::AnyFilter;
use bloomwise::format::{Check, MapFile};
use bloomwise_model::{Finding, Soak, World, grouped};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Runs random lives of random filters of every kind, alone and composed, and compares them with exact sets. Stops with exit code 1 at the first broken promise and prints how to repeat it.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Options {
    /// Minutes to run.
    #[arg(long, value_name = "N", default_value = "10", value_parser = minutes)]
    pub minutes: Duration,

    /// Stop after this many operations instead. An operation is one key inserted, removed, guarded or queried.
    #[arg(long, value_name = "N", conflicts_with = "minutes")]
    pub operations: Option<u64>,

    /// The seed that all lives are drawn from, decimal or hexadecimal with 0x (default: another one each time, which is
    /// printed).
    #[arg(long, value_parser = seed)]
    pub seed: Option<u64>,

    /// Number of lives at a time (default: one for each processor).
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,

    /// Repeat the one life with this seed.
    #[arg(long, value_name = "SEED", value_parser = seed, conflicts_with_all = ["minutes", "operations", "seed", "threads"])]
    pub life: Option<u64>,
}

/// The most minutes: a year.
const MAX_MINUTES: f64 = 525_600.0;

/// The most threads.
const MAX_THREADS: usize = 1024;

fn minutes(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= MAX_MINUTES => {
            Ok(Duration::from_secs_f64(60.0 * minutes))
        }
        _ => Err(format!("give a number above 0 and at most {MAX_MINUTES}")),
    }
}

fn seed(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "give a number below 2^64, or 0x and up to 16 digits".to_string())
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!("give a number from 1 to {MAX_THREADS}")),
    }
}

/// Runs a soak and prints its progress. Returns whether it found nothing.
///
/// # Errors
///
/// No temporary folder can be made.
pub fn run(options: &Options) -> Result<bool> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR")?;
    // The program `bloomwise` is looked for beside this one.
    let beside = std::env::current_exe().ok();
    let command = beside.map(|path| path.with_file_name("bloomwise"));
    let command = command.filter(|path| path.is_file());
    if command.is_none() {
        println!(
            "the command's update is left out: build it with `cargo build --release -p bloomwise-cli`"
        );
    }
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let soak = Soak {
        world: World {
            folder: Some(folder.path()),
            open: Some(open),
            command: command.as_deref(),
            threads: true,
        },
        threads: options.threads.unwrap_or(processors),
        time: match options.operations {
            Some(_) => Duration::MAX,
            None => options.minutes,
        },
        operations: options.operations.unwrap_or(u64::MAX),
    };
    if let Some(seed) = options.life {
        let (tallies, finding) = soak.life(seed);
        println!("{}", tallies.table());
        return Ok(report(finding.map(|finding| (seed, finding)).as_slice()));
    }
    // The standard library gives every hash map another state.
    let seed = options
        .seed
        .unwrap_or_else(|| RandomState::new().build_hasher().finish());
    println!("seed {seed:#018x}, {} lives at a time", soak.threads);
    let (tallies, findings) = soak.run(seed, &|line| println!("{line}"));
    println!("{}", tallies.table());
    let operations = grouped(tallies.total().operations());
    println!("{operations} operations, {} findings", findings.len());
    Ok(report(&findings))
}

/// Prints findings and returns whether there are none.
fn report(findings: &[(u64, Finding)]) -> bool {
    for (seed, finding) in findings {
        eprintln!("bloomwise-lab: life {seed:#018x}: {finding}");
        eprintln!("to repeat it: cargo run --release -p bloomwise-lab -- soak --life {seed:#018x}");
    }
    findings.is_empty()
}

/// Maps the file of a life.
#[expect(unsafe_code, reason = "mapping a file has no safe form")]
fn open(path: &Path) -> bloomwise::Result<AnyFilter> {
    // SAFETY: the file is in a folder of this run, and no life changes it in place.
    unsafe { AnyFilter::open(path, Check::Whole) }
}
