//! How many rows a layer gets, and what a chain of layers takes.
//!
//! The numbers were found by experiment: `bloomwise-lab guarded-thresholds`.

use super::equation::WINDOW;
use super::layer::{BUCKET, Thresholds};

/// The most keys of a last layer, which has no thresholds.
pub(super) const MOST_IN_LAST: u64 = 2000;

/// Rows per key of a layer with thresholds.
const ROWS_PER_KEY: f64 = 0.965;

/// The share of the rows of a layer with thresholds that stay empty.
const EMPTY: f64 = 0.00107;

/// The rows at the ends of a layer that stay empty.
const EMPTY_ENDS: f64 = 12.0;

/// The rows between two parts of a layer that stay empty.
const EMPTY_BETWEEN: f64 = 64.0;

/// The most rows of a part of a layer. Smaller parts would lose more rows between them.
const MOST_ROWS: u64 = 1024 * BUCKET;

/// A layer of at least this many rows has an even number of parts, so that parts are solved in pairs, side by side.
const PAIRED: u64 = 512 * BUCKET;

/// The number of rows of each part of a layer, whole buckets. The last part may have fewer.
pub(super) fn part_rows(rows: u64) -> u64 {
    let parts = match rows {
        ..PAIRED => 1,
        _ => rows.div_ceil(2 * MOST_ROWS) * 2,
    };
    rows.div_ceil(BUCKET).div_ceil(parts) * BUCKET
}

/// The number of rows of a layer with thresholds, whole blocks.
pub(super) fn layer_rows(keys: u64) -> u64 {
    (keys as f64 * ROWS_PER_KEY / WINDOW as f64).round() as u64 * WINDOW
}

/// The number of keys that a layer with thresholds bumps: those that do not get a row.
pub(super) fn bumped(keys: u64) -> u64 {
    let rows = layer_rows(keys);
    let between = rows.div_ceil(part_rows(rows).max(1)).saturating_sub(1);
    let filled = rows as f64 * (1.0 - EMPTY) - EMPTY_ENDS - EMPTY_BETWEEN * between as f64;
    (keys as f64 - filled).ceil() as u64
}

/// The number of rows of a last layer. About every second salt can be solved with them.
pub(super) fn last_rows(keys: u64) -> u64 {
    keys + 2 + keys / 64
}

/// What a chain takes, before it is solved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChainForecast {
    /// The number of rows of all layers.
    pub rows: f64,
    /// The bits of thresholds, and those that are lost because layers start at words.
    pub overhead: f64,
}

impl ChainForecast {
    /// The forecast for this many keys.
    pub fn new(keys: u64) -> Self {
        let (mut chain, mut keys) = (ChainForecast::default(), keys);
        while keys > MOST_IN_LAST {
            let rows = layer_rows(keys);
            chain.rows += rows as f64;
            // Its thresholds, and what is lost because it starts at a word.
            chain.overhead += (Thresholds::One.words(rows) * 64 + 32) as f64;
            keys = bumped(keys);
        }
        chain.rows += last_rows(keys) as f64;
        chain
    }

    /// The mean number of columns if the chain may take `bits` bits.
    pub fn columns(&self, bits: u64) -> f64 {
        ((bits as f64 - self.overhead) / self.rows).max(0.0)
    }

    /// The bits that the chain takes with this mean number of columns.
    pub fn bits(&self, columns: f64) -> f64 {
        self.rows * columns + self.overhead
    }
}
