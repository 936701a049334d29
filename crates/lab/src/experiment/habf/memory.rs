//! Figure 15: the peak number of bytes allocated while filters are built.
//!
//! The paper's numbers are for whole programs, which hold the keys. So the keys count here, too, as they are in memory. The memory of the
//! build alone is shown beside it.

use super::keys::{Keys, SETTINGS, candidate_index, candidates, chart};
use super::{PAPER, learned};
use crate::measure::Spread;
use crate::memory::peak;
use crate::options::Options;
use crate::output::verdict::Says;
use crate::output::{Cell, Claim, Outcome, Table};
use anyhow::{Result, ensure};

const WHOLE_PROGRAM: &str = "the paper does not say how it stores keys. Here the build holds both sets as digests, 16 bytes per positive and 24 per negative; the crate xorf works with arrays of 134 bytes per key";

/// Measures the memory of the builds.
pub fn figure_15(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "HABF, Figure 15: bytes that are allocated at the peak of building, alone and with the keys that the filter is built from: positives, and negatives if it knows any. Gigabytes are the bytes per positive, measured at this scale, times the paper's number of positives. The paper's numbers are of whole programs.",
    );
    let candidates = candidates();
    let mut chart = chart("bytes per positive", &candidates);
    let mut ratios = [Vec::new(), Vec::new()];
    let exact = |mean: f64| Spread {
        mean,
        deviation: 0.0,
    };
    for (source, megabytes, published) in &SETTINGS {
        let keys = Keys::new(*source, *megabytes, options);
        let count = keys.positives.len();
        let name = source.name();
        let columns = [
            "filter",
            "bytes per positive",
            "with keys",
            "with keys / bloom",
        ];
        let mut table = Table::new(
            format!("{count} {name}, {megabytes} MB at full size"),
            columns,
        );
        let mut peaks = Vec::new();
        for (number, candidate) in candidates.iter().enumerate() {
            let (filter, bytes) = peak(|| keys.build(candidate));
            let found = filter?.count(&keys.positives);
            ensure!(
                found == count,
                "{} does not find {} of its keys",
                candidate.name(),
                count - found
            );
            let [alone, with_keys] =
                [bytes, bytes + keys.bytes(candidate)].map(|bytes| bytes as f64 / count as f64);
            peaks.push(with_keys);
            chart.point(&format!("alone, {name}"), alone, number as f64, 0.0);
            chart.point(&format!("with keys, {name}"), with_keys, number as f64, 0.0);
            let numbers = [
                Cell::number(alone, 1),
                Cell::number(with_keys, 1),
                Cell::number(with_keys / peaks[0], 2),
            ];
            table.row([candidate.name().into()].into_iter().chain(numbers));
        }
        outcome.tables.push(table);
        for (filter, .., gigabytes) in published {
            let peak = peaks[candidate_index(filter, &candidates)?];
            let measured = exact(peak * source.published_sizes().0 as f64 / 1e9);
            let claim = Claim::ratio(
                format!("{filter}, {name}, gigabytes"),
                Says::Equal,
                *gigabytes,
                measured,
            );
            outcome
                .claims
                .push(claim.rests_on("allocated bytes").because(WHOLE_PROGRAM));
        }
        for (ratios, filter) in ratios.iter_mut().zip(PAPER) {
            ratios.push(peaks[candidate_index(filter, &candidates)?] / peaks[0]);
        }
    }
    outcome.charts.push(chart);
    for ((filter, paper), ratios) in PAPER.into_iter().zip([6.1, 3.6]).zip(&ratios) {
        let what = format!("{filter}: memory / bloom, mean of both sets");
        let claim = Claim::ratio(what, Says::Equal, paper, exact(Spread::of(ratios).mean));
        outcome.claims.push(
            claim
                .rests_on("allocated bytes")
                .headline()
                .because(WHOLE_PROGRAM),
        );
    }
    outcome.tables.push(learned::figure_15());
    Ok(outcome)
}
