//! Build times from digests that are sorted already, as the parts of a larger build have them, beside a binary fuse filter of
//! another crate, which gets as many random 64-bit numbers. Ratios within a round.

use crate::prelude::*;
use anyhow::anyhow;
use bloomwise::Guarded;

/// Rounds; odd, so that one value is the median.
const ROUNDS: usize = 5;

/// Bits per key, as in the HABF paper.
const BITS_PER_KEY: f64 = 8.44;

/// The table of build times for each number of keys.
pub fn table(counts: &[u64]) -> Result<Table> {
    let columns = "keys | BinaryFuse8 ns per key {1} | guarded / BinaryFuse8 {2} | as many negatives / BinaryFuse8 {2} | two threads / one, as many negatives {2}";
    let mut table = Table::new("Build from sorted digests, one thread", columns);
    for &count in counts {
        let none = KeySets::new(0..count, std::iter::empty::<(u64, f64)>())?;
        let many = KeySets::new(0..count, (count..2 * count).map(|key| (key, 1.0)))?;
        let numbers: Vec<u64> = none.positives().iter().map(|key| key.function(1)).collect();
        let keys = count as usize;
        let fuse = || xorf::BinaryFuse8::try_from(&numbers).map_err(|error| anyhow!(error));
        let guarded = |sets: &KeySets, threads: usize| {
            let builder = Guarded::builder(Size::BitsPerKey(BITS_PER_KEY));
            let (built, taken) = on_threads(threads, || time(keys, || builder.build(sets)))?;
            black_box(built?);
            anyhow::Ok(taken)
        };
        let turns = Turns::take(ROUNDS, 1, |_| {
            let (built, taken) = time(keys, fuse);
            black_box(built.context("BinaryFuse8")?);
            let (single, double) = (guarded(&many, 1)?, guarded(&many, 2)?);
            Ok([
                taken,
                guarded(&none, 1)? / taken,
                single / taken,
                double / single,
            ])
        })?;
        table.row((count, turns.medians(0)));
    }
    Ok(table)
}
