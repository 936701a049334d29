//! Insertions of two threads into one filter, beside one thread, the filter of one thread, and `fastbloom`'s atomic filter.
//!
//! Each filter is made before the clock starts. Threads insert halves of the keys, as many at once as the filter can take.
//! Afterwards all keys are looked up; a false negative ends the run.

use crate::contender::{BITS_PER_KEY, Growing};
use crate::measure::statistics::median;
use crate::measure::timing::{median_ratio, time};
use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use anyhow::{Result, ensure};
use bloomwise::unstable::Shareable;
use bloomwise::{Blocked, Bloom, Counting, Filter, Shared};
use fastbloom::AtomicBloomFilter;
use foldhash::fast::FixedState;
use std::ops::Range;

/// Rounds, in which all take turns.
const ROUNDS: usize = 5;

/// Times of a filter in each round, in nanoseconds per key.
#[derive(Default)]
struct Times {
    plain: Vec<f64>,
    one: Vec<f64>,
    two: Vec<f64>,
}

/// Runs `insert` for all keys, or for one half in each of two threads.
fn in_threads(keys: u64, threads: u64, insert: impl Fn(Range<u64>) + Sync) -> f64 {
    let (_, taken) = time(keys as usize, || {
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let share = thread * keys / threads..(thread + 1) * keys / threads;
                let insert = &insert;
                scope.spawn(move || insert(share));
            }
        });
    });
    taken
}

fn ours<F>(keys: u64, times: &mut Times) -> Result<()>
where
    F: Growing + Shareable + Send + Sync,
{
    let empty = || F::contender().capacity(keys).create();
    let mut plain = empty()?;
    let (_, taken) = time(keys as usize, || plain.extend(0..keys));
    times.plain.push(taken);
    for (threads, times) in [(1, &mut times.one), (2, &mut times.two)] {
        let shared = Shared::new(empty()?);
        times.push(in_threads(keys, threads, |share| shared.extend(share)));
        let found = shared.contains_batch(0..keys);
        ensure!(found.iter().all(|&yes| yes), "a false negative");
    }
    Ok(())
}

fn theirs(keys: u64, times: &mut Times) -> Result<()> {
    for (threads, times) in [(1, &mut times.one), (2, &mut times.two)] {
        let bits = (keys * BITS_PER_KEY) as usize;
        let filter = AtomicBloomFilter::with_num_bits(bits).hasher(FixedState::default());
        let filter = filter.expected_items(keys as usize);
        times.push(in_threads(keys, threads, |share| {
            share.for_each(|key| _ = filter.insert(&key));
        }));
        let found = (0..keys).all(|key| filter.contains(&key));
        ensure!(found, "a false negative");
    }
    Ok(())
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Insertions into filters that threads share: one thread and two, beside the filter of one thread and beside fastbloom's atomic filter with foldhash. Keys of 8 bytes, 10 bits or counters per key; nanoseconds per key, medians of rounds in which all take turns.",
    );
    for full in [1_000_000, 10_000_000] {
        let keys = options.scaled(full, 1000);
        let mut times: [Times; 4] = Default::default();
        for _ in 0..ROUNDS {
            ours::<Bloom>(keys, &mut times[0])?;
            ours::<Blocked>(keys, &mut times[1])?;
            ours::<Counting>(keys, &mut times[2])?;
            theirs(keys, &mut times[3])?;
        }
        let columns = [
            "filter",
            "plain ns",
            "shared, one thread ns",
            "shared, two threads ns",
            "shared / plain",
            "one thread / two",
        ];
        let mut table = Table::new(format!("{keys} keys"), columns);
        let names = ["bloom", "blocked", "counting", "fastbloom, atomic"];
        for (name, times) in names.into_iter().zip(&times) {
            let [plain, one, two] = [&times.plain, &times.one, &times.two];
            let number = |value: f64| match value.is_nan() {
                true => Cell::Nothing,
                false => Cell::number(value, 2),
            };
            table.row([
                name.into(),
                number(median(plain)),
                number(median(one)),
                number(median(two)),
                number(median_ratio(one, plain)),
                number(median_ratio(one, two)),
            ]);
        }
        outcome.tables.push(table);
    }
    Ok(outcome)
}
