//! Speed against other crates, in one run.

use crate::contender::{Contender, FastbloomDefault, FastbloomFoldhash, Fuse, Sbbf};
use crate::race::{self, Entry, Keys};
use crate::workload::{Key, Text};
use bloomwise::{Blocked, Bloom};

/// Who is compared with whom.
const PAIRS: [(&str, &str); 5] = [
    ("bloom", "fastbloom"),
    ("bloom", "fastbloom, foldhash"),
    ("blocked", "sbbf-rs-safe"),
    ("bloom", "bloom, batch"),
    ("blocked", "blocked, batch"),
];

fn workload<K: Key>(title: &str, count: u64) {
    let keys = Keys::<K>::new(count, count);
    let entries = vec![
        Entry::single::<K, Bloom>("bloom", &keys, Contender::build),
        Entry::batch::<K, Bloom>("bloom, batch", &keys, Contender::build),
        Entry::single::<K, FastbloomDefault>("fastbloom", &keys, Contender::build),
        Entry::single::<K, FastbloomFoldhash>("fastbloom, foldhash", &keys, Contender::build),
        Entry::single::<K, Blocked>("blocked", &keys, Contender::build),
        Entry::batch::<K, Blocked>("blocked, batch", &keys, Contender::build),
        Entry::single::<K, Sbbf>("sbbf-rs-safe", &keys, Contender::build),
        Entry::single::<K, Fuse>("xorf BinaryFuse8", &keys, Contender::build),
    ];
    race::run(title, &keys, entries, &PAIRS);
}

/// Runs all workloads and prints their tables.
pub fn run() {
    workload::<u64>("1 M keys of 8 bytes", 1_000_000);
    workload::<u64>("10 M keys of 8 bytes", 10_000_000);
    workload::<Text>("1 M keys of 25 bytes", 1_000_000);
}
