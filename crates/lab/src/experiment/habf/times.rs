//! Figure 12: build and query times.
//!
//! The paper used a different machine, so times are compared as ratios to the Bloom filter. Filters take turns, and a ratio is taken within a
//! round. Builds are compared on one thread, since a Bloom filter is built on one. Half of the queries are for members and half are not, since the paper does not say which it uses.
//!
//! A Bloom filter of this library hashes a key once and derives all functions from the digest; the paper's computes a hash per function. A second
//! Bloom filter does the same, to separate the effect of the other filters from that of the Bloom filter they are compared with.

use super::keys::{Candidate, Keys, SETTINGS, candidate_index, candidates, chart};
use super::{PAPER, learned};
use crate::measure::Spread;
use crate::measure::statistics::median;
use crate::measure::timing::{Ratios, in_turns, part, time};
use crate::options::Options;
use crate::output::verdict::Says;
use crate::output::{Cell, Claim, Outcome, Table};
use crate::workload::Source;
use anyhow::{Result, ensure};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;

/// The parts of a measurement: build, members, non-members, mean of both.
const BUILD: usize = 0;
const QUERY: usize = 3;

const ONE_DIGEST: &str = "here all functions of a key come from one digest, and the Bloom filter hashes a key once; in the paper each function is another hash of its bytes. A build here includes hashing, sorting and checking both sets";

/// The number of rounds for a set: the smaller set is faster.
fn rounds_of(source: Source) -> usize {
    if source == Source::Urls { 7 } else { 3 }
}

fn measure(keys: &Keys, candidate: &Candidate, one_thread: &ThreadPool) -> Result<[f64; 4]> {
    let (inside, outside) = (&keys.positives, &keys.negatives);
    let work = || one_thread.install(|| keys.build(candidate));
    let (filter, build) = time(inside.len(), work);
    let filter = filter?;
    let (found, member) = time(inside.len(), || filter.count(inside));
    let (name, missing) = (candidate.name(), inside.len() - found);
    ensure!(missing == 0, "{name} does not find {missing} of its keys");
    let (_, negative) = time(outside.len(), || black_box(filter.count(outside)));
    Ok([build, member, negative, (member + negative) / 2.0])
}

/// Measures build and query times.
pub fn figure_12(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 12: nanoseconds per key to build and to query, from keys in memory, at 1.5 MB for 1.49 M keys and 15 MB for 12.5 M; Zipf costs, skew 1.0. Building is per positive, on one thread. Medians over {} and {} rounds; ratios to the Bloom filter are taken within a round, with their quartiles.",
        rounds_of(Source::Urls),
        rounds_of(Source::Users),
    ));
    let candidates = candidates();
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut chart = chart("nanoseconds per key", &candidates);
    // The ratios of the paper's two filters, for building and querying.
    let mut means: [[Vec<Spread>; 2]; 2] = Default::default();
    for (source, megabytes, published) in &SETTINGS {
        let keys = Keys::new(*source, *megabytes, options);
        let times = in_turns(rounds_of(*source), candidates.len(), |number| {
            measure(&keys, &candidates[number], &one_thread)
        })?;
        let name = source.name();
        let ratio = |filter: usize, to: usize, of: usize| {
            Ratios::of(&part(&times[filter], of), &part(&times[to], of))
        };
        let title = format!(
            "{} {name}, {megabytes} MB at full size",
            keys.positives.len()
        );
        let columns = [
            "filter",
            "build",
            "/ bloom",
            "/ bloom of many hashes",
            "member",
            "negative",
            "mean of both",
            "/ bloom",
            "/ bloom of many hashes",
        ];
        let mut table = Table::new(title, columns);
        for (number, candidate) in candidates.iter().enumerate() {
            let middle = |of: usize| Cell::number(median(&part(&times[number], of)), 1);
            let shown = |to: usize, of: usize| Cell::from(ratio(number, to, of).shown());
            for (what, of) in [("build", BUILD), ("query", QUERY)] {
                chart.point(
                    &format!("{what}, {name}"),
                    median(&part(&times[number], of)),
                    number as f64,
                    0.0,
                );
            }
            let building = [middle(BUILD), shown(0, BUILD), shown(1, BUILD)];
            let querying = [
                middle(1),
                middle(2),
                middle(QUERY),
                shown(0, QUERY),
                shown(1, QUERY),
            ];
            table.row(
                [candidate.name().into()]
                    .into_iter()
                    .chain(building)
                    .chain(querying),
            );
        }
        outcome.tables.push(table);
        let (_, bloom_build, bloom_query, _) = published[0];
        for (filter, build, query, _) in &published[1..] {
            let at = candidate_index(filter, &candidates)?;
            let parts = [
                ("build", BUILD, Some(build / bloom_build)),
                (
                    "query",
                    QUERY,
                    query.zip(bloom_query).map(|(own, bloom)| own / bloom),
                ),
            ];
            for (number, (what, of, paper)) in parts.into_iter().enumerate() {
                let found = ratio(at, 0, of).trimmed();
                let own = PAPER.iter().position(|name| name == filter);
                if let Some(own) = own {
                    means[number][own].push(found);
                }
                // The paper has no query times for some filters.
                if let Some(paper) = paper {
                    let claim = Claim::ratio(
                        format!("{filter}, {name}, {what} / bloom"),
                        Says::Equal,
                        paper,
                        found,
                    );
                    outcome
                        .claims
                        .push(claim.rests_on("rounds in turns").because(ONE_DIGEST));
                }
            }
        }
    }
    let headlines = [("build", [19.0, 2.7]), ("query", [5.35, 1.15])];
    for ((what, papers), means) in headlines.into_iter().zip(&means) {
        for ((filter, paper), found) in PAPER.into_iter().zip(papers).zip(means) {
            let what = format!("{filter}: {what} / bloom, mean of both sets");
            let claim = Claim::ratio(what, Says::Equal, paper, Spread::pooled(found));
            outcome.claims.push(
                claim
                    .rests_on("rounds in turns")
                    .headline()
                    .because(ONE_DIGEST),
            );
        }
    }
    outcome.charts.push(chart);
    outcome.tables.push(learned::figure_12());
    Ok(outcome)
}
