//! Insertions of two threads into one filter, beside one thread, the filter of one thread, and `fastbloom`'s atomic filter.
//!
//! Each filter is made before the clock starts. Threads insert halves of the keys, as many at once as the filter can take.
//! Afterwards all keys are looked up; a false negative ends the run.

use crate::filter::contender::Growing;
use crate::prelude::*;
use bloomwise::unstable::Shareable;
use bloomwise::{Blocked, Bloom, Counting, Shared};
use fastbloom::AtomicBloomFilter;
use foldhash::fast::FixedState;
use std::ops::Range;

/// Rounds, in which all take turns.
const ROUNDS: usize = 5;

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

/// Nanoseconds per key of the filter of one thread, and of the shared filter with one thread and with two.
fn ours<F>(keys: u64) -> Result<[f64; 3]>
where
    F: Growing + Shareable + Send + Sync,
{
    let empty = || F::contender().capacity(keys).create();
    let mut plain = empty()?;
    let (_, alone) = time(keys as usize, || plain.extend(0..keys));
    let shared = |threads| {
        let shared = Shared::new(empty()?);
        let taken = in_threads(keys, threads, |share| shared.extend(share));
        let found = shared.contains_batch(0..keys);
        ensure!(found.iter().all(|&yes| yes), "a false negative");
        Ok(taken)
    };
    Ok([alone, shared(1)?, shared(2)?])
}

/// The same for `fastbloom`, which has no filter of one thread here.
fn theirs(keys: u64) -> Result<[f64; 3]> {
    let shared = |threads| {
        let bits = (keys * BITS_PER_KEY) as usize;
        let filter = AtomicBloomFilter::with_num_bits(bits).hasher(FixedState::default());
        let filter = filter.expected_items(keys as usize);
        let taken = in_threads(keys, threads, |share| {
            share.for_each(|key| _ = filter.insert(&key));
        });
        let found = (0..keys).all(|key| filter.contains(&key));
        ensure!(found, "a false negative");
        Ok(taken)
    };
    Ok([f64::NAN, shared(1)?, shared(2)?])
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Insertions into filters that threads share: one thread and two, beside the filter of one thread and beside fastbloom's atomic filter with foldhash. Keys of 8 bytes, 10 bits or counters per key; nanoseconds per key, medians of rounds in which all take turns.",
    );
    let columns = "filter | plain ns {2} | shared, one thread ns {2} | shared, two threads ns {2} | shared / plain {2} | one thread / two {2}";
    let names = ["bloom", "blocked", "counting", "fastbloom, atomic"];
    for full in [1_000_000, 10_000_000] {
        let keys = options.scaled(full, 1000);
        let turns = Turns::take(ROUNDS, names.len(), |number| match number {
            0 => ours::<Bloom>(keys),
            1 => ours::<Blocked>(keys),
            2 => ours::<Counting>(keys),
            _ => theirs(keys),
        })?;
        let mut table = Table::new(format!("{keys} keys"), columns);
        for (number, name) in names.into_iter().enumerate() {
            let ratios =
                [(1, 0), (1, 2)].map(|(above, below)| turns.of_parts(number, above, below));
            table.row((name, turns.medians(number), ratios));
        }
        outcome.tables.push(table);
    }
    Ok(outcome)
}
