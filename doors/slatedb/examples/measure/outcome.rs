//! What was measured, and the table of it.

use serde::{Deserialize, Serialize};

/// What reads of one sort have cost.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Reads {
    pub gets: u64,
    /// Tables that were read in vain.
    pub wasted: u64,
    /// Requests to object storage.
    pub requests: u64,
    /// Blocks of data.
    pub blocks: u64,
    /// Microseconds of the median read in each round, and of one in a hundred.
    pub p50: Vec<f64>,
    pub p99: Vec<f64>,
}

/// What was measured with one policy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub policy: String,
    pub keys: u64,
    pub tables: usize,
    pub filter_bytes: u64,
    /// Known negatives that filters were built with.
    pub negatives: u64,
    /// Seconds of all flushes and of all compactions, in each round.
    pub flush: Vec<f64>,
    pub compaction: Vec<f64>,
    pub missing: Reads,
    pub present: Reads,
}

impl Outcome {
    /// Adds another round.
    pub fn add(&mut self, round: Outcome) {
        self.flush.extend(round.flush);
        self.compaction.extend(round.compaction);
        self.missing.add(round.missing);
        self.present.add(round.present);
    }
}

impl Reads {
    /// A count, per thousand reads.
    pub fn per_1000(&self, count: u64) -> f64 {
        1000.0 * count as f64 / self.gets as f64
    }

    fn add(&mut self, round: Reads) {
        self.gets += round.gets;
        self.wasted += round.wasted;
        self.requests += round.requests;
        self.blocks += round.blocks;
        self.p50.extend(round.p50);
        self.p99.extend(round.p99);
    }
}

/// The table of all outcomes. Ratios are to the first.
pub fn table(outcomes: &[Outcome]) -> String {
    let columns = [
        "policy",
        "filters, bits per key",
        "wasted reads per 1,000 missing gets",
        "fewer",
        "requests per 1,000",
        "missing p50, µs",
        "missing p99, µs",
        "present p50, µs",
        "present p99, µs",
        "flushes, s",
        "compactions, s",
    ];
    let mut lines = vec![columns.join(" | "), ["---"; 11].join("|")];
    for outcome in outcomes {
        let first = &outcomes[0];
        let wasted = outcome.missing.per_1000(outcome.missing.wasted);
        let first_wasted = first.missing.per_1000(first.missing.wasted);
        let timed = |part: fn(&Outcome) -> &Vec<f64>| {
            let (own, others) = (part(outcome), part(first));
            format!("{:.1} ({:.2} x)", median(own), ratio_of_rounds(own, others))
        };
        let cells = [
            outcome.policy.clone(),
            format!(
                "{:.2}",
                8.0 * outcome.filter_bytes as f64 / outcome.keys as f64
            ),
            format!("{wasted:.2}"),
            format!("{:.1} x", first_wasted / wasted),
            format!("{:.2}", outcome.missing.per_1000(outcome.missing.requests)),
            timed(|outcome| &outcome.missing.p50),
            timed(|outcome| &outcome.missing.p99),
            timed(|outcome| &outcome.present.p50),
            timed(|outcome| &outcome.present.p99),
            timed(|outcome| &outcome.flush),
            timed(|outcome| &outcome.compaction),
        ];
        lines.push(cells.join(" | "));
    }
    let rows = lines.iter().map(|line| format!("| {line} |\n"));
    rows.collect()
}

/// The median of what happened in each round: a round of the one beside the same round of the other.
fn ratio_of_rounds(own: &[f64], others: &[f64]) -> f64 {
    let ratios: Vec<f64> = own.iter().zip(others).map(|(a, b)| a / b).collect();
    median(&ratios)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
