//! Figure 12: build and query times.
//!
//! The paper used a different machine, so times are compared as ratios to the Bloom filter. Filters take turns. A ratio
//! is taken within a round, and its median and quartiles over the rounds are shown. Builds are compared on one thread,
//! since a Bloom filter is built on one; the times on all cores are shown beside them. Half of the queries are for
//! members and half are not, since the paper does not say which it uses; the mean of both is compared.
//!
//! A Bloom filter of this library hashes a key once and derives all functions from the digest; the paper's computes a
//! hash per function. A second Bloom filter does the same, to separate the effect of the other filters from that of the
//! Bloom filter they are compared with. Another row shows how much HABF gains from segments, and a note gives the time
//! to prepare both sets.

use super::keys::{
    self, Candidate, Keys, Measured, Published, SETTINGS, candidate_index, candidates, chart,
};
use super::learned;
use crate::experiment::orders;
use crate::experiment::timing::{Quartiles, in_turns, median, time};
use crate::options::Options;
use crate::output::{Cell, Claim, Outcome, Table};
use crate::workload::Source;
use anyhow::{Result, ensure};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;

/// The number of rounds for a set: the smaller set is faster.
fn rounds_of(source: Source) -> usize {
    if source == Source::Urls { 9 } else { 5 }
}

/// The times of a filter over the rounds, in nanoseconds per key.
struct Times {
    build: Vec<f64>,
    build_on_all: Vec<f64>,
    member: Vec<f64>,
    negative: Vec<f64>,
    /// The mean of `member` and `negative`.
    query: Vec<f64>,
}

impl Times {
    fn of(rounds: &[[f64; 4]]) -> Self {
        let part = |of: fn(&[f64; 4]) -> f64| rounds.iter().map(of).collect();
        Times {
            build: part(|round| round[0]),
            build_on_all: part(|round| round[1]),
            member: part(|round| round[2]),
            negative: part(|round| round[3]),
            query: part(|round| (round[2] + round[3]) / 2.0),
        }
    }
}

fn measure(keys: &Keys, candidate: &Candidate, one_thread: &ThreadPool) -> Result<[f64; 4]> {
    let (inside, outside) = (&keys.positives, &keys.negatives);
    let work = || one_thread.install(|| keys.build(candidate));
    let (filter, build) = time(inside.len(), work);
    let filter = filter?;
    let (found, member) = time(inside.len(), || filter.count(inside));
    ensure!(
        found == inside.len(),
        "{} does not find {} of its keys",
        candidate.name(),
        inside.len() - found
    );
    let (_, negative) = time(outside.len(), || black_box(filter.count(outside)));
    drop(filter);
    let (filter, build_on_all) = time(inside.len(), || keys.build(candidate));
    filter?;
    Ok([build, build_on_all, member, negative])
}

/// A ratio with its quartiles.
fn cell(ratio: Quartiles) -> Cell {
    let Quartiles { low, middle, high } = ratio;
    Cell::Number(middle, format!("{middle:.2} ({low:.2} to {high:.2})"))
}

/// Measures build and query times.
pub fn figure_12(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 12: nanoseconds per key to build and to query, from keys in memory, at 1.5 MB for 1.49 M keys and 15 MB for 12.5 M; Zipf costs, skew 1.0. Building is per positive, on one thread; all cores beside it. Medians over {} and {} rounds; ratios to the Bloom filter are taken within a round, with their quartiles.",
        rounds_of(Source::Urls),
        rounds_of(Source::Users),
    ));
    let candidates = candidates();
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut all = Vec::new();
    for (source, megabytes, published) in &SETTINGS {
        let keys = Keys::new(*source, *megabytes, options);
        let times = in_turns(rounds_of(*source), candidates.len(), |number| {
            measure(&keys, &candidates[number], &one_thread)
        })?;
        let times: Vec<Times> = times.iter().map(|rounds| Times::of(rounds)).collect();
        let count = keys.positives.len();
        let title = format!("{count} {}, {megabytes} MB at full size", source.name());
        outcome.tables.push(table(&title, &candidates, &times));
        let ready = (0..3).map(|_| {
            let (sets, ready) = time(count, || one_thread.install(|| keys.sets()));
            sets.map(|_| ready)
        });
        let ready: Vec<f64> = ready.collect::<Result<_>>()?;
        outcome.notes.push(format!(
            "{}: hashing, sorting and checking both sets takes {:.0} nanoseconds per positive on one thread; this is part of the build of weighted, habf and guarded.",
            source.name(),
            median(&ready),
        ));
        all.push((*source, published, times));
    }
    outcome.tables.push(learned::figure_12());
    let parts: [keys::Part<Times>; 2] = [
        ("build", |times| median(&times.build)),
        ("query", |times| median(&times.query)),
    ];
    let chart = chart("nanoseconds per key", &candidates, &all, parts);
    outcome.charts.push(chart);
    outcome.claims = claims(&candidates, &all)?;
    Ok(outcome)
}

fn table(title: &str, candidates: &[Candidate], times: &[Times]) -> Table {
    let columns = [
        "filter",
        "build",
        "/ bloom",
        "/ bloom of many hashes",
        "build, all cores",
        "member",
        "negative",
        "mean of both",
        "/ bloom",
        "/ bloom of many hashes",
    ];
    let mut table = Table::new(title, columns);
    let [bloom, hashed] = [&times[0], &times[1]];
    for (candidate, times) in candidates.iter().zip(times) {
        let middle = |times: &[f64]| Cell::number(median(times), 1);
        table.row([
            candidate.name().into(),
            middle(&times.build),
            cell(Quartiles::of_ratios(&times.build, &bloom.build)),
            cell(Quartiles::of_ratios(&times.build, &hashed.build)),
            middle(&times.build_on_all),
            middle(&times.member),
            middle(&times.negative),
            middle(&times.query),
            cell(Quartiles::of_ratios(&times.query, &bloom.query)),
            cell(Quartiles::of_ratios(&times.query, &hashed.query)),
        ]);
    }
    table
}

/// One part of the figure.
struct Part {
    name: &'static str,
    paper: fn(&Published) -> Option<f64>,
    ours: fn(&Times) -> &[f64],
    /// The paper's means over both sets, for its HABF and its f-HABF.
    headlines: [(&'static str, f64); 2],
}

const PARTS: [Part; 2] = [
    Part {
        name: "build",
        paper: |published| Some(published.build),
        ours: |times| &times.build,
        headlines: [("habf, paper", 19.0), ("habf-fast, paper", 2.7)],
    },
    Part {
        name: "query",
        paper: |published| published.query,
        ours: |times| &times.query,
        headlines: [("habf, paper", 5.35), ("habf-fast, paper", 1.15)],
    },
];

/// Why a ratio differs from the paper's.
fn why(part: &str, name: &str) -> &'static str {
    match (part, name) {
        ("build", "habf, paper") => {
            "here all functions of a key come from one digest; in the paper they are different hashes of its bytes; the row with one segment shows what segments gain"
        }
        ("build", "habf-fast, paper") => {
            "the build includes hashing, sorting and checking both sets (see the note below the tables), and the Bloom filter that it is compared with hashes a key once"
        }
        ("build", "xor") => {
            "the Bloom filter here hashes a key once; the tables also have ratios to one that hashes it once per function; the crate xorf makes slots of 16 bits, and the lowest bits of each are then packed"
        }
        ("query", "habf, paper") => {
            "here all functions of a key come from one digest; in the paper they are different hashes of its bytes, in both rounds"
        }
        _ => {
            "the Bloom filter here hashes a key once; the tables also have ratios to one that hashes it once per function"
        }
    }
}

fn claims(candidates: &[Candidate], all: &[Measured<'_, Times>]) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for part in &PARTS {
        let ratio = |name: &str, times: &[Times]| -> Result<Quartiles> {
            let at = candidate_index(name, candidates)?;
            Ok(Quartiles::of_ratios(
                (part.ours)(&times[at]),
                (part.ours)(&times[0]),
            ))
        };
        for (source, published, times) in all {
            let bloom = (part.paper)(&published[0]);
            for other in &published[1..] {
                // The paper has no query times for some filters.
                if let (Some(bloom), Some(other_time)) = (bloom, (part.paper)(other)) {
                    let make = if other.own() {
                        Claim::lower
                    } else {
                        Claim::same
                    };
                    let found = ratio(other.name, times)?;
                    claims.push(make(
                        format!("{}, {}, {} / bloom", other.name, source.name(), part.name),
                        Cell::number(other_time / bloom, 2),
                        cell(found),
                        found.spread(),
                        why(part.name, other.name),
                    ));
                }
            }
        }
        for (name, paper) in part.headlines {
            let of_sets = all.iter().map(|(_, _, times)| ratio(name, times));
            let of_sets: Vec<Quartiles> = of_sets.collect::<Result<_>>()?;
            let mean = |of: fn(&Quartiles) -> f64| {
                of_sets.iter().map(of).sum::<f64>() / of_sets.len() as f64
            };
            claims.push(Claim::lower(
                format!("{name}, mean of both sets, {} / bloom", part.name),
                Cell::number(paper, 2),
                Cell::number(mean(|ratio| ratio.middle), 2),
                mean(|ratio| ratio.spread()),
                why(part.name, name),
            ));
        }
    }
    claims.push(same_order(candidates, all)?);
    Ok(claims)
}

/// The claim that f-HABF is built in a time of the same order as the Bloom and the Xor filter.
fn same_order(candidates: &[Candidate], all: &[Measured<'_, Times>]) -> Result<Claim> {
    let fast = candidate_index("habf-fast, paper", candidates)?;
    let others = [
        candidate_index("bloom", candidates)?,
        candidate_index("xor", candidates)?,
    ];
    let mut worst = [0f64; 2];
    for (_, _, times) in all {
        for (worst, other) in worst.iter_mut().zip(others) {
            let ratio = Quartiles::of_ratios(&times[fast].build, &times[other].build);
            *worst = worst.max(ratio.middle);
        }
    }
    let [bloom, xor] = worst;
    Ok(Claim::holds(
        "habf-fast, paper, is built in a time of the same order as bloom and xor",
        "yes",
        format!("up to {bloom:.1} times bloom and {xor:.1} times xor"),
        orders(bloom) == 0 && orders(xor) == 0,
        "orders of magnitude are rounded logarithms",
    ))
}
