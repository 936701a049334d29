//! Cuckoo filters with exceptions: rates in equal space, keys that come and go, speed beside other crates, two threads; and the same idea on a Bloom
//! filter beside HABF.
//!
//! A false negative ends the run.

mod bloom;
mod churn;
mod rates;
mod speed;
mod threads;

use crate::prelude::*;

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Cuckoo filters with an exact table of their costly mistakes: rates beside counting and seesaw filters in equal space, keys that come and go, speed beside the crates cuckoofilter and qfilter, and two threads. A Bloom filter with a list of its mistakes, beside HABF.",
    );
    let (table, chart) = rates::table(options)?;
    outcome.charts.push(chart);
    outcome.tables.extend([table, churn::table(options)?]);
    outcome.tables.extend(speed::tables(options)?);
    outcome
        .tables
        .extend([threads::table(options)?, bloom::table(options)?]);
    Ok(outcome)
}
