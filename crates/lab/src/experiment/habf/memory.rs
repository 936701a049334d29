//! Figure 15: the peak number of bytes allocated while filters are built.
//!
//! The paper's numbers are for whole programs, which hold the keys. So the keys count here, too, as they are in memory.
//! The memory of the build alone is shown beside it.

use super::keys::{Candidate, Keys, Measured, Part, SETTINGS, candidate_index, candidates, chart};
use super::learned;
use crate::memory::peak;
use crate::options::Options;
use crate::output::{Cell, Claim, Outcome, Table};
use anyhow::{Result, ensure};

/// Bytes per positive at the peak of the build.
#[derive(Clone, Copy)]
struct Peak {
    alone: f64,
    with_keys: f64,
}

fn measure(keys: &Keys, candidate: &Candidate) -> Result<Peak> {
    let positives = keys.positives.len();
    let (filter, bytes) = peak(|| keys.build(candidate));
    let found = filter?.count(&keys.positives);
    ensure!(
        found == positives,
        "{} does not find {} of its keys",
        candidate.name(),
        positives - found
    );
    let for_each = |bytes: u64| bytes as f64 / positives as f64;
    Ok(Peak {
        alone: for_each(bytes),
        with_keys: for_each(bytes + keys.bytes(candidate)),
    })
}

/// Measures the memory of the builds.
pub fn figure_15(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "HABF, Figure 15: bytes that are allocated at the peak of building, alone and with the keys that the filter is built from: positives, and negatives if it knows any. Gigabytes are the bytes per positive, measured at this scale, times the paper's number of positives. The paper's numbers are of whole programs.",
    );
    let candidates = candidates();
    let mut all = Vec::new();
    for (source, megabytes, published) in &SETTINGS {
        let keys = Keys::new(*source, *megabytes, options);
        let peaks = candidates.iter().map(|candidate| measure(&keys, candidate));
        let peaks: Vec<Peak> = peaks.collect::<Result<_>>()?;
        let count = keys.positives.len();
        let title = format!("{count} {}, {megabytes} MB at full size", source.name());
        outcome.tables.push(table(&title, &candidates, &peaks));
        all.push((*source, published, peaks));
    }
    outcome.tables.push(learned::figure_15());
    let parts: [Part<Peak>; 2] = [
        ("alone", |peak| peak.alone),
        ("with keys", |peak| peak.with_keys),
    ];
    let chart = chart("bytes per positive", &candidates, &all, parts);
    outcome.charts.push(chart);
    outcome.claims = claims(&candidates, &all)?;
    Ok(outcome)
}

fn table(title: &str, candidates: &[Candidate], peaks: &[Peak]) -> Table {
    let columns = [
        "filter",
        "bytes per positive",
        "/ bloom",
        "with keys",
        "/ bloom",
    ];
    let mut table = Table::new(title, columns);
    let bloom = peaks[0];
    for (candidate, peak) in candidates.iter().zip(peaks) {
        table.row([
            candidate.name().into(),
            Cell::number(peak.alone, 1),
            Cell::number(peak.alone / bloom.alone, 2),
            Cell::number(peak.with_keys, 1),
            Cell::number(peak.with_keys / bloom.with_keys, 2),
        ]);
    }
    table
}

/// Why the memory of a filter differs from the paper's.
fn why(name: &str) -> &'static str {
    match name {
        "bloom" => {
            "only the keys and the bits of the filter; the paper does not say how it stores its keys, or whether the non-members are in memory too"
        }
        "xor" => {
            "the crate xorf works with three arrays of sets and three of queues, each as long as all slots together, and a stack: 134 bytes per key"
        }
        "weighted" => {
            "the build holds both sets as digests, 16 bytes per positive and 24 per negative, and the costliest negatives a second time; the paper does not say how many its map has"
        }
        _ => {
            "the build holds both sets as digests, 16 bytes per positive and 24 per negative; it keeps the owners of bits for one segment at a time, while the paper has tables for the whole filter"
        }
    }
}

fn claims(candidates: &[Candidate], all: &[Measured<'_, Peak>]) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for (source, published, peaks) in all {
        // Converts bytes per positive to gigabytes of the full set.
        let full = source.published_sizes().0 as f64 / 1e9;
        for published in *published {
            let peak = peaks[candidate_index(published.name, candidates)?];
            let (alone, with_keys) = (peak.alone * full, peak.with_keys * full);
            let make = if published.own() {
                Claim::lower
            } else {
                Claim::same
            };
            claims.push(make(
                format!("{}, {}, gigabytes", published.name, source.name()),
                Cell::number(published.gigabytes, 2),
                Cell::Number(
                    with_keys,
                    format!("{with_keys:.2} (without keys {alone:.2})"),
                ),
                0.0,
                why(published.name),
            ));
        }
    }
    for (name, paper) in [("habf, paper", 6.1), ("habf-fast, paper", 3.6)] {
        let at = candidate_index(name, candidates)?;
        let ratio = |of: fn(&Peak) -> f64| {
            let ratios = all
                .iter()
                .map(|(_, _, peaks)| of(&peaks[at]) / of(&peaks[0]));
            ratios.sum::<f64>() / all.len() as f64
        };
        let (alone, with_keys) = (ratio(|peak| peak.alone), ratio(|peak| peak.with_keys));
        claims.push(Claim::lower(
            format!("{name}, mean of both sets, memory / bloom"),
            Cell::number(paper, 1),
            Cell::Number(
                with_keys,
                format!("{with_keys:.1} (without keys {alone:.1})"),
            ),
            0.0,
            why(name),
        ));
    }
    Ok(claims)
}
