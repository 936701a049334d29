//! What batches gain over single queries, in filters of growing size.

use crate::contender::Contender;
use crate::race::{self, Entry, Keys};
use bloomwise::{Blocked, Bloom, Counting};

/// Who is compared with whom.
const PAIRS: [(&str, &str); 3] = [
    ("blocked", "blocked, batch"),
    ("bloom", "bloom, batch"),
    ("counting", "counting, batch"),
];

fn workload(title: &str, count: u64) {
    let keys = Keys::<u64>::new(count, 10_000_000);
    let entries = vec![
        Entry::single::<u64, Blocked>("blocked", &keys, Contender::build).not_built_again(),
        Entry::batch::<u64, Blocked>("blocked, batch", &keys, Contender::build),
        Entry::single::<u64, Bloom>("bloom", &keys, Contender::build).not_built_again(),
        Entry::batch::<u64, Bloom>("bloom, batch", &keys, Contender::build),
        Entry::single::<u64, Counting>("counting", &keys, Contender::build).not_built_again(),
        Entry::batch::<u64, Counting>("counting, batch", &keys, Contender::build),
    ];
    race::run(title, &keys, entries, &PAIRS);
}

/// Runs all workloads and prints their tables.
pub fn run() {
    workload("10 M queries on 10 M keys of 8 bytes", 10_000_000);
    workload("10 M queries on 100 M keys of 8 bytes", 100_000_000);
}
