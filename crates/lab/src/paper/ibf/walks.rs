//! The paper's own walk, which depends on the slot alone, beside this library's walk and a Bloom filter.
//!
//! All three are in [`crate::filter::Walk`]. A trial builds them from the same keys and queries them for the same
//! non-members. Differences to the Bloom filter are taken trial by trial.

use super::{half, ratio, shown};
use crate::filter::{Path, Walk, rate_by_slot};
use crate::prelude::*;

/// Keys, slots per key, functions.
const PLACES: [(u64, u64, u32); 6] = [
    (100, 4, 3),
    (100, 10, 7),
    (1024, 4, 3),
    (1024, 10, 7),
    (100_000, 4, 3),
    (100_000, 10, 7),
];

/// The paper's walk, this library's, and a Bloom filter.
const PATHS: [Path; 3] = [Path::BySlot, Path::BySlotAndStep, Path::Fixed];

/// Queried non-members over all trials.
const QUERIES: u64 = 50_000_000;

/// Queried non-members per trial and key.
const PER_KEY: u64 = 10;

/// The share of queries that are false positives, for each path.
fn trial(number: u64, (keys, slots, functions): (u64, u64, u32)) -> Result<[f64; 3]> {
    let hashing = Hashing::Xxh3 { seed: number };
    let mut sets = KeySets::builder(hashing);
    sets.positives(0..keys);
    let sets = sets.build()?;
    let queries = keys * PER_KEY;
    let non_members = (keys..keys + queries).map(|key| hashing.digest(key));
    let non_members: Vec<Digest> = non_members.collect();
    let mut rates = [0.0; 3];
    for (path, rate) in PATHS.into_iter().zip(&mut rates) {
        let filter = Walk::build(&sets, keys * slots, functions, path)?;
        let mut members = sets.positives().iter();
        ensure!(
            members.all(|&digest| filter.may_contain(digest)),
            "a filter does not find a key of its set"
        );
        let hits = non_members
            .iter()
            .filter(|&&digest| filter.may_contain(digest));
        *rate = hits.count() as f64 / queries as f64;
    }
    Ok(rates)
}

/// Runs the experiment.
pub fn walks(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "Item-personalized Bloom filters: the paper's walk, in which the next slot depends on the slot alone, this library's walk, in which it depends on the step too, and a Bloom filter. {} million queries of non-members per row.",
        options.scaled(QUERIES, 2_000_000) / 1_000_000
    ));
    let columns = "keys | slots per key | k | paper's walk {%} | predicted {%} | our walk {%} | bloom {%} | paper's walk to bloom | our walk to bloom";
    let mut table = Table::new("", columns);
    let title = "Rate of a walk by that of a Bloom filter, 95 % intervals";
    let y = Axis::linear("rate of the walk / rate of a Bloom filter");
    let mut chart = Chart::new(title, Axis::log("slots"), y).points_only();
    let mut differences = Vec::new();
    for (number, place) in (0..).zip(PLACES) {
        let (keys, slots, functions) = place;
        let all_slots = (keys * slots) as f64;
        let count = (options.scaled(QUERIES, 2_000_000) / (keys * PER_KEY)).max(2);
        let first = number << 40;
        let trials = (first..first + count).into_par_iter();
        let trials = trials.map(|seed| trial(seed, place));
        let trials: Vec<[f64; 3]> = trials.collect::<Result<_>>()?;
        let mean = |of: &dyn Fn(&[f64; 3]) -> f64| {
            Spread::of_mean(&trials.iter().map(of).collect::<Vec<_>>())
        };
        let [paper, ours, bloom] = [0, 1, 2].map(|path| mean(&|rates| rates[path]).mean);
        let to_bloom = [0, 1].map(|path| mean(&|rates| rates[path] - rates[2]).by(bloom));
        let predicted = rate_by_slot(all_slots, keys as f64, functions);
        let rates = [paper, predicted, ours, bloom];
        table.row((keys, slots, functions, rates, to_bloom.map(shown)));
        for (name, of) in ["paper's walk", "our walk"].into_iter().zip(to_bloom) {
            let name = format!("{name}, k = {functions}");
            chart.point(&name, all_slots, ratio(of).mean, half(of));
        }
        differences.push(to_bloom);
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    for (which, path) in [("paper's walk", 0), ("this library's walk", 1)] {
        let verdicts = differences.iter().map(|of| lower(ratio(of[path]), 1.0));
        let what = format!("{which}: a lower rate than a Bloom filter");
        let claim = Claim::everywhere(what, "always", verdicts).rests_on("all trials");
        let claim = claim.because("in theory, a walk by the step too has the rate of a Bloom filter; one by the slot alone has more, since walks that meet stay together");
        outcome.claims.push(match path {
            0 => claim.headline(),
            _ => claim.ours(),
        });
    }
    Ok(outcome)
}
