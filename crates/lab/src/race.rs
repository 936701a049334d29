//! Contenders that take turns on the same keys.
//!
//! Machines are shared and noisy, so that absolute times mean little. Every round times one pass of each contender; what
//! is reported is the median over the rounds of the times, and of the ratios of two contenders in the same round.
//! Queries come in three mixes: members only, strangers only, and both in an order that no branch predictor can learn.
//! Nothing is measured that denies a member.

use crate::contender::Contender;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::workload::{Key, members};
use anyhow::{Result, ensure};
use bloomwise::{Digest, Filter};
use std::hint::black_box;
use std::time::Instant;

/// Rounds of queries; odd, so that there is a median.
const ROUNDS: usize = 9;

/// Rounds of building, which takes longer.
const BUILDS: usize = 5;

/// The keys of a race: those of the set, and the three mixes that are asked for.
pub struct Keys<K> {
    members: Vec<K>,
    mixes: [Vec<K>; 3],
}

impl<K: Key> Keys<K> {
    /// A set of `count` keys, and `asked` queries of each mix.
    pub fn new(count: u64, asked: u64) -> Self {
        let is_member = |n: u64| u64::number(n) >> 17 & 1 == 0;
        let member = |n: u64| K::number(n % count);
        let stranger = |n: u64| K::number(count + n);
        let both = |n: u64| if is_member(n) { member(n) } else { stranger(n) };
        Keys {
            members: members(count),
            mixes: [
                (0..asked).map(member).collect(),
                (0..asked).map(stranger).collect(),
                (0..asked).map(both).collect(),
            ],
        }
    }
}

/// One contender with what was measured of it.
pub struct Entry<'a> {
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
    pub fn single<K: Key, C: Contender<K> + 'a>(
        name: &'static str,
        keys: &'a Keys<K>,
        build: fn(&[K]) -> C,
    ) -> Result<Self> {
        let filter = build(&keys.members);
        let bits = filter.bits();
        let pass = move |mix: usize| {
            let keys = keys.mixes[mix].iter();
            keys.filter(|key| filter.contains(key)).count()
        };
        let build = move || drop(black_box(build(black_box(&keys.members))));
        Self::new(name, keys, bits, Some(Box::new(build)), Box::new(pass))
    }

    /// One of ours, asked in batches of a thousand keys.
    pub fn batch<K: Key, C: Contender<K> + Filter + 'a>(
        name: &'static str,
        keys: &'a Keys<K>,
        build: fn(&[K]) -> C,
    ) -> Result<Self> {
        let filter = build(&keys.members);
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

    /// The same, whose building is not measured.
    pub fn not_built_again(mut self) -> Self {
        self.build = None;
        self
    }

    fn new<K>(
        name: &'static str,
        keys: &Keys<K>,
        bits: u64,
        build: Option<Box<dyn Fn() + 'a>>,
        pass: Box<dyn Fn(usize) -> usize + 'a>,
    ) -> Result<Self> {
        let asked = keys.mixes[0].len();
        ensure!(pass(0) == asked, "{name} denies a member");
        Ok(Entry {
            name,
            bits_per_key: bits as f64 / keys.members.len() as f64,
            fpr: pass(1) as f64 / asked as f64,
            build,
            pass,
            times: Default::default(),
        })
    }

    fn measure<K>(&mut self, round: usize, keys: &Keys<K>) {
        let time = |work: &dyn Fn(), count: usize| {
            let start = Instant::now();
            work();
            start.elapsed().as_nanos() as f64 / count as f64
        };
        if let Some(build) = self.build.as_ref().filter(|_| round < BUILDS) {
            self.times[0].push(time(build, keys.members.len()));
        }
        for mix in 0..3 {
            let taken = time(&|| _ = black_box((self.pass)(mix)), keys.mixes[mix].len());
            self.times[1 + mix].push(taken);
        }
    }
}

/// The median as text, or a dash if nothing was measured.
pub fn median(values: impl Iterator<Item = f64>) -> String {
    let values: Vec<f64> = values.collect();
    middle(&values).map_or("-".to_string(), |value| format!("{value:.2}"))
}

/// Runs the race: two tables, what was measured of each and the ratios of some pairs, and a picture.
pub fn run<K>(
    title: &str,
    keys: &Keys<K>,
    mut entries: Vec<Entry<'_>>,
    pairs: &[(&str, &str)],
    outcome: &mut Outcome,
) {
    for round in 0..ROUNDS {
        for entry in &mut entries {
            entry.measure(round, keys);
        }
    }
    let columns = [
        "filter",
        "bits per key",
        "FPR",
        "build ns",
        "member ns",
        "stranger ns",
        "mixed ns",
    ];
    let mut table = Table::new(title, columns);
    let names = entries.iter().map(|entry| entry.name.to_string());
    let x = Axis::linear("nanoseconds per key");
    let mut chart = Chart::new(title, x, Axis::names(names));
    for (number, entry) in entries.iter().enumerate() {
        let times = entry.times.each_ref().map(|times| middle(times));
        let parts = ["build", "member", "stranger", "mixed"];
        for (part, time) in parts.into_iter().zip(times) {
            if let Some(time) = time {
                chart.point(part, time, number as f64, 0.0);
            }
        }
        let cells = [
            entry.name.into(),
            Cell::number(entry.bits_per_key, 2),
            Cell::rate(entry.fpr),
        ];
        let times = times.map(|time| Cell::of(time, |time| Cell::number(time, 2)));
        table.row(cells.into_iter().chain(times));
    }
    let columns = ["time of / time of", "build", "member", "stranger", "mixed"];
    let mut ratios = Table::new("", columns);
    for &(left, right) in pairs {
        let find = |name| entries.iter().find(|entry| entry.name == name);
        let (Some(first), Some(second)) = (find(left), find(right)) else {
            continue;
        };
        let of = [0, 1, 2, 3].map(|what| {
            let rounds = first.times[what].iter().zip(&second.times[what]);
            let rounds: Vec<f64> = rounds.map(|(a, b)| a / b).collect();
            Cell::of(middle(&rounds), |ratio| Cell::number(ratio, 2))
        });
        ratios.row([format!("{left} / {right}").into()].into_iter().chain(of));
    }
    outcome.tables.extend([table, ratios]);
    outcome.charts.push(chart);
}

/// The median, if something was measured.
fn middle(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
