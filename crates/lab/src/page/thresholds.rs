//! How many rows a layer of a guarded filter should have, and which thresholds its buckets should choose from. The
//! constants in `guarded/rows.rs` and `guarded/layer.rs` are taken from these tables.
//!
//! This module solves a layer as the library does, as far as coefficients are concerned: keys start anywhere and have
//! random coefficients in a window of 64 rows. A bucket whose keys do not fit bumps those that start before one of
//! its levels. Rows that stay empty are lost, in every column. So are the bits of thresholds, once for the
//! fingerprint and once for the guard. Bumped keys are not lost, but a query for them reads another layer.

use crate::data::digest_of;
use crate::prelude::*;
use bloomwise::unstable::reduce;

/// The rows of a window.
const WINDOW: usize = 64;

/// What a layer can choose.
#[derive(Clone, Copy)]
struct Choice {
    /// The rows of a bucket.
    bucket: usize,
    /// The thresholds below "all", from 0 on.
    levels: [usize; 3],
    /// Rows per key.
    rows_per_key: f64,
}

/// What a choice gives, in shares of the keys and of the rows.
#[derive(Clone, Copy)]
struct Found {
    bumped: f64,
    empty: f64,
}

/// Solves a layer of `rows` rows.
fn solve(choice: Choice, rows: usize, seed: u64) -> Found {
    let digest = digest_of(seed, !seed);
    let keys = (rows as f64 / choice.rows_per_key) as u64;
    let starts = (rows - WINDOW + 1) as u64;
    let start = |n: u64| reduce(digest.function(2 * n), starts) as usize;
    let mut equations: Vec<(usize, u64)> = (0..keys)
        .map(|n| (start(n), digest.function(2 * n + 1) | 1))
        .collect();
    equations.par_sort_unstable();
    let mut taken = vec![0u64; rows];
    let mut bumped = 0;
    let mut pivots = Vec::new();
    for first in (0..rows).step_by(choice.bucket) {
        let end = equations.partition_point(|key| key.0 < first + choice.bucket);
        let begin = equations.partition_point(|key| key.0 < first);
        let keys = &equations[begin..end];
        pivots.clear();
        let failed = keys.iter().rev().find(|key| {
            let pivot = insert(&mut taken, **key);
            pivots.extend(pivot);
            pivot.is_none()
        });
        let Some(&(failed, _)) = failed else {
            continue;
        };
        let [_, second, third] = choice.levels.map(|level| first + level);
        let levels = [second, third, first + choice.bucket];
        let level = levels.into_iter().find(|&level| level > failed);
        let below = keys.partition_point(|key| Some(key.0) < level);
        bumped += below;
        for pivot in pivots.drain((keys.len() - below).min(pivots.len())..) {
            taken[pivot] = 0;
        }
    }
    let empty = taken.iter().filter(|&&row| row == 0).count();
    Found {
        bumped: bumped as f64 / keys as f64,
        empty: empty as f64 / rows as f64,
    }
}

/// Inserts an equation, and returns its pivot; `None` if it depends on others.
fn insert(taken: &mut [u64], (mut row, mut coefficients): (usize, u64)) -> Option<usize> {
    while taken[row] != 0 {
        coefficients ^= taken[row];
        if coefficients == 0 {
            return None;
        }
        row += coefficients.trailing_zeros() as usize;
        coefficients >>= coefficients.trailing_zeros();
    }
    taken[row] = coefficients;
    Some(row)
}

/// The bits per key that a choice loses in a filter of `columns` columns.
fn lost(choice: Choice, found: Found, columns: f64) -> f64 {
    choice.rows_per_key * (found.empty * columns + 4.0 / choice.bucket as f64)
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let rows = options.scaled(768_000, 19_200) as usize / 768 * 768;
    let mut outcome = Outcome::new(format!(
        "Guarded filters: thresholds for buckets of several sizes, and rows per key, in a layer of {rows} rows. Lost bits are those of empty rows, of 8 or 16 columns, and of two thresholds per bucket."
    ));
    let columns = "rows of a bucket | levels | rows per key {3} | keys bumped {%} | rows empty {%} | bits lost per key, 8 columns {4} | 16 columns {4}";
    let mut table = Table::new("First layer", columns);
    let y = Axis::linear("bits lost per key");
    let title = "Bits lost in a layer, 8 columns";
    let mut chart = Chart::new(title, Axis::linear("rows per key"), y);
    for (bucket, levels) in [
        (64, [0, 16, 32]),
        (128, [0, 12, 40]),
        (128, [0, 16, 32]),
        (128, [0, 20, 40]),
        (128, [0, 24, 48]),
        (192, [0, 20, 40]),
        (192, [0, 24, 64]),
        (256, [0, 24, 64]),
    ] {
        for rows_per_key in [0.94, 0.955, 0.965, 0.975] {
            let choice = Choice {
                bucket,
                levels,
                rows_per_key,
            };
            let found = solve(choice, rows, 1);
            let [_, second, third] = levels;
            let levels = format!("0, {second}, {third}, all");
            let lost = [8.0, 16.0].map(|columns| lost(choice, found, columns));
            let name = format!("{bucket} rows: {levels}");
            chart.point(&name, rows_per_key, lost[0], 0.0);
            let Found { bumped, empty } = found;
            table.row((bucket, levels, rows_per_key, bumped, empty, lost));
        }
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_full_and_keys_without_a_row_are_bumped() {
        let choice = Choice {
            bucket: 128,
            levels: [0, 16, 32],
            rows_per_key: 0.965,
        };
        let rows = 38_400;
        let Found { bumped, empty } = solve(choice, rows, 7);
        // Each key has a row or is bumped.
        let keys = (rows as f64 / choice.rows_per_key).floor();
        let used = rows as f64 * (1.0 - empty) + keys * bumped;
        assert!((used - keys).abs() < 1.0, "{used}, {keys}");
        assert!(empty < 0.005 && bumped < 0.05, "{empty}, {bumped}");
    }
}
