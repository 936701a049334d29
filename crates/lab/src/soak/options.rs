//! The options of the command.

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
