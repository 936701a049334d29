//! Insertions and removals, as in the paper's section V-F, with filters that choose their own parameters, at two sizes.

use crate::prelude::*;
use crate::rates::churn::{SHUFFLES, SKEW, courses};

/// The rounds after which rates are shown.
const SHOWN: [u64; 7] = [0, 1, 2, 5, 10, 20, 40];

/// The table of rates by round.
pub fn table(keys: u64) -> Result<Table> {
    let title = format!(
        "Keys that come and go: {keys} keys, 5 % guarded after insertion, skew {SKEW}, means of {SHUFFLES}; by cost on known negatives / on guarded ones"
    );
    let table = Table::new(
        title,
        "filter | bits per key | replaced in a round | unseen {%}",
    );
    let mut table = table.and(&SHOWN.map(|round| format!("round {round}")), "");
    let families = [Family::SeesawAdaptive, Family::Counting];
    for course in courses(keys, &[28.0, 36.0], &families, &SHOWN)? {
        let rates = course.rates.iter();
        let shown = rates.map(|rates| [rates.known.mean, rates.guarded.mean].map(percent));
        let shown: Vec<String> = shown.map(|both| both.join(" / ")).collect();
        table.row((course.about(), shown));
    }
    Ok(table)
}
