//! The rates of the filter's own query.
//!
//! A key is answered with "yes" if none of its `k` counters is 0, or if only the first marked one is and the counter is in
//! use that it would have instead. Let `u` be the chance that a counter is unmarked and in use, `v` that it is in use at
//! all, `w` that a first marked counter is in use or has such a stand-in. A stranger without marks passes with `u^k`, one whose
//! first mark is at function `i` with `u^i w v^(k-1-i)`. All counters of a guarded key are marked, so it passes with `w` and
//! `k - 1` marked counters in use, which few are. With a modulator, the stand-in counts only if the key's cell is in use.
//!
//! In an adaptive filter some counters of guarded keys still wait for their mark, and are in use. Let `q` be the share of those that
//! have it. A guarded key without any mark passes for certain, and one whose first mark is at function `i` with `w` and `k - 1 - i`
//! counters that wait or are marked and in use.

use super::paper;

/// What a filter is planned to hold, for each key of its capacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Guarded keys.
    pub guarded: f64,
    /// Counters.
    pub counters: f64,
    /// Modulator cells; 0 if there are none.
    pub cells: f64,
    /// Functions of a key.
    pub functions: u32,
    /// The logarithm of the number of functions in reserve.
    pub index_bits: u32,
}

/// How full a filter is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// The share of counters that are marked.
    pub marked: f64,
    /// The share of marked counters that are in use.
    pub marked_fill: f64,
    /// Of the counters that are marked or wait for a mark, the share of the marked ones; 1 if there are none.
    pub settled: f64,
    /// The share of unmarked counters that are in use.
    pub plain_fill: f64,
    /// The share of modulator cells in use, if there are cells.
    pub load: Option<f64>,
    /// Functions of a key.
    pub functions: u32,
    /// The logarithm of the number of functions in reserve.
    pub index_bits: u32,
}

impl Load {
    /// Modulator cells for a key that meets a mark.
    pub fn scale(&self) -> f64 {
        paper::scale(self.cells, self.functions, self.marked())
    }

    fn marked(&self) -> f64 {
        paper::marked(self.functions, self.counters, self.guarded)
    }

    /// How full the filter is with all its keys, the guarded ones having come first.
    pub fn state(&self) -> State {
        let marked = self.marked();
        let modulated = self.cells > 0.0;
        let scale = self.scale();
        // Without a modulator every key has its choice, as in one whose cells are all empty.
        let mean = if modulated {
            paper::mean_load(scale)
        } else {
            0.0
        };
        let success = paper::success(mean, marked, self.index_bits);
        State {
            marked,
            marked_fill: paper::marked_fill(self.functions, self.counters, marked, success),
            settled: 1.0,
            plain_fill: paper::plain_fill(self.functions, self.counters, marked, success),
            load: modulated.then(|| paper::load(scale)),
            functions: self.functions,
            index_bits: self.index_bits,
        }
    }
}

impl State {
    /// The rate on guarded keys.
    pub fn guarded_rate(&self) -> f64 {
        let k = self.functions as i32;
        let waits = 1.0 - self.settled;
        let used = waits + self.settled * self.marked_fill;
        let around = (0..k).map(|first| waits.powi(first) * used.powi(k - 1 - first));
        let around = self.settled * self.passes_mark() * around.sum::<f64>();
        (waits.powi(k) + around).min(1.0)
    }

    /// The rate on keys that nobody has seen, and on known ones that are not guarded.
    pub fn unseen_rate(&self) -> f64 {
        let k = self.functions as i32;
        let plain = (1.0 - self.marked) * self.plain_fill;
        let used = plain + self.marked * self.marked_fill;
        let around = (0..k).map(|first| plain.powi(first) * used.powi(k - 1 - first));
        let around = self.marked * self.passes_mark() * around.sum::<f64>();
        (plain.powi(k) + around).min(1.0)
    }

    /// The chance that the first marked counter of a key which is not there is in use, or its stand-in is.
    fn passes_mark(&self) -> f64 {
        let stays = match self.load {
            None => paper::all_marked(self.marked, self.index_bits),
            Some(_) => self.marked,
        };
        let stand_in = self.load.unwrap_or(1.0) * (1.0 - stays) * self.plain_fill;
        self.marked_fill + (1.0 - self.marked_fill) * stand_in
    }
}
