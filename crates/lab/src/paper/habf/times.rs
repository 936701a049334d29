//! Figure 12: build and query times.
//!
//! The paper used a different machine, so times are compared as ratios to the Bloom filter. Filters take turns, and a ratio is taken within a
//! round. Builds are compared on one thread, since a Bloom filter is built on one. Half of the queries are for members and half are not, since the paper does not say which it uses.
//!
//! A Bloom filter of this library hashes a key once and derives all functions from the digest; the paper's computes a hash per function. A second
//! Bloom filter does the same, to separate the effect of the other filters from that of the Bloom filter they are compared with.

use super::keys::{Candidate, Keys, SETTINGS, candidate_index, candidates};
use super::{PAPER, learned};
use crate::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

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
    let unit = "nanoseconds per key";
    let mut chart = Chart::dots(format!("HABF: {unit}"), Axis::log(unit));
    // The ratios of the paper's two filters, for building and querying.
    let mut means: [[Vec<Spread>; 2]; 2] = Default::default();
    let claim = |what, paper, found| {
        let claim = Claim::ratio(what, Says::Equal, paper, found);
        claim.rests_on("rounds in turns").because(ONE_DIGEST)
    };
    for (source, megabytes, published) in &SETTINGS {
        let keys = Keys::new(*source, *megabytes, options);
        let turns = Turns::take(rounds_of(*source), candidates.len(), |number| {
            measure(&keys, &candidates[number], &one_thread)
        })?;
        let name = source.name();
        let count = keys.positives.len();
        let title = format!("{count} {name}, {megabytes} MB at full size");
        let columns = "filter | build {1} | / bloom | / bloom of many hashes | member {1} | negative {1} | mean of both {1} | / bloom | / bloom of many hashes";
        let mut table = Table::new(title, columns);
        for (number, candidate) in candidates.iter().enumerate() {
            let filter = candidate.name();
            let [build, member, negative, query] = turns.medians(number);
            let [blooms, hashes] =
                [0, 1].map(|to| turns.ratios(number, to).map(|ratio| ratio.shown()));
            chart.dot(&format!("build, {name}"), filter, build);
            chart.dot(&format!("query, {name}"), filter, query);
            let building = (build, &blooms[BUILD], &hashes[BUILD]);
            let querying = ([member, negative, query], &blooms[QUERY], &hashes[QUERY]);
            table.row((filter, building, querying));
        }
        outcome.tables.push(table);
        let (_, bloom_build, bloom_query, _) = published[0];
        for (filter, build, query, _) in &published[1..] {
            let ratios = turns.ratios(candidate_index(filter, &candidates)?, 0);
            let query = query.zip(bloom_query).map(|(own, bloom)| own / bloom);
            let parts = [
                ("build", BUILD, Some(build / bloom_build)),
                ("query", QUERY, query),
            ];
            for (number, (what, of, paper)) in parts.into_iter().enumerate() {
                let found = ratios[of].trimmed();
                if let Some(own) = PAPER.iter().position(|name| name == filter) {
                    means[number][own].push(found);
                }
                // The paper has no query times for some filters.
                if let Some(paper) = paper {
                    let what = format!("{filter}, {name}, {what} / bloom");
                    outcome.claims.push(claim(what, paper, found));
                }
            }
        }
    }
    let headlines = [("build", [19.0, 2.7]), ("query", [5.35, 1.15])];
    for ((what, papers), means) in headlines.into_iter().zip(&means) {
        for ((filter, paper), found) in PAPER.into_iter().zip(papers).zip(means) {
            let what = format!("{filter}: {what} / bloom, mean of both sets");
            outcome
                .claims
                .push(claim(what, paper, Spread::pooled(found)).headline());
        }
    }
    outcome.charts.push(chart);
    outcome.tables.push(learned::figure_12());
    Ok(outcome)
}
