//! The rates of this library's query.
//!
//! The query answers "yes" if none of the key's `k` home counters is 0, or if only the first marked one is 0 and the stand-in is in use.
//! Let `mu` be the share of counters that are marked and `f` the share of marked counters in use. Let `u` be the chance that a counter
//! is unmarked and in use, `v` the chance that it is in use, and `w` the chance that a first marked counter or its stand-in is in use.
//! With a modulator, the stand-in counts only if the key's modulator cell is in use.
//!
//! - An unseen key has no marked counter and is a false positive with probability `u^k`. Its first marked counter belongs to function
//!   `i`, and it is a false positive, with probability `u^i mu w v^(k-1-i)`.
//! - All counters of a guarded key are marked. It is a false positive with probability `w f^(k-1)`. Few marked counters are in use, so
//!   `f` is small.
//!
//! In an adaptive filter, some counters of guarded keys have a pending mark; those are in use. Let `q` be the share of marked ones
//! (`settled`). With probability `(1-q)^k` a guarded key has no marked counter and is a false positive. Its first marked counter is that
//! of function `i`, and it is a false positive, with probability `(1-q)^i q w (1-q+q f)^(k-1-i)`.

use super::paper;

/// The parameters of a planned filter from which [`Setup::state`] predicts how full it gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Guarded keys per key of the capacity.
    pub guarded: f64,
    /// Counters per key of the capacity.
    pub counters: f64,
    /// Modulator cells per key of the capacity; 0 if there is no modulator.
    pub cells: f64,
    /// Hash functions per key.
    pub functions: u32,
    /// The binary logarithm of the number of backup functions.
    pub index_bits: u32,
}

/// How full a filter is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// The share of counters that are marked.
    pub marked: f64,
    /// The share of marked counters that are in use.
    pub marked_fill: f64,
    /// The share of marked counters among those that are marked or have a pending mark; 1 if there are none.
    pub settled: f64,
    /// The share of unmarked counters that are in use.
    pub plain_fill: f64,
    /// The share of modulator cells in use; `None` if there is no modulator.
    pub load: Option<f64>,
    /// Hash functions per key.
    pub functions: u32,
    /// The binary logarithm of the number of backup functions.
    pub index_bits: u32,
}

impl Setup {
    /// The number of modulator cells per key with a marked counter.
    pub fn scale(&self) -> f64 {
        paper::scale(self.cells, self.functions, self.marked())
    }

    /// The share of counters that are marked.
    fn marked(&self) -> f64 {
        paper::marked(self.functions, self.counters, self.guarded)
    }

    /// How full the filter is when it holds as many keys as its capacity, if all guards came before the insertions.
    pub fn state(&self) -> State {
        let marked = self.marked();
        let has_modulator = self.cells > 0.0;
        let scale = self.scale();
        // Without a modulator each key can use all backup functions, as with a modulator whose cells are all empty.
        let mean_load = if has_modulator {
            paper::mean_load(scale)
        } else {
            0.0
        };
        let success = paper::success(mean_load, marked, self.index_bits);
        State {
            marked,
            marked_fill: paper::marked_fill(self.functions, self.counters, marked, success),
            settled: 1.0,
            plain_fill: paper::plain_fill(self.functions, self.counters, marked, success),
            load: has_modulator.then(|| paper::load(scale)),
            functions: self.functions,
            index_bits: self.index_bits,
        }
    }
}

impl State {
    /// The false positive rate on guarded keys. It treats them all alike. If half of them were guarded before the insertions
    /// and half after, their mean rate is 0.9 to 1.7 times this one until keys are replaced (20 to 36 bits per key).
    pub fn guarded_rate(&self) -> f64 {
        let k = self.functions as i32;
        let pending = 1.0 - self.settled;
        let used = pending + self.settled * self.marked_fill;
        let around = (0..k).map(|first| pending.powi(first) * used.powi(k - 1 - first));
        let around = self.settled * self.passes_mark() * around.sum::<f64>();
        (pending.powi(k) + around).min(1.0)
    }

    /// The false positive rate on unseen keys and on known negatives that are not guarded.
    pub fn unseen_rate(&self) -> f64 {
        let k = self.functions as i32;
        let plain = (1.0 - self.marked) * self.plain_fill;
        let used = plain + self.marked * self.marked_fill;
        let around = (0..k).map(|first| plain.powi(first) * used.powi(k - 1 - first));
        let around = self.marked * self.passes_mark() * around.sum::<f64>();
        (plain.powi(k) + around).min(1.0)
    }

    /// The chance that the first marked counter of a non-member, or its stand-in, is in use.
    fn passes_mark(&self) -> f64 {
        let no_stand_in = match self.load {
            None => paper::all_marked(self.marked, self.index_bits),
            Some(_) => self.marked,
        };
        let stand_in = self.load.unwrap_or(1.0) * (1.0 - no_stand_in) * self.plain_fill;
        self.marked_fill + (1.0 - self.marked_fill) * stand_in
    }
}
