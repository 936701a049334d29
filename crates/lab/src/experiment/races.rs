//! Speed: against other crates, and of batches against single queries, in one run.

use crate::baseline::crates::{Cuckoo, FastbloomDefault, FastbloomFoldhash, Fuse, Quotient, Sbbf};
use crate::contender::Contender;
use crate::options::Options;
use crate::output::Outcome;
use crate::race::{self, Entry, Keys};
use crate::workload::{Key, Text};
use anyhow::Result;
use bloomwise::{Blocked, Bloom, Counting};

/// Who is compared with whom: ours with theirs, one by one with batches.
const PEERS: [(&str, &str); 6] = [
    ("bloom", "fastbloom"),
    ("bloom", "fastbloom, foldhash"),
    ("blocked", "sbbf-rs-safe"),
    ("bloom", "qfilter"),
    ("bloom", "bloom, batch"),
    ("blocked", "blocked, batch"),
];

const BATCHES: [(&str, &str); 3] = [
    ("blocked", "blocked, batch"),
    ("bloom", "bloom, batch"),
    ("counting", "counting, batch"),
];

fn against_crates<K: Key>(outcome: &mut Outcome, what: &str, count: u64) -> Result<()> {
    let keys = Keys::<K>::new(count, count);
    let entries = vec![
        Entry::single::<K, Bloom>("bloom", &keys, Contender::build)?,
        Entry::batch::<K, Bloom>("bloom, batch", &keys, Contender::build)?,
        Entry::single::<K, FastbloomDefault>("fastbloom", &keys, Contender::build)?,
        Entry::single::<K, FastbloomFoldhash>("fastbloom, foldhash", &keys, Contender::build)?,
        Entry::single::<K, Blocked>("blocked", &keys, Contender::build)?,
        Entry::batch::<K, Blocked>("blocked, batch", &keys, Contender::build)?,
        Entry::single::<K, Sbbf>("sbbf-rs-safe", &keys, Contender::build)?,
        Entry::single::<K, Fuse>("xorf BinaryFuse8", &keys, Contender::build)?,
        Entry::single::<K, Quotient>("qfilter", &keys, Contender::build)?,
        Entry::single::<K, Cuckoo>("cuckoofilter", &keys, Contender::build)?,
    ];
    race::run(
        &format!("{count} keys of {what}"),
        &keys,
        entries,
        &PEERS,
        outcome,
    );
    Ok(())
}

/// Against other crates.
pub fn peers(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Speed against other crates, at 10 bits per key where they let one choose; a power of two of slots where they do not (qfilter, cuckoofilter). Medians over rounds in which all take turns.",
    );
    let (small, large) = (
        options.scaled(1_000_000, 1000),
        options.scaled(10_000_000, 1000),
    );
    against_crates::<u64>(&mut outcome, "8 bytes", small)?;
    against_crates::<u64>(&mut outcome, "8 bytes", large)?;
    against_crates::<Text>(&mut outcome, "25 bytes", small)?;
    Ok(outcome)
}

/// Batches against single queries, in filters of growing size.
pub fn batches(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "What batches of a thousand keys gain over single queries, in filters of growing size.",
    );
    let asked = options.scaled(10_000_000, 1000);
    for full in [10_000_000, 100_000_000] {
        let count = options.scaled(full, 1000);
        let keys = Keys::<u64>::new(count, asked);
        let entries = vec![
            Entry::single::<u64, Blocked>("blocked", &keys, Contender::build)?.not_built_again(),
            Entry::batch::<u64, Blocked>("blocked, batch", &keys, Contender::build)?,
            Entry::single::<u64, Bloom>("bloom", &keys, Contender::build)?.not_built_again(),
            Entry::batch::<u64, Bloom>("bloom, batch", &keys, Contender::build)?,
            Entry::single::<u64, Counting>("counting", &keys, Contender::build)?.not_built_again(),
            Entry::batch::<u64, Counting>("counting, batch", &keys, Contender::build)?,
        ];
        let title = format!("{asked} queries on {count} keys of 8 bytes");
        race::run(&title, &keys, entries, &BATCHES, &mut outcome);
    }
    Ok(outcome)
}
