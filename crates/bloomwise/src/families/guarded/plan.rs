//! The plan of a filter: how it spends its words, decided before it is built. [`super::search`] makes plans.

use crate::filter::info::Parameter;

/// The failures before the guard may leave out survivors for which the plan has room.
const PATIENCE: u64 = 32;

/// How a filter spends its words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// All words of the filter.
    pub words: u64,
    /// The bits for layers of the guard alone.
    pub guard_bits: u64,
    /// The place of the guard; `None` if there is none.
    pub guard: Option<Place>,
    /// The most survivors that the guard takes; [`u64::MAX`] if it takes all.
    pub max_survivors: u64,
    /// The predicted rate on unseen keys.
    pub unseen: f64,
    /// The predicted rate by cost on known negatives.
    pub known: f64,
    /// The predicted number of wrong known negatives; 0 is a promise.
    pub wrong: u64,
}

/// Where the guard lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the first layer of the fingerprint, but for keys whose thinning byte is too low: below the first of these in
    /// narrow blocks, below the second in wide ones.
    Woven { thinned: [u8; 2] },
    /// In layers of its own.
    Apart,
}

impl Plan {
    /// The plan for the attempt after `failures` failures: with more room for the guard, then also with fewer survivors.
    pub fn retried(mut self, failures: u64) -> Self {
        if failures > 0 && self.guard.is_some() {
            let more = 1 + (self.guard_bits * failures).div_ceil(100);
            self.guard_bits = (self.guard_bits + more).min(self.words * 64);
        }
        if failures >= PATIENCE {
            let share = 1.0 - (failures - PATIENCE) as f64 / 8.0;
            self.max_survivors = (self.max_survivors as f64 * share.max(0.0)) as u64;
        }
        self
    }

    /// The mean number of cache lines that a query reads: a window lies in two blocks, and its threshold in another line.
    pub fn lines(&self) -> f64 {
        let columns = -self.unseen.log2();
        let window = 1.0 + (16.0 * columns - 8.0).max(0.0) / 64.0;
        let own = f64::from(u8::from(self.guard == Some(Place::Apart)));
        1.0 + window + 2.0 * own
    }

    /// The parameters that [`crate::info::Info`] and [`crate::Forecast`] list: name and value.
    pub fn parameters(&self) -> Vec<Parameter> {
        let guard = match self.guard {
            None => "none",
            Some(Place::Woven { .. }) => "woven",
            Some(Place::Apart) => "apart",
        };
        vec![
            Parameter::total("bits", self.words * 64),
            Parameter::setting("guard", guard),
        ]
    }
}
