//! Build times from digests that are sorted already, as the parts of a larger build have them, beside a binary fuse filter of
//! another crate, which gets as many random 64-bit numbers. Ratios within a round.

use crate::contender::on_threads;
use crate::measure::statistics::median;
use crate::measure::timing::time;
use crate::output::{Cell, Table};
use anyhow::{Context, Result, anyhow};
use bloomwise::{Guarded, KeySets, Size};
use std::hint::black_box;

/// Rounds; odd, so that one value is the median.
const ROUNDS: usize = 5;

/// Bits per key, as in the HABF paper.
const BITS_PER_KEY: f64 = 8.44;

/// The table of build times for each number of keys.
pub fn table(counts: &[u64]) -> Result<Table> {
    let columns = [
        "keys",
        "BinaryFuse8 ns per key",
        "guarded / BinaryFuse8",
        "as many negatives / BinaryFuse8",
        "two threads / one, as many negatives",
    ];
    let mut table = Table::new("Build from sorted digests, one thread", columns);
    for &count in counts {
        let none = KeySets::new(0..count, std::iter::empty::<(u64, f64)>())?;
        let many = KeySets::new(0..count, (count..2 * count).map(|key| (key, 1.0)))?;
        let numbers: Vec<u64> = none.positives().iter().map(|key| key.function(1)).collect();
        let keys = count as usize;
        let fuse = || {
            let built = xorf::BinaryFuse8::try_from(&numbers);
            black_box(built.map_err(|error| anyhow!(error))?);
            Ok(())
        };
        let guarded = |sets: &KeySets, threads: usize| {
            on_threads(threads, || {
                let (built, taken) = time(keys, || {
                    Guarded::builder(Size::BitsPerKey(BITS_PER_KEY)).build(sets)
                });
                black_box(built?);
                anyhow::Ok(taken)
            })?
        };
        let mut rounds: [Vec<f64>; 4] = Default::default();
        for _ in 0..ROUNDS {
            let (done, taken): (Result<()>, f64) = time(keys, fuse);
            done.context("BinaryFuse8")?;
            let (single, double) = (guarded(&many, 1)?, guarded(&many, 2)?);
            let found = [
                taken,
                guarded(&none, 1)? / taken,
                single / taken,
                double / single,
            ];
            for (round, value) in rounds.iter_mut().zip(found) {
                round.push(value);
            }
        }
        let [fuse, none, many, threads] = rounds.map(|round| median(&round));
        table.row([
            Cell::whole(count),
            Cell::number(fuse, 1),
            Cell::number(none, 2),
            Cell::number(many, 2),
            Cell::number(threads, 2),
        ]);
    }
    Ok(table)
}
