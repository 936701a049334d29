//! Speed against other crates, and of batches against single queries, in one run.
//!
//! Some crates' tables have a power of two of slots. If the number of keys is just above what fits, such a table is
//! half empty: it takes twice the space and its queries are faster than usual. The races against crates therefore use
//! nine tenths of a power of two of keys, which such tables can just hold. A separate table shows how their space
//! depends on the number of keys.

use crate::data::{Text, members};
use crate::filter::contender::Contender;
use crate::filter::peers::crates::{
    Cuckoo, FastbloomDefault, FastbloomFoldhash, Fuse, Quotient, Sbbf,
};
use crate::prelude::*;
use crate::times::race::{self, Entry, Keys};
use bloomwise::unstable::Kernel;
use bloomwise::{Blocked, Bloom, Counting, Guarded};

fn against_crates<K: Key>(outcome: &mut Outcome, what: &str, count: u64) -> Result<()> {
    let keys = Keys::<K>::new(count, count);
    let mut entries = vec![
        Entry::single::<K, Bloom>("bloom", &keys, Contender::build)?,
        Entry::batch::<K, Bloom>("bloom, batch", &keys, Contender::build)?,
        Entry::single::<K, FastbloomDefault>("fastbloom", &keys, Contender::build)?,
        Entry::single::<K, FastbloomFoldhash>("fastbloom, foldhash", &keys, Contender::build)?,
        Entry::single::<K, Sbbf>("sbbf-rs-safe", &keys, Contender::build)?,
        Entry::single::<K, Guarded>("guarded", &keys, Contender::build)?,
        Entry::single::<K, Fuse>("xorf BinaryFuse8", &keys, Contender::build)?,
        Entry::single::<K, Quotient>("qfilter", &keys, Contender::build)?,
        Entry::single::<K, Cuckoo>("cuckoofilter, foldhash", &keys, Contender::build)?,
    ];
    let mut pairs = [
        "bloom / fastbloom",
        "bloom / fastbloom, foldhash",
        "bloom, batch / fastbloom, foldhash",
        "bloom / qfilter",
        "bloom / cuckoofilter, foldhash",
        "guarded / xorf BinaryFuse8",
    ]
    .map(str::to_string)
    .to_vec();
    for kernel in Kernel::available() {
        let build = move |keys: &[K]| {
            let before = Kernel::current();
            kernel.choose();
            let built = Blocked::build(keys);
            before.choose();
            built
        };
        let single = format!("blocked, {kernel}");
        let batch = format!("{single}, batch");
        entries.push(Entry::single(&single, &keys, build)?);
        entries.push(Entry::batch(&batch, &keys, build)?);
        pairs.extend([single, batch].map(|name| format!("{name} / sbbf-rs-safe")));
    }
    let title = format!("{count} keys of {what}");
    race::run(&title, &keys, entries, &pairs, outcome)
}

/// Nine tenths of the power of two that is nearest to `2^exponent` at this scale.
fn nearly_full(options: &Options, exponent: i32) -> u64 {
    let nearest = (options.scale.log2() + f64::from(exponent)).round();
    (0.9 * nearest.max(10.0).exp2()) as u64
}

/// The space of filters whose slots are a power of two, beside a filter of any size.
fn space(full: u64) -> Result<Table> {
    let columns = "keys | bloom {2} | qfilter {2} | cuckoofilter, foldhash {2}";
    let mut table = Table::new("Bits per key over the number of keys", columns);
    for percent in [100, 110, 140, 200] {
        let keys = members::<u64>(full * percent / 100);
        let bits = [
            Contender::<u64>::bits(&Bloom::build(&keys)?),
            Contender::<u64>::bits(&Quotient::build(&keys)?),
            Contender::<u64>::bits(&Cuckoo::build(&keys)?),
        ];
        table.row((keys.len(), bits.map(|bits| bits as f64 / keys.len() as f64)));
    }
    Ok(table)
}

/// Races against other crates.
pub fn peers(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Speed against other crates, at 10 bits per key if the crate lets the caller choose. qfilter and cuckoofilter have a power of two of slots: the races fill nine tenths of the slots, where the two need the least space per key. Medians over rounds in which all take turns; all are built and queried on one core.",
    );
    let (small, large) = (nearly_full(options, 20), nearly_full(options, 23));
    against_crates::<u64>(&mut outcome, "8 bytes", small)?;
    against_crates::<u64>(&mut outcome, "8 bytes", large)?;
    against_crates::<Text>(&mut outcome, "25 bytes", small)?;
    outcome.tables.push(space(small)?);
    Ok(outcome)
}

/// Batches against single queries, in filters of growing size.
pub fn batches(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "What batches of a thousand keys gain over single queries, in filters of growing size. Hashing is part of both; the same filter answers both.",
    );
    let queries = options.scaled(5_000_000, 1000);
    let pairs = ["blocked", "bloom", "counting"].map(|name| format!("{name} / {name}, batch"));
    for full in [10_000_000, 100_000_000] {
        let count = options.scaled(full, 1000);
        let keys = Keys::<u64>::new(count, queries);
        let mut entries = Vec::new();
        entries.extend(Entry::both("blocked", &keys, keys.filter::<Blocked>()?)?);
        entries.extend(Entry::both("bloom", &keys, keys.filter::<Bloom>()?)?);
        entries.extend(Entry::both("counting", &keys, keys.filter::<Counting>()?)?);
        let title = format!("{queries} queries on {count} keys of 8 bytes");
        race::run(&title, &keys, entries, &pairs, &mut outcome)?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_of_two_tables_are_full_at_the_count_and_half_empty_above() {
        let options = Options {
            scale: 0.03,
            data: None,
        };
        let count = nearly_full(&options, 20);
        assert_eq!(count, 29_491);
        let table = space(count).expect("valid");
        let of = |row: usize, column: usize| match table.rows()[row][column] {
            Cell::Number(value) => value,
            _ => f64::NAN,
        };
        for column in [2, 3] {
            assert!(of(1, column) > 1.7 * of(0, column));
            assert!(of(3, column) < 1.01 * of(0, column));
        }
        assert!((of(0, 1) - 10.0).abs() < 0.1 && (of(1, 1) - 10.0).abs() < 0.1);
    }
}
