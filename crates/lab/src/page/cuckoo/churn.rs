//! Keys that come and go: 5 % of the negatives are guarded after all keys are inserted, then some keys are replaced in each round.
//!
//! A cuckoo filter knows the costs of the guarded keys, so its rate by cost is the one that was measured, a mean over orders of the costs. The others
//! do not, so theirs is the mean over all orders within the guarded keys and within the rest.

use crate::prelude::*;
use crate::rates::churn::{SHUFFLES, SKEW, courses};

const FAMILIES: [Family; 3] = [Family::SeesawAdaptive, Family::Counting, Family::Cuckoo];

/// The table of rates by round.
pub fn table(options: &Options) -> Result<Table> {
    let keys = options.scaled(300_000, 5000);
    let title = format!(
        "Keys that come and go: {keys} keys, 5 % guarded after insertion, skew {SKEW}, means of {SHUFFLES}: known negatives by cost"
    );
    let columns = "filter | bits per key | replaced in a round | unseen {%} | round 0 {%} | round 10 {%} | round 40 {%} | seesaw-adaptive / cuckoo, last round {0}";
    let mut table = Table::new(title, columns);
    let courses = courses(keys, &[12.0, 20.0, 36.0], &FAMILIES, &[0, 10, 40])?;
    let mut seesaw = f64::NAN;
    for course in courses {
        let by_cost = course.rates.iter().map(|rates| match course.family {
            Family::Cuckoo => rates.measured,
            _ => rates.known.mean,
        });
        let by_cost: Vec<f64> = by_cost.collect();
        let last = by_cost[by_cost.len() - 1];
        let ratio = match course.family {
            Family::Cuckoo => Cell::from(seesaw / last),
            _ => Cell::from("-"),
        };
        if course.family == Family::SeesawAdaptive {
            seesaw = last;
        }
        table.row((course.about(), by_cost, ratio));
    }
    Ok(table)
}
