//! Speed against other crates, as ratios in one run.
//!
//! Machines are shared and noisy, so absolute times mean little. All contenders take turns: every round times one pass
//! of each over the same keys, and what is reported is the median over the rounds, beside the ratio to bloomwise.
//! Queries are asked in three mixes: members only, strangers only, and both in an order that no branch predictor can
//! learn. Every pass checks its answers: a member that is denied ends the run.

use crate::contender::{Contender, FastbloomDefault, FastbloomFoldhash, Fuse, Sbbf};
use crate::workload::{Key, Text, members, strangers};
use bloomwise::{Blocked, Bloom, Filter};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 9;

/// One contender with what was measured of it.
struct Entry<'a> {
    name: &'static str,
    bits_per_key: f64,
    fpr: f64,
    /// One pass over keys: how many of them were answered with yes.
    pass: Box<dyn Fn(Mix) -> usize + 'a>,
    build: Box<dyn Fn() + 'a>,
    /// Nanoseconds per key of each round: building, then the three mixes.
    times: [Vec<f64>; 4],
}

/// Which keys are asked for.
#[derive(Clone, Copy)]
enum Mix {
    Members,
    Strangers,
    Both,
}

/// The keys of a workload.
struct Keys<K> {
    members: Vec<K>,
    strangers: Vec<K>,
    both: Vec<K>,
}

impl<K: Key> Keys<K> {
    fn new(count: u64) -> Self {
        let (members, strangers) = (members::<K>(count), strangers::<K>(count));
        // Every other key of each, by the parity of a hash of its number.
        let pick = |n: u64| (u64::number(n) >> 17) & 1 == 0;
        let both = (0..count)
            .map(|n| if pick(n) { &members } else { &strangers }[n as usize].clone())
            .collect();
        Keys {
            members,
            strangers,
            both,
        }
    }

    fn of(&self, mix: Mix) -> &[K] {
        match mix {
            Mix::Members => &self.members,
            Mix::Strangers => &self.strangers,
            Mix::Both => &self.both,
        }
    }
}

fn entry<'a, K: Key, C: Contender<K> + 'a>(name: &'static str, keys: &'a Keys<K>) -> Entry<'a> {
    let filter = C::build(&keys.members);
    let bits_per_key = filter.bits() as f64 / keys.members.len() as f64;
    let pass = move |mix: Mix| keys.of(mix).iter().filter(|key| filter.contains(key)).count();
    let build = || drop(black_box(C::build(black_box(&keys.members))));
    measured(name, keys, bits_per_key, pass, build)
}

fn batch<'a, K: Key, F: Contender<K> + Filter + 'a>(name: &'static str, keys: &'a Keys<K>) -> Entry<'a> {
    let filter = F::build(&keys.members);
    let bits_per_key = filter.bits() as f64 / keys.members.len() as f64;
    let pass = move |mix: Mix| {
        let mut yes = 0;
        let mut answers = Vec::new();
        for group in keys.of(mix).chunks(1024) {
            answers.clear();
            let digests: Vec<_> = group.iter().map(|key| filter.hashing().digest(key.bytes().as_ref())).collect();
            filter.contains_digests(&digests, &mut answers);
            yes += answers.iter().filter(|&&yes| yes).count();
        }
        yes
    };
    measured(name, keys, bits_per_key, pass, || ())
}

fn measured<'a, K: Key>(
    name: &'static str,
    keys: &Keys<K>,
    bits_per_key: f64,
    pass: impl Fn(Mix) -> usize + 'a,
    build: impl Fn() + 'a,
) -> Entry<'a> {
    assert_eq!(pass(Mix::Members), keys.members.len(), "{name} denies a member");
    let fpr = pass(Mix::Strangers) as f64 / keys.strangers.len() as f64;
    Entry {
        name,
        bits_per_key,
        fpr,
        pass: Box::new(pass),
        build: Box::new(build),
        times: Default::default(),
    }
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn workload<K: Key>(title: &str, count: u64) {
    let keys = Keys::<K>::new(count);
    let mut entries = [
        entry::<K, Bloom>("bloom", &keys),
        batch::<K, Bloom>("bloom, batch", &keys),
        entry::<K, FastbloomDefault>("fastbloom", &keys),
        entry::<K, FastbloomFoldhash>("fastbloom, foldhash", &keys),
        entry::<K, Blocked>("blocked", &keys),
        batch::<K, Blocked>("blocked, batch", &keys),
        entry::<K, Sbbf>("sbbf-rs-safe", &keys),
        entry::<K, Fuse>("xorf BinaryFuse8", &keys),
    ];
    for round in 0..ROUNDS {
        for entry in &mut entries {
            if round < 3 {
                let start = Instant::now();
                (entry.build)();
                entry.times[0].push(start.elapsed().as_nanos() as f64 / count as f64);
            }
            for (mix, times) in [Mix::Members, Mix::Strangers, Mix::Both].into_iter().zip(&mut entry.times[1..]) {
                let start = Instant::now();
                black_box((entry.pass)(mix));
                times.push(start.elapsed().as_nanos() as f64 / count as f64);
            }
        }
    }
    println!("\n{title}\n");
    println!("| filter | bits per key | FPR | build ns | member ns | stranger ns | mixed ns |");
    println!("|---|---|---|---|---|---|---|");
    for entry in &entries {
        let [build, member, stranger, both] = entry.times.each_ref().map(|times| median(times));
        println!(
            "| {} | {:.2} | {:.3} % | {build:.1} | {member:.1} | {stranger:.1} | {both:.1} |",
            entry.name,
            entry.bits_per_key,
            100.0 * entry.fpr
        );
    }
}

/// Runs all workloads and prints their tables.
pub fn run(only: Option<&str>) {
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    if wanted("1m") {
        workload::<u64>("1 M keys of 8 bytes", 1_000_000);
    }
    if wanted("10m") {
        workload::<u64>("10 M keys of 8 bytes", 10_000_000);
    }
    if wanted("text") {
        workload::<Text>("1 M keys of 25 bytes", 1_000_000);
    }
}
