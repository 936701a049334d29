//! Filters that are built with known negatives: what they answer, what they cost to build and to ask.
//!
//! Keys are `user` and 64 bits of a hash of a counter, as YCSB makes them; 1,491,178 positives and 1,435,527 negatives,
//! the numbers of the HABF paper. Costs are equal, or follow Zipf's law over a random order. Rates on known and on
//! unseen negatives stand side by side. Times are medians over rounds in which all take turns.

use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::race::median;
use crate::workload::user;
use anyhow::Result;
use bloomwise::{AnyFilter, Bloom, Costed, Digest, Filter, Hashing, KeySets, Report, Size, Spec};
use std::hint::black_box;
use std::time::Instant;

pub(crate) const POSITIVES: u64 = 1_491_178;
pub(crate) const NEGATIVES: u64 = 1_435_527;
pub(crate) const UNSEEN: u64 = 2_000_000;
const ROUNDS: usize = 5;

/// Positives, negatives with costs, and strangers, as digests in the order of their making.
pub(crate) struct Data {
    pub positives: Vec<Digest>,
    pub negatives: Vec<Costed>,
    unseen: Vec<Digest>,
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
pub(crate) fn rates(filter: &AnyFilter, data: &Data) -> (f64, f64) {
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
pub(crate) fn spec(kind: &str, bits_per_key: f64, preset: &str, settings: &[(&str, &str)]) -> Spec {
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

/// The table of rates, to be filled.
fn rate_table(title: String) -> Table {
    let columns = [
        "filter",
        "bits per key",
        "costs",
        "known, by cost",
        "unseen",
        "adjusted",
        "left",
        "parameters",
    ];
    Table::new(title, columns)
}

fn row(table: &mut Table, name: &str, spec: &Spec, data: &Data, costs: &str) -> Result<()> {
    let (filter, report): (AnyFilter, Report) = spec.build_and_report(&data.sets())?;
    let (known, unseen) = rates(&filter, data);
    let fact = |name: &str| {
        let found = report.facts.iter().find(|(known, _)| *known == name);
        Cell::of(found, |(_, value)| value.to_string().into())
    };
    let info = filter.info();
    let shown = ["k", "cells", "cell_bits", "slots", "guard_slots"];
    let parameters = info
        .parameters
        .iter()
        .filter(|(name, _)| shown.contains(name));
    let parameters: Vec<_> = parameters
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    table.row([
        name.into(),
        Cell::number(
            filter.size_in_bits() as f64 / data.positives.len() as f64,
            2,
        ),
        costs.into(),
        Cell::rate(known),
        Cell::rate(unseen),
        fact("adjusted_keys"),
        fact("left"),
        parameters.join(", ").into(),
    ]);
    Ok(())
}

const KINDS: [&str; 5] = ["bloom", "habf", "habf-fast", "habf-cache", "guarded"];

fn accuracy(options: &Options) -> Result<Table> {
    let (positives, negatives) = sizes(options);
    let mut table = rate_table(format!("{positives} positives, {negatives} negatives"));
    let of_skew = |skew| Data::new(positives, negatives, options.scaled(UNSEEN, 20_000), skew);
    let (plain, skewed) = (of_skew(0.0), of_skew(1.0));
    for bits in [7.0, 8.44, 10.0, 12.0, 14.0] {
        for kind in KINDS {
            row(
                &mut table,
                kind,
                &spec(kind, bits, "", &[]),
                &plain,
                "equal",
            )?;
        }
    }
    for kind in ["habf", "habf-fast", "habf-cache"] {
        let name = format!("{kind}, paper");
        row(
            &mut table,
            &name,
            &spec(kind, 8.44, "paper", &[]),
            &plain,
            "equal",
        )?;
    }
    for rule in ["never", "watch"] {
        let name = format!("habf-fast, empty={rule}");
        let spec = spec("habf-fast", 8.44, "", &[("empty", rule)]);
        row(&mut table, &name, &spec, &plain, "equal")?;
    }
    for kind in KINDS {
        row(
            &mut table,
            kind,
            &spec(kind, 8.44, "", &[]),
            &skewed,
            "Zipf 1.0",
        )?;
    }
    Ok(table)
}

fn other_numbers(options: &Options) -> Result<Table> {
    let positives = options.scaled(500_000, 2000);
    let mut table = rate_table(format!("{positives} positives, other numbers of negatives"));
    for (per_thousand, skew) in [
        (0.2, 0.0),
        (100.0, 0.0),
        (5000.0, 0.0),
        (20_000.0, 0.0),
        (20_000.0, 1.0),
    ] {
        let negatives = (positives as f64 * per_thousand / 1000.0).ceil() as u64;
        let data = Data::new(positives, negatives, options.scaled(UNSEEN, 20_000), skew);
        let costs = format!("{negatives} negatives, Zipf {skew}");
        for kind in ["bloom", "habf", "guarded"] {
            row(&mut table, kind, &spec(kind, 8.44, "", &[]), &data, &costs)?;
        }
    }
    Ok(table)
}

/// Positives and negatives at this scale.
fn sizes(options: &Options) -> (u64, u64) {
    (
        options.scaled(POSITIVES, 2000),
        options.scaled(NEGATIVES, 2000),
    )
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

/// Building, beside `Bloom`: from keys to a filter, and what its parts take.
fn building(options: &Options) -> Result<Table> {
    let (positives, negatives) = sizes(options);
    let keys: Vec<String> = (0..positives + negatives).map(user).collect();
    let (members, others) = keys.split_at(positives as usize);
    let kinds = ["habf", "habf-fast", "habf-cache", "guarded"];
    let digest = |key: &String| Hashing::default().digest(key.as_bytes());
    let hash = || {
        let costed = |key: &String| Costed {
            digest: digest(key),
            cost: 1.0,
        };
        let positives: Vec<Digest> = members.iter().map(digest).collect();
        let negatives: Vec<Costed> = others.iter().map(costed).collect();
        (positives, negatives)
    };
    let bloom = || Bloom::builder(positives, Size::BitsPerKey(8.44)).build();
    // Bloom from keys and from digests; then, for one thread and for two, hashing, sorting, and the kinds.
    let mut base = [Vec::new(), Vec::new()];
    let mut parts = vec![[Vec::new(), Vec::new()]; 2 + kinds.len()];
    let ((digests, _), sets) = (hash(), Data::new(positives, negatives, 0, 0.0).sets());
    for _ in 0..ROUNDS {
        base[0].push(time(members.len(), || {
            let mut filter = bloom().expect("sound");
            filter.extend(members);
            black_box(filter);
        }));
        base[1].push(time(members.len(), || {
            let mut filter = bloom().expect("sound");
            filter.insert_digests(&digests);
            black_box(filter);
        }));
        for threads in [1, 2] {
            in_pool(threads, || {
                let taken = |work: &mut dyn FnMut()| time(members.len(), work);
                let mut hashed = None;
                parts[0][threads - 1].push(taken(&mut || hashed = Some(hash())));
                let (positives, negatives) = hashed.expect("was hashed");
                let mut sets_again = Some((positives, negatives));
                parts[1][threads - 1].push(taken(&mut || {
                    let (positives, negatives) = sets_again.take().expect("once");
                    black_box(KeySets::new(positives, negatives).expect("sound costs"));
                }));
                for (at, kind) in kinds.iter().enumerate() {
                    let spec = spec(kind, 8.44, "", &[]);
                    let build = &mut || _ = black_box(spec.build(&sets).expect("sound"));
                    parts[2 + at][threads - 1].push(taken(build));
                }
            });
        }
    }
    let sum = |lists: &[&Vec<f64>]| -> Vec<f64> {
        let rounds = 0..ROUNDS;
        rounds
            .map(|round| lists.iter().map(|list| list[round]).sum())
            .collect()
    };
    let title = "Building, nanoseconds per positive, 8.44 bits per key";
    let mut table = Table::new(
        title,
        [
            "work",
            "one thread",
            "two threads",
            "gain",
            "one thread / bloom",
        ],
    );
    let of = |times: &[f64]| Cell::from(median(times.iter().copied()));
    let ratio = |a: &[f64], b: &[f64]| Cell::from(median(a.iter().zip(b).map(|(a, b)| a / b)));
    for (name, times) in ["bloom, from keys", "bloom, from digests"]
        .into_iter()
        .zip(&base)
    {
        table.row([
            name.into(),
            of(times),
            Cell::Nothing,
            Cell::Nothing,
            "1".into(),
        ]);
    }
    let mut row = |name: &str, [one, two]: [&[f64]; 2], bloom: &[f64]| {
        let (gain, beside) = (ratio(one, two), ratio(one, bloom));
        table.row([name.into(), of(one), of(two), gain, beside]);
    };
    row("hashing both sets", [&parts[0][0], &parts[0][0]], &base[0]);
    row(
        "sorting and checking both sets",
        [&parts[1][0], &parts[1][1]],
        &base[0],
    );
    for (at, kind) in kinds.iter().enumerate() {
        let [one, two] = &parts[2 + at];
        row(
            &format!("{kind}, from sorted digests"),
            [one, two],
            &base[1],
        );
        let whole = [0, 1].map(|t| sum(&[&parts[0][0], &parts[1][t], &parts[2 + at][t]]));
        row(
            &format!("{kind}, from keys"),
            [&whole[0], &whole[1]],
            &base[0],
        );
    }
    Ok(table)
}

/// Queries beside `Bloom`, one by one and in batches.
fn asking(outcome: &mut Outcome, positives: u64, bits_per_key: f64) -> Result<()> {
    let data = Data::new(positives, positives, 0, 0.0);
    let sets = data.sets();
    drop(data);
    let keys: Vec<String> = (0..2 * positives).map(user).collect();
    let (members, others) = keys.split_at(positives as usize);
    let kinds = ["bloom", "habf", "habf-fast", "habf-cache", "guarded"];
    let filters = kinds.map(|kind| {
        let filter = spec(kind, bits_per_key, "", &[]).build(&sets);
        filter.expect("sound")
    });
    // The filter itself is asked, as a caller who knows its type would.
    let single = |filter: &AnyFilter, keys: &[String]| match filter {
        AnyFilter::Bloom(filter) => count(filter, keys),
        AnyFilter::Habf(filter) => count(filter, keys),
        AnyFilter::Guarded(filter) => count(filter, keys),
        other => count(other, keys),
    };
    let batch = |filter: &AnyFilter, keys: &[String]| {
        let groups = keys.chunks(1000).map(|group| {
            let slices: Vec<&[u8]> = group.iter().map(String::as_bytes).collect();
            let answers = filter.contains_batch(&slices);
            answers.into_iter().filter(|&yes| yes).count()
        });
        groups.sum()
    };
    let mut times = vec![[Vec::new(), Vec::new(), Vec::new(), Vec::new()]; kinds.len()];
    for _ in 0..ROUNDS {
        for (filter, times) in filters.iter().zip(&mut times) {
            let passes: [&dyn Fn() -> usize; 4] = [
                &|| single(filter, members),
                &|| single(filter, others),
                &|| batch(filter, members),
                &|| batch(filter, others),
            ];
            for (pass, times) in passes.into_iter().zip(times) {
                times.push(time(members.len(), || _ = black_box(pass())));
            }
        }
    }
    let title = format!(
        "Asking, {positives} positives and as many known negatives, {bits_per_key} bits per key: ns, and ratio to bloom"
    );
    let parts = [
        "members",
        "known negatives",
        "members, batch",
        "known negatives, batch",
    ];
    let mut table = Table::new(&title, ["filter"].into_iter().chain(parts));
    let names = kinds.iter().map(ToString::to_string);
    let mut chart = Chart::new(title, Axis::linear("nanoseconds"), Axis::names(names));
    for (number, (kind, of_kind)) in kinds.iter().zip(&times).enumerate() {
        for (part, times) in parts.into_iter().zip(of_kind) {
            let middle = median(times.iter().copied()).parse().unwrap_or(f64::NAN);
            chart.point(part, middle, number as f64, 0.0);
        }
        let cells = [0, 1, 2, 3].map(|what| {
            let rounds = of_kind[what].iter().zip(&times[0][what]);
            let ratio = median(rounds.map(|(a, b)| a / b));
            Cell::from(format!(
                "{} ({ratio})",
                median(of_kind[what].iter().copied())
            ))
        });
        table.row([(*kind).into()].into_iter().chain(cells));
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    Ok(())
}

fn count<F: Filter>(filter: &F, keys: &[String]) -> usize {
    let yes = keys.iter().filter(|key| filter.contains(key.as_bytes()));
    yes.count()
}

/// Runs all.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Filters that are built with known negatives: what they answer, and what they cost to build and to ask. YCSB keys. How building scales is in `scale`.",
    );
    outcome.tables.push(accuracy(options)?);
    outcome.tables.push(other_numbers(options)?);
    outcome.tables.push(building(options)?);
    asking(&mut outcome, options.scaled(POSITIVES, 2000), 8.44)?;
    asking(&mut outcome, options.scaled(10_000_000, 2000), 10.0)?;
    Ok(outcome)
}
