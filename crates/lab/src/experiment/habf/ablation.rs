//! Why the paper's HABF is better here than in the paper: its optimiser with one change at a time.
//!
//! The optimiser of this library differs from the paper's in some points (see `habf` in the library). Those that a
//! setting can turn off are turned off here one by one, at the size for which the text gives most numbers: 1.5 MB,
//! equal costs.

use super::bits_per_key;
use crate::output::{Cell, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::{Context, Result};
use bloomwise::{Family, Value};

/// The size in megabytes.
const SIZE: f64 = 1.5;

/// The facts of the build report that say how many false positives are left and why, and their column titles.
const LEFT: [(&str, &str); 5] = [
    ("wrong", "false positives"),
    ("wrong_no_owner", "no single owner"),
    ("wrong_does_not_fit", "no room"),
    ("wrong_too_costly", "too costly"),
    ("wrong_disturbed", "undone, or of the second round"),
];

/// A row per variant, with the false positives that are left on known negatives and why.
pub fn table(set: &Set) -> Result<Table> {
    let paper = || Subject::paper(Family::Habf);
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
            .named("bits that are 0 are set without checking which negatives that harms"),
        paper()
            .set("empty", "never")
            .named("bits that are 0 are never set"),
    ];
    let columns = ["habf, paper", "known, by cost"];
    let columns = columns.into_iter().chain(LEFT.map(|(_, shown)| shown));
    let bits_per_key = bits_per_key(Source::Urls, SIZE);
    let title = format!("What makes a difference at {SIZE} MB, {bits_per_key:.2} bits per key");
    let mut table = Table::new(title, columns);
    let sets = set.with_equal_costs()?;
    let bits = set.bits(bits_per_key);
    for way in ways {
        let (_, report) = way.build_and_report(&sets, bits)?;
        let counts = LEFT.map(|(name, _)| {
            let count = report.fact(name).and_then(Value::as_u64);
            count.with_context(|| format!("the build report has no fact '{name}'"))
        });
        let counts: Vec<u64> = counts.into_iter().collect::<Result<_>>()?;
        let rate = counts[0] as f64 / set.negatives.len() as f64;
        let cells = [way.name.as_str().into(), Cell::rate(rate)];
        table.row(cells.into_iter().chain(counts.into_iter().map(Cell::whole)));
    }
    Ok(table)
}
