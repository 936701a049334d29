//! What could make the paper's HABF better here than in the paper: its optimiser with one thing changed at a time.
//!
//! The optimiser of this library differs from the paper's in some points (see `habf` in the library). Those that a setting
//! can turn off are turned off here, one by one, at the size of which the text has most numbers: 1.5 MB, equal costs.

use super::bits_per_key;
use crate::output::{Cell, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::{Context, Result};
use bloomwise::Value;

/// The megabytes.
const SIZE: f64 = 1.5;

/// What is left, and why, in the words of the report.
const LEFT: [(&str, &str); 5] = [
    ("left", "false positives"),
    ("left_no_owner", "no single owner"),
    ("left_does_not_fit", "no room"),
    ("left_too_costly", "too costly"),
    ("left_disturbed", "undone, or of the second round"),
];

/// The table: a row for each way, with the false positives that are left on known negatives, and why.
pub fn table(set: &Set) -> Result<Table> {
    let paper = || Subject::paper("habf");
    let ways = [
        paper(),
        paper()
            .set("passes", 1)
            .named("one pass instead of up to four"),
        paper()
            .set("segment-bits", 1 << 30)
            .named("one segment instead of many"),
        paper()
            .set("empty", "blind")
            .named("bits that are 0 are set without a look at who is harmed"),
        paper()
            .set("empty", "never")
            .named("bits that are 0 are never set"),
    ];
    let columns = ["habf, paper", "known, by cost"];
    let columns = columns.into_iter().chain(LEFT.map(|(_, shown)| shown));
    let bits_per_key = bits_per_key(Source::Urls, SIZE);
    let title = format!("What makes a difference at {SIZE} MB, {bits_per_key:.2} bits per key");
    let mut table = Table::new(title, columns);
    let sets = set.with_costs(&vec![1.0; set.negatives.len()])?;
    let bits = (bits_per_key * set.positives.len() as f64) as u64;
    for way in ways {
        let (_, report) = way.build_and_report(&sets, bits)?;
        let fact = |name: &str| {
            let fact = report.facts.iter().find(|(known, _)| *known == name);
            match fact {
                Some((_, Value::Whole(count))) => Some(*count),
                _ => None,
            }
        };
        let counts = LEFT.map(|(name, _)| fact(name).with_context(|| format!("no {name}")));
        let counts: Vec<u64> = counts.into_iter().collect::<Result<_>>()?;
        let rate = counts[0] as f64 / set.negatives.len() as f64;
        let cells = [way.name.as_str().into(), Cell::rate(rate)];
        table.row(cells.into_iter().chain(counts.into_iter().map(Cell::whole)));
    }
    Ok(table)
}
