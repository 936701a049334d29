//! Speed against other crates, as ratios in one run.
//!
//! Machines are shared and noisy, so that absolute times mean little. All contenders take turns: every round times one
//! pass of each over the same keys. What is reported is the median over the rounds of the times, and of the ratios of
//! two contenders in the same round. Queries come in three mixes: members only, strangers only, and both in an order
//! that no branch predictor can learn. Nothing is measured that denies a member.

use crate::contender::{Contender, FastbloomDefault, FastbloomFoldhash, Fuse, Sbbf};
use crate::workload::{Key, Text, members, strangers};
use bloomwise::{Blocked, Bloom, Digest, Filter};
use std::hint::black_box;
use std::time::Instant;

/// Rounds of queries; odd, so that there is a median.
const ROUNDS: usize = 9;

/// Rounds of building, which takes longer.
const BUILDS: usize = 5;

/// Which contenders are compared: the first is to be as fast as the second, or faster by a known factor.
const PAIRS: [(&str, &str); 5] = [
    ("bloom", "fastbloom"),
    ("bloom", "fastbloom, foldhash"),
    ("blocked", "sbbf-rs-safe"),
    ("bloom", "bloom, batch"),
    ("blocked", "blocked, batch"),
];

/// The keys of a workload, in the three mixes.
struct Keys<K> {
    mixes: [Vec<K>; 3],
}

impl<K: Key> Keys<K> {
    fn new(count: u64) -> Self {
        let (members, strangers) = (members::<K>(count), strangers::<K>(count));
        let is_member = |n: u64| u64::number(n) >> 17 & 1 == 0;
        let both = (0..count).map(|n| match is_member(n) {
            true => members[n as usize].clone(),
            false => strangers[n as usize].clone(),
        });
        let both = both.collect();
        Keys {
            mixes: [members, strangers, both],
        }
    }
}

/// One contender with what was measured of it.
struct Entry<'a> {
    name: &'static str,
    bits_per_key: f64,
    fpr: f64,
    /// Builds the filter anew; `None` where that was measured under another name.
    build: Option<Box<dyn Fn() + 'a>>,
    /// Asks for all keys of a mix and counts the answers "yes".
    pass: Box<dyn Fn(usize) -> usize + 'a>,
    /// Nanoseconds per key of each round: building, then the three mixes.
    times: [Vec<f64>; 4],
}

impl<'a> Entry<'a> {
    /// A contender that is asked key by key.
    fn single<K: Key, C: Contender<K> + 'a>(name: &'static str, keys: &'a Keys<K>) -> Self {
        let filter = C::build(&keys.mixes[0]);
        let bits = filter.bits();
        let pass = move |mix: usize| {
            let keys = keys.mixes[mix].iter();
            keys.filter(|key| filter.contains(key)).count()
        };
        let build = || drop(black_box(C::build(black_box(&keys.mixes[0]))));
        Self::new(name, keys, bits, Some(Box::new(build)), Box::new(pass))
    }

    /// One of ours, asked in batches of a thousand keys.
    fn batch<K: Key, C: Contender<K> + Filter + 'a>(name: &'static str, keys: &'a Keys<K>) -> Self {
        let filter = C::build(&keys.mixes[0]);
        let bits = filter.bits();
        let pass = move |mix: usize| {
            let hashing = filter.hashing();
            let digest = |key: &K| hashing.digest(key.bytes().as_ref());
            let (mut digests, mut answers) = (Vec::<Digest>::new(), Vec::new());
            let groups = keys.mixes[mix].chunks(1000).map(|group| {
                digests.clear();
                digests.extend(group.iter().map(digest));
                answers.clear();
                filter.contains_digests(&digests, &mut answers);
                answers.iter().filter(|&&yes| yes).count()
            });
            groups.sum()
        };
        Self::new(name, keys, bits, None, Box::new(pass))
    }

    fn new<K>(
        name: &'static str,
        keys: &Keys<K>,
        bits: u64,
        build: Option<Box<dyn Fn() + 'a>>,
        pass: Box<dyn Fn(usize) -> usize + 'a>,
    ) -> Self {
        let count = keys.mixes[0].len();
        assert_eq!(pass(0), count, "{name} denies a member");
        Entry {
            name,
            bits_per_key: bits as f64 / count as f64,
            fpr: pass(1) as f64 / count as f64,
            build,
            pass,
            times: Default::default(),
        }
    }

    fn measure(&mut self, round: usize, count: f64) {
        let time = |work: &dyn Fn()| {
            let start = Instant::now();
            work();
            start.elapsed().as_nanos() as f64 / count
        };
        if let Some(build) = self.build.as_ref().filter(|_| round < BUILDS) {
            self.times[0].push(time(build));
        }
        for mix in 0..3 {
            let taken = time(&|| _ = black_box((self.pass)(mix)));
            self.times[1 + mix].push(taken);
        }
    }
}

/// The median as text, or a dash if nothing was measured.
fn median(values: impl Iterator<Item = f64>) -> String {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.get(sorted.len() / 2);
    middle.map_or("-".to_string(), |value| format!("{value:.2}"))
}

fn workload<K: Key>(title: &str, count: u64) {
    let keys = Keys::<K>::new(count);
    let mut entries = [
        Entry::single::<K, Bloom>("bloom", &keys),
        Entry::batch::<K, Bloom>("bloom, batch", &keys),
        Entry::single::<K, FastbloomDefault>("fastbloom", &keys),
        Entry::single::<K, FastbloomFoldhash>("fastbloom, foldhash", &keys),
        Entry::single::<K, Blocked>("blocked", &keys),
        Entry::batch::<K, Blocked>("blocked, batch", &keys),
        Entry::single::<K, Sbbf>("sbbf-rs-safe", &keys),
        Entry::single::<K, Fuse>("xorf BinaryFuse8", &keys),
    ];
    for round in 0..ROUNDS {
        for entry in &mut entries {
            entry.measure(round, count as f64);
        }
    }
    println!("\n{title}\n");
    println!("| filter | bits per key | FPR | build ns | member ns | stranger ns | mixed ns |");
    println!("|---|---|---|---|---|---|---|");
    for entry in &entries {
        let times = entry.times.each_ref().map(|t| median(t.iter().copied()));
        let (name, bits, fpr) = (entry.name, entry.bits_per_key, 100.0 * entry.fpr);
        println!(
            "| {name} | {bits:.2} | {fpr:.3} % | {} |",
            times.join(" | ")
        );
    }
    println!("\n| time of / time of | build | member | stranger | mixed |");
    println!("|---|---|---|---|---|");
    for (left, right) in PAIRS {
        let find = |name| entries.iter().find(|entry| entry.name == name);
        let (Some(first), Some(second)) = (find(left), find(right)) else {
            continue;
        };
        let ratios = [0, 1, 2, 3].map(|what| {
            let rounds = first.times[what].iter().zip(&second.times[what]);
            median(rounds.map(|(a, b)| a / b))
        });
        println!("| {left} / {right} | {} |", ratios.join(" | "));
    }
}

/// Runs all workloads and prints their tables.
pub fn run() {
    workload::<u64>("1 M keys of 8 bytes", 1_000_000);
    workload::<u64>("10 M keys of 8 bytes", 10_000_000);
    workload::<Text>("1 M keys of 25 bytes", 1_000_000);
}
