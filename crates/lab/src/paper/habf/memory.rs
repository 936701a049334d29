//! Figure 15: the peak number of bytes allocated while filters are built.
//!
//! The paper's numbers are for whole programs, which hold the keys. So the keys count here, too, as they are in memory. The memory of the
//! build alone is shown beside it.

use super::keys::{Keys, SETTINGS, candidate_index, candidates};
use super::{PAPER, learned};
use crate::prelude::*;

const WHOLE_PROGRAM: &str = "the paper does not say how it stores keys. Here the build holds both sets as digests, 16 bytes per positive and 24 per negative; the crate xorf works with arrays of 134 bytes per key";

/// Measures the memory of the builds.
pub fn figure_15(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "HABF, Figure 15: bytes that are allocated at the peak of building, alone and with the keys that the filter is built from: positives, and negatives if it knows any. Gigabytes are the bytes per positive, measured at this scale, times the paper's number of positives. The paper's numbers are of whole programs.",
    );
    let candidates = candidates();
    let unit = "bytes per positive";
    let mut chart = Chart::dots(format!("HABF: {unit}"), Axis::log(unit));
    let mut ratios = [Vec::new(), Vec::new()];
    for (source, megabytes, published) in &SETTINGS {
        let keys = Keys::new(*source, *megabytes, options);
        let count = keys.positives.len();
        let name = source.name();
        let columns = "filter | bytes per positive {1} | with keys {1} | with keys / bloom {2}";
        let title = format!("{count} {name}, {megabytes} MB at full size");
        let mut table = Table::new(title, columns);
        let mut peaks = Vec::new();
        for candidate in &candidates {
            let (filter, bytes) = peak(|| keys.build(candidate));
            let missing = count - filter?.count(&keys.positives);
            let filter = candidate.name();
            ensure!(missing == 0, "{filter} does not find {missing} of its keys");
            let all = [bytes, bytes + keys.bytes(candidate)];
            let [alone, with_keys] = all.map(|bytes| bytes as f64 / count as f64);
            peaks.push(with_keys);
            chart.dot(&format!("alone, {name}"), filter, alone);
            chart.dot(&format!("with keys, {name}"), filter, with_keys);
            table.row((filter, alone, with_keys, with_keys / peaks[0]));
        }
        outcome.tables.push(table);
        for (filter, .., gigabytes) in published {
            let peak = peaks[candidate_index(filter, &candidates)?];
            let measured = peak * source.published_sizes().0 as f64 / 1e9;
            let what = format!("{filter}, {name}, gigabytes");
            let claim = Claim::ratio(what, Says::Equal, *gigabytes, measured);
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
        let claim = Claim::ratio(what, Says::Equal, paper, Spread::of(ratios).mean);
        let claim = claim.rests_on("allocated bytes").because(WHOLE_PROGRAM);
        outcome.claims.push(claim.headline());
    }
    outcome.tables.push(learned::figure_15());
    Ok(outcome)
}
