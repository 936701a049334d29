//! Filters that are built with known negatives: what they answer, what they cost to build and to ask.
//!
//! Keys are `user` and 64 bits of a hash of a counter, as YCSB makes them; 1,491,178 positives and 1,435,527 negatives,
//! the numbers of the HABF paper. Costs are equal, or follow Zipf's law over a random order. Rates on known and on
//! unseen negatives stand side by side. Times are medians over rounds in which all take turns.

use crate::race::median;
use crate::workload::user;
use bloomwise::{AnyFilter, Bloom, Costed, Digest, Filter, Hashing, KeySets, Report, Size, Spec};
use std::hint::black_box;
use std::time::Instant;

const POSITIVES: u64 = 1_491_178;
const NEGATIVES: u64 = 1_435_527;
const UNSEEN: u64 = 2_000_000;
const ROUNDS: usize = 5;

/// Positives, negatives with costs, and strangers, as digests in the order of their making.
pub struct Data {
    pub positives: Vec<Digest>,
    pub negatives: Vec<Costed>,
    pub unseen: Vec<Digest>,
}

impl Data {
    /// So many of each; the cost of a negative is `1 / rank^skew`, ranks being dealt out at random.
    pub fn new(positives: u64, negatives: u64, unseen: u64, skew: f64) -> Self {
        let digest = |n: u64| Hashing::default().digest(user(n).as_bytes());
        let order = |n: u64| digest(n ^ 1 << 40).low;
        let mut ranks: Vec<(u64, u64)> = (0..negatives).map(|n| (order(n), n)).collect();
        ranks.sort_unstable();
        let mut costs = vec![0.0; negatives as usize];
        for (rank, (_, n)) in (1u32..).zip(ranks) {
            costs[n as usize] = f64::from(rank).powf(-skew);
        }
        let outside = positives..positives + negatives;
        let costed = outside.zip(costs).map(|(n, cost)| Costed {
            digest: digest(n),
            cost,
        });
        let strangers = positives + negatives..positives + negatives + unseen;
        Data {
            positives: (0..positives).map(digest).collect(),
            negatives: costed.collect(),
            unseen: strangers.map(digest).collect(),
        }
    }

    pub fn sets(&self) -> KeySets {
        KeySets::new(self.positives.clone(), self.negatives.clone()).expect("sound costs")
    }
}

/// What a filter answers: the rate by cost on known negatives, and the rate on unseen ones. Checks that none is denied.
pub fn rates(filter: &AnyFilter, data: &Data) -> (f64, f64) {
    let denied = data
        .positives
        .iter()
        .filter(|&&d| !filter.contains_digest(d));
    assert_eq!(denied.count(), 0, "a false negative");
    let cost =
        |negatives: &mut dyn Iterator<Item = &Costed>| negatives.map(|n| n.cost).sum::<f64>();
    let wrong = &mut data
        .negatives
        .iter()
        .filter(|n| filter.contains_digest(n.digest));
    let known = cost(wrong) / cost(&mut data.negatives.iter());
    let unseen = data.unseen.iter().filter(|&&d| filter.contains_digest(d));
    (
        known + 0.0,
        unseen.count() as f64 / data.unseen.len() as f64,
    )
}

/// Kind, preset and settings.
fn spec(kind: &str, bits_per_key: f64, preset: &str, settings: &[(&str, &str)]) -> Spec {
    let mut spec = Spec::new(kind)
        .expect("a kind")
        .size(Size::BitsPerKey(bits_per_key));
    if !preset.is_empty() {
        spec = spec.preset(preset).expect("a preset");
    }
    for (name, value) in settings {
        spec = spec.set(name, value).expect("a setting");
    }
    spec
}

fn accuracy() {
    println!(
        "\n| filter | bits per key | costs | known, by cost | unseen | adjusted | left | parameters |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let plain = Data::new(POSITIVES, NEGATIVES, UNSEEN, 0.0);
    let skewed = Data::new(POSITIVES, NEGATIVES, UNSEEN, 1.0);
    let row = |name: &str, spec: &Spec, data: &Data, costs: &str| {
        let built: (AnyFilter, Report) = spec.build_and_report(&data.sets()).expect("sound");
        let (filter, report) = built;
        let (known, unseen) = rates(&filter, data);
        let fact = |name: &str| {
            let found = report.facts.iter().find(|(known, _)| *known == name);
            found.map_or("-".to_string(), |(_, value)| value.to_string())
        };
        let info = filter.info();
        let parameters = info
            .parameters
            .iter()
            .filter(|(name, _)| ["k", "cells", "cell_bits"].contains(name));
        let parameters: Vec<_> = parameters
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        println!(
            "| {name} | {:.2} | {costs} | {known:.2e} | {:.3} % | {} | {} | {} |",
            filter.size_in_bits() as f64 / data.positives.len() as f64,
            100.0 * unseen,
            fact("adjusted_keys"),
            fact("left"),
            parameters.join(", ")
        );
    };
    for bits in [7.0, 8.44, 10.0, 12.0, 14.0] {
        for kind in ["bloom", "habf", "habf-fast", "habf-cache"] {
            row(kind, &spec(kind, bits, "", &[]), &plain, "equal");
        }
    }
    for kind in ["habf", "habf-fast", "habf-cache"] {
        let name = format!("{kind}, paper");
        row(&name, &spec(kind, 8.44, "paper", &[]), &plain, "equal");
    }
    for rule in ["never", "watch"] {
        let name = format!("habf-fast, empty={rule}");
        row(
            &name,
            &spec("habf-fast", 8.44, "", &[("empty", rule)]),
            &plain,
            "equal",
        );
    }
    for kind in ["bloom", "habf", "habf-fast", "habf-cache"] {
        row(kind, &spec(kind, 8.44, "", &[]), &skewed, "Zipf 1.0");
    }
    println!("\n500,000 positives, other numbers of negatives\n");
    println!(
        "| filter | bits per key | costs | known, by cost | unseen | adjusted | left | parameters |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (negatives, skew) in [
        (100, 0.0),
        (50_000, 0.0),
        (2_500_000, 0.0),
        (10_000_000, 0.0),
        (10_000_000, 1.0),
    ] {
        let data = Data::new(500_000, negatives, UNSEEN, skew);
        let costs = format!("{negatives} negatives, Zipf {skew}");
        for kind in ["bloom", "habf"] {
            row(kind, &spec(kind, 8.44, "", &[]), &data, &costs);
        }
    }
}

/// The time of some work, for each of so many.
fn time(count: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64 / count as f64
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(work)
}

/// Building: from digests that are sorted and checked, and from digests as they come; beside `Bloom`.
fn building() {
    let data = Data::new(POSITIVES, NEGATIVES, 0, 0.0);
    let sets = data.sets();
    let count = data.positives.len();
    let kinds = ["habf", "habf-fast", "habf-cache"];
    let bloom = || {
        let mut filter = Bloom::builder(POSITIVES, Size::BitsPerKey(8.44))
            .build()
            .expect("sound");
        filter.insert_digests(&data.positives);
        filter
    };
    let (mut base, mut sort) = (Vec::new(), [Vec::new(), Vec::new()]);
    let mut times = vec![[Vec::new(), Vec::new()]; kinds.len()];
    for _ in 0..ROUNDS {
        base.push(time(count, || drop(black_box(bloom()))));
        for threads in [1, 2] {
            let (positives, negatives) = (data.positives.clone(), data.negatives.clone());
            let work = || drop(black_box(KeySets::new(positives, negatives)));
            in_pool(threads, || sort[threads - 1].push(time(count, work)));
            for (kind, times) in kinds.iter().zip(&mut times) {
                let spec = spec(kind, 8.44, "", &[]);
                let work = || drop(black_box(spec.build(&sets).expect("sound")));
                in_pool(threads, || times[threads - 1].push(time(count, work)));
            }
        }
    }
    let ratio = |a: &[f64], b: &[f64]| median(a.iter().zip(b).map(|(a, b)| a / b));
    let of = |times: &[f64]| median(times.iter().copied());
    println!("\nBuilding, nanoseconds per positive, 8.44 bits per key\n");
    println!("| work | one thread | two threads | gain | one thread / bloom |");
    println!("|---|---|---|---|---|");
    println!("| bloom, from digests | {} | - | - | 1 |", of(&base));
    let row = |name: &str, times: &[Vec<f64>; 2]| {
        let [one, two] = times;
        println!(
            "| {name} | {} | {} | {} | {} |",
            of(one),
            of(two),
            ratio(one, two),
            ratio(one, &base)
        );
    };
    row("sorting and checking both sets", &sort);
    for (kind, times) in kinds.iter().zip(&times) {
        row(&format!("{kind}, from sorted sets"), times);
        let whole = [0, 1].map(|t| times[t].iter().zip(&sort[t]).map(|(a, b)| a + b).collect());
        row(&format!("{kind}, with sorting"), &whole);
    }
}

/// Queries beside `Bloom`, one by one and in batches.
fn asking(positives: u64, bits_per_key: f64) {
    let data = Data::new(positives, positives, 0, 0.0);
    let sets = data.sets();
    let members: Vec<Digest> = data.positives.clone();
    let strangers: Vec<Digest> = data.negatives.iter().map(|n| n.digest).collect();
    let kinds = ["bloom", "habf", "habf-fast", "habf-cache"];
    let filters = kinds.map(|kind| {
        spec(kind, bits_per_key, "", &[])
            .build(&sets)
            .expect("sound")
    });
    // The filter itself is asked, as a caller who knows its type would.
    let single = |filter: &AnyFilter, keys: &[Digest]| match filter {
        AnyFilter::Bloom(filter) => count(filter, keys),
        AnyFilter::Habf(filter) => count(filter, keys),
        other => count(other, keys),
    };
    let batch = |filter: &AnyFilter, keys: &[Digest]| {
        let mut answers = Vec::with_capacity(keys.len());
        filter.contains_digests(keys, &mut answers);
        answers.into_iter().filter(|&yes| yes).count()
    };
    let mut times = vec![[Vec::new(), Vec::new(), Vec::new(), Vec::new()]; kinds.len()];
    for _ in 0..ROUNDS {
        for (filter, times) in filters.iter().zip(&mut times) {
            times[0].push(time(members.len(), || {
                _ = black_box(single(filter, &members))
            }));
            times[1].push(time(strangers.len(), || {
                _ = black_box(single(filter, &strangers))
            }));
            times[2].push(time(members.len(), || {
                _ = black_box(batch(filter, &members))
            }));
            times[3].push(time(strangers.len(), || {
                _ = black_box(batch(filter, &strangers))
            }));
        }
    }
    println!(
        "\nAsking for digests, {positives} positives, as many known negatives, {bits_per_key} bits per key: ns, and ratio to bloom\n"
    );
    println!("| filter | members | known negatives | members, batch | known negatives, batch |");
    println!("|---|---|---|---|---|");
    for (kind, of_kind) in kinds.iter().zip(&times) {
        let cells: Vec<String> = (0..4)
            .map(|what| {
                let ratios = of_kind[what]
                    .iter()
                    .zip(&times[0][what])
                    .map(|(a, b)| a / b);
                format!(
                    "{} ({})",
                    median(of_kind[what].iter().copied()),
                    median(ratios)
                )
            })
            .collect();
        println!("| {kind} | {} |", cells.join(" | "));
    }
}

fn count<F: Filter>(filter: &F, keys: &[Digest]) -> usize {
    let yes = keys
        .iter()
        .filter(|&&digest| filter.contains_digest(digest));
    yes.count()
}

/// How building scales.
fn scaling() {
    println!(
        "\nBuilding `habf` at 8.44 bits per key, as many negatives as positives, two threads, from digests as they come\n"
    );
    println!(
        "| positives | ns per positive | known, by cost | unseen | program's memory at its peak |"
    );
    println!("|---|---|---|---|---|");
    for millions in [1, 5, 20] {
        let data = Data::new(millions * 1_000_000, millions * 1_000_000, 1_000_000, 0.0);
        let spec = spec("habf", 8.44, "", &[]);
        let mut filter = None;
        let taken = time(data.positives.len(), || {
            filter = Some(in_pool(2, || spec.build(&data.sets()).expect("sound")));
        });
        let (known, unseen) = rates(&filter.expect("was built"), &data);
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        println!(
            "| {millions} M | {taken:.0} | {known:.2e} | {:.2} % | {} |",
            100.0 * unseen,
            peak.map_or("?", str::trim)
        );
    }
}

/// Prints all tables.
pub fn run() {
    accuracy();
    building();
    asking(POSITIVES, 8.44);
    asking(10_000_000, 10.0);
    scaling();
}
