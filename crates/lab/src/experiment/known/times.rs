//! What filters with known negatives cost to build and to ask, beside `Bloom`.

use super::sizes;
use crate::experiment::timing::time as timed;
use crate::known::{Data, rates, spec};
use crate::memory;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::race::median;
use crate::workload::user;
use anyhow::{Context, Result};
use bloomwise::{AnyFilter, Bloom, Costed, Digest, Filter, Hashing, KeySets, Size};
use std::hint::black_box;

const ROUNDS: usize = 5;

/// The time of some work, for each of so many.
fn time(count: usize, work: impl FnOnce()) -> f64 {
    timed(count, work).1
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(work)
}

/// Building, beside `Bloom`: from keys to a filter, and what its parts take.
pub fn building(options: &Options) -> Result<Table> {
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
pub fn asking(outcome: &mut Outcome, positives: u64, bits_per_key: f64) -> Result<()> {
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

/// How building scales.
pub fn scaling(options: &Options) -> Result<Table> {
    let title = "Building `habf` at 8.44 bits per key, as many negatives as positives, two threads, from digests as they come";
    let columns = [
        "positives",
        "ns per positive",
        "known, by cost",
        "unseen",
        "bytes at the peak",
    ];
    let mut table = Table::new(title, columns);
    for millions in [1, 5, 20] {
        let positives = options.scaled(millions * 1_000_000, 2000);
        let data = Data::new(positives, positives, options.scaled(1_000_000, 20_000), 0.0);
        let spec = spec("habf", 8.44, "", &[]);
        let mut filter = None;
        let (taken, bytes) = memory::peak(|| {
            time(data.positives.len(), || {
                filter = Some(in_pool(2, || spec.build(&data.sets())));
            })
        });
        let (known, unseen) = rates(&filter.context("was not built")??, &data);
        table.row([
            Cell::whole(positives),
            Cell::number(taken, 0),
            Cell::rate(known),
            Cell::rate(unseen),
            Cell::whole(bytes),
        ]);
    }
    Ok(table)
}
